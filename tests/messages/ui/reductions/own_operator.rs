use std::ops::{AddAssign, Mul, SubAssign};
use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Bid {
    price: f32,
}

#[func]
impl AddAssign<Bid> for f32 {
    fn add_assign(&mut self, bid: Bid) {
        if bid.price > *self {
            *self = bid.price;
        }
    }
}

#[func]
impl SubAssign<Bid> for i32 {
    fn sub_assign(&mut self, bid: Bid) {
        *self += bid.price as i32;
    }
}

#[func]
impl Mul<Bid> for Vec3 {
    type Output = Vec3;

    fn mul(self, bid: Bid) -> Vec3 {
        self + Vec3::splat(bid.price)
    }
}

#[kernel]
fn best(bids: &Field<Bid>) -> (f32, i32, Vec3) {
    let (mut best, mut n, mut all) = (0.0, 0, Vec3::ZERO);
    for i in bids.indices() {
        best += bids[i];
        n -= bids[i];
        all = all * bids[i];
    }
    (best, n, all)
}

fn main() {}
