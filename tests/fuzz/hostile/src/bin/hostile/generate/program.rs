//! A whole program: items, a kernel, and what calls it.

use std::fmt::Write as _;

use super::items::{BARE, Items, NAMED};
use super::random::Random;
use super::types::{ATOMIC, Ty};
use super::writer::{FieldInfo, Wrap, Writer};

/// The text of a program, as kernel and as plain Rust, and what calls both.
pub struct Program {
    pub text: String,
}

/// Both texts of what was written once.
pub fn both(text: &str) -> [String; 2] {
    [true, false].map(|kernel| {
        let mut out = String::new();
        for line in text.lines() {
            let printed = match (line.trim(), kernel) {
                ("@FUNC", true) => "#[func]",
                ("@KERNEL", true) => "#[kernel]",
                ("@STRICT", true) => "#[kernel(strict)]",
                ("@DERIVE", true) => "#[derive(Element, Clone, Copy)]",
                ("@DERIVE", false) => "#[derive(Clone, Copy)]",
                ("@POSITION", true) => "use ::swathe::Position;",
                ("@SCOPE 1", true) => "use traits_1::*;",
                ("@SCOPE 0" | "@SCOPE 1", _) => "use traits_0::*;",
                ("@END", true) => "}",
                ("@END", false) => "} }); }",
                (marked, _) if marked.starts_with("@FOR ") => {
                    let mut parts = marked["@FOR ".len()..].splitn(3, '|');
                    let [label, positions, domain] = [(); 3].map(|()| parts.next().unwrap_or_default());
                    let head = match kernel {
                        true => format!("{label}for {positions} in {domain} {{"),
                        false => format!(
                            "for {positions} in {domain} {{ ::hostile::plain::iteration(|| {{ {label}for _ in [()] {{"
                        ),
                    };
                    out.push_str(&head);
                    out.push('\n');
                    continue;
                }
                (marked, true) if marked.starts_with("@HIDES ") => &marked["@HIDES ".len()..],
                (marked, false) if marked.starts_with('@') => "",
                (other, _) => other,
            };
            out.push_str(printed);
            out.push('\n');
        }
        out
    })
}

impl Program {
    pub fn random(seed: u64) -> Program {
        let mut random = Random::new(seed);
        let items = Items::random(&mut random);
        let mut w = Writer::new(random, items);
        w.functions();
        w.choose_fields();
        w.readers();
        if w.random.percent(30) {
            w.wrap = Some(Wrap::default());
        }
        w.kernel();
        let kernel = std::mem::take(&mut w.out);
        let wrapped = match w.wrap.take() {
            Some(wrap) => wrap_in(&wrap, &kernel),
            None => kernel,
        };
        let [kernel, plain] = both(&format!("{}{wrapped}", w.items.used(&wrapped)));
        let (head, own) = match w.items.bare {
            true => (format!("#![no_implicit_prelude]\n{NAMED}"), BARE),
            false => (String::new(), ""),
        };
        let text = format!(
            "pub mod p{seed} {{\npub mod k {{\n{head}use ::swathe::prelude::*;\n{own}{kernel}}}\npub mod r {{\nuse ::hostile::plain::*;\n{plain}}}\n{}}}\n",
            w.harness(seed)
        );
        Program { text }
    }
}

pub fn wrap_in(wrap: &Wrap, text: &str) -> String {
    let parameters: Vec<String> = wrap
        .parameters
        .iter()
        .map(|(name, fragment, _)| format!("${name}:{fragment}"))
        .collect();
    let arguments: Vec<&str> = wrap.parameters.iter().map(|(.., argument)| &**argument).collect();
    format!(
        "macro_rules! make {{ ({}) => {{\n{text}}} }}\nmake!({});\n",
        parameters.join(" ; "),
        arguments.join("\n;\n")
    )
}

impl Writer {
    /// What calls both bodies, with data.
    pub fn harness(&self, seed: u64) -> String {
        let (mut plain, mut kernel) = (String::new(), String::new());
        let (mut plain_args, mut kernel_args) = (Vec::new(), Vec::new());
        let (mut plain_keep, mut kernel_keep) = (String::new(), String::new());
        for field in &self.fields {
            let FieldInfo {
                name,
                ty,
                rank,
                kind,
                mutable,
                part,
                ..
            } = field;
            let (mutable_let, borrow) = if *mutable { ("mut ", "&mut ") } else { ("", "&") };
            let ty_of = |module: &str| match ty {
                Ty::Mine => format!("{module}::Mine"),
                Ty::V3 => "hostile::swathe::Vec3".to_owned(),
                other => other.name().to_owned(),
            };
            let _ = writeln!(
                plain,
                "let {mutable_let}{name} = b.plain::<{}, {rank}>(\"{name}\", hostile::Kind::{kind});",
                ty_of("r")
            );
            plain_args.push(format!("{borrow}{name}"));
            let _ = writeln!(plain_keep, "b.keep_plain(&{name});");
            if *part {
                let view = if *mutable { "slice_mut" } else { "slice" };
                let _ = writeln!(
                    kernel,
                    "let {mutable_let}{name} = b.whole::<{}>(hostile::Kind::{kind});\nlet part = b.part();",
                    ty_of("k")
                );
                kernel_args.push(format!(
                    "{borrow}{name}.{view}(hostile::s![part.clone()]).expect(\"a part\")"
                ));
                let _ = writeln!(kernel_keep, "b.keep_part(&{name});");
            } else {
                let planes = match matches!(ty, Ty::Mine | Ty::V3) && seed.is_multiple_of(3) {
                    true => ".with_layout(hostile::swathe::Soa).expect(\"memory\")",
                    false => "",
                };
                let _ = writeln!(
                    kernel,
                    "let {mutable_let}{name} = b.field::<{}, {rank}>(hostile::Kind::{kind}){planes};",
                    ty_of("k")
                );
                kernel_args.push(format!("{borrow}{name}"));
                let _ = writeln!(kernel_keep, "b.keep(&{name});");
            }
        }
        for (args, text, module) in [(&mut plain_args, &mut plain, "r"), (&mut kernel_args, &mut kernel, "k")] {
            let _ = writeln!(text, "let m = {module}::Mine {{ a: 2, b: 5 }};\nlet n = b.n();");
            args.extend(["n".to_owned(), "m".to_owned()]);
        }
        let atomics = self
            .fields
            .iter()
            .any(|field| field.mutable && ATOMIC.contains(&field.ty));
        let rank = self.fields.iter().map(|field| field.rank).max().unwrap_or(1);
        let turns = match if atomics { 2 * self.turns } else { self.turns } {
            0 => "Some(0)",
            1 => "Some(1)",
            _ => "None",
        };
        format!(
            "#[allow(unused)]\nfn plain(b: &mut hostile::Bench) {{\n{plain}b.run(|| r::kernel({}));\n{plain_keep}}}\n#[allow(unused)]\nfn kernel(b: &mut hostile::Bench) {{\n{kernel}let result = k::kernel({});\nb.took(result);\n{kernel_keep}}}\npub const CASE: hostile::Case = hostile::Case {{ seed: {seed}, plain, kernel, rank: {rank}, atomics: {atomics}, turns: {turns} }};\n",
            plain_args.join(", "),
            kernel_args.join(", ")
        )
    }
}
