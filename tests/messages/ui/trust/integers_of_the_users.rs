//! A type of the user's by the name of an integer: anything can be cast to its own type, and its operators are anybody's.

mod mine {
    use swathe::prelude::*;

    #[derive(Element, Clone, Copy)]
    pub struct Idx {
        pub v: u32,
    }

    #[func]
    impl std::ops::Rem<usize> for Idx {
        type Output = usize;

        fn rem(self, _: usize) -> usize {
            1 << 40
        }
    }
}

mod kernels {
    use swathe::prelude::*;

    use super::mine::Idx;
    use super::mine::Idx as usize;

    #[kernel]
    pub fn at_any_place(at: &Field<Idx>, x: &Field<f32>, y: &mut Field<f32>) {
        let n = x.len();
        for i in y.indices() {
            y[i] = x[(at[i] as usize) % n];
        }
    }
}

fn main() {
    let _ = kernels::at_any_place::plan();
}
