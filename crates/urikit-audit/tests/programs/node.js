// Reads URLs with Node's class URL; see lines.py. With `--version`, prints its version.
const escapes = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const characters = { n: "\n", r: "\r", t: "\t", "\\": "\\" };

function read(text, target) {
  const texts = target === undefined ? [text] : [target, text];
  if (!URL.canParse(...texts)) {
    return "rejected";
  }
  const url = new URL(...texts);
  const scheme = url.protocol.slice(0, -1);
  const authority = /^[^:]*:\/\/([^/?#]*)/.exec(url.href);
  const credentials = url.password ? `${url.username}:${url.password}` : url.username || null;
  const host = authority ? url.hostname : null;
  const components = [scheme, credentials, host, url.port || null, url.pathname];
  const escape = (component) => component.replace(/[\\\n\r\t]/g, (c) => escapes[c]);
  return components.map((c) => (c === null ? "\\0" : escape(c))).join("\t");
}

if (process.argv[2] === "--version") {
  console.log(process.versions.node);
} else {
  const lines = require("fs").readFileSync(0, "utf8").split("\n").slice(0, -1);
  const unescape = (text) => text.replace(/\\(.)/g, (_, c) => characters[c]);
  const answers = lines.map((line) => read(...line.split("\t").map(unescape)));
  process.stdout.write(answers.map((answer) => `${answer}\n`).join(""));
}
