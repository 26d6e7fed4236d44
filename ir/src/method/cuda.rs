//! From a row's text to CUDA C for one scalar type.

use super::{Operand, ResultType, ScalarMethod};
use crate::ty::Scalar;

/// How CUDA C spells a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cuda {
    /// `sqrtf({0})`, `fmaxf({0}, {1})`: a primary expression in which each operand stands once. It stands either as a whole
    /// argument or in parentheses, so that any operand may be put in as it is.
    pub template: String,
    /// What the template calls, if CUDA has no such function.
    pub helper: Option<Helper>,
}

/// A `__device__` function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Helper {
    /// Its name, unique for method and type.
    pub name: String,
    /// Its definition, which uses no other helper.
    pub text: String,
}

/// A type's name in CUDA C; every scalar has the size that it has in Rust. `f16` and `bf16` are structs with the member `bits`,
/// operators, explicit conversions from and to `float` and `double`, and the functions `f16_of` and `bf16_of` from bits.
#[must_use]
pub const fn cuda_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "signed char",
        Scalar::I16 => "short",
        Scalar::I32 => "int",
        Scalar::I64 | Scalar::Isize => "long long",
        Scalar::U8 => "unsigned char",
        Scalar::U16 => "unsigned short",
        Scalar::U32 => "unsigned int",
        Scalar::U64 | Scalar::Usize => "unsigned long long",
        Scalar::F16 => "f16",
        Scalar::Bf16 => "bf16",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

impl ScalarMethod {
    /// The call for operands of type `on`, which [`ScalarMethod::on`] must cover.
    #[must_use]
    pub fn cuda(&self, on: Scalar) -> Cuda {
        let result = self.result.scalar(on);
        let text = self
            .texts
            .iter()
            .find(|(operand, _)| operand.covers(on))
            .map_or("", |(_, text)| text);
        if text == "as" {
            let from = self.args.first().map_or(on, |arg| arg.scalar(on));
            return cast(from, result);
        }
        if on.is_half() && !self.texts.iter().any(|(operand, _)| *operand == Operand::Half) {
            return self.through_f32(on);
        }
        if !text.contains("return") {
            return Cuda {
                template: fill(text, on),
                helper: None,
            };
        }
        let mut params = vec![(cuda_type(on), "x")];
        params.extend(
            self.args
                .iter()
                .zip(self.arg_names)
                .map(|(ty, name)| (cuda_type(ty.scalar(on)), *name)),
        );
        helper(
            &format!("{}_{}", self.name, on.name()),
            result,
            &params,
            &fill(text, on),
        )
    }
}

impl ScalarMethod {
    /// The call for `f32` between conversions.
    fn through_f32(&self, on: Scalar) -> Cuda {
        let mut call = self.cuda(Scalar::F32);
        let operands = std::iter::repeat_n(&ResultType::Same, usize::from(self.receiver)).chain(self.args);
        for (k, ty) in operands.enumerate() {
            if *ty == ResultType::Same {
                let hole = format!("{{{k}}}");
                call.template = call.template.replace(&hole, &format!("float({hole})"));
            }
        }
        if self.result == ResultType::Same {
            call.template = format!("{}({})", cuda_type(on), call.template);
        }
        call
    }
}

/// The call for Rust's `as` from one scalar type to another: float to integer saturates, and NaN becomes 0.
#[must_use]
pub fn cast(from: Scalar, to: Scalar) -> Cuda {
    if from == to {
        return Cuda {
            template: "({0})".to_owned(),
            helper: None,
        };
    }
    let ty = cuda_type(to);
    if from.is_half() {
        let mut call = cast(Scalar::F32, to);
        call.template = call.template.replace("{0}", "float({0})");
        return call;
    }
    if to.is_half() {
        // The types have constructors for `float` and `double` alone, and from an integer none would be better.
        let value = if from == Scalar::F64 {
            "double({0})"
        } else {
            "float({0})"
        };
        return Cuda {
            template: format!("{ty}({value})"),
            helper: None,
        };
    }
    if !(from.is_float() && to.is_int()) {
        return Cuda {
            template: format!("(({ty})({{0}}))"),
            helper: None,
        };
    }
    // The conversion instructions saturate, but give zero for NaN only from `float` to 32 bits.
    let source = cuda_type(from);
    let wide = to.size() == 8;
    let via = match (wide, to.is_signed()) {
        (false, true) => "int",
        (false, false) => "uint",
        (true, true) => "ll",
        (true, false) => "ull",
    };
    let convert = format!("__{source}2{via}_rz");
    if to.size() == 4 && from == Scalar::F32 {
        return Cuda {
            template: format!("{convert}({{0}})"),
            helper: None,
        };
    }
    let body = if to.size() >= 4 {
        format!("return x == x ? {convert}(x) : 0;")
    } else {
        let bits = to.size() * 8 - usize::from(to.is_signed());
        let most = (1_i32 << bits) - 1;
        let least = if to.is_signed() { -most - 1 } else { 0 };
        let f = if from == Scalar::F32 { "f" } else { "" };
        format!(
            "return ({ty})__{source}2int_rz(x != x ? 0.0{f} : x < {least}.0{f} ? {least}.0{f} : x > {most}.0{f} ? {most}.0{f} : x);"
        )
    };
    helper(
        &format!("{}_as_{}", from.name(), to.name()),
        to,
        &[(source, "x")],
        &body,
    )
}

fn helper(name: &str, result: Scalar, params: &[(&str, &str)], body: &str) -> Cuda {
    let name = format!("swathe_{name}");
    let list: Vec<String> = params.iter().map(|(ty, name)| format!("{ty} {name}")).collect();
    let holes: Vec<String> = (0..params.len()).map(|k| format!("{{{k}}}")).collect();
    let result = cuda_type(result);
    Cuda {
        template: format!("{name}({})", holes.join(", ")),
        helper: Some(Helper {
            text: format!(
                "__device__ __forceinline__ {result} {name}({}) {{ {body} }}\n",
                list.join(", ")
            ),
            name,
        }),
    }
}

/// Replaces the names in braces.
fn fill(text: &str, on: Scalar) -> String {
    let wide = on.size() == 8;
    let unsigned = match on.size() {
        1 => Scalar::U8,
        2 => Scalar::U16,
        4 => Scalar::U32,
        _ => Scalar::U64,
    };
    let bits = on.size() * 8;
    let pad = 32_usize.saturating_sub(bits).to_string();
    // A one after the receiver's own bits, where counting zeros has to stop.
    let stop = if bits < 32 {
        format!(" | {}u", 1_u32 << (31 - bits))
    } else {
        String::new()
    };
    let double = on == Scalar::F64;
    let pick = |float: &'static str, other: &'static str| if double { other } else { float };
    let names: [(&str, &str); 15] = [
        ("{f}", pick("f", "")),
        ("{ll}", if wide { "ll" } else { "" }),
        ("{T}", cuda_type(on)),
        ("{U}", cuda_type(unsigned)),
        ("{W}", if wide { "unsigned long long" } else { "unsigned int" }),
        ("{bits}", &bits.to_string()),
        ("{one}", if on == Scalar::Bf16 { "0x3f80" } else { "0x3c00" }),
        (" - {pad}u", if pad == "0" { "" } else { " - {pad}u" }),
        ("{pad}", &pad),
        ("{stop}", &stop),
        ("{degrees}", pick("57.29578f", "57.29577951308232")),
        ("{radians}", pick("0.017453292f", "0.017453292519943295")),
        ("{max}", pick("3.4028235e38f", "1.7976931348623157e308")),
        (
            "{to_bits}",
            pick(
                "__float_as_uint({0})",
                "((unsigned long long)__double_as_longlong({0}))",
            ),
        ),
        (
            "{from_bits}",
            pick("__uint_as_float({0})", "__longlong_as_double((long long)({0}))"),
        ),
    ];
    names
        .iter()
        .fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::{TABLE, scalar_method};

    fn cuda(name: &str, on: Scalar) -> Cuda {
        scalar_method(name, on).unwrap().cuda(on)
    }

    #[test]
    fn spelling() {
        assert_eq!(cuda("sqrt", Scalar::F32).template, "sqrtf({0})");
        assert_eq!(cuda("sqrt", Scalar::F64).template, "sqrt({0})");
        assert_eq!(cuda("max", Scalar::F32).template, "fmaxf({0}, {1})");
        assert_eq!(
            cuda("leading_zeros", Scalar::U32).template,
            "((unsigned int)__clz((unsigned int)({0})))"
        );
        assert_eq!(
            cuda("leading_zeros", Scalar::I8).template,
            "((unsigned int)__clz((unsigned char)({0})) - 24u)"
        );
        assert_eq!(cuda("as_f64", Scalar::F32).template, "((double)({0}))");
        assert_eq!(cuda("as_i32", Scalar::F32).template, "__float2int_rz({0})");
        assert_eq!(cuda("from_f64", Scalar::F32).template, "((float)({0}))");
        assert_eq!(cuda("from_usize", Scalar::I32).template, "((int)({0}))");
        let max = cuda("max", Scalar::I32);
        assert_eq!(max.template, "swathe_max_i32({0}, {1})");
        assert_eq!(
            max.helper.unwrap().text,
            "__device__ __forceinline__ int swathe_max_i32(int x, int other) { return x < other ? other : x; }\n"
        );
    }

    #[test]
    fn every_template_has_each_operand_once_and_no_name_left() {
        for row in TABLE {
            for on in Scalar::ALL.into_iter().filter(|&on| row.on.covers(on)) {
                let cuda = row.cuda(on);
                let operands = row.args.len() + usize::from(row.receiver);
                let mut text = cuda.template.clone();
                for k in 0..operands {
                    assert_eq!(
                        cuda.template.matches(&format!("{{{k}}}")).count(),
                        1,
                        "{} on {}",
                        row.name,
                        on.name()
                    );
                    text = text.replace(&format!("{{{k}}}"), "");
                }
                assert!(!text.contains(['{', '}']), "{} on {}: {text}", row.name, on.name());
                if let Some(helper) = cuda.helper {
                    assert!(text.contains(&helper.name) && helper.text.contains(&helper.name));
                    assert_eq!(helper.text.matches('{').count(), helper.text.matches('}').count());
                    for name in ["{T}", "{U}", "{W}", "{f}", "{bits}"] {
                        assert!(!helper.text.contains(name), "{}", helper.text);
                    }
                }
            }
        }
    }

    #[test]
    fn constants_are_those_of_rust() {
        for (on, f) in [(Scalar::F32, "f"), (Scalar::F64, "")] {
            for (name, value) in [("to_degrees", 1f64.to_degrees()), ("to_radians", 1f64.to_radians())] {
                let text = cuda(name, on)
                    .template
                    .replace("(({0}) * ", "")
                    .replace(&format!("{f})"), "");
                if on == Scalar::F32 {
                    let value = if name == "to_degrees" {
                        1f32.to_degrees()
                    } else {
                        1f32.to_radians()
                    };
                    assert_eq!(text.parse::<f32>().unwrap().to_bits(), value.to_bits(), "{text}");
                } else {
                    assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{text}");
                }
            }
        }
        assert_eq!("3.4028235e38".parse::<f32>().unwrap(), f32::MAX);
        assert_eq!("1.7976931348623157e308".parse::<f64>().unwrap(), f64::MAX);
    }
}
