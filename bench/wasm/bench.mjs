// Compares the module with parsers in JavaScript, in one process of Node.
//
//   node bench.mjs MODULE LIST [ROUNDS]
//
// The contestants take turns. In each round, a peer's time is divided by that of `urikit, one by one`;
// the ratio is the median over all rounds. The parsers accept different languages, so the number of
// accepted URLs is shown.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(process.env.PEERS ?? import.meta.url);
const fastUri = require("fast-uri");
const uriJs = require("uri-js");
const whatwg = require("whatwg-url");

const [module, list, rounds = "15"] = process.argv.slice(2);
const urls = readFileSync(list, "latin1").split("\n").filter((url) => /^[!-~]+$/.test(url));
const step = Math.ceil(urls.length / 4000);
const texts = urls.filter((_, at) => at % step === 0);
const joined = texts.join("\n");

const load = async () => (await WebAssembly.instantiate(readFileSync(module))).instance.exports;
const encoder = new TextEncoder();
const prepare = (exports) => {
    const longest = Math.max(...texts.map((text) => text.length));
    const one = exports.buffer(longest);
    const all = exports.buffer(joined.length);
    const out = exports.buffer(16);
    const memory = exports.memory.buffer;
    encoder.encodeInto(joined, new Uint8Array(memory, all, joined.length));
    const bytes = new Uint8Array(memory, one, longest);
    const ends = new DataView(memory, out, 12);
    let sum = 0;
    const single = (text) => {
        const { written } = encoder.encodeInto(text, bytes);
        const valid = exports.parse(one, written, out);
        sum += ends.getUint32(4, true);
        return valid;
    };
    return { single, lines: () => exports.parse_lines(all, joined.length) };
};
const scanner = prepare(await load());
const portableExports = await load();
if (!portableExports.limit_to_portable()) throw new Error("the module has no simd128");
const portable = prepare(portableExports);

const each = (parse) => () => {
    let valid = 0;
    for (const text of texts) valid += parse(text) ? 1 : 0;
    return valid;
};
const contestants = {
    "urikit, one by one": each(scanner.single),
    "urikit portable, one by one": each(portable.single),
    "urikit, all lines at once": scanner.lines,
    "urikit portable, all at once": portable.lines,
    "URL (Node's Ada)": each((text) => URL.canParse(text) && new URL(text).host !== null),
    "fast-uri": each((text) => !fastUri.parse(text).error),
    "uri-js": each((text) => !uriJs.parse(text).error),
    "whatwg-url": each((text) => whatwg.parseURL(text) !== null),
};
const times = {};
const counts = {};
for (let round = -3; round < Number(rounds); round++) {
    for (const [name, run] of Object.entries(contestants)) {
        const begin = process.cpuUsage();
        counts[name] = run();
        const used = process.cpuUsage(begin);
        if (round >= 0) (times[name] ??= []).push((used.user + used.system) * 1000 / texts.length);
    }
}
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
console.log(`${texts.length} URLs, ${(joined.length / texts.length).toFixed(0)} bytes on average`);
const own = times["urikit, one by one"];
for (const [name, taken] of Object.entries(times)) {
    const ratio = median(taken.map((time, round) => time / own[round]));
    const cells = [name.padEnd(30), median(taken).toFixed(0).padStart(7), "ns", ratio.toFixed(2).padStart(7), "x"];
    console.log(cells.join(" "), String(counts[name]).padStart(7));
}
