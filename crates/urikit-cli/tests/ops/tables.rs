//! Results as tables.

use crate::support::uri;

/// The columns for the keys of an error, after all others.
const ERROR: &str =
    "error_class,error_offset,error_found,error_expected,error_production,error_section";

#[test]
fn tables_of_each_subcommand() {
    for (arguments, expected) in [
        (
            &["normalize", "HTTP://A", "^"][..],
            "input,valid,error,normalized,changed,repaired,ERROR\nHTTP://A,true,,http://a/,true,,NONE\n\
             ^,false,\"expected a path character, `/`, `?`, `#` or the end, but found `^` at byte 0 \
             (segment, RFC 3986, 3.3)\",,,,syntax,0,^,\"a path character, `/`, `?`, `#` or the \
             end\",segment,\"RFC 3986, 3.3\"\n",
        ),
        (
            &["normalize", "--lenient", "http://a/b c"],
            "input,valid,error,normalized,changed,repaired,ERROR\n\
             http://a/b c,true,,http://a/b%20c,true,http://a/b%20c,NONE\n",
        ),
        (
            &["resolve", "--base", "http://a/b", "c"],
            "base,input,valid,error,target,same_document,repaired,ERROR\n\
             http://a/b,c,true,,http://a/c,false,,NONE\n",
        ),
        (
            &["relativize", "--base", "http://a/b", "http://a/c"],
            "base,input,valid,error,relative,repaired,ERROR\nhttp://a/b,http://a/c,true,,c,,NONE\n",
        ),
        (
            &["edit", "-s", "host=b", "http://a/"],
            "input,valid,error,edited,repaired,ERROR\nhttp://a/,true,,http://b/,,NONE\n",
        ),
        (
            &["decode", "a%20b"],
            "input,valid,error,decoded,decoded_base64,ERROR\na%20b,true,,a b,,NONE\n",
        ),
        (
            &["audit", "http://a/"],
            "input,valid,error,agreed,disputed,severity,findings,ERROR\n\
             http://a/,true,,true,[],,[],NONE\n",
        ),
        (
            &["get", "{host},{port},x{query}", "http://a/"],
            "host,port,x{query}\na,,x\n",
        ),
    ] {
        let outcome = uri(arguments.iter().chain(&["--output-format", "csv"]));
        let expected = expected.replace("ERROR", ERROR).replace("NONE", ",,,,,");
        assert_eq!(outcome.out, expected, "{arguments:?}");
        assert_eq!(
            uri(arguments.iter().chain(&["--output-format", "text"])),
            uri(arguments)
        );
        let lines = uri(arguments.iter().chain(&["--output-format", "jsonl"]));
        assert_eq!(
            lines,
            uri(arguments.iter().chain(&["--json"])),
            "{arguments:?}"
        );
    }
    for arguments in [
        &["explain", "http://a/", "--output-format", "csv"][..],
        &["explain", "http://a/", "--csv"],
        &["normalize", "http://a/", "--csv", "--print0"],
    ] {
        assert_eq!(uri(arguments).status, 2, "{arguments:?}");
    }
}
