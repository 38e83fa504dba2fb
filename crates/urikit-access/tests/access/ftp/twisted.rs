//! FTP with Twisted, which refuses `NLST` for an empty directory, and supports neither `EPSV` nor
//! `MLST`.

use super::{entries, fetch_as_planned, with};
use crate::support::{client, fetch};
use urikit_access::protocol::FtpProtocol;
use urikit_testkit::servers::{Folder, Twisted, skip};

#[test]
fn files_and_directories() {
    let folder = Folder::new("ftp-twisted");
    folder.write("pub/README", "one\ntwo\n");
    folder.write("pub/sub/deep", "deep");
    std::fs::create_dir(folder.path().join("pub/empty")).unwrap();
    let Some(server) = Twisted::start(&folder) else {
        return skip("files_and_directories", "python3-twisted");
    };
    let at = format!("ftp://127.0.0.1:{}", server.port());
    let (response, buffer) = fetch_as_planned(&mut client(), &format!("{at}/pub/README"));
    assert_eq!(
        (&*buffer.bytes, response.metadata.size),
        (&b"one\ntwo\n"[..], Some(8))
    );
    for path in ["/pub/", "/pub", "/pub;type=d"] {
        let (_, buffer) = fetch(&mut client(), &format!("{at}{path}")).unwrap();
        let expected = [
            "directory empty /pub/empty/",
            "directory sub /pub/sub/",
            "file README 8 /pub/README",
        ];
        assert_eq!(entries(&buffer), expected, "{path}");
    }
    for details in [true, false] {
        let mut client = with(FtpProtocol::new().details(details));
        let (response, buffer) = fetch_as_planned(&mut client, &format!("{at}/pub/empty/"));
        assert!(response.metadata.is_listing && buffer.entries.is_empty());
    }
}
