use swathe::prelude::*;

#[func]
fn stop() -> ! {
    loop {}
}

fn main() {}
