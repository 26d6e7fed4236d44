use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Flags {
    bits: u8,
}

#[func]
impl Flags {
    fn raise(&mut self, by: u8) -> u8 {
        self.bits |= by;
        self.bits
    }
}

#[kernel]
fn raised(x: &mut Field<Flags>, out: &mut Field<u8>) {
    for i in x.indices() {
        if i > 3 {
            out[i] = x[i].raise(1);
        }
    }
}

fn main() {}
