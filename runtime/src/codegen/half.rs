//! `f16` and `bf16` in CUDA C, which has neither without a header: structs of 16 bits whose arithmetic is that of `float`,
//! rounded after each operation, as in the crate `half`.

use swathe_ir::Scalar;

use super::scalar;

/// Not static, for which the compiler would report each function that a kernel does not call.
const INLINE: &str = "__device__ __forceinline__";

/// Conversions of bits. NVIDIA's compilers have instructions for them; any other C++ compiler takes the integer arithmetic.
const F16_BITS: &str = "
__device__ __forceinline__ unsigned short f16_bits(float x) {
#ifdef __CUDACC_VER_MAJOR__
    unsigned short bits;
    asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(bits) : \"f\"(x));
    return bits;
#else
    const unsigned int bits = __float_as_uint(x), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    if (size > 0x7f800000) return (unsigned short)(sign | 0x7e00 | (size >> 13 & 0x3ff));
    if (size >= 0x477ff000) return (unsigned short)(sign | 0x7c00);
    // The sum rounds to the distance of two subnormal numbers.
    if (size < 0x38800000) return (unsigned short)(sign | (__float_as_uint(__uint_as_float(size) + 0.5f) - 0x3f000000));
    return (unsigned short)(sign | (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13);
#endif
}
__device__ __forceinline__ unsigned short f16_bits(double x) { return f16_bits(float(x)); }
__device__ __forceinline__ float f16_value(unsigned short bits) {
#ifdef __CUDACC_VER_MAJOR__
    float x;
    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(x) : \"h\"(bits));
    return x;
#else
    const unsigned int sign = (bits & 0x8000u) << 16, size = bits & 0x7fffu;
    if (size > 0x7c00) return __uint_as_float(sign | 0x7fc00000 | size << 13);
    if (size == 0x7c00) return __uint_as_float(sign | 0x7f800000);
    if (size < 0x400) return __uint_as_float(sign | __float_as_uint(float(size) * 5.9604645e-8f));
    return __uint_as_float(sign | ((size << 13) + 0x38000000));
#endif
}
";

const BF16_BITS: &str = "
__device__ __forceinline__ unsigned short bf16_bits(float x) {
#if defined(__CUDACC_VER_MAJOR__) && __CUDA_ARCH__ >= 800
    unsigned short bits;
    asm(\"cvt.rn.bf16.f32 %0, %1;\" : \"=h\"(bits) : \"f\"(x));
    return bits;
#else
    const unsigned int bits = __float_as_uint(x);
    if ((bits & 0x7fffffff) > 0x7f800000) return (unsigned short)(bits >> 16 | 0x40);
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
#endif
}
__device__ __forceinline__ unsigned short bf16_bits(double x) {
    if (x != x) return bf16_bits(float(x));
    // Bits that no result shows are cut off before it is rounded.
    const long long bits = __double_as_longlong(x), size = bits & 0x7fffffff00000000ll;
    if (size >= 0x3810000000000000ll) return bf16_bits(float(__longlong_as_double(bits & (long long)0xffffffff00000000ull)));
    // The sum rounds to the distance of two subnormal numbers.
    const double shift = 4.1359030627651384e-25;
    const long long digits = __double_as_longlong(__longlong_as_double(size) + shift) - __double_as_longlong(shift);
    return (unsigned short)((bits >> 48 & 0x8000) | digits);
}
__device__ __forceinline__ float bf16_value(unsigned short bits) { return __uint_as_float((unsigned int)bits << 16); }
";

/// Everything about the type.
pub(super) fn definition(s: Scalar) -> String {
    let t = scalar::name(s);
    let mut text = if s == Scalar::F16 { F16_BITS } else { BF16_BITS }
        .trim_start()
        .to_owned();
    text.push_str(&format!(
        "struct {t} {{
    unsigned short bits;
    {t}() = default;
    explicit __device__ __forceinline__ {t}(float x) : bits({t}_bits(x)) {{}}
    explicit __device__ __forceinline__ {t}(double x) : bits({t}_bits(x)) {{}}
    explicit __device__ __forceinline__ operator float() const {{ return {t}_value(bits); }}
    explicit __device__ __forceinline__ operator double() const {{ return {t}_value(bits); }}
}};
{INLINE} {t} {t}_of(unsigned int bits) {{
    {t} x;
    x.bits = (unsigned short)bits;
    return x;
}}
{INLINE} {t} operator-({t} a) {{ return {t}_of(a.bits ^ 0x8000); }}
"
    ));
    for (symbol, instruction) in [("+", "add"), ("-", "sub"), ("*", "mul"), ("/", "")] {
        let plain = format!("return {t}(float(a) {symbol} float(b));");
        if s == Scalar::F16 && !instruction.is_empty() {
            // Rounded once, which is what rounding the result of `float` comes to.
            text.push_str(&format!(
                "{INLINE} {t} operator{symbol}({t} a, {t} b) {{
#ifdef __CUDACC_VER_MAJOR__
    {t} c;
    asm(\"{instruction}.rn.f16 %0, %1, %2;\" : \"=h\"(c.bits) : \"h\"(a.bits), \"h\"(b.bits));
    return c;
#else
    {plain}
#endif
}}
"
            ));
        } else {
            text.push_str(&format!("{INLINE} {t} operator{symbol}({t} a, {t} b) {{ {plain} }}\n"));
        }
        text.push_str(&format!(
            "{INLINE} void operator{symbol}=({t}& a, {t} b) {{ a = a {symbol} b; }}\n"
        ));
    }
    for symbol in ["==", "!=", "<", "<=", ">", ">="] {
        text.push_str(&format!(
            "{INLINE} bool operator{symbol}({t} a, {t} b) {{ return float(a) {symbol} float(b); }}\n"
        ));
    }
    text
}
