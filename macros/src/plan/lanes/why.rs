//! Why a loop is not in lanes, and what to write instead.

use proc_macro2::Span;

/// A reason, and where it stands.
#[derive(Clone, Copy)]
pub struct Why {
    pub at: Span,
    pub text: &'static str,
}

impl Why {
    pub fn new(at: Span, text: &'static str) -> Why {
        Why { at, text }
    }
}

pub const ATOMIC: &str = "not in lanes: an atomic operation is made for one iteration after the other, but for sums whose old values are not used";
pub const SCATTERED: &str = "not in lanes: data tells where is added, and this is a short body";
pub const CHECKED: &str = "not in lanes: this access is checked in place, and a check may leave the iteration; index by positions of a loop over this field";
pub const COMPARED: &str = "not in lanes: this comparison decides for one iteration after the other; in a parallel loop that compares alone, without sums, loops and checks, blocks are passed over in which nothing is better";
pub const FAILS: &str = "not in lanes: this may leave the iteration; assert in a parallel loop of its own";
pub const GATHERED_BESIDE: &str = "not in lanes: this read is checked in place, which lanes do beside no reduction, atomic operation or `unsafe` block; index by positions of a loop over this field, or read in a parallel loop of its own";
pub const GATHERED_FOR: &str = "not in lanes: this read is checked in place, and an index of an array that data tells, `clamp`, an overflow check or many short loops would meet another element's value if it is out of bounds; index by positions of a loop over this field";
pub const GATHERED_ROUNDS: &str = "not in lanes: this read is checked in place, and what is written in each round could not be put back if it is out of bounds; write in a parallel loop of its own";
pub const LARGE: &str = "not in lanes: this array has too many elements to be copied for each lane; use its items one by one, `a[k]`, where it is not declared";
pub const LATE: &str = "not in lanes: this variable gets its value later; give it one where it is declared";
pub const LEAVES: &str = "not in lanes: the condition of this loop leaves it; write `loop { if .. { break } .. }`";
pub const LENT: &str = "not in lanes: the function that this field is lent may read out of bounds, and leave the iteration; index the field here, and pass what is read";
pub const NESTED: &str = "not in lanes: this loop is a parallel loop of its own";
pub const OWN_RANGE: &str = "not in lanes: the range of this loop differs from iteration to iteration";
pub const PATTERN: &str = "not in lanes: the pattern of this loop is more than one immutable variable";
pub const PLACED: &str = "not in lanes: this loop stands inside of an expression; write it as a statement";
pub const PRINTS: &str = "not in lanes: lines are printed for one iteration after the other";
pub const RETURNS: &str = "not in lanes: `return` leaves the iteration";
pub const ROWS: &str = "not in lanes: neighbouring iterations access elements a row apart here; LLVM vectorises this loop along rows if nothing stands in its way";
pub const SHORT: &str = "not in lanes: this loop has few rounds, LLVM writes them out and vectorises the parallel loop itself if nothing stands in its way";
pub const TOO_MANY: &str = "not in lanes: there are more loops and branches than bits to tell who has left which";
pub const VALUE: &str = "not in lanes: `break` with a value leaves this loop";
pub const UNTOLD: &str = "not in lanes: what is changed here could not be put back after a failure; index by positions, and by variables that stand for them";
