//! What is read, and what is refused.

use super::*;

#[test]
fn parameters_lie_as_in_c() {
    let text = ".version 6.0\n.target sm_75\n.visible .entry e(\n.param .u8 e_param_0,\n.param .u64 .ptr .align 1 e_param_1,\n\
        .param .u32 e_param_2,\n.param .u32 e_param_3,\n.param .align 8 .b8 e_param_4[12]\n)\n{\nret;\n}\n";
    let module = module(text).unwrap();
    let places = module
        .parameters("e")
        .unwrap()
        .iter()
        .map(|param| (param.offset, param.size));
    assert!(places.eq([(0, 1), (8, 8), (16, 4), (20, 4), (24, 12)]));
    assert_eq!((module.target(), module.parameters("f")), (Some(75), None));
}

/// A body with registers of all kinds.
fn body(line: &str) -> Result<Module, String> {
    let registers = ".reg .pred %p<5>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;";
    module(&format!(".visible .entry e(\n)\n{{\n{registers}\n{line}\nret;\n}}\n"))
}

#[test]
fn what_is_unknown_is_refused() {
    for line in [
        "add.s64 %rd1, %rd2, -3;",
        "@!%p1 bra L; L: mov.b64 {_, %r1}, %rd1;",
        "{ .reg .b32 x; mov.u32 x, %tid.y; }",
    ] {
        assert!(body(line).is_ok(), "{line}: {:?}", body(line));
    }
    for line in [
        "add.s31 %r1, %r2, %r3;",
        "add.s32 %r1, %r2;",
        "add.s32 %r1, %r2, %r9;",
        "add.s32 %r1, %r2, x;",
        "shfl.down.b32 %r1, %r2, 1, 31;",
        "bar.sync 1, 32;",
        "ld.global.v2.b32 %r1, [%rd1];",
        "ld.global.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd1];",
        "cvt.rni.s32.u32 %r1, %r2;",
        "mov.u32 %r1, %clock;",
        "setp.nan.s32 %p1, %r1, %r2;",
        "ld.global.pred %p1, [%rd1];",
        "mov.b16 {%rs1, %rs2, %rs3, %rs4}, %rs5;",
        "bfe.s32 %r1, %r2, 3, 4;",
        "ld.param.u32 %r1, [e_param_0];",
        "@%p1 %r1;",
    ] {
        assert_eq!(body(line).unwrap_err(), format!("line 5: unknown instruction `{line}`"));
    }
    assert_eq!(body("bra L;").unwrap_err(), "line 5: bra L;");
    assert_eq!(module(".version 8.5\ngarbage\n").unwrap_err(), "line 2: garbage");
    for cut in ["{", ".reg .b32 %r<5>", "add.s32", "{ // callseq"] {
        assert!(body(cut).is_err(), "{cut}");
    }
}

#[test]
fn calls_are_resolved() {
    let text = |callee: &str, argument: &str| {
        format!(
            ".func f(.param .b64 a);\n.visible .entry e()\n{{\n{{\n.param .{argument} p;\ncall.uni {callee}, (p);\n}}\nret;\n}}\n\
            .func f(.param .b64 a)\n{{\nret;\n}}\n"
        )
    };
    assert!(module(&text("f", "b64")).is_ok());
    for (callee, argument) in [("g", "b64"), ("f", "b32"), ("e", "b64")] {
        let why = module(&text(callee, argument)).unwrap_err();
        assert_eq!(why, format!("line 6: no function `{callee}` with such parameters"));
    }
    let turns = ".func f()\n{\ncall.uni f;\nret;\n}\n";
    assert_eq!(module(turns).unwrap_err(), "a function calls itself");
}

#[test]
fn variables_have_values() {
    let text = ".global .align 4 .b8 g[8] = {1, 2, 255};\n.const .align 4 .u32 c[2] = {7, 8};\n.shared .align 8 .b8 s[12];\n\
        .shared .f64 d;\n.extern .shared .align 16 .b8 more[];\n";
    let module = module(text).unwrap();
    assert_eq!(module.shared(), 24);
    let (address, bytes) = module.global("g").unwrap();
    assert_eq!((address % 16, bytes), (0, 8));
    assert!(module.global("s").is_none());
    // Of functions of their own.
    let inside = |name: &str| format!(".visible .entry {name}()\n{{\n.shared .align 4 .b8 v[12];\nret;\n}}\n");
    let text = format!(".shared .align 8 .b8 s[8];\n{}{}", inside("e"), inside("f"));
    assert_eq!(super::module(&text).unwrap().shared(), 32);
}
