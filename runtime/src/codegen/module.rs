//! The text as a whole: what a kernel needs, collected on demand.

use std::any::TypeId;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use swathe_ir::{Param, ParamKind, Scalar, Span, Type};

use super::Result;
use super::body::{Binding, Body, Dest, FieldBinding, Leave};
use super::half;
use super::names;
use super::phase::use_of;
use super::scalar;
use super::source::{Arg, Site, SiteKind};
use super::text::{self, has_word, wrapped};
use super::types::{self, Types};
use super::variant::Variant;
use crate::error::CodegenError;
use crate::kernel::walk;
use crate::kernel::{Callee, FuncRef, Instance};

type Key = (TypeId, u64);
/// An instance, and the kernel's parameters whose fields it is lent.
type Written = (Key, Vec<usize>);

/// A function that the text defines.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub params: Vec<(ParamKind, Type)>,
    /// What it takes for each of those that are fields.
    pub lent: Vec<Vec<Arg>>,
    pub ret: Type,
    /// It can fail, and takes the error record and a flag as its last arguments.
    pub fails: bool,
    /// It has a loop of which nothing tells that it ends, or calls a function with one.
    pub endless: bool,
}

/// The text in the making.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// Names at global scope.
    pub globals: HashSet<String>,
    pub types: Types,
    /// Names of all functions that the kernel reaches, which are written later.
    functions_to_come: HashSet<String>,
    /// Names of types that the text may use.
    types_to_come: HashSet<String>,
    helpers: Vec<(String, String)>,
    /// Bytes of the large constants.
    tables: Vec<Vec<u8>>,
    instances: HashMap<Key, Rc<Instance>>,
    /// With what can fail in each and in those that it calls.
    functions: HashMap<Written, (Function, BTreeSet<usize>)>,
    definitions: Vec<String>,
    pub sites: Vec<Site>,
    /// Those that the phase being written can fail at.
    pub asked: BTreeSet<usize>,
    /// Functions that are being written, one called by the other.
    depth: usize,
    pub variant: Variant,
    /// A serial phase can end the kernel.
    pub stops: bool,
}

impl Module {
    pub(super) fn new(variant: Variant, sites: Vec<Site>) -> Module {
        Module {
            variant,
            sites,
            asked: BTreeSet::new(),
            ..Module::default()
        }
    }

    /// Loads every function that the kernel reaches.
    pub(super) fn load(&mut self, kernel: &Rc<Instance>) -> Result<()> {
        kernel
            .types
            .iter()
            .for_each(|ty| types::collect_names(ty, &mut self.types_to_come));
        self.load_callees(kernel, &mut Vec::new())
    }

    fn load_callees(&mut self, instance: &Rc<Instance>, path: &mut Vec<(Key, Rc<Instance>)>) -> Result<()> {
        for callee in &instance.callees {
            let Callee::Func(FuncRef { key, load }) = callee else {
                continue;
            };
            if let Some(at) = path.iter().position(|(k, _)| k == key) {
                let first = &path[at].1.func;
                return Err(CodegenError::Recursion {
                    cycle: path[at..].iter().map(|(_, i)| i.func.name.clone()).collect(),
                    file: first.file.clone(),
                    line: first.span.line,
                });
            }
            if self.instances.contains_key(key) {
                continue;
            }
            let loaded = Rc::new(load());
            loaded
                .types
                .iter()
                .for_each(|ty| types::collect_names(ty, &mut self.types_to_come));
            path.push((*key, Rc::clone(&loaded)));
            self.load_callees(&loaded, path)?;
            path.pop();
            self.functions_to_come.insert(names::member(&loaded.func.name));
            self.instances.insert(*key, loaded);
        }
        Ok(())
    }

    pub(super) fn callee(&self, func: &FuncRef) -> Option<Rc<Instance>> {
        self.instances.get(&func.key).cloned()
    }

    /// Whether a name is one at global scope, or may become one: a variable of that name would hide it.
    pub(super) fn has(&self, name: &str) -> bool {
        self.globals.contains(name) || self.functions_to_come.contains(name) || self.may_be_function(name)
    }

    /// Whether a function that is written later may get this name, which tells it from others of its name: see [`Module::function_name`].
    fn may_be_function(&self, name: &str) -> bool {
        let numbered = name
            .rsplit_once('_')
            .is_some_and(|(_, last)| last.bytes().all(|b| b.is_ascii_digit()));
        let mut ends = name.match_indices('_').map(|(at, _)| &name[..at]);
        !numbered && ends.any(|base| self.functions_to_come.contains(base))
    }

    /// Whether a type whose name comes into the text may be called so: a variable would hide it. Several of one name are told from one another by numbers.
    pub(super) fn may_be_type(&self, name: &str) -> bool {
        let (base, number) = name.rsplit_once('_').unwrap_or((name, ""));
        let numbered = number.starts_with(|c: char| c.is_ascii_digit()) && self.types_to_come.contains(base);
        numbered || self.types_to_come.contains(name) || types::is_like_composed(name)
    }

    /// Spelling of a type; defines it if needed.
    pub(super) fn ty(&mut self, ty: &Type) -> String {
        self.types.name(ty, &mut self.globals)
    }

    /// Adds a helper function unless it is there already.
    pub(super) fn helper(&mut self, name: &str, definition: impl FnOnce() -> String) {
        if !self.helpers.iter().any(|(n, _)| n == name) {
            self.helpers.push((name.to_owned(), definition()));
        }
    }

    /// Name of the table with these bytes; adds it if needed.
    pub(super) fn table(&mut self, bytes: &[u8]) -> String {
        let known = self.tables.iter().position(|table| table == bytes);
        let name = format!("constant_{}", known.unwrap_or(self.tables.len()));
        if known.is_none() {
            self.tables.push(bytes.to_vec());
            let words = bytes.chunks(8).map(|chunk| {
                let word = chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
                format!("{word:#x}")
            });
            let words: Vec<String> = words.collect();
            let lines: Vec<String> = words.chunks(8).map(|line| format!("    {}", line.join(", "))).collect();
            self.helper(&name, || {
                format!(
                    "alignas(16) static __device__ const unsigned long long {name}[{}] = {{\n{}\n}};\n",
                    words.len(),
                    lines.join(",\n")
                )
            });
        }
        name
    }

    /// Number of a place that can fail.
    pub(super) fn site(&mut self, kind: SiteKind, file: &str, span: Span) -> usize {
        let site = Site {
            kind,
            file: file.to_owned(),
            span,
            in_function: self.depth > 0,
        };
        let number = self.sites.iter().position(|s| *s == site).unwrap_or_else(|| {
            self.sites.push(site);
            self.sites.len() - 1
        });
        self.asked.insert(number);
        number
    }

    /// The function that a callee names, for these fields; writes it if needed.
    pub(super) fn function(&mut self, func: &FuncRef, lent: &[FieldBinding]) -> Result<Function> {
        let key = (func.key, lent.iter().map(|f| f.param).collect());
        if let Some((function, sites)) = self.functions.get(&key) {
            self.asked.extend(sites);
            return Ok(function.clone());
        }
        let instance = match self.instances.get(&func.key) {
            Some(instance) => Rc::clone(instance),
            None => Rc::new((func.load)()),
        };
        let before = std::mem::take(&mut self.asked);
        self.enter();
        let function = self.define(&instance, lent)?;
        self.leave();
        self.functions.insert(key, (function.clone(), self.asked.clone()));
        self.asked.extend(before);
        Ok(function)
    }

    /// What is written next stands in a function's text.
    pub(super) fn enter(&mut self) {
        self.depth += 1;
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    fn define(&mut self, instance: &Rc<Instance>, lent: &[FieldBinding]) -> Result<Function> {
        let func = &instance.func;
        let types = &instance.types;
        let ty_of = |p: &Param| types[func.locals[p.local.0 as usize].ty.0 as usize].clone();
        let params: Vec<_> = func.params.iter().map(|p| (p.kind, ty_of(p))).collect();
        let ret = func.ret.map_or(Type::Unit, |slot| types[slot.0 as usize].clone());

        let name = self.function_name(&func.name, params.first().map(|(_, t)| t), &ret, lent);
        let mut body = Body::new(self, Rc::clone(instance), Leave::Function(ret.clone()));
        let mut live = HashSet::new();
        walk::block(&func.body, &mut |e| use_of(e, &mut live));
        body.live = Some(live);
        // Of a field it shows later what is used.
        let mut list: Vec<Vec<String>> = Vec::new();
        let mut fields = Vec::new();
        let mut unnamed = lent.iter();
        for (param, (kind, ty)) in func.params.iter().zip(&params) {
            let local = &func.locals[param.local.0 as usize];
            if let ParamKind::Field { .. } = kind {
                let Some(field) = unnamed.next() else {
                    return body.unsupported(format!("calling `{}` without a field", func.name), func.span);
                };
                let field = body.lent_as(&local.name, field);
                body.locals.insert(param.local, Binding::Field(field.clone()));
                fields.push((list.len(), field));
                list.push(Vec::new());
                continue;
            }
            let spelled = body.module.ty(ty);
            let name = body.declare(&local.name);
            if *ty == Type::Unit {
                continue;
            }
            list.push(vec![match kind {
                ParamKind::Ref { mutable: true } => format!("{spelled}& {name}"),
                ParamKind::Ref { mutable: false } => format!("const {spelled}& {name}"),
                _ => format!("{spelled} {name}"),
            }]);
            let stable = match kind {
                ParamKind::Ref { mutable } => !mutable,
                _ => !local.mutable,
            };
            body.bind(param.local, name, stable);
        }
        let errors = body.declare("errors");
        body.errors = errors;
        let failed = body.declare("has_failed");
        body.failed = failed;
        let dest = if ret == Type::Unit { Dest::Discard } else { Dest::Return };
        body.block_to(&func.body, &dest)?;
        let (fails, endless) = (body.fails, body.endless);
        if fails {
            list.push(vec![
                format!("Errors* {}", body.errors),
                format!("bool& {}", body.failed),
            ]);
        }
        let mut taken = Vec::new();
        for (at, field) in fields {
            let args = body.used.of_field(&field);
            list[at] = args.iter().map(|arg| body.declared_argument(&field, *arg)).collect();
            taken.push(args);
        }
        let list: Vec<String> = list.concat();
        let lines = std::mem::take(&mut body.lines);
        let head = wrapped(
            &format!("static __device__ __forceinline__ {} {name}(", self.ty(&ret)),
            &list,
            ",",
            ")",
            "    ",
        );
        self.definitions.push(text::function(&head, &lines, func, func.span));
        Ok(Function {
            name,
            params,
            lent: taken,
            ret,
            fails,
            endless,
        })
    }

    fn function_name(&mut self, name: &str, first: Option<&Type>, ret: &Type, lent: &[FieldBinding]) -> String {
        let taken = |name: &str, globals: &HashSet<String>| globals.contains(name);
        let plain = names::member(name);
        let name = if plain == name && !names::is_reserved_for_items(name) && !taken(name, &self.globals) {
            plain
        } else {
            let suffix = match (first, lent.first()) {
                (Some(Type::Field(..)), Some(field)) => field.name.clone(),
                (Some(ty), _) => self.ty(ty),
                (None, _) => self.ty(ret),
            };
            // No number at its end, by which `may_be_function` knows variables, and no name of a type, which are helpers'.
            let others = (2..).map(|k| format!("{name}_{k}_{suffix}_of"));
            let all = [format!("{name}_{suffix}"), format!("{name}_{suffix}_of")];
            names::first_free(all.into_iter().chain(others), |n| taken(n, &self.globals))
        };
        self.globals.insert(name.clone());
        name
    }

    /// The whole text.
    pub(super) fn finish(self, header: &str, kernels: &[String]) -> String {
        let mut rest = String::new();
        for definition in &self.types.definitions {
            rest.push_str(definition);
            rest.push('\n');
        }
        // A check may have been left out behind a condition that implies it, and its report with it.
        let used = |(key, text): &&(String, String)| match key.split_once('/') {
            Some((name, count)) if text.contains(&format!("__noinline__ void {name}(Errors*")) => {
                let helpers = self
                    .helpers
                    .iter()
                    .filter(|(other, _)| other != key)
                    .map(|(_, text)| text);
                let mut texts = helpers.chain(&self.definitions).chain(kernels);
                let rank = |args: usize| args.checked_sub(2).is_some_and(|rank| rank.to_string() == count);
                texts.any(|text| text::calls(text, name).into_iter().any(rank))
            }
            _ => true,
        };
        let mut helpers = self.helpers.iter().filter(used).map(|(_, text)| text).peekable();
        while let Some(helper) = helpers.next() {
            rest.push_str(helper);
            // One-liners stand together.
            let short = |text: &String| text.lines().count() <= 2;
            if !(short(helper) && helpers.peek().is_some_and(|next| short(next))) {
                rest.push('\n');
            }
        }
        for definition in self.definitions.iter().chain(kernels) {
            rest.push_str(definition);
            rest.push('\n');
        }
        let mut text = format!("// {header}\n\n");
        let mut empty = true;
        for (name, meaning) in scalar::TYPEDEFS {
            if has_word(&rest, name) || (name == "u64" && has_word(&rest, "Errors")) {
                text.push_str(&format!("typedef {meaning} {name};\n"));
                empty = false;
            }
        }
        for (name, parameters, meaning) in SPECIAL {
            if has_word(&rest, name) {
                text.push_str(&format!("#define {name}{parameters} {meaning}\n"));
                empty = false;
            }
        }
        if !empty {
            text.push('\n');
        }
        for s in [Scalar::F16, Scalar::Bf16] {
            if has_word(&rest, scalar::name(s)) || has_word(&rest, &format!("{}_of", scalar::name(s))) {
                text.push_str(&half::definition(s));
                text.push('\n');
            }
        }
        text.push_str(rest.trim_end());
        text.push('\n');
        text
    }
}

const SPECIAL: [(&str, &str, &str); 5] = [
    // Of several arguments: braces do not hold the commas in them together.
    ("unlikely", "(...)", "__builtin_expect((__VA_ARGS__), 0)"),
    ("F32_INFINITY", "", "__int_as_float(0x7f800000)"),
    ("F32_NAN", "", "__int_as_float(0x7fc00000)"),
    ("F64_INFINITY", "", "__longlong_as_double(0x7ff0000000000000ll)"),
    ("F64_NAN", "", "__longlong_as_double(0x7ff8000000000000ll)"),
];
