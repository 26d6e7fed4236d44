//! The rows.

/// Hands the whole table of scalar methods to the macro `$callback`, so that trait declarations, implementations,
/// tests and code generation all come from the same rows:
///
/// ```text
/// $callback! {
///     ($extra)
///     methods Float {                     // of f32, f64; in the runtime the trait of this name declares them
///         /// Documentation.
///         name(argument: Type, ..) -> Type, [f32 ulp, f64 ulp], On "CUDA C", ..;
///     }
///     inherited Int { .. }                // same, but declared by a trait of the standard library
///     casts Scalar { .. }                 // `x.as_f32()`
///     functions Scalar { .. }             // called on the type: `T::from_f64(0.5)`
/// }
/// ```
///
/// `Type` names a [`ResultType`](crate::ResultType). Each CUDA text applies to the scalars that `On`, an
/// [`Operand`](crate::Operand), covers, and the first that applies counts. A text that contains `return` is the body
/// of a helper function, whose parameters are `x` for the receiver and the row's argument names; `as` is a numeric cast; any
/// other text is a template. Texts may use, in braces: `0`, `1`, `2` operands of a template; `f` the suffix of float functions and
/// literals; `ll` that of 64-bit integer functions; `T`, `U`, `W` the receiver's type, the unsigned type of its
/// width, and that type after C's promotion; `bits` the width; `pad` what is missing to 32 bits; `one` the bits of 1. On `f16` and
/// `bf16`, where no text is for `Half`, the text for `f32` is put between conversions.
#[macro_export]
macro_rules! for_each_scalar_method {
    ($callback:ident $(, $($extra:tt)*)?) => {
        $callback! {
            ($($($extra)*)?)

            methods Scalar {
                /// The smaller of two numbers, as `min`; for code generic over all numbers.
                lesser(other: Same) -> Same, [0, 0], Half "return x != x || other < x ? other : x;", Float "fmin{f}({0}, {1})", Int "return x < other ? x : other;";
                /// The larger of two numbers, as `max`; for code generic over all numbers.
                greater(other: Same) -> Same, [0, 0], Half "return x != x || other > x ? other : x;", Float "fmax{f}({0}, {1})", Int "return x < other ? other : x;";
            }

            casts Scalar {
                /// `self as f32`.
                as_f32() -> F32, [0, 0], Scalar "as";
                /// `self as f64`.
                as_f64() -> F64, [0, 0], Scalar "as";
                /// `self as i32`.
                as_i32() -> I32, [0, 0], Scalar "as";
                /// `self as i64`.
                as_i64() -> I64, [0, 0], Scalar "as";
                /// `self as u32`.
                as_u32() -> U32, [0, 0], Scalar "as";
                /// `self as u64`.
                as_u64() -> U64, [0, 0], Scalar "as";
                /// `self as usize`.
                as_usize() -> Usize, [0, 0], Scalar "as";
            }

            functions Scalar {
                /// `value as Self`.
                from_f32(value: F32) -> Same, [0, 0], Scalar "as";
                /// `value as Self`; so generic code writes constants: `T::from_f64(0.5)`.
                from_f64(value: F64) -> Same, [0, 0], Scalar "as";
                /// `value as Self`.
                from_i32(value: I32) -> Same, [0, 0], Scalar "as";
                /// `value as Self`.
                from_i64(value: I64) -> Same, [0, 0], Scalar "as";
                /// `value as Self`.
                from_u32(value: U32) -> Same, [0, 0], Scalar "as";
                /// `value as Self`.
                from_u64(value: U64) -> Same, [0, 0], Scalar "as";
                /// `value as Self`.
                from_usize(value: Usize) -> Same, [0, 0], Scalar "as";
            }

            methods Signed {
                /// Absolute value.
                abs() -> Same, [0, 0], Half "return {T}_of(x.bits & 0x7fff);", Float "fabs{f}({0})", Int "return ({T})(x < 0 ? 0 - ({W})x : ({W})x);";
                /// Floats: 1 with the number's sign, also for zeros; NaN for NaN. Integers: -1, 0 or 1.
                signum() -> Same, [0, 0],
                    Half "return x != x ? x : {T}_of((x.bits & 0x8000) | {one});",
                    Float "return x != x ? x : copysign{f}(1.0{f}, x);", Int "return ({T})((x > 0) - (x < 0));";
            }

            methods Float {
                /// The smaller of two numbers; if one is NaN, the other; of zeros with both signs, either.
                min(other: Same) -> Same, [0, 0], Half "return x != x || other < x ? other : x;", Float "fmin{f}({0}, {1})";
                /// The larger of two numbers; if one is NaN, the other; of zeros with both signs, either.
                max(other: Same) -> Same, [0, 0], Half "return x != x || other > x ? other : x;", Float "fmax{f}({0}, {1})";
                /// The nearest value in `low..=high`; NaN stays NaN. Where Rust panics (`low > high`, a bound
                /// that is NaN), CUDA gives one of the bounds or `self`.
                clamp(low: Same, high: Same) -> Same, [0, 0],
                    Half "return x < low ? low : x > high ? high : x;",
                    Float "return x < low ? low : x > high ? high : x;";
                /// Remainder of Euclidean division, in `0..=|rhs|`.
                rem_euclid(rhs: Same) -> Same, [0, 0],
                    Float "{T} r = fmod{f}(x, rhs); return r < 0.0{f} ? r + fabs{f}(rhs) : r;";
                /// Quotient of Euclidean division.
                div_euclid(rhs: Same) -> Same, [0, 0],
                    Float "{T} q = trunc{f}(x / rhs); if (fmod{f}(x, rhs) < 0.0{f}) { return rhs > 0.0{f} ? q - 1.0{f} : q + 1.0{f}; } return q;";
                /// Square root.
                sqrt() -> Same, [0, 0], Float "sqrt{f}({0})";
                /// Cube root.
                cbrt() -> Same, [1, 1], Float "cbrt{f}({0})";
                /// e to the power of `self`.
                exp() -> Same, [2, 1], Float "exp{f}({0})";
                /// 2 to the power of `self`.
                exp2() -> Same, [2, 1], Float "exp2{f}({0})";
                /// `exp(self) - 1`, accurate near 0.
                exp_m1() -> Same, [1, 1], Float "expm1{f}({0})";
                /// Natural logarithm.
                ln() -> Same, [1, 1], Float "log{f}({0})";
                /// `ln(1 + self)`, accurate near 0.
                ln_1p() -> Same, [1, 1], Float "log1p{f}({0})";
                /// Logarithm to any base: the quotient of two natural logarithms.
                log(base: Same) -> Same, [5, 5], Float "(log{f}({0}) / log{f}({1}))";
                /// Logarithm to base 2.
                log2() -> Same, [1, 1], Float "log2{f}({0})";
                /// Logarithm to base 10.
                log10() -> Same, [2, 1], Float "log10{f}({0})";
                /// Sine; radians.
                sin() -> Same, [2, 2], Float "sin{f}({0})";
                /// Cosine; radians.
                cos() -> Same, [2, 2], Float "cos{f}({0})";
                /// Tangent; radians.
                tan() -> Same, [4, 2], Float "tan{f}({0})";
                /// Arc sine; radians.
                asin() -> Same, [4, 2], Float "asin{f}({0})";
                /// Arc cosine; radians.
                acos() -> Same, [3, 2], Float "acos{f}({0})";
                /// Arc tangent; radians.
                atan() -> Same, [2, 2], Float "atan{f}({0})";
                /// Angle of the point (`x`, `self`), in radians.
                atan2(x_axis: Same) -> Same, [3, 2], Float "atan2{f}({0}, {1})";
                /// Hyperbolic sine.
                sinh() -> Same, [3, 2], Float "sinh{f}({0})";
                /// Hyperbolic cosine.
                cosh() -> Same, [2, 1], Float "cosh{f}({0})";
                /// Hyperbolic tangent.
                tanh() -> Same, [2, 1], Float "tanh{f}({0})";
                /// Inverse hyperbolic sine.
                asinh() -> Same, [3, 3], Float "asinh{f}({0})";
                /// Inverse hyperbolic cosine.
                acosh() -> Same, [4, 3], Float "acosh{f}({0})";
                /// Inverse hyperbolic tangent.
                atanh() -> Same, [3, 2], Float "atanh{f}({0})";
                /// Largest integer not above.
                floor() -> Same, [0, 0], Float "floor{f}({0})";
                /// Smallest integer not below.
                ceil() -> Same, [0, 0], Float "ceil{f}({0})";
                /// Nearest integer, halves away from zero.
                round() -> Same, [0, 0], Float "round{f}({0})";
                /// Integer part.
                trunc() -> Same, [0, 0], Float "trunc{f}({0})";
                /// `self - self.trunc()`.
                fract() -> Same, [0, 0], Float "return x - trunc{f}(x);";
                /// Integer power, by repeated squaring; the rounding errors add up.
                powi(n: I32) -> Same, [0, 0],
                    Float "bool inverse = n < 0; {T} r = 1.0{f}; for (;;) { if (n & 1) { r *= x; } n /= 2; if (n == 0) { break; } x *= x; } return inverse ? 1.0{f} / r : r;";
                /// Power.
                powf(n: Same) -> Same, [9, 2], Float "pow{f}({0}, {1})";
                /// `self * a + b` with one rounding.
                mul_add(a: Same, b: Same) -> Same, [0, 0], Float "fma{f}({0}, {1}, {2})";
                /// Length of the vector (`self`, `other`), without overflow in between.
                hypot(other: Same) -> Same, [3, 2], Float "hypot{f}({0}, {1})";
                /// `1 / self`.
                recip() -> Same, [0, 0], Float "(1.0{f} / ({0}))";
                /// Radians to degrees.
                to_degrees() -> Same, [0, 0], Float "(({0}) * {degrees})";
                /// Degrees to radians.
                to_radians() -> Same, [0, 0], Float "(({0}) * {radians})";
                /// `self` with the sign of `sign`.
                copysign(sign: Same) -> Same, [0, 0],
                    Half "return {T}_of((x.bits & 0x7fff) | (sign.bits & 0x8000));", Float "copysign{f}({0}, {1})";
                /// Whether it is NaN.
                is_nan() -> Bool, [0, 0], Float "return x != x;";
                /// Whether it is neither infinite nor NaN.
                is_finite() -> Bool, [0, 0], Float "(fabs{f}({0}) <= {max})";
                /// Whether it is an infinity.
                is_infinite() -> Bool, [0, 0], Float "(fabs{f}({0}) > {max})";
                /// Whether the sign bit is set, also of -0 and of NaN.
                is_sign_negative() -> Bool, [0, 0], Half "return x.bits >> 15 != 0;", Float "(copysign{f}(1.0{f}, {0}) < 0.0{f})";
                /// Whether the sign bit is clear, also of +0 and of NaN.
                is_sign_positive() -> Bool, [0, 0], Half "return x.bits >> 15 == 0;", Float "(copysign{f}(1.0{f}, {0}) > 0.0{f})";
                /// The bits, as an unsigned integer.
                to_bits() -> Bits, [0, 0], Half "return x.bits;", Float "{to_bits}";
            }

            functions Float {
                /// The float with these bits.
                from_bits(bits: Bits) -> Same, [0, 0], Half "{T}_of({0})", Float "{from_bits}";
            }

            inherited Int {
                /// The smaller of two numbers.
                min(other: Same) -> Same, [0, 0], Int "return x < other ? x : other;";
                /// The larger of two numbers.
                max(other: Same) -> Same, [0, 0], Int "return x < other ? other : x;";
                /// The nearest value in `low..=high`. Where Rust panics (`low > high`), CUDA gives one of the bounds.
                clamp(low: Same, high: Same) -> Same, [0, 0],
                    Int "return x < low ? low : x > high ? high : x;";
            }

            methods Int {
                /// Sum, modulo 2^bits.
                wrapping_add(rhs: Same) -> Same, [0, 0], Int "(({T})(({W})({0}) + ({W})({1})))";
                /// Difference, modulo 2^bits.
                wrapping_sub(rhs: Same) -> Same, [0, 0], Int "(({T})(({W})({0}) - ({W})({1})))";
                /// Product, modulo 2^bits.
                wrapping_mul(rhs: Same) -> Same, [0, 0], Int "(({T})(({W})({0}) * ({W})({1})))";
                /// `0 - self`, modulo 2^bits.
                wrapping_neg() -> Same, [0, 0], Int "(({T})(0 - ({W})({0})))";
                /// Sum, or the nearest value of the type.
                saturating_add(rhs: Same) -> Same, [0, 0],
                    SignedInt "{T} r = ({T})(({W})x + ({W})rhs); {T} least = ({T})(({W})1 << ({bits} - 1)); return ((x ^ r) & (rhs ^ r)) >= 0 ? r : x < 0 ? least : ({T})~least;",
                    UnsignedInt "{T} r = ({T})(({W})x + ({W})rhs); return r < x ? ({T})~({T})0 : r;";
                /// Difference, or the nearest value of the type.
                saturating_sub(rhs: Same) -> Same, [0, 0],
                    SignedInt "{T} r = ({T})(({W})x - ({W})rhs); {T} least = ({T})(({W})1 << ({bits} - 1)); return ((x ^ rhs) & (x ^ r)) >= 0 ? r : x < 0 ? least : ({T})~least;",
                    UnsignedInt "return x < rhs ? ({T})0 : ({T})(x - rhs);";
                /// Product, or the nearest value of the type.
                saturating_mul(rhs: Same) -> Same, [0, 0],
                    SignedInt "{T} r = ({T})(({W})x * ({W})rhs); {T} least = ({T})(({W})1 << ({bits} - 1)); if (rhs == 0 || (!(rhs == -1 && x == least) && r / rhs == x)) { return r; } return (x < 0) == (rhs < 0) ? ({T})~least : least;",
                    UnsignedInt "{T} r = ({T})(({W})x * ({W})rhs); return rhs == 0 || r / rhs == x ? r : ({T})~({T})0;";
                /// Power, by repeated squaring; wraps.
                pow(n: U32) -> Same, [0, 0],
                    Int "{W} base = ({W})x; {W} r = 1; while (n != 0) { if (n & 1) { r *= base; } base *= base; n >>= 1; } return ({T})r;";
                /// Distance of two numbers, as an unsigned integer.
                abs_diff(other: Same) -> Unsigned, [0, 0],
                    Int "return ({U})(x < other ? ({W})other - ({W})x : ({W})x - ({W})other);";
                /// Remainder of Euclidean division, never negative. A zero argument is an error.
                rem_euclid(rhs: Same) -> Same, [0, 0],
                    SignedInt "if (rhs == -1) { return 0; } {T} r = x % rhs; return r >= 0 ? r : ({T})(rhs < 0 ? ({W})r - ({W})rhs : ({W})r + ({W})rhs);",
                    UnsignedInt "(({T})(({0}) % ({1})))";
                /// Quotient of Euclidean division. A zero argument is an error.
                div_euclid(rhs: Same) -> Same, [0, 0],
                    SignedInt "if (rhs == -1) { return ({T})(0 - ({W})x); } {T} q = x / rhs; return x % rhs >= 0 ? q : rhs > 0 ? q - 1 : q + 1;",
                    UnsignedInt "(({T})(({0}) / ({1})))";
                /// Number of ones in the binary form.
                count_ones() -> U32, [0, 0], Int "((unsigned int)__popc{ll}(({U})({0})))";
                /// Number of zeros in the binary form.
                count_zeros() -> U32, [0, 0], Int "({bits}u - __popc{ll}(({U})({0})))";
                /// Number of zeros before the first one of the binary form.
                leading_zeros() -> U32, [0, 0], Int "((unsigned int)__clz{ll}(({U})({0})) - {pad}u)";
                /// Number of zeros after the last one of the binary form.
                trailing_zeros() -> U32, [0, 0], Int "((unsigned int)__clz{ll}(__brev{ll}(({U})({0})){stop}))";
                /// The bytes in reverse order.
                swap_bytes() -> Same, [0, 0],
                    Int "{W} from = ({U})x; {W} r = 0; for (int k = 0; k < {bits}; k += 8) { r = (r << 8) | ((from >> k) & 0xff); } return ({T})r;";
                /// The bits in reverse order.
                reverse_bits() -> Same, [0, 0], Int "(({T})(__brev{ll}(({U})({0})) >> {pad}))";
                /// Bits shifted to the left, those shifted out put in at the right.
                rotate_left(n: U32) -> Same, [0, 0],
                    Int "{W} from = ({U})x; return ({T})((from << (n & ({bits} - 1))) | (from >> ((0 - n) & ({bits} - 1))));";
                /// Bits shifted to the right, those shifted out put in at the left.
                rotate_right(n: U32) -> Same, [0, 0],
                    Int "{W} from = ({U})x; return ({T})((from >> (n & ({bits} - 1))) | (from << ((0 - n) & ({bits} - 1))));";
                /// Bits shifted to the left by the remainder of `n` divided by their number.
                wrapping_shl(n: U32) -> Same, [0, 0], Int "return ({T})(({W})({U})x << (n & ({bits} - 1)));";
                /// Bits shifted to the right by the remainder of `n` divided by their number.
                wrapping_shr(n: U32) -> Same, [0, 0], Int "return ({T})(x >> (n & ({bits} - 1)));";
            }

            methods SignedInt {
                /// Absolute value; that of the least number wraps to itself.
                wrapping_abs() -> Same, [0, 0], Int "return ({T})(x < 0 ? 0 - ({W})x : ({W})x);";
                /// Absolute value, as an unsigned integer.
                unsigned_abs() -> Unsigned, [0, 0], Int "return ({U})(x < 0 ? 0 - ({W})x : ({W})x);";
                /// Whether it is above 0.
                is_positive() -> Bool, [0, 0], Int "(({0}) > 0)";
                /// Whether it is below 0.
                is_negative() -> Bool, [0, 0], Int "(({0}) < 0)";
            }

            methods UnsignedInt {
                /// Whether exactly one bit is set.
                is_power_of_two() -> Bool, [0, 0], Int "(__popc{ll}({0}) == 1)";
                /// Square root, rounded down; digit by digit in base 4.
                isqrt() -> Same, [0, 0],
                    Int "{W} rest = x; {W} r = 0; for ({W} one = ({W})1 << ({bits} - 2); one != 0; one >>= 2) { {W} sum = r + one; r >>= 1; if (rest >= sum) { rest -= sum; r += one; } } return ({T})r;";
                /// Quotient, rounded up. A zero argument is an error.
                div_ceil(rhs: Same) -> Same, [0, 0], Int "return ({T})(x / rhs + (x % rhs != 0));";
            }

            inherited UnsignedInt {
                /// The position `offset` from `self` on an axis of `extent` positions, or the nearest one: beyond the ends stands what is at them.
                clamped(offset: I32, extent: Same) -> Same, [0, 0],
                    UnsignedInt "if (extent == 0) { return 0; } unsigned int by = offset < 0 ? 0u - (unsigned int)offset : (unsigned int)offset; {T} last = extent - 1; if (offset < 0) { return x <= by ? 0 : x - by < last ? ({T})(x - by) : last; } return x >= last || by >= last - x ? last : ({T})(x + by);";
                /// The position `offset` from `self` on an axis of `extent` positions that begins again at its ends: -1 is the last one.
                periodic(offset: I32, extent: Same) -> Same, [0, 0],
                    UnsignedInt "if (extent == 0) { return 0; } unsigned int by = offset < 0 ? 0u - (unsigned int)offset : (unsigned int)offset; if (offset < 0 ? x >= by && x - by < extent : x < extent && by < extent - x) { return ({T})(offset < 0 ? x - by : x + by); } unsigned long long n = extent, p = x % n, m = by % n; return ({T})(offset < 0 ? (p >= m ? p - m : p + (n - m)) : (p >= n - m ? p - (n - m) : p + m));";
                /// The position `offset` from `self` on an axis of `extent` positions that turns back at the first and the last one: -1 is 1.
                reflected(offset: I32, extent: Same) -> Same, [0, 0],
                    UnsignedInt "if (extent == 0) { return 0; } unsigned int by = offset < 0 ? 0u - (unsigned int)offset : (unsigned int)offset; if (offset < 0 ? x >= by && x - by < extent : x < extent && by < extent - x) { return ({T})(offset < 0 ? x - by : x + by); } unsigned long long last = extent - 1, period = last, m = by; if (period == 0) { return 0; } unsigned long long q = x / period, p = x % period; bool down = q % 2 != 0; p = down ? last - p : p; down = down != (offset < 0); unsigned long long room = down ? p : last - p; if (m <= room) { return ({T})(down ? p - m : p + m); } m -= room; q = m / period; p = m % period; return ({T})((q % 2 != 0) == down ? last - p : p);";
                /// The position `offset` from `self` on an axis of `extent` positions that turns back half a step beyond the first and the last one:
                /// -1 is 0.
                symmetric(offset: I32, extent: Same) -> Same, [0, 0],
                    UnsignedInt "if (extent == 0) { return 0; } unsigned int by = offset < 0 ? 0u - (unsigned int)offset : (unsigned int)offset; if (offset < 0 ? x >= by && x - by < extent : x < extent && by < extent - x) { return ({T})(offset < 0 ? x - by : x + by); } unsigned long long last = extent - 1, period = last + 1, m = by; unsigned long long q = x / period, p = x % period; bool down = q % 2 != 0; p = down ? last - p : p; down = down != (offset < 0); unsigned long long room = down ? p : last - p; if (m <= room) { return ({T})(down ? p - m : p + m); } m -= room + 1; q = m / period; p = m % period; return ({T})((q % 2 != 0) == down ? last - p : p);";
            }
        }
    };
}
