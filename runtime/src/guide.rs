//! The chapters of the guide, each block of Rust code run as a test; those that show pictures are run by the crate `swathe-view`.

macro_rules! chapters {
    ($($chapter:ident $file:literal)*) => {$(
        #[doc = include_str!(concat!("../../docs/guide/src/", $file))]
        struct $chapter;
    )*};
}

chapters! {
    Language "language.md"
    Methods "methods.md"
    Loops "loops.md"
    Patterns "patterns.md"
    Fields "fields.md"
    Numbers "numbers.md"
    Derivatives "derivatives.md"
    Tape "tape.md"
    Speed "speed.md"
    Cuda "cuda.md"
    Errors "errors.md"
    FromTaichi "from-taichi.md"
    FromWarp "from-warp.md"
    FromCuda "from-cuda.md"
    FromRayon "from-rayon.md"
}
