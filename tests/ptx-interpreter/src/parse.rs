//! The text of a module.

use std::collections::HashMap;

use crate::instruction::{Address, Binary, Comparison, Extreme, Instruction, Op, Relation, Unary};
use crate::operand::{Kind, Operand, Special, Type, number};
use crate::{Entry, Module, Parameter};

type Line<'a> = (usize, &'a str);

pub(crate) fn module(text: &str) -> Result<Module, String> {
    let (mut target, mut entries) = (None, HashMap::new());
    let lines = text.lines().enumerate().map(|(k, line)| (k + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with("//"));
    while let Some((at, line)) = lines.next() {
        if let Some(name) = line.strip_prefix(".visible .entry ") {
            let name = name.trim_end_matches('(');
            entries.insert(name.to_owned(), entry(name, &mut lines)?);
        } else if let Some(number) = line.strip_prefix(".target sm_") {
            target = Some(number.parse().map_err(|_| format!("line {at}: {line}"))?);
        } else if ![
            ".version ",
            ".address_size 64",
            ".extern .shared .align 16 .b8 swathe_shared[];",
        ]
        .iter()
        .any(|known| line.starts_with(known))
        {
            return Err(format!("line {at}: {line}"));
        }
    }
    Ok(Module { target, entries })
}

fn entry<'a>(name: &str, lines: &mut impl Iterator<Item = Line<'a>>) -> Result<Entry, String> {
    let mut params = Vec::new();
    for (at, line) in lines.by_ref() {
        match line {
            ")" | "(" => {}
            "{" => break,
            _ => params.push(parameter(line, &params).ok_or_else(|| format!("line {at}: {line}"))?),
        }
    }
    let mut body = Body {
        name,
        params: &params,
        registers: HashMap::new(),
        labels: HashMap::new(),
        jumps: Vec::new(),
    };
    let mut code = Vec::new();
    for (at, line) in lines.by_ref() {
        if line == "}" {
            break;
        }
        if let Some(label) = line.strip_suffix(':') {
            body.labels.insert(label.to_owned(), code.len());
        } else if !line.starts_with(".reg ") && line != ".pragma \"nounroll\";" {
            let (guard, op) = body
                .instruction(line, code.len())
                .ok_or_else(|| format!("line {at}: unknown instruction `{line}`"))?;
            code.push(Instruction { line: at, guard, op });
        }
    }
    for (at, label) in body.jumps {
        let target = body.labels.get(&label).ok_or_else(|| format!("no label {label}"))?;
        code[at].op = Op::Branch(*target);
    }
    let registers = body.registers.len();
    Ok(Entry {
        params,
        registers,
        code,
    })
}

/// `.param .u64 .ptr .align 1 name,` or `.param .align 8 .b8 name[72]`.
fn parameter(line: &str, before: &[Parameter]) -> Option<Parameter> {
    let words: Vec<&str> = line.trim_end_matches(',').split_whitespace().collect();
    let (&".param", rest) = words.split_first()? else {
        return None;
    };
    let (size, align) = match *rest {
        [".align", "8", ".b8", name] => (name.split_once('[')?.1.strip_suffix(']')?.parse().ok()?, 8),
        [ty, ".ptr", ".align", _, _] | [ty, _] => {
            let size = Type::parse(ty.strip_prefix('.')?)?.bytes();
            (size, size)
        }
        _ => return None,
    };
    let end = before.last().map_or(0, |last| last.offset + last.size);
    let offset = end.checked_next_multiple_of(align)?;
    // As much as a device takes.
    (size > 0 && offset.checked_add(size)? <= 4096).then_some(Parameter { offset, size })
}

struct Body<'a> {
    name: &'a str,
    params: &'a [Parameter],
    registers: HashMap<String, usize>,
    labels: HashMap<String, usize>,
    jumps: Vec<(usize, String)>,
}

impl Body<'_> {
    fn instruction(&mut self, line: &str, at: usize) -> Option<(Option<(usize, bool)>, Op)> {
        for (bits, high) in [
            (32, "{ .reg .b32 tmp; mov.b64 {tmp, "),
            (16, "{ .reg .b16 tmp; mov.b32 {tmp, "),
        ] {
            if let Some(rest) = line.strip_prefix(high) {
                let (to, from) = rest.strip_suffix("; }")?.split_once("}, ")?;
                return Some((None, Op::HighHalf(bits, self.register(to)?, self.operand(from)?)));
            }
        }
        let line = line.strip_suffix(';')?;
        let (guard, line) = match line.strip_prefix('@') {
            Some(rest) => {
                let (register, rest) = rest.split_once(' ')?;
                let (wanted, register) = match register.strip_prefix('!') {
                    Some(register) => (false, register),
                    None => (true, register),
                };
                (Some((self.register(register)?, wanted)), rest)
            }
            None => (None, line),
        };
        let (opcode, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let operands = operands(rest.trim());
        let operands: Vec<&str> = operands.iter().map(|operand| operand.trim()).collect();
        Some((guard, self.op(opcode, &operands, at)?))
    }

    fn op(&mut self, opcode: &str, operands: &[&str], at: usize) -> Option<Op> {
        let parts: Vec<&str> = opcode.split('.').collect();
        let ty = || parts.last().copied().and_then(Type::parse);
        Some(match (parts.as_slice(), operands) {
            (["ret"], []) => Op::Return,
            (["bar", "sync"], ["0"]) => Op::Barrier,
            (["bra"] | ["bra", "uni"], [label]) => {
                self.jumps.push((at, (*label).to_owned()));
                Op::Branch(usize::MAX)
            }
            (["ld", "param", _], [to, from]) => {
                let from = from.strip_prefix('[')?.strip_suffix(']')?;
                let (name, offset) = from.split_once('+').unwrap_or((from, "0"));
                let index = name.strip_prefix(self.name)?.strip_prefix("_param_")?;
                let param = *self.params.get(index.parse::<usize>().ok()?)?;
                let offset: usize = offset.parse().ok()?;
                let ty = ty()?;
                (offset.checked_add(ty.bytes())? <= param.size).then_some(())?;
                Op::LoadParam(ty, self.register(to)?, param.offset + offset)
            }
            (["ld", path @ .., _], [to, from]) => {
                let address = self.address(path, from)?;
                let to = list(to).map(|to| self.register(to)).collect::<Option<_>>()?;
                Op::Load(ty().filter(|ty| ty.bytes() > 0)?, to, address)
            }
            (["st", path @ .., _], [to, from]) => {
                let address = self.address(path, to)?;
                let from = list(from).map(|from| self.operand(from)).collect::<Option<_>>()?;
                Op::Store(ty().filter(|ty| ty.bytes() > 0)?, from, address)
            }
            (["atom", space, extreme @ ("min" | "max"), "u32" | "u64"], [to, address, value]) => {
                let address = self.address(&[space], address)?;
                let extreme = if *extreme == "min" { Extreme::Min } else { Extreme::Max };
                Op::Atomic(extreme, ty()?, self.register(to)?, address, self.operand(value)?)
            }
            (["cvt", .., to, from], [d, a]) => {
                let (to, from) = (Type::parse(to)?, Type::parse(from)?);
                let rounding = parts.get(1..parts.len() - 2)?;
                let nearest = to.kind == Kind::Float && (from.kind != Kind::Float || from.bits > to.bits);
                let expected: &[&str] = match (to.kind, from.kind) {
                    (Kind::Float, _) if nearest => &["rn"],
                    (Kind::Float, _) => &[],
                    (_, Kind::Float) => &["rzi"],
                    _ => &[],
                };
                (rounding == expected).then_some(())?;
                Op::Convert(to, from, self.register(d)?, self.operand(a)?)
            }
            (["mov", _], [d, parts]) if parts.starts_with('{') => {
                let parts: Vec<Operand> = list(parts).map(|part| self.operand(part)).collect::<Option<_>>()?;
                Op::Pack(cut(ty()?, parts.len())?, self.register(d)?, parts)
            }
            (["mov", _], [parts, a]) if parts.starts_with('{') => {
                let parts: Vec<usize> = list(parts).map(|part| self.register(part)).collect::<Option<_>>()?;
                Op::Unpack(cut(ty()?, parts.len())?, parts, self.operand(a)?)
            }
            (["cvta", "to", "global", "u64"] | ["cvta", "shared", "u64"] | ["mov", _], [d, a]) => {
                Op::Unary(Unary::Move, ty()?, self.register(d)?, self.operand(a)?)
            }
            (["setp", comparison, _], [d, a, b]) => {
                let comparison = relation(comparison, ty()?)?;
                Op::Compare(comparison, ty()?, self.register(d)?, self.operand(a)?, self.operand(b)?)
            }
            (["selp", _], [d, a, b, p]) => {
                Op::Select(self.register(d)?, self.operand(a)?, self.operand(b)?, self.register(p)?)
            }
            (["prmt", "b32"], [d, a, b, c]) => Op::Permute(
                self.register(d)?,
                [self.operand(a)?, self.operand(b)?, self.operand(c)?],
            ),
            (["bfe", "u32"], [d, a, b, c]) => Op::Extract(
                self.register(d)?,
                [self.operand(a)?, self.operand(b)?, self.operand(c)?],
            ),
            (["mad", "lo", _], [d, a, b, c]) => Op::Mad(
                ty()?,
                self.register(d)?,
                [self.operand(a)?, self.operand(b)?, self.operand(c)?],
            ),
            ([path @ .., _], [d, a]) => Op::Unary(unary(path)?, ty()?, self.register(d)?, self.operand(a)?),
            ([path @ .., _], [d, a, b]) => {
                let binary = binary(path, ty()?)?;
                Op::Binary(binary, ty()?, self.register(d)?, self.operand(a)?, self.operand(b)?)
            }
            _ => return None,
        })
    }

    fn register(&mut self, text: &str) -> Option<usize> {
        let name = text.strip_prefix('%')?;
        let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let kind = &name[..name.len() - digits.len()];
        (["p", "rs", "r", "rd", "f", "fd"].contains(&kind) && digits.parse::<u32>().is_ok()).then_some(())?;
        let next = self.registers.len();
        Some(*self.registers.entry(text.to_owned()).or_insert(next))
    }

    fn operand(&mut self, text: &str) -> Option<Operand> {
        if let Some(special) = Special::parse(text) {
            return Some(Operand::Special(special));
        }
        match number(text) {
            Some(value) => Some(Operand::Value(value)),
            None => self.register(text).map(Operand::Register),
        }
    }

    /// `[%rd1+8]`, of an instruction with these words after its name.
    fn address(&mut self, path: &[&str], text: &str) -> Option<Address> {
        let shared = match path {
            ["global"] | ["global", "v2"] => Some(false),
            ["shared"] => Some(true),
            [] | ["v2"] => None,
            _ => return None,
        };
        let text = text.strip_prefix('[')?.strip_suffix(']')?;
        let (base, offset) = text.split_once('+').unwrap_or((text, "0"));
        Some(Address {
            base: self.operand(base)?,
            offset: number(offset)?,
            shared,
        })
    }
}

/// Separated by commas that are not in braces.
fn operands(text: &str) -> Vec<String> {
    let (mut operands, mut depth) = (Vec::new(), 0);
    for c in text.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match operands.last_mut() {
            Some(_) if c == ',' && depth == 0 => operands.push(String::new()),
            Some(last) => String::push(last, c),
            None => operands.push(c.to_string()),
        }
    }
    operands
}

/// A type that has so many parts.
fn cut(ty: Type, parts: usize) -> Option<Type> {
    ([2, 4].contains(&parts) && ty.bytes() >= parts).then_some(ty)
}

/// The parts of `{a, b}`, or `a`.
fn list(text: &str) -> impl Iterator<Item = &str> {
    text.trim_matches(['{', '}']).split(',').map(str::trim)
}

fn unary(path: &[&str]) -> Option<Unary> {
    Some(match path {
        ["not"] => Unary::Not,
        ["neg"] => Unary::Negate,
        ["abs"] => Unary::Absolute,
        ["popc"] => Unary::CountOnes,
        ["clz"] => Unary::LeadingZeros,
        _ => return None,
    })
}

fn binary(path: &[&str], ty: Type) -> Option<Binary> {
    let float = ty.kind == Kind::Float;
    Some(match path {
        ["add"] if !float => Binary::Add,
        ["sub"] if !float => Binary::Subtract,
        // Without `.rn` the assembler may join a product and a sum.
        ["add", "rn"] if float => Binary::Add,
        ["sub", "rn"] if float => Binary::Subtract,
        ["mul", "rn"] if float => Binary::Multiply,
        ["mul", "lo"] => Binary::Multiply,
        ["mul", "hi"] => Binary::MultiplyHigh,
        ["mul", "wide"] => Binary::MultiplyWide,
        ["div"] if !float => Binary::Divide,
        ["rem"] => Binary::Remainder,
        ["min"] => Binary::Min,
        ["max"] => Binary::Max,
        ["and"] => Binary::And,
        ["or"] => Binary::Or,
        ["xor"] => Binary::Xor,
        ["shl"] => Binary::ShiftLeft,
        ["shr"] => Binary::ShiftRight,
        _ => return None,
    })
}

fn relation(text: &str, ty: Type) -> Option<Comparison> {
    let known = |text: &str| {
        Some(match text {
            "eq" => Relation::Equal,
            "ne" => Relation::NotEqual,
            "lt" => Relation::Less,
            "le" => Relation::LessEqual,
            "gt" => Relation::Greater,
            "ge" => Relation::GreaterEqual,
            "num" => Relation::Numbers,
            "nan" => Relation::Nan,
            _ => return None,
        })
    };
    let float = ty.kind == Kind::Float;
    match known(text) {
        Some(Relation::Numbers | Relation::Nan) if !float => None,
        Some(relation) => Some(Comparison {
            relation,
            or_nan: false,
        }),
        None if float => Some(Comparison {
            relation: known(text.strip_suffix('u')?)?,
            or_nan: true,
        }),
        None => None,
    }
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn what_is_unknown_is_refused() {
        let module = |line: &str| module(&format!(".visible .entry e(\n)\n{{\n{line}\nret;\n}}\n"));
        assert!(module("add.s64 %rd1, %rd2, -3;").is_ok());
        for line in [
            "add.f32 %f1, %f2, %f3;",
            "shfl.sync.down.b32 %r1, %r2, 1, 31, -1;",
            "bar.sync 1;",
            "ld.volatile.b32 %r1, [%rd1];",
            "cvt.rni.s32.f32 %r1, %r2;",
            "cvt.sat.u8.s32 %r1, %r2;",
            "mov.u32 %r1, %laneid;",
            "setp.nan.s32 %p1, %r1, %r2;",
            "ld.global.pred %p1, [%rd1];",
            "mov.b16 {%rs1, %rs2, %rs3, %rs4}, %rs5;",
            "atom.global.min.s32 %r1, [%rd1], %r2;",
            "bfe.s32 %r1, %r2, 3, 4;",
        ] {
            assert_eq!(
                module(line).unwrap_err(),
                format!("line 4: unknown instruction `{line}`")
            );
        }
    }
}
