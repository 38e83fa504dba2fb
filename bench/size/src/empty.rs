//! Prints its arguments. The other programs are compared with this one.

fn main() {
    for text in std::env::args().skip(1) {
        println!("{text}");
    }
}
