//! Names that rustc resolves, so that a kernel's checks and its code mean the same variable.

/// Stands for one of several declarations of a name.
#[derive(Clone, Copy, Debug)]
pub struct Declared<const N: usize>;

/// What declaration number `N` gives a name to.
#[diagnostic::on_unimplemented(
    message = "several variables have this name, and rustc takes it for another one than the kernel's checks do",
    label = "a procedural macro wrote one of them with the name of the other",
    note = "give one of the variables a name of its own"
)]
pub trait IsDeclared<const N: usize> {}

impl<const N: usize> IsDeclared<N> for Declared<N> {}

/// Asks rustc whether a name means declaration number `N`.
pub fn declared<const N: usize, T: IsDeclared<N>>(_: T) {}
