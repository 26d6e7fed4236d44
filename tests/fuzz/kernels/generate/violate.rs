//! Random kernels with one violation of the rules among statements that hold to them.

use super::kernel::{Kernel, Role};
use super::types::{LOCALS, Ty};

/// What `i` and `j` stand for is the loop's positions, `f` for the field that it writes.
enum Form {
    /// Under `for i in f.indices()`, of elements `i32`.
    Line(&'static str),
    /// Under `for [i, j] in f.indices()`, of elements `i32`.
    Plane(&'static str),
    /// Under `for i in f.indices()`, of elements `Part`.
    Parts(&'static str),
    /// Under `for i in f.indices()`, an `OffsetField` of elements `i32`.
    Offset(&'static str),
}

use Form::{Line, Offset, Parts, Plane};

/// Two iterations can meet, or a variable of all iterations is more than accumulated into.
const RACES: &[Form] = &[
    Line("f[(i + 1) % f.len()] = 3;"),
    Line("f[i / 2] += 1;"),
    Line("f[n * i] = 1;"),
    Line("f[2 * i] = 1; let near = f[i];"),
    Line("f[i] = 1; f[i + 1] = 2;"),
    Line("for a in 0..3 { f[2 * i + a] = 1; }"),
    Line("f[(2 * i as u32) as usize] = 1;"),
    Line("f[0] = 7;"),
    Line("f[LAST] ^= 1;"),
    Line("f[n] -= 2;"),
    Line("f[i] = 1; let near = f[i + 1];"),
    Line("let near = f[f.len() - 1 - i]; f[i] += near;"),
    Line("f[i] = f[(f[i] & 3) as usize];"),
    Line("let i = i / 2; f[i] = 1;"),
    Line("let mut k = i; k += 1; f[k] = 1;"),
    Line("let k = i + 0; f[k] = 1; let near = f[k + 1];"),
    Line("let k = n + i; f[k] = 1; let near = f[i];"),
    Line("f[f.len() - 1 - i] = 1; f[i] += 2;"),
    Line("f[2 * i + n] = 1;"),
    Line("let k = i; let k = k * 2; f[k] = 1;"),
    Line("let r#i = 5usize; f[i] = 1;"),
    Line("let (i, k) = (n, i); f[i] = 1;"),
    Line("for i in 0..3 { f[i] += 1; }"),
    Line("for k in 0..f.len() { f[k] += 1; }"),
    Line("for k in i..f.len() { f[k] = 0; }"),
    Line("match i { k => { f[k + 1] = 1; } }"),
    Line("f[if i > 0 { i - 1 } else { i }] = 4;"),
    Line("f[{ let i = 0usize; i }] = 4;"),
    Line("f[i + 1].atomic_add(1); f[i] = 2;"),
    Line("f[i] = 2; f[0].atomic_max(1);"),
    Line("let x = f[i]; f[n].atomic_xor(x);"),
    Line("total = i as i32;"),
    Line("total += 1; let x = total;"),
    Line("total += 1; total *= 2;"),
    Line("total = total - 1;"),
    Line("if f[i] > total { total = f[i] + 1; }"),
    Line("if f[i] > total { total = f[i]; } else { total = 1; }"),
    Line("if f[i] > total { total = f[i]; let x = total; }"),
    Line("if f[i] > total { total = f[i]; } if f[i] < total { total = f[i]; }"),
    Line("if f[i] > total { total = f[i]; f[i] = 1; }"),
    Line("if f[i] > total && i > 3 { total = f[i]; }"),
    Line("if f[i] > total { total = f[i]; } total += 1;"),
    Line("bump(&mut total, 1);"),
    Line("whole.tag = 1;"),
    Line("whole.tag += 1; let x = whole;"),
    Line("whole.w[0] += 1; whole.w = [1, 2, 3];"),
    Line("whole.pos.x += 1.0; let x = whole.pos;"),
    Line("list[n] += 1;"),
    Line("list[0] += 1; let x = list[n];"),
    Line("list[0] += 1; list[0] *= 2;"),
    Line("list[1] += 1; let x = list[1];"),
    Line("break;"),
    Line("return;"),
    Plane("f[[i, 0]] = 1;"),
    Plane("f[[0, j]] += 1;"),
    Plane("f[[i, i]] = 1;"),
    Plane("f[[j, j]] -= 1;"),
    Plane("f[[i, j]] = f[[j, i]];"),
    Plane("f[[i, j]] = 1; let x = f[[i, j - 1]];"),
    Plane("let [i, j] = [j, i + j]; f[[i, j]] = 1;"),
    Plane("for j in 0..2 { f[[i, j]] = 1; }"),
    Plane("f[[i + 1, i]] = 1;"),
    Plane("f[[i + 1, j]] = f[[i, j]];"),
    Plane("f[[2 * i, j]] = 1; f[[2 * i + 1, j]] = f[[2 * i + 2, j]];"),
    Plane("f[[i, j ^ 1]] = 1;"),
    Parts("f[i].tag = 1; let x = f[i + 1].tag;"),
    Parts("f[i].pos.x = 1.0; let x = f[n].pos.y;"),
    Parts("f[i].tag = f[n].r#tag;"),
    Parts("f[i] = f[0];"),
    Parts("f[i].mass = 0.5; let p = f[f.len() - 1];"),
    Parts("f[i].w[0] = f[n].w[1];"),
    Parts("f[n].mass += 1.0;"),
    Offset("f[i + 1] = 1; f[i] = 2;"),
    Offset("f[0] += 1;"),
    Offset("f[-i] = 1;"),
    Offset("f[i] = 1; let x = f[i - 1];"),
    Offset("let k = i + 1; f[k] = 1; f[i] += 2;"),
    Offset("f[i as i32 as isize] = 1;"),
    Offset("f[i - 1].atomic_add(1); f[i] = 2;"),
    Offset("for k in -1..2 { f[i + k] = 1; }"),
    Line("for k in 0..i % 5 { f[k] += 1; }"),
    Line("while f[i] > 3 { f[i / 2] -= 1; }"),
    Line("for k in 0..3 { if f[i] > k { total += 1; return; } }"),
    Line("let k = if f[i] > 0 { i } else { n }; f[k] = 1;"),
];

/// What rustc's types, borrows and rules on `unsafe` refuse, at the user's own tokens.
const TYPES: &[Form] = &[
    Line("f[i] = 1.5;"),
    Line("f[i] += 1u8;"),
    Line("let x: f32 = f[i];"),
    Line("f[i as i32] = 1;"),
    Line("f[[i, 0]] = 1;"),
    Line("f[i].x = 1;"),
    Line("f[i].bump();"),
    Line("let x = mix(f[i], 2.0);"),
    Line("let x = nowhere(f[i]);"),
    Line("f.get_unchecked(i);"),
    Line("f[i].atomic_add(1u64);"),
    Line("if f[i] { f[i] = 1; }"),
    Plane("f[i] = 1;"),
    Plane("f[[i, j, 0]] = 1;"),
    Parts("f[i].colour = 1;"),
    Parts("f[i].tag = true;"),
    Parts("f[i].tagged(3);"),
    Parts("f[i].tag = f[i].pos;"),
    Offset("f[i as usize] = 1;"),
    Offset("f[f.len()] = 1;"),
    Offset("f[[i, i]] = 1;"),
];

impl Kernel {
    fn violating(seed: u64, form: &Form) -> Kernel {
        let mut kernel = Kernel::random(seed);
        let (ty, rank, text) = match form {
            Line(text) => (Ty::I32, 1, text),
            Plane(text) => (Ty::I32, 2, text),
            Parts(text) => (Ty::Part, 1, text),
            Offset(text) => (Ty::I32, 1, text),
        };
        let field = &mut kernel.fields[0];
        (field.ty, field.mutable, field.name) = (ty, true, "f".to_owned());
        field.shape = vec![3; rank];
        field.origin = matches!(form, Offset(_)).then(|| vec![-1; rank]);
        kernel.big = false;
        kernel.sums.clear();
        kernel.line("let mut total = 0i32;");
        kernel.line("let mut whole = Part { pos: Vec3::X, tag: SEVEN, w: [1, 2, 3], mass: 2.0 };");
        kernel.line("let mut list = [1i32, 2, 3];");
        let names: Vec<(String, Ty)> = ["i", "j"][..rank]
            .iter()
            .map(|n| {
                (
                    (*n).to_owned(),
                    if kernel.fields[0].origin.is_some() {
                        Ty::Isize
                    } else {
                        Ty::Usize
                    },
                )
            })
            .collect();
        kernel.line(if rank == 1 {
            "for i in f.indices() {"
        } else {
            "for [i, j] in f.indices() {"
        });
        let mut roles = vec![Role::Read; kernel.fields.len()];
        roles[0] = Role::None;
        kernel.enter(names, roles);
        kernel.depth += 1;
        let before = kernel.random.below(3);
        kernel.statements(before, 2);
        let around = kernel.random.below(4);
        let ty = kernel.random.pick(&LOCALS);
        let head = match around {
            0 => {
                let cond = kernel.expr(Ty::Bool, 2);
                format!("if {cond} {{")
            }
            1 => format!("let around: {} = {{", ty.name()),
            2 if !text.starts_with("break") => "for k9 in 0..2 {".to_owned(),
            _ => "{".to_owned(),
        };
        kernel.line(&head);
        kernel.depth += 1;
        kernel.line(text);
        if around == 1 {
            let value = kernel.expr(ty, 1);
            kernel.line(&value);
        }
        kernel.depth -= 1;
        kernel.line(if around == 1 { "};" } else { "}" });
        kernel.statements(1, 2);
        kernel.depth -= 1;
        kernel.line("}");
        kernel
    }
}

/// Kernels that are to be refused, and for each its seed, what is wrong, and its first and last line.
pub fn batch(seed: u64, kernels: u64, types: bool) -> (String, String) {
    let mut text = super::types::PRELUDE.to_owned();
    let mut table = String::new();
    let forms = if types { TYPES } else { RACES };
    for seed in seed..seed + kernels {
        // All of them in turns.
        let form = &forms[(seed % forms.len() as u64) as usize];
        let (Line(what) | Plane(what) | Parts(what) | Offset(what)) = form;
        let first = text.lines().count() + 1;
        text.push_str(&Kernel::violating(seed, form).finish());
        let last = text.lines().count();
        table.push_str(&format!("    ({seed}, {what:?}, {first}, {last}),\n"));
    }
    (text, table)
}
