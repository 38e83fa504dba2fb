{
let standard: urikit::Standard = "rfc3986".parse()?;
let url = standard.parse("../g?%22")?;
println!("{:?} {:?}", url.scheme(), url.host());
let base = standard.parse("http://a/b/c/d;p?q")?;
println!("{}", url.resolve_against(base)?);
println!("{:?}", url.compare(standard.parse("g")?));
let report = urikit_audit::audit("../g?%22");
for finding in report.findings().iter() {
    println!("{} at byte {}", finding.code, finding.offset);
}
}
