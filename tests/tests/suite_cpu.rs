//! The suite on the CPU.

use swathe::Device;
use swathe_tests::suite;

macro_rules! topics {
    ($($topic:ident)*) => {
        $(
            #[test]
            fn $topic() {
                suite::$topic::check(&Device::cpu());
            }
        )*

        #[test]
        fn no_topic_is_left_out() {
            let here = [$(stringify!($topic)),*];
            let all: Vec<&str> = suite::TOPICS.iter().map(|topic| topic.0).collect();
            assert_eq!(all, here);
        }
    };
}

topics! { binding branch loops limits lookups values operators casts funcs generics parallel places copies own reduction atomics members vectors arguments failures ranges claims names methods hygiene items half complex views external layouts offset strict order attributes }
