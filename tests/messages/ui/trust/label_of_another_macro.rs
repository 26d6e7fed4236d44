use swathe::prelude::*;

macro_rules! looped {
    ($jump:block) => {
        #[func]
        fn counted(n: u32) -> u32 {
            let mut total = 0;
            'a: for _i in 0..n {
                total += 1;
                $jump
            }
            total
        }
    };
}
looped!({ continue 'a; });

fn main() {}
