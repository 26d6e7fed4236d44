//! Messages of failures and what kernels print: values on their way from a kernel to text, the same on every device.

use std::fmt::{Binary, Debug, Display, LowerExp, LowerHex, Octal, UpperHex};

use half::{bf16, f16};
use swathe_ir::message::{Align, Named, Piece, Style, StyleKind, pieces};
use swathe_ir::{Output, Scalar, Type};

use crate::element::KernelType;
use crate::types::{Component, Matrix, Vector};

/// A value that the message of `assert!`, `panic!` or `println!` in a kernel can hold: a scalar, vector or matrix, or an array of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written in a message of a kernel",
    label = "messages hold scalars, vectors and matrices, and arrays of these",
    note = "write the numbers of which it is made"
)]
pub trait Shown: KernelType + sealed::Sealed {}

mod sealed {
    use super::{Component, Matrix, Vector, bf16, f16};

    pub trait Sealed {}

    macro_rules! scalars {
        ($($t:ty),*) => {$(
            impl Sealed for $t {}
            #[diagnostic::do_not_recommend]
            impl super::Shown for $t {}
        )*};
    }
    scalars!(
        bool, i8, i16, i32, i64, u8, u16, u32, u64, usize, isize, f16, bf16, f32, f64
    );

    impl<T: Component, const N: usize> Sealed for Vector<T, N> {}
    #[diagnostic::do_not_recommend]
    impl<T: Component, const N: usize> super::Shown for Vector<T, N> {}
    impl<T: Component, const R: usize, const C: usize> Sealed for Matrix<T, R, C> {}
    #[diagnostic::do_not_recommend]
    impl<T: Component, const R: usize, const C: usize> super::Shown for Matrix<T, R, C> {}
    impl<T: Sealed, const N: usize> Sealed for [T; N] {}
    #[diagnostic::do_not_recommend]
    impl<T: super::Shown, const N: usize> super::Shown for [T; N] {}
}

/// A value's type and the bits of its numbers.
#[derive(Clone, Debug)]
pub struct Argument {
    ty: Type,
    words: Vec<u64>,
}

/// A value that [`Display`] writes.
#[cold]
pub fn display<T: Shown + Display>(value: &T) -> Argument {
    argument(value)
}

/// A value that [`Debug`] writes.
#[cold]
pub fn debug<T: Shown + Debug>(value: &T) -> Argument {
    argument(value)
}

/// A value that [`LowerHex`] writes.
#[cold]
pub fn lower_hex<T: Shown + LowerHex>(value: &T) -> Argument {
    argument(value)
}

/// A value that [`UpperHex`] writes.
#[cold]
pub fn upper_hex<T: Shown + UpperHex>(value: &T) -> Argument {
    argument(value)
}

/// A value that [`Binary`] writes.
#[cold]
pub fn binary<T: Shown + Binary>(value: &T) -> Argument {
    argument(value)
}

/// A value that [`Octal`] writes.
#[cold]
pub fn octal<T: Shown + Octal>(value: &T) -> Argument {
    argument(value)
}

/// A value that [`LowerExp`] writes.
#[cold]
pub fn lower_exp<T: Shown + LowerExp>(value: &T) -> Argument {
    argument(value)
}

/// The position of an iteration, or its number on one axis.
#[cold]
pub fn position<T: Shown>(value: &T) -> Argument {
    argument(value)
}

fn argument<T: Shown>(value: &T) -> Argument {
    let ty = T::ty();
    let (scalar, count) = numbers(&ty);
    let at = std::ptr::from_ref(value).cast::<u8>();
    let words = (0..count).map(|k| {
        let mut word = [0; 8];
        for (j, byte) in word.iter_mut().take(scalar.size()).enumerate() {
            // SAFETY: the type is `count` scalars in order and nothing else, by `Shown`'s list, and all bytes of scalars
            // are initialised.
            *byte = unsafe { at.add(k * scalar.size() + j).read() };
        }
        extended(scalar, u64::from_le_bytes(word))
    });
    let words = words.collect();
    Argument { ty, words }
}

/// The scalar of which a value is made, and how many of them.
pub(crate) fn numbers(ty: &Type) -> (Scalar, usize) {
    match ty {
        Type::Scalar(s) => (*s, 1),
        Type::Vector(s, n) => (*s, *n),
        Type::Matrix(s, r, c) => (*s, r * c),
        Type::Array(item, n) => {
            let (scalar, count) = numbers(item);
            (scalar, count * n)
        }
        _ => (Scalar::Bool, 0),
    }
}

/// The bits of a scalar in a word: negative numbers extend their sign, as a cast to `u64` does in CUDA C.
fn extended(s: Scalar, bits: u64) -> u64 {
    let unused = 64 - 8 * s.size() as u32;
    if s.is_signed() && s.is_int() {
        (bits.cast_signed() << unused >> unused).cast_unsigned()
    } else {
        bits
    }
}

/// A message with its values.
pub(crate) fn message(template: &str, args: &[Argument]) -> String {
    let Ok(pieces) = pieces(template) else {
        return template.to_owned();
    };
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(plain) => text.push_str(&plain),
            Piece::Value(Named::Number(k), style) => match args.get(k) {
                Some(arg) => text.push_str(&written(arg, style)),
                None => text.push('?'),
            },
            Piece::Value(..) => text.push('?'),
        }
    }
    text
}

/// What a kernel prints.
pub(crate) struct Printed<'a> {
    pub output: Output,
    /// Where the text stands.
    pub file: &'a str,
    pub line: u32,
    pub column: u32,
    /// The kernel that prints it, or that calls what does.
    pub kernel: Option<&'a str>,
    pub template: &'a str,
    /// The values, and behind those of the text the position of the iteration, axis by axis.
    pub args: &'a [Argument],
}

impl Printed<'_> {
    /// The text; `located` puts kernel, place and iteration in front.
    pub fn text(&self, located: bool) -> String {
        let Printed { file, line, column, .. } = self;
        let text = message(self.template, self.args);
        let place = format!("{file}:{line}:{column}");
        match (self.output, located) {
            (_, true) => {
                let kernel = self.kernel.map_or_else(String::new, |kernel| format!("{kernel}, "));
                let space = if self.output == Output::Debug { "" } else { " " };
                format!("[{kernel}{place}{}]{space}{text}", self.iteration())
            }
            (Output::Debug, false) => format!("[{place}]{text}"),
            (Output::Out | Output::Err, false) => text,
        }
    }

    fn iteration(&self) -> String {
        let numbered = pieces(self.template).unwrap_or_default().into_iter();
        let of_text = numbered.filter_map(|piece| match piece {
            Piece::Value(Named::Number(k), _) => Some(k + 1),
            _ => None,
        });
        let axes = self.args.get(of_text.max().unwrap_or(0)..).unwrap_or_default();
        let axes: Vec<String> = axes.iter().map(|axis| written(axis, Style::default())).collect();
        match &axes[..] {
            [] => String::new(),
            [one] => format!(", iteration {one}"),
            several => format!(", iteration [{}]", several.join(", ")),
        }
    }
}

/// The values that a device's record holds, by their types.
pub(crate) fn arguments(types: &[Type], words: &[u64]) -> Vec<Argument> {
    let mut rest = words;
    let argument = |ty: &Type| {
        let count = numbers(ty).1.min(rest.len());
        let (own, after) = rest.split_at(count);
        rest = after;
        Argument {
            ty: ty.clone(),
            words: own.to_vec(),
        }
    };
    types.iter().map(argument).collect()
}

/// All words of all values.
pub(crate) fn words(args: &[Argument]) -> Vec<u64> {
    args.iter().flat_map(|arg| arg.words.iter().copied()).collect()
}

fn written(arg: &Argument, style: Style) -> String {
    value(&arg.ty, &arg.words, style)
}

fn value(ty: &Type, words: &[u64], style: Style) -> String {
    let list = |parts: &[String]| format!("[{}]", parts.join(", "));
    let (scalar, _) = numbers(ty);
    if let Type::Array(item, n) = ty {
        let count = numbers(item).1;
        let items = (0..*n).map(|k| value(item, words.get(k * count..(k + 1) * count).unwrap_or_default(), style));
        return list(&items.collect::<Vec<_>>());
    }
    let numbers: Vec<String> = words.iter().map(|word| number(scalar, *word, style)).collect();
    match (ty, style.kind) {
        (Type::Vector(..), StyleKind::Debug) => format!("Vector({})", list(&numbers)),
        (Type::Vector(..), _) => list(&numbers),
        (Type::Matrix(_, _, columns), _) => {
            let rows: Vec<String> = numbers.chunks((*columns).max(1)).map(list).collect();
            format!("Matrix([{}])", rows.join(", "))
        }
        _ => numbers.concat(),
    }
}

/// A number in one of Rust's traits: `$alternate` is `#` or nothing.
macro_rules! spelled {
    ($value:expr, $style:expr, $alternate:literal, $kind:literal) => {
        spelled!(@all $value, $style,
            concat!("{:", $alternate, "1$", $kind, "}"), concat!("{:", $alternate, "1$.2$", $kind, "}"),
            concat!("{:", $alternate, "01$", $kind, "}"), concat!("{:", $alternate, "01$.2$", $kind, "}"),
            concat!("{:+", $alternate, "1$", $kind, "}"), concat!("{:+", $alternate, "1$.2$", $kind, "}"),
            concat!("{:+", $alternate, "01$", $kind, "}"), concat!("{:+", $alternate, "01$.2$", $kind, "}"))
    };
    (@all $value:expr, $style:expr, $none:expr, $p:expr, $z:expr, $zp:expr, $s:expr, $sp:expr, $sz:expr, $szp:expr) => {
        match ($style.plus, $style.zero, $style.precision) {
            (false, false, None) => format!($none, $value, $style.width),
            (false, false, Some(p)) => format!($p, $value, $style.width, p),
            (false, true, None) => format!($z, $value, $style.width),
            (false, true, Some(p)) => format!($zp, $value, $style.width, p),
            (true, false, None) => format!($s, $value, $style.width),
            (true, false, Some(p)) => format!($sp, $value, $style.width, p),
            (true, true, None) => format!($sz, $value, $style.width),
            (true, true, Some(p)) => format!($szp, $value, $style.width, p),
        }
    };
}

/// What all integers are. Behind `dyn`, since each of so many formats is a function for each type that it is compiled for.
trait ShownInteger: Display + Debug + LowerHex + UpperHex + Binary + Octal + LowerExp {}

impl<T: Display + Debug + LowerHex + UpperHex + Binary + Octal + LowerExp> ShownInteger for T {}

fn integer(value: &dyn ShownInteger, style: Style) -> String {
    match (style.kind, style.alternate) {
        (StyleKind::LowerHex, false) => spelled!(value, style, "", "x"),
        (StyleKind::LowerHex, true) => spelled!(value, style, "#", "x"),
        (StyleKind::UpperHex, false) => spelled!(value, style, "", "X"),
        (StyleKind::UpperHex, true) => spelled!(value, style, "#", "X"),
        (StyleKind::Binary, false) => spelled!(value, style, "", "b"),
        (StyleKind::Binary, true) => spelled!(value, style, "#", "b"),
        (StyleKind::Octal, false) => spelled!(value, style, "", "o"),
        (StyleKind::Octal, true) => spelled!(value, style, "#", "o"),
        (StyleKind::LowerExp, _) => spelled!(value, style, "", "e"),
        (StyleKind::Debug, _) => spelled!(value, style, "", "?"),
        (StyleKind::Display, _) => spelled!(value, style, "", ""),
    }
}

/// What all floats are.
trait ShownFloat: Display + Debug + LowerExp {}

impl<T: Display + Debug + LowerExp> ShownFloat for T {}

fn float(value: &dyn ShownFloat, style: Style) -> String {
    match style.kind {
        StyleKind::LowerExp => spelled!(value, style, "", "e"),
        StyleKind::Debug => spelled!(value, style, "", "?"),
        _ => spelled!(value, style, "", ""),
    }
}

fn number(scalar: Scalar, word: u64, style: Style) -> String {
    match style.align {
        // Zeros in front of numbers stand in the place of what an alignment says.
        Some((fill, align)) if !style.zero || scalar == Scalar::Bool => {
            let narrow = Style { width: 0, ..style };
            padded(&spelling(scalar, word, narrow), fill, align, style.width)
        }
        _ => spelling(scalar, word, style),
    }
}

fn padded(text: &str, fill: char, align: Align, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    let before = match align {
        Align::Left => 0,
        Align::Center => missing / 2,
        Align::Right => missing,
    };
    let fill = |n: usize| std::iter::repeat_n(fill, n);
    fill(before).chain(text.chars()).chain(fill(missing - before)).collect()
}

fn spelling(scalar: Scalar, word: u64, style: Style) -> String {
    match scalar {
        Scalar::Bool => spelled!(word != 0, style, "", ""),
        Scalar::I8 => integer(&(word as i8), style),
        Scalar::I16 => integer(&(word as i16), style),
        Scalar::I32 => integer(&(word as i32), style),
        Scalar::I64 => integer(&(word as i64), style),
        Scalar::U8 => integer(&(word as u8), style),
        Scalar::U16 => integer(&(word as u16), style),
        Scalar::U32 => integer(&(word as u32), style),
        Scalar::U64 => integer(&word, style),
        Scalar::Usize => integer(&(word as usize), style),
        Scalar::Isize => integer(&(word as isize), style),
        // As the crate `half` has it.
        Scalar::F16 | Scalar::Bf16 if style.is_bits() => integer(&(word as u16), style),
        Scalar::F16 => float(&f16::from_bits(word as u16), style),
        Scalar::Bf16 => float(&bf16::from_bits(word as u16), style),
        Scalar::F32 => float(&f32::from_bits(word as u32), style),
        Scalar::F64 => float(&f64::from_bits(word), style),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Mat2, Vec3};

    /// What Rust writes, and what a message writes of the value's bits.
    macro_rules! same {
        ($value:expr, $name:ident, $($style:literal),*) => {$({
            let value = $value;
            let arg = $name(&value);
            let again = arguments(std::slice::from_ref(&arg.ty), &words(std::slice::from_ref(&arg)));
            assert_eq!(message(concat!("({0:", $style, "})"), &again), format!(concat!("({:", $style, "})"), value));
        })*};
    }

    #[test]
    fn values_are_written_as_rust_writes_them() {
        same!(-7_i8, display, "", "+", "05", "4", "+06", ".2");
        same!(-7_i8, lower_hex, "x", "#x", "#06x");
        same!(-300_i16, binary, "b", "#b");
        same!(i64::MIN, debug, "?", "24?");
        same!(u64::MAX, upper_hex, "X", "#020X");
        same!(usize::MAX, octal, "o", "#o");
        same!(isize::MIN, lower_exp, "e", ".3e");
        same!(true, display, "", "6");
        same!(false, debug, "?");
        same!(0.1_f32, display, "", ".3", "9.2", "+.1", "010.4");
        same!(-0.0_f32, debug, "?", ".2?");
        same!(f64::NAN, display, "", "8");
        same!(f64::INFINITY, debug, "?");
        same!(1e-300_f64, lower_exp, "e", ".2e");
        same!(f16::from_f32(1.5), display, "", ".3");
        same!(bf16::from_f32(-2.25), debug, "?");
        same!(Vec3::new(1.0, -2.5, 1e10), display, "", ".2", "8.1");
        same!(Vec3::new(1.0, -2.5, 1e10), debug, "?", ".1?");
        same!(Mat2::from_array([[1.0, 2.0], [3.0, 4.0]]), debug, "?", ".1?");
        same!(Vector::<i16, 5>::splat(-3), display, "", "+");
        same!(Vector::<bool, 2>::splat(true), debug, "?");
        same!([1_usize, 22, 333], debug, "?", "4?");
        same!([[1.5_f32, -2.0], [0.25, 8.0]], debug, "?", ".1?");
        same!([Vec3::new(1.0, 2.0, 3.0), Vec3::new(-1.0, 0.5, 4.0)], debug, "?");
        same!([0_u8; 0], debug, "?");
        same!(-7_i8, display, "<5", "^6", "*>+4", "<05", ">05", ">", "é^+7");
        same!(255_u8, lower_hex, ">#6x", "-^#7x", "<#06x");
        same!(true, display, ">6", "^7", "_<6", "<06", ">06", "^3.2");
        same!(0.1_f32, display, ">9.2", "<+9.1", "^10", ">010.4");
        same!(f64::NAN, display, "<8", "*^+8", ">08");
        same!(-1.5_f64, lower_exp, "^14e", "<12.3e");
        same!(Vec3::new(1.0, -2.5, 1e10), display, ">8.1", "*<5");
        same!([1_usize, 22, 333], debug, "<4?", "^6?");
    }
}
