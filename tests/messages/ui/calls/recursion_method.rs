use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Number {
    n: u32,
}

#[func]
impl Number {
    fn down(self) -> u32 {
        if self.n == 0 { 0 } else { self.down() }
    }

    fn up(n: u32) -> u32 {
        if n == 0 { 0 } else { Self::up(n - 1) }
    }
}

fn main() {}
