use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct One {
    v: u32,
}

#[derive(Element, Clone, Copy, Default)]
struct Other {
    v: u32,
}

mod own {
    pub trait Default {
        fn default() -> Self;
    }
}

mod derived {
    pub trait Default: std::default::Default {
        fn default() -> Self;
    }
}

mod named {
    use super::own::Default;
    use super::*;

    #[func]
    impl Default for One {
        fn default() -> One {
            One { v: 1 }
        }
    }
}

#[func]
impl derived::Default for Other {
    fn default() -> Self {
        Other { v: 2 }
    }
}

fn main() {}
