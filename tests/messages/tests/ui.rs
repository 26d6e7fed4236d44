//! What rustc says of programs that break the rules of the kernel language.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}
