// Runs a test program for WebAssembly. It has no output: a failed test ends it with a trap, which
// Node reports as an exception.
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const status = instance.exports.main(0, 0);
console.log(`main returned ${status}`);
process.exitCode = status;
