use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Mine {
    v: u32,
}

impl swathe::Position<1> for Mine {
    fn axes(self) -> [usize; 1] {
        [self.v as usize]
    }
}

impl swathe::SignedPosition<1> for Mine {
    fn axes(self) -> [isize; 1] {
        [self.v as isize]
    }
}

fn main() {}
