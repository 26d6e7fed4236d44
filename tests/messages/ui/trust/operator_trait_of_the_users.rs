use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Mine {
    v: u32,
}

mod own {
    pub trait Add<B> {
        type Output;

        fn add(self, by: B) -> Self::Output;
    }
}

#[func]
impl own::Add<Mine> for Mine {
    type Output = Mine;

    fn add(self, by: Mine) -> Mine {
        Mine { v: self.v + by.v }
    }
}

fn main() {}
