//! The CUDA C as its reader sees it.

use swathe::__rt::FuncDef;
use swathe::CodegenError;
use swathe::codegen::{IndexWidth, Params, Variant, cuda_source};
use swathe::prelude::*;

#[kernel]
fn saxpy(a: f32, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] += a * x[i];
    }
}

/// The text from the first `__global__` on, without `#line`s.
fn kernels(text: &str) -> String {
    let start = text.find("extern \"C\"").unwrap();
    let lines: Vec<&str> = text[start..].lines().filter(|l| !l.starts_with("#line")).collect();
    lines.join("\n")
}

#[test]
fn a_loop() {
    assert_eq!(
        kernels(&saxpy::cuda_source().unwrap()),
        "\
extern \"C\" __global__ void saxpy(float a, const float* __restrict__ x, u32 x_0, float* __restrict__ y,
    u32 y_0, Errors* errors) {
    if (y_0 <= x_0) {
        for (u32 i = thread_x(); i < y_0; i += threads_x()) {
            y[i] += a * x[i];
        }
    } else {
        for (u32 i = thread_x(); i < y_0; i += threads_x()) {
            if (i >= x_0) { out_of_bounds(errors, 0, i); continue; }
            y[i] += a * x[i];
        }
    }
}"
    );
}

/// A kernel with so many statements.
macro_rules! repeated {
    ($name:ident $a:ident $($once:literal)*) => {
        #[kernel]
        fn $name(x: &Field<f32>, y: &mut Field<f32>) {
            for i in y.indices() {
                let mut $a = x[i];
                $($a = $a * 0.5 + $once;)*
                y[i] = $a;
            }
        }
    };
    ($name:ident $a:ident ten times $($once:literal)*) => {
        repeated!($name $a $($once $once $once $once $once $once $once $once $once $once)*);
    };
}

repeated!(short a ten times 1.0 2.0);
repeated!(long a ten times 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0 16.0 17.0 18.0 19.0 20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0 36.0 37.0 38.0 39.0 40.0 41.0 42.0 43.0 44.0 45.0);

#[test]
fn a_long_loop_is_not_written_twice() {
    let loops = |text: &str| kernels(text).matches("for (").count();
    let text = short::cuda_source().unwrap();
    assert_eq!(loops(&text), 2, "{text}");
    let text = long::cuda_source().unwrap();
    assert_eq!(loops(&text), 1, "{text}");
    assert!(text.contains("const bool covered = y_0 <= x_0;"), "{text}");
    assert!(text.contains("if (!covered && i >= x_0) {"), "{text}");
}

/// A check leaves the loop around it, so that each version has a label of its own; the one without checks needs none.
#[kernel]
fn labelled(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        for k in 0..3 {
            y[i] += x[i] * k as f32;
        }
    }
}

#[test]
fn versions_have_labels_of_their_own() {
    let text = labelled::cuda_source().unwrap();
    let text = kernels(&text);
    assert_eq!(text.matches("if (i >= x_0) {").count(), 1, "{text}");
    let jumps = text.matches("goto ").count();
    assert_eq!((jumps, text.matches(":;").count()), (1, 1), "{text}");
}

/// Counters and remainders whose end is an extent.
#[kernel]
fn narrowed(first: &Field<u64>, count: &Field<u32>, x: &Field<f32>, list: &Field<u32, 2>, y: &mut Field<f32>) {
    let n = x.len();
    for i in first.indices() {
        let a = first[i] as usize;
        for k in a.max(1) - 1..(a + 2).min(n) {
            y[i] += x[k];
        }
        for k in 0..count[i] as usize {
            y[i] += list[[i, k]] as f32;
        }
        y[i] -= x[a % n];
    }
}

#[test]
fn counters_are_narrow_where_their_end_is() {
    let text = narrowed::cuda_source().unwrap();
    let text = kernels(&text);
    assert!(!text.contains("for (usize"), "{text}");
    assert!(text.contains("u32(a % n)"), "{text}");
}

#[kernel]
fn torus(x: &Field<f32, 2>, y: &mut Field<f32, 2>) {
    let [h, w] = x.shape();
    for [i, j] in swathe::ndrange([h, w]) {
        y[[i, j]] = x[[(i + h - 1) % h, (j + w + 1) % w]];
    }
}

#[test]
fn remainders_by_the_extents_of_a_loop_are_narrow_and_not_checked() {
    let text = torus::cuda_source().unwrap();
    assert!(text.contains("(i + h - 1) % h"), "{text}");
    assert!(text.contains("(j + w + 1) % w"), "{text}");
    assert!(!text.contains("division_by_zero"), "{text}");
}

/// Positions that fit in 32 bits but for one that wraps below zero.
#[kernel]
fn below_zero(a: &Field<u64>, n: usize, x: &Field<u8>, out: &mut Field<u8>) {
    for i in out.indices() {
        out[i] = x[a[i] as usize % 7 - 1];
        for k in 0..8 {
            out[i] += x[k - 1];
        }
        for k in 0..n.min(9) {
            out[i] += x[k - 1];
        }
        let mut sum = 0;
        for k in 0..n.min(9) {
            sum += x[k + 1] + x[a[k] as usize % 5];
        }
        out[i] += sum;
    }
}

/// Ends that fit in 32 bits, where a thread's next position may not.
#[kernel]
fn far(n: usize, k: u32, x: &Field<f32>, out: &mut Field<u32, 2>) {
    for i in swathe::ndrange([2 * n]) {
        out[[i + 7, 0]].atomic_add(1);
    }
    for i in swathe::ndrange([k as usize]) {
        out[[i + 7, 1]].atomic_add(1);
    }
    for [i, j] in swathe::ndrange([x.len(), k as usize]) {
        out[[i, j + 7]].atomic_add(1);
    }
}

#[test]
fn positions_of_threads_do_not_wrap() {
    let text = far::cuda_source().unwrap();
    let heads: Vec<&str> = text.lines().filter(|line| line.contains("= thread_")).collect();
    assert_eq!(heads.len(), 4, "{text}");
    assert!(heads.iter().all(|head| head.contains("for (usize")), "{heads:#?}");
}

#[func]
fn above(x: &Field<u8, 2>, p: [usize; 2]) -> u8 {
    let [i, j] = p;
    x[[p[0] - 1, p[1]]] + x[[i, j]]
}

#[kernel]
fn lent(x: &Field<u8, 2>, out: &mut Field<u8>) {
    for i in out.indices() {
        for k in 0..8 {
            out[i] += above(x, [k, i]) + above(x, [k, 0]);
        }
    }
}

#[test]
fn items_of_lent_positions_have_their_own_widths() {
    let variant = |index| Variant {
        index,
        ..Variant::default()
    };
    let text = cuda_source(&lent::load(), variant(IndexWidth::Bits64)).unwrap().text;
    assert!(!text.contains("k - 1 >= x_0"), "{text}");
    let text = cuda_source(&lent::load(), variant(IndexWidth::Bits32)).unwrap().text;
    assert!(
        !text.contains("const usize p") && !text.contains("const usize j"),
        "{text}"
    );
}

#[test]
fn extents_of_64_bits_are_compared_in_64_bits() {
    let variant = Variant {
        index: IndexWidth::Bits64,
        ..Variant::default()
    };
    let text = cuda_source(&below_zero::load(), variant).unwrap().text;
    let compared = text.lines().filter(|line| line.contains(">= x_0"));
    let narrow: Vec<&str> = compared.filter(|line| line.contains("u32(")).collect();
    assert!(narrow.is_empty(), "{narrow:#?}\n{text}");
    assert!(!text.contains("u32 last = x_0"), "{text}");
    assert!(!text.contains("u32 largest"), "{text}");
}

/// A neighbour list, with a function whose length is a constant of its type.
#[kernel]
fn nearest(count: &Field<u32>, list: &Field<u32, 2>, pos: &Field<Vec3>, out: &mut Field<f32>) {
    for i in out.indices() {
        let mut near = 1e9;
        for k in 0..count[i] as usize {
            near = pos[list[[i, k]] as usize].distance_squared(pos[i]).min(near);
        }
        out[i] = near;
    }
}

/// It may not end for what a list does not name.
const MOST: u64 = u64::MAX;

#[func]
fn steps(start: u32) -> u32 {
    let mut v = start;
    let mut n = 0;
    for _ in 0..MOST {
        if v == 1 {
            break;
        }
        v = if v & 1 == 0 { v / 2 } else { 3 * v + 1 };
        n += 1;
    }
    n
}

#[kernel]
fn longest(count: &Field<u32>, list: &Field<u32, 2>, x: &Field<u32>, out: &mut Field<u32>) {
    for i in out.indices() {
        let mut most = 0;
        for k in 0..count[i] as usize {
            most = steps(x[list[[i, k]] as usize]).max(most);
        }
        out[i] = most;
    }
}

#[test]
fn a_list_runs_first_without_checks() {
    let text = nearest::cuda_source().unwrap();
    assert!(text.contains("largest = "), "{text}");
    let text = longest::cuda_source().unwrap();
    assert!(!text.contains("largest = "), "{text}");
}

#[kernel]
fn laplace(u: &Field<f32, 2>, out: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in out.indices() {
        if i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            out[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
        }
    }
}

#[test]
fn a_stencil_whose_condition_proves_its_accesses() {
    assert_eq!(
        kernels(&laplace::cuda_source().unwrap()),
        "\
extern \"C\" __global__ void laplace(const float* __restrict__ u, u32 u_0, u32 u_1, float* __restrict__ out,
    u32 out_0, u32 out_1) {
    const u32 h = u_0;
    const u32 w = u_1;
    for (u32 i = thread_y(); i < out_0; i += threads_y()) {
        for (u32 j = thread_x(); j < out_1; j += threads_x()) {
            const u32 flat = i * out_1 + j;
            if (i > 0 && j > 0 && i + 1 < h && j + 1 < w) {
                out[flat] = 0.25f * (u[(i - 1) * u_1 + j] + u[(i + 1) * u_1 + j] + (&u[i * u_1 + j])[-1] + (&u[i * u_1 + j])[1]);
            }
        }
    }
}"
    );
}

#[kernel]
fn nearly(u: &Field<f32, 2>, out: &mut Field<f32, 2>) {
    for [i, j] in out.indices() {
        if i + 1 < u.shape()[0] {
            out[[i, j]] = u[[i + 2, j]] + u[[i + 1, j]];
        }
    }
}

#[test]
fn what_no_condition_proves_is_checked() {
    let text = nearly::cuda_source().unwrap();
    assert!(
        text.contains("if (unlikely(i + 2 >= u_0 || j >= u_1)) { out_of_bounds(errors, 0, i + 2, j); continue; }"),
        "{text}"
    );
    assert_eq!(text.matches("out_of_bounds(errors, ").count(), 1, "{text}");
}

#[kernel]
fn row_sums(start: &Field<u32>, at: &Field<u32>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        for k in start[i]..start[i + 1] {
            y[i] += x[at[k as usize] as usize];
        }
    }
}

#[test]
fn a_range_of_indices_is_compared_once_and_addresses_come_before_checks() {
    assert_eq!(
        kernels(&row_sums::cuda_source().unwrap()),
        "\
extern \"C\" __global__ void row_sums(const u32* __restrict__ start, u32 start_0, const u32* __restrict__ at_2,
    u32 at_2_0, const float* __restrict__ x, u32 x_0, float* __restrict__ y, u32 y_0, Errors* errors) {
    if (y_0 <= start_0) {
        for (u32 i = thread_x(); i < y_0; i += threads_x()) {
            {
                const u32* const start_at = &start[i];
                if (unlikely(i + 1 >= start_0)) { out_of_bounds(errors, 1, i + 1); continue; }
                const u32 end = start_at[1];
                {
                    u32 k = start[i];
                    const u32 inside = end < at_2_0 ? end : at_2_0;
                    for (; k < inside; ++k) {
                        float* const y_at = &y[i];
                        const u32* const at_2_at = &at_2[k];
                        const u32 index = at_2_at[0];
                        const float* const x_at = &x[index];
                        if (unlikely(index >= x_0)) { out_of_bounds(errors, 3, index); goto next; }
                        y_at[0] += x_at[0];
                    }
                    if (k < end) {
                        if (unlikely(k >= at_2_0)) { out_of_bounds(errors, 2, k); goto next; }
                    }
                }
            }
            next:;
        }
    } else {
        for (u32 i = thread_x(); i < y_0; i += threads_x()) {
            {
                if (i >= start_0) { out_of_bounds(errors, 0, i); continue; }
                const u32* const start_at = &start[i];
                if (unlikely(i + 1 >= start_0)) { out_of_bounds(errors, 1, i + 1); continue; }
                const u32 end = start_at[1];
                {
                    u32 k = start[i];
                    const u32 inside = end < at_2_0 ? end : at_2_0;
                    for (; k < inside; ++k) {
                        float* const y_at = &y[i];
                        const u32* const at_2_at = &at_2[k];
                        const u32 index = at_2_at[0];
                        const float* const x_at = &x[index];
                        if (unlikely(index >= x_0)) { out_of_bounds(errors, 3, index); goto next_2; }
                        y_at[0] += x_at[0];
                    }
                    if (k < end) {
                        if (unlikely(k >= at_2_0)) { out_of_bounds(errors, 2, k); goto next_2; }
                    }
                }
            }
            next_2:;
        }
    }
}"
    );
}

#[kernel]
fn new_double(class: &mut Field<f64>, float: f64) {
    for int in class.indices() {
        let float = float + 1.0;
        let float = float * 2.0;
        class[int] = float;
    }
}

#[test]
fn names_stay_unless_cpp_owns_them() {
    assert_eq!(
        kernels(&new_double::cuda_source().unwrap()),
        "\
extern \"C\" __global__ void new_double(double* __restrict__ class_2, u32 class_2_0, double float_2) {
    for (u32 int_2 = thread_x(); int_2 < class_2_0; int_2 += threads_x()) {
        const double float_3 = float_2 + 1.0;
        const double float_4 = float_3 * 2.0;
        class_2[int_2] = float_4;
    }
}"
    );
}

#[func]
fn even(n: u32) -> bool {
    if n == 0 { true } else { Count { n: n - 1 }.odd() }
}

#[derive(Clone, Copy, Element)]
struct Count {
    n: u32,
}

/// Circles of free functions are refused at compile time.
#[func]
impl Count {
    fn odd(self) -> bool {
        if self.n == 0 { false } else { even(self.n - 1) }
    }
}

#[kernel]
fn parity(out: &mut Field<bool>) {
    for i in out.indices() {
        out[i] = even(i as u32);
    }
}

#[test]
fn recursion_is_an_error_that_names_the_cycle() {
    assert!(even(4) && Count { n: 3 }.odd());
    let error = parity::cuda_source().unwrap_err();
    match &error {
        Error::Codegen(CodegenError::Recursion { cycle, .. }) => assert_eq!(cycle, &["even", "odd"]),
        other => panic!("{other}"),
    }
    assert!(
        error
            .to_string()
            .ends_with("recursion cannot run in a kernel: `even` calls `odd` calls `even`"),
        "{error}"
    );
}

#[kernel]
fn mixed(n: usize, u: &Field<f32>, pairs: &Field<Vec2>, out: &mut Field<Vec4>, hash: &mut Field<u64>) {
    for i in out.indices() {
        let before = i - 1;
        if i > 2 && before < u.len() {
            out[i] = Vec4::new(u[before], u[i - 2], pairs[i].x, pairs[i].y);
        }
        hash[i] = (i * 2_654_435_761 + n) as u64;
    }
}

#[test]
fn what_fits_is_narrow_and_the_rest_is_not() {
    let text = kernels(&mixed::cuda_source().unwrap());
    // It may wrap below zero, which the user may see.
    assert!(text.contains("const usize before = usize(i) - 1;"), "{text}");
    assert!(text.contains("u[u32(before)]"), "{text}");
    // Two less than more than two does not.
    assert!(text.contains("u_at[-2]"), "{text}");
    assert!(text.contains("at(&pairs_at[0]).x"), "{text}");
    assert!(text.contains("at(&out_at[0]) = "), "{text}");
    assert!(text.contains("hash[i] = i * 2654435761ull + n;"), "{text}");
}

#[kernel]
fn many_numbers(numbers: [f32; 10_000], out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = numbers[i];
    }
}

#[test]
fn arguments_have_to_fit() {
    let error = many_numbers::cuda_source().unwrap_err().to_string();
    let expected = "kernel `many_numbers`, whose arguments take 40024 bytes and not at most 32764: pass what is large in a field; it \
                    cannot run on a CUDA device";
    assert!(error.ends_with(expected), "{error}");
}

#[kernel]
fn not_all(u: &Field<f32>, out: &mut Field<f32>, a: bool, b: bool, n: usize) {
    for i in out.indices() {
        if !(a && n < u.shape()[0] && b) {
            out[i] = u[n];
        }
    }
}

#[kernel]
fn in_another(u: &Field<f32>, out: &mut Field<f32>, a: bool, b: bool, c: bool, n: usize) {
    for i in out.indices() {
        if a && (b && n < u.shape()[0] && i > 0 || c) {
            out[i] = u[n];
        }
    }
}

#[kernel]
fn compared(u: &Field<f32>, out: &mut Field<f32>, a: bool, b: bool, c: bool, n: usize) {
    for i in out.indices() {
        if (a && n < u.shape()[0] && b) == c {
            out[i] = u[n];
        }
    }
}

#[test]
fn a_comparison_inside_of_another_condition_proves_nothing() {
    for text in [
        not_all::cuda_source(),
        in_another::cuda_source(),
        compared::cuda_source(),
    ] {
        let text = text.unwrap();
        assert!(text.contains("if (unlikely(n >= u_0)) { out_of_bounds("), "{text}");
    }
}

#[func]
fn less_one(x: u32) -> u32 {
    assert!(x > 0, "{x}");
    x - 1
}

#[kernel]
fn in_blocks(out: &mut Field<u32>) {
    for i in out.indices() {
        {
            out[i] = less_one(out[i]);
        }
        {
            out[i] = less_one(out[i]);
        }
    }
}

#[test]
fn what_two_blocks_declare_has_one_name() {
    let text = kernels(&in_blocks::cuda_source().unwrap());
    let opened = text.matches("        {\n            bool failed = false;").count();
    assert_eq!((opened, text.matches("bool failed").count()), (2, 2), "{text}");
}

#[kernel]
#[allow(clippy::nonminimal_bool)]
fn otherwise_spelled(u: &Field<f32, 2>, out: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in out.indices() {
        if (0 < i && i < h) && !(w <= 2 + j || out[[i, j]] < 0.0 || j >= w) && h > 1 + i {
            out[[i, j]] = u[[i - 1, j]] + u[[i + 1, j]] + u[[1 + i, j]] + u[[i, j + 1 + 1]];
        }
    }
}

#[test]
fn a_condition_proves_the_same_however_it_is_spelled() {
    let text = otherwise_spelled::cuda_source().unwrap();
    assert!(!text.contains("out_of_bounds"), "{text}");
}

macro_rules! long_sum {
    ($($part:tt)*) => {
        #[kernel]
        fn long_sum(x: &Field<f32>, out: &mut Field<f32>) {
            for i in out.indices() {
                out[i] = x[i] $(+ $part * x[i])*;
            }
        }
    };
}

macro_rules! sixteen_times {
    ($($p:tt)*) => {
        long_sum!($($p)* $($p)* $($p)* $($p)* $($p)* $($p)* $($p)* $($p)* $($p)* $($p)* $($p)* $($p)* $($p)* $($p)* $($p)* $($p)*);
    };
}

sixteen_times!(1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.5);

#[test]
fn a_long_sum_needs_no_stack_of_the_callers() {
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let text = thread
        .spawn(|| long_sum::cuda_source().unwrap())
        .unwrap()
        .join()
        .unwrap();
    // Once in each version of the loop.
    assert_eq!(text.matches("15.5f * x[i]").count(), 32);
}

const SMALL: [f32; 3] = [1.5, -2.5, 3.5];
const LARGE: [f64; 1000] = [1.5; 1000];

#[kernel]
fn constants(out: &mut Field<f64>) {
    for i in out.indices() {
        out[i] = LARGE[i % 1000] + SMALL[i % 3] as f64;
        out[i] *= LARGE[(i + 1) % 1000];
    }
}

#[test]
fn a_large_constant_is_one_table_of_the_module() {
    let text = constants::cuda_source().unwrap();
    assert_eq!(
        text.matches("unsigned long long constant_0[1000] = {").count(),
        1,
        "{text}"
    );
    assert_eq!(
        text.matches("(*(const Array1000Double*)constant_0).v[").count(),
        2,
        "{text}"
    );
    assert_eq!(text.matches("0x3ff8000000000000").count(), 1000);
    assert!(text.contains("{{1.5f, -2.5f, 3.5f}}"), "{text}");
}

const FOUR: usize = 4;

#[kernel]
fn strides(by: usize, out: &mut Field<u64>) {
    for i in out.indices() {
        for k in (0..u64::MAX).step_by(1 << 63) {
            out[i] += k;
        }
        for k in (i..100).step_by(by) {
            out[i] += k as u64;
        }
        for k in (i..100).step_by(FOUR) {
            out[i] += k as u64;
        }
    }
}

/// ptxas unrolls loops of constant strides as if no multiple of the stride wrapped.
#[test]
fn long_strides_are_not_unrolled() {
    let text = strides::cuda_source().unwrap();
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|l| !l.starts_with("#line"))
        .collect();
    let loops = lines
        .windows(2)
        .filter(|w| w[1].starts_with("for (") && w[1].contains("k = "));
    let before: Vec<bool> = loops.map(|w| w[0] == "#pragma unroll 1").collect();
    assert_eq!(before, [true, true, false], "{text}");
}

#[kernel]
fn histogram(keys: &Field<u8>, bins: &mut Field<u32, 2>) {
    for i in keys.indices() {
        bins[[i % 2, keys[i] as usize]].atomic_add(1);
    }
}

/// In branches whose value is dropped, and in one whose value is used.
#[kernel]
fn branches(keys: &Field<u8>, bins: &mut Field<u32>, used: &mut Field<u32>, old: &mut Field<u32>) {
    for i in keys.indices() {
        match keys[i] {
            0 => bins[0].atomic_add(1),
            k => {
                if k < 9 {
                    bins[1].atomic_add(2)
                } else {
                    bins[2].atomic_sub(3)
                }
            }
        };
        old[i] = if i % 2 == 0 { used[0].atomic_add(1) } else { 0 };
    }
}

#[test]
fn what_no_branch_gives_on_is_changed_in_copies() {
    let source = cuda_source(&branches::load(), Variant::default()).unwrap();
    let params: Vec<usize> = source.entries[0].copies.iter().map(|copy| copy.param).collect();
    assert_eq!(params, [1]);
}

/// What a loop only adds to.
#[test]
fn a_small_field_is_changed_in_copies() {
    let variant = |copied| Variant {
        copied,
        ..Variant::default()
    };
    let of = |copied: Params| cuda_source(&histogram::load(), variant(copied)).unwrap();
    let plain = of(Params::default());
    assert_eq!(plain.entries[0].copies.len(), 1);
    assert_eq!(plain.text, histogram::cuda_source().unwrap());
    assert!(!plain.text.contains("__shared__"));
    let device = histogram::plan().device().unwrap();
    assert_eq!(device.phases()[0].copies, ["bins"]);
    assert!(device.to_string().contains("copies in shared memory"), "{device}");
    let copied = of(Params::default().with(1).unwrap());
    assert_eq!(
        kernels(&copied.text),
        "\
extern \"C\" __global__ void histogram(const u8* __restrict__ keys, u32 keys_0, u32* __restrict__ bins,
    u32 bins_0, u32 bins_1, Errors* errors) {
    extern __shared__ __align__(16) u32 shared_copies[];
    const u32 threads = blockDim.x * blockDim.y * blockDim.z;
    const u32 bins_count = bins_0 * bins_1;
    u32* const bins_copy = (u32*)(shared_copies);
    for (u32 bins_k = thread_in_block(); bins_k < bins_count; bins_k += threads) bins_copy[bins_k] = 0;
    __syncthreads();
    for (u32 i = thread_x(); i < keys_0; i += threads_x()) {
        const u32 index_0 = i % 2;
        const u32 index_1 = u32(keys[i]);
        u32* const bins_copy_at = &bins_copy[index_0 * bins_1 + index_1];
        if (unlikely(index_0 >= bins_0 || index_1 >= bins_1)) { out_of_bounds(errors, 0, index_0, index_1); continue; }
        atomicAdd(&bins_copy_at[0], 1u);
    }
    __syncthreads();
    for (u32 bins_k = thread_in_block(); bins_k < bins_count; bins_k += threads) {
        if (bins_copy[bins_k] != 0) atomicAdd(&bins[bins_k], bins_copy[bins_k]);
    }
}"
    );
}

#[kernel]
fn norms(x: &Field<f32>, first: usize, y: &mut Field<f32>) -> [f32; 2] {
    let mut sum = 0.0;
    let mut long = 0.0;
    for i in first..x.len() {
        sum += x[i] * x[i];
    }
    for i in x.indices() {
        for k in 0..i {
            long += x[i] * k as f32;
        }
    }
    for i in y.indices() {
        y[i] += x[i];
    }
    [sum, long]
}

/// Reductions load for several iterations at once, if these are short.
#[test]
fn short_reductions_are_unrolled() {
    let text = norms::cuda_source().unwrap();
    let heads = text
        .lines()
        .map(str::trim)
        .filter(|l| l.contains("thread_x(); ") || l.contains("rounds_u32(i"));
    let heads: Vec<&str> = heads.collect();
    assert_eq!(
        heads,
        [
            "_Pragma(\"unroll 4\") for (u32 i = first + thread_x(), rounds = rounds_u32(i, x_0, threads_x()); rounds > 0; --rounds, i += threads_x()) {",
            "for (u32 i = thread_x(); i < x_0; i += threads_x()) {",
            "for (u32 i = thread_x(); i < y_0; i += threads_x()) {",
            "for (u32 i = thread_x(); i < y_0; i += threads_x()) {",
        ],
        "{text}"
    );
}

#[kernel]
fn large(x: &Field<f64>) -> f64 {
    let mut sum = swathe::Vector::<f64, 800>::splat(0.0);
    for i in x.indices() {
        sum += swathe::Vector::<f64, 800>::splat(x[i]);
    }
    sum[7]
}

#[test]
fn what_a_block_exchanges_has_to_fit() {
    let text = large::cuda_source().unwrap_err().to_string();
    assert!(
        text.contains("reductions exchange 51200 bytes") && text.contains("reduce in several loops"),
        "{text}"
    );
}

#[func]
fn rounds_of(n: usize) -> u32 {
    let mut count = 0;
    for k in 0..n {
        count += k as u32 % 3;
    }
    count
}

#[kernel]
fn rows(out: &mut Field<u32, 2>) {
    for [i, j] in out.indices() {
        out[[i, j]] = (i + 2 * j).min(7) as u32;
    }
    for [i, j] in out.indices() {
        out[[i, j]] += rounds_of(i * j);
    }
    for [i, j] in out.indices() {
        for _ in 0..j {
            out[[i, j]] += 1;
        }
    }
}

/// Only loops whose iterations take equally long run in few blocks.
#[test]
fn iterations_with_loops_are_uneven() {
    let source = cuda_source(&rows::load(), Variant::default()).unwrap();
    let even: Vec<bool> = source.entries.iter().map(|entry| entry.even).collect();
    assert_eq!(even, [true, false, false]);
}
