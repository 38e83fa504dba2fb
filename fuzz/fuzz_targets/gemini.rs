#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| urikit_fuzz::run("gemini", data));
