//! Names in the text: the user's own wherever C++ allows it.

use super::module::Module;

/// The names that are taken at a point of a function.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: Vec<String>,
    /// How many were ever taken.
    declared: usize,
    /// Names that no scope releases, as of what stands in front of a loop whose body is being written.
    outer: Vec<String>,
}

impl Names {
    /// Takes `wanted`, or the first free of `wanted_2`, `wanted_3`, ...
    pub(super) fn declare(&mut self, wanted: &str, module: &Module) -> String {
        let name = self.free(wanted, module);
        self.taken.push(name.clone());
        self.declared += 1;
        name
    }

    /// How many names were ever taken, also such as were released.
    pub(super) fn declared(&self) -> usize {
        self.declared
    }

    /// Takes a name that no scope releases.
    pub(super) fn declare_outer(&mut self, wanted: &str, module: &Module) -> String {
        let name = self.free(wanted, module);
        self.outer.push(name.clone());
        name
    }

    fn free(&self, wanted: &str, module: &Module) -> String {
        let mut wanted = identifier(wanted);
        // Members of tuple structs have numbers.
        if wanted.starts_with(|c: char| c.is_ascii_digit()) {
            wanted.insert_str(0, "v_");
        }
        while module.may_be_type(&wanted) {
            wanted.insert_str(0, "v_");
        }
        unique(&wanted, |name| {
            self.taken.iter().chain(&self.outer).any(|t| t == name) || module.has(name)
        })
    }

    /// What [`Names::release`] takes to end a scope.
    pub(super) fn mark(&self) -> usize {
        self.taken.len()
    }

    /// Whether a name was taken after the mark.
    pub(super) fn is_since(&self, mark: usize, name: &str) -> bool {
        self.taken.iter().skip(mark).any(|taken| taken == name)
    }

    pub(super) fn release(&mut self, mark: usize) {
        self.taken.truncate(mark);
    }
}

/// The first free of `wanted`, `wanted_2`, ..., in letters that C++ takes; of `u_wanted`, ... if no name may begin so.
pub(super) fn unique(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let base = base(wanted);
    if !is_reserved(&base) && !taken(&base) {
        return base;
    }
    (2..)
        .map(|n| format!("{base}_{n}"))
        .find(|name| !taken(name))
        .unwrap_or(base)
}

/// The first of endlessly many names that is free, as [`unique`].
pub(super) fn first_free(wanted: impl Iterator<Item = String>, taken: impl Fn(&str) -> bool) -> String {
    let mut names = wanted
        .map(|name| base(&name))
        .filter(|name| !is_reserved(name) && !taken(name));
    names.next().unwrap_or_default()
}

fn base(wanted: &str) -> String {
    let id = identifier(wanted);
    match begins_reserved(&id) {
        true => format!("u_{id}"),
        false => id,
    }
}

/// Whether a name is what [`unique`] makes of another.
pub(super) fn is_made_of(name: &str, wanted: &str) -> bool {
    name.strip_prefix(base(wanted).as_str()).is_some_and(|rest| {
        rest.is_empty()
            || rest
                .strip_prefix('_')
                .is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()))
    })
}

/// The first free of the name that a struct's member has, that name behind `m_`, `m2_`, ...: no number of them is like that of a type.
pub(super) fn unique_member(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let base = member(wanted);
    let free = |name: &String| !taken(name) && !contains(MACROS, name) && !is_like_macro(name);
    let others = std::iter::once(format!("m_{base}")).chain((2..).map(|n| format!("m{n}_{base}")));
    let mut names = std::iter::once(base.clone()).chain(others);
    names.find(free).unwrap_or(base)
}

/// Name of a struct's member, or of a function, wherever another one does not have it.
pub(super) fn member(name: &str) -> String {
    let id = identifier(name);
    if id.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{id}")
    } else if contains(KEYWORDS, &id) {
        id + "_"
    } else {
        id
    }
}

pub(super) fn identifier(name: &str) -> String {
    let mut id = String::new();
    for c in name.trim_start_matches("r#").chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            id.push(c);
        } else {
            id.push_str(&format!("u{:x}", u32::from(c)));
        }
    }
    // Names with a double underscore belong to the compiler.
    while id.contains("__") {
        id = id.replace("__", "_");
    }
    id
}

/// Whether no function, kernel or struct may have the name.
pub(super) fn is_reserved_for_items(name: &str) -> bool {
    is_reserved(name) || contains(LIBRARY, name)
}

/// Whether no type may have the name: besides those above, names of parameters of helpers, in which the type would be out of sight.
pub(super) fn is_reserved_for_types(name: &str) -> bool {
    is_reserved_for_items(name) || contains(PARAMETERS, name)
}

/// Whether C++, CUDA or the generated preamble own the name.
fn is_reserved(name: &str) -> bool {
    contains(KEYWORDS, name)
        || contains(RESERVED, name)
        || CUDA_VECTORS.iter().any(|v| {
            let name = name.strip_prefix("make_").unwrap_or(name);
            name.strip_prefix(v)
                .is_some_and(|n| matches!(n, "" | "1" | "2" | "3" | "4"))
        })
        || begins_reserved(name)
        || name.rsplit_once('_').is_some_and(|(_, ty)| contains(TYPES, ty))
}

/// Whether a name begins as those of helpers or of CUDA do, or is one of a macro. No end makes it another.
fn begins_reserved(name: &str) -> bool {
    HELPERS.iter().any(|prefix| name.starts_with(prefix))
        || name.starts_with("CU")
        || is_of_cuda(name, "atomic")
        || is_like_macro(name)
}

/// Whether a name looks like those of macros, of which compilers and headers of CUDA define many: in capitals, or as CUDA's own.
fn is_like_macro(name: &str) -> bool {
    let in_capitals =
        name.contains(|c: char| c.is_ascii_uppercase()) && !name.contains(|c: char| c.is_ascii_lowercase());
    in_capitals || is_of_cuda(name, "cuda") || is_of_cuda(name, "cu")
}

/// Whether a name is a capital letter, and more, behind this.
fn is_of_cuda(name: &str, prefix: &str) -> bool {
    let rest = name.strip_prefix(prefix);
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

fn contains(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|word| word == name)
}

const CUDA_VECTORS: &[&str] = &[
    "char",
    "uchar",
    "short",
    "ushort",
    "int",
    "uint",
    "long",
    "ulong",
    "longlong",
    "ulonglong",
    "float",
    "double",
];

const KEYWORDS: &str = "
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t
    class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue
    decltype default delete do double dynamic_cast else enum explicit export extern false float for friend
    goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private
    protected public register reinterpret_cast requires return short signed sizeof static static_assert
    static_cast struct switch template this thread_local throw true try typedef typeid typename typeof
    union unsigned using virtual void volatile wchar_t while xor xor_eq main asm_ NULL linux unix
";

/// Names that the text, or what compiles it, may define as macros without arguments.
const MACROS: &str = "F32_INFINITY F32_NAN F64_INFINITY F64_NAN threadIdx blockIdx blockDim gridDim warpSize";

const RESERVED: &str = "
    size_t ptrdiff_t nullptr_t max_align_t va_list time_t clock_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
    intptr_t uintptr_t intmax_t uintmax_t
    std va_arg va_arg_origin va_copy va_end va_start libraryPropertyType libraryPropertyType_t inlined_at function_name
    threadIdx blockIdx blockDim gridDim warpSize dim3 clock64 printf malloc memcpy
    f16 f16_of f16_bits f16_value bf16 bf16_of bf16_bits bf16_value memset assert signbit isnan isinf isfinite i8 i16 i64 u8 u16 u32 u64 isize usize Errors thread_x
    thread_y thread_z threads_x threads_y threads_z thread_in_block block_in_grid rounds_u32 rounds_u64 rounds_usize at out_of_bounds out_of_bounds_64 unlikely print assertion_failed division_by_zero division_overflow zero_step too_many_positions component component_mut F32_INFINITY F32_NAN
    F64_INFINITY F64_NAN abs labs llabs min max umin umax llmin llmax ullmin ullmax ldiv acos acosf acosh
    acoshf asin asinf asinh asinhf atan atan2 atan2f atanf atanh atanhf cbrt cbrtf ceil ceilf copysign
    copysignf cos cosf cosh coshf cospi cospif cyl_bessel_i0 cyl_bessel_i0f cyl_bessel_i1 cyl_bessel_i1f erf erfc erfcf erfcinv erfcinvf erfcx erfcxf
    erff erfinv erfinvf exp exp10 exp10f exp2 exp2f expf expm1 expm1f fabs fabsf fdim fdimf fdivide fdividef floor
    floorf fma fmaf fmax fmaxf fmin fminf fmod fmodf frexp frexpf hypot hypotf ilogb ilogbf ldexp ldexpf
    lgamma lgammaf llrint llround log log10 log10f log1p log1pf log2 log2f logb logbf logf lrint lround
    modf modff nan nanf nearbyint nearbyintf nextafter nextafterf norm3d norm3df norm4d norm4df normcdf normcdff
    normcdfinv normcdfinvf normf pow powf powi rcbrt rcbrtf remainderf remquo rhypot rhypotf rint rintf rnorm rnorm3d rnorm3df rnorm4d rnorm4df rnormf round
    roundf rsqrt rsqrtf scalbln scalbn scalbnf sin sincos sincosf sincospi sinf sinh sinhf sinpi sinpif
    sqrt sqrtf tan tanf tanh tanhf tgamma tgammaf trunc truncf
";

/// How names of helpers begin that have the name of a type of the user's in them.
const HELPERS: [&str; 8] = [
    "constant_",
    "block_",
    "ahead_",
    "atomic_",
    "Aligned",
    "load_",
    "store_",
    "shuffle_",
];

/// How others end.
const TYPES: &str = "bool i8 u8 i16 u16 i32 u32 i64 u64 isize usize f16 bf16 f32 f64";

/// Parameters of helpers that name types of the user's.
const PARAMETERS: &str = "p element pitch i value";

/// Functions of the C library that the text never calls: a variable may have their name, a function may not.
const LIBRARY: &str = "
    time index gamma norm y0 y0f y1 y1f yn ynf j0 j0f j1 j1f jn jnf exit abort rand remainder clock free
    saturate atoi div errno stdin stdout stderr
";

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn there_is_a_free_name_for_each_kernel() {
        let names = "saxpy std load_all PATCH_LEVEL CUuuid cuInit block_sum Aligned atomic_count atomicCount cudaMalloc make_float4 float sin_f32 time int";
        for wanted in names.split(' ') {
            let asked = Cell::new(0);
            let name = unique(wanted, |name| {
                asked.set(asked.get() + 1);
                assert!(asked.get() < 10, "{wanted}");
                is_reserved_for_items(name)
            });
            assert!(!is_reserved_for_items(&name), "{name}");
            assert!(is_made_of(&name, wanted), "{name} of {wanted}");
            assert_eq!(name == wanted, wanted == "saxpy", "{name}");
        }
    }
}
