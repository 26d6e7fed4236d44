//! Operators of a program's own type, also with a number on the left; some answer by turns, some fail.

use std::fmt::Write as _;

use super::items::Items;
use super::random::Random;
use super::types::Ty;

/// `left symbol right`.
#[derive(Clone, Copy)]
pub struct Op {
    pub left: Ty,
    pub symbol: &'static str,
    pub right: Ty,
    pub out: Ty,
    pub func: bool,
    /// Its answer differs from call to call.
    pub turns: bool,
}

const SYMBOLS: [(&str, &str, &str); 8] = [
    ("+", "Add", "add"),
    ("-", "Sub", "sub"),
    ("*", "Mul", "mul"),
    ("^", "BitXor", "bitxor"),
    ("&", "BitAnd", "bitand"),
    ("<<", "Shl", "shl"),
    ("%", "Rem", "rem"),
    ("<", "PartialOrd", "partial_cmp"),
];

impl Items {
    pub fn operator(&mut self, random: &mut Random, hostile: bool) {
        let (symbol, name, method) = random.pick(&SYMBOLS);
        let compares = symbol == "<";
        let numbers = [Ty::Usize, Ty::U32, Ty::U64, Ty::Usize];
        let on_left = hostile && random.percent(60);
        let (left, right) = match (on_left, random.percent(50)) {
            (true, _) => (random.pick(&numbers), Ty::Mine),
            (false, true) => (Ty::Mine, random.pick(&numbers)),
            (false, false) => (Ty::Mine, Ty::Mine),
        };
        let out = match (compares, left, right) {
            (true, ..) => Ty::Bool,
            (_, Ty::Mine, Ty::Mine) => random.pick(&[Ty::Mine, Ty::Usize]),
            (_, Ty::Mine, other) | (_, other, _) => other,
        };
        if self
            .ops
            .iter()
            .any(|op| (op.symbol, op.left, op.right) == (symbol, left, right))
        {
            return;
        }
        let taken = self
            .ops
            .iter()
            .any(|op| op.func && op.symbol == symbol && op.left == left);
        let func = !taken
            && if on_left {
                random.percent(8)
            } else {
                !hostile || random.percent(40)
            };
        let turns = !func && random.percent(60);
        let fails = func && !compares && random.percent(20);
        self.ops.push(Op {
            left,
            symbol,
            right,
            out,
            func,
            turns,
        });
        let mark = if func { "@FUNC\n" } else { "" };
        let number = |ty: Ty, value: &str| {
            if ty == Ty::Mine {
                format!("{value}.a as usize")
            } else {
                format!("{value} as usize")
            }
        };
        let (a, b) = (number(left, "self"), number(right, "other"));
        let [l, r, o] = [left, right, out].map(Ty::name);
        if compares {
            let order = match turns {
                true => "Some(if ::hostile::turn() == 1 { ::std::cmp::Ordering::Less } else { ::std::cmp::Ordering::Greater })".to_owned(),
                false => format!("({a}).partial_cmp(&({}))", b.replace("other", "(*other)")),
            };
            let _ = writeln!(
                self.text,
                "impl PartialEq<{r}> for {l} {{ fn eq(&self, _: &{r}) -> bool {{ false }} }}\nimpl PartialOrd<{r}> for {l} {{ fn partial_cmp(&self, other: &{r}) -> Option<::std::cmp::Ordering> {{ let _ = other; {order} }} }}"
            );
            return;
        }
        let value = match symbol {
            "<<" => format!("({a}) << (({b}) & 7)"),
            "%" => format!("({a}) % (({b}) | 1)"),
            "-" => format!("({a}).wrapping_sub({b})"),
            _ => format!("({a}) {symbol} ({b})"),
        };
        let value = if turns {
            "if ::hostile::turn() == 1 { 1usize << 44 } else { 0 }".to_owned()
        } else {
            value
        };
        let check = if fails { "assert!(self_a(self) < 200);\n" } else { "" };
        let check = check.replace("self_a(self)", &format!("({a})"));
        let result = match out {
            Ty::Mine => format!("let v = {value};\nMine {{ a: v as u32, b: 1 }}"),
            _ => format!("({{ {value} }}) as {o}"),
        };
        let _ = writeln!(
            self.text,
            "{mark}impl ::std::ops::{name}<{r}> for {l} {{ type Output = {o};\nfn {method}(self, other: {r}) -> {o} {{ let _ = other; {check}{result} }} }}"
        );
    }
}
