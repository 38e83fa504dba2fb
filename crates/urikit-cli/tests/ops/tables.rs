//! Results as tables.

use crate::support::uri;

#[test]
fn tables_of_each_subcommand() {
    for (arguments, expected) in [
        (
            &["normalize", "HTTP://A", "^"][..],
            "input,valid,error,normalized,changed,repaired\nHTTP://A,true,,http://a/,true,\n\
             ^,false,\"expected a path character, `/`, `?`, `#` or the end, but found `^` at byte 0 \
             (segment, RFC 3986, 3.3)\",,,\n",
        ),
        (
            &["normalize", "--lenient", "http://a/b c"],
            "input,valid,error,normalized,changed,repaired\n\
             http://a/b c,true,,http://a/b%20c,true,http://a/b%20c\n",
        ),
        (
            &["resolve", "--base", "http://a/b", "c"],
            "base,input,valid,error,target,same_document,repaired\n\
             http://a/b,c,true,,http://a/c,false,\n",
        ),
        (
            &["relativize", "--base", "http://a/b", "http://a/c"],
            "base,input,valid,error,relative,repaired\nhttp://a/b,http://a/c,true,,c,\n",
        ),
        (
            &["edit", "-s", "host=b", "http://a/"],
            "input,valid,error,edited,repaired\nhttp://a/,true,,http://b/,\n",
        ),
        (
            &["decode", "a%20b"],
            "input,valid,error,decoded,decoded_base64\na%20b,true,,a b,\n",
        ),
        (
            &["audit", "http://a/"],
            "input,valid,error,agreed,disputed,severity,findings\nhttp://a/,true,,true,[],,[]\n",
        ),
        (
            &["get", "{host},{port},x{query}", "http://a/"],
            "host,port,x{query}\na,,x\n",
        ),
    ] {
        let outcome = uri(arguments.iter().chain(&["--output-format", "csv"]));
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
