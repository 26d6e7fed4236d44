use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Bid {
    price: f32,
}

#[func]
impl Bid {
    fn max(self, least: f32) -> f32 {
        self.price + least
    }
}

#[kernel]
fn best(bids: &Field<Bid>) -> f32 {
    let mut best = 0.0;
    let mut other = 0.0;
    for i in bids.indices() {
        best = bids[i].max(best);
        other = Bid::max(bids[i], other);
    }
    best + other
}

fn main() {}
