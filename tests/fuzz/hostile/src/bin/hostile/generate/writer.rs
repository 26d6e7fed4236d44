//! What is known while a body is written: variables, fields, what the program's items offer, and which tokens come from where.

use super::items::Items;
use super::operator::Op;
use super::random::Random;
use super::types::Ty;

#[derive(Clone)]
pub struct Var {
    pub text: String,
    /// Whether its name stands where the macro around is called.
    pub call: bool,
    pub ty: Ty,
    pub mutable: bool,
}

pub struct FieldInfo {
    pub name: String,
    pub ty: Ty,
    pub rank: usize,
    pub mutable: bool,
    pub kind: &'static str,
    /// In the loop that is being written.
    pub atomic: bool,
    /// A part of a field is passed.
    pub part: bool,
    /// There is a function that reads it.
    pub reader: bool,
}

/// A `macro_rules!` around what is written: its parameters with their arguments.
#[derive(Default)]
pub struct Wrap {
    pub parameters: Vec<(String, &'static str, String)>,
}

impl Wrap {
    fn parameter(&mut self, name: &str, fragment: &'static str, argument: &str) {
        if !self.parameters.iter().any(|(known, ..)| known == name) {
            self.parameters.push((name.to_owned(), fragment, argument.to_owned()));
        }
    }
}

pub struct Writer {
    pub random: Random,
    pub items: Items,
    pub vars: Vec<Var>,
    pub fields: Vec<FieldInfo>,
    /// What an iteration's own elements are indexed by.
    pub own: Vec<String>,
    /// In which words the index of what is written says the position, and the field that the loop runs over.
    pub own_words: usize,
    pub lead: usize,

    pub wrap: Option<Wrap>,
    /// Whether an argument of the macro around is being written.
    pub hole: bool,
    pub out: String,
    pub nested: usize,
    pub turns: usize,
    pub fresh: usize,

    pub reduces_max: bool,
}

impl Writer {
    pub fn new(random: Random, items: Items) -> Writer {
        Writer {
            random,
            items,
            vars: Vec::new(),
            fields: Vec::new(),
            own: Vec::new(),
            own_words: 0,
            lead: 0,

            wrap: None,
            hole: false,
            out: String::new(),
            nested: 0,
            turns: 0,
            fresh: 0,

            reduces_max: false,
        }
    }

    pub fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A name of the call in the text: an argument of the macro, if there is one around.
    pub fn given(&mut self, text: &str) -> String {
        match &mut self.wrap {
            Some(wrap) if !self.hole => {
                let name = format!("v_{text}");
                wrap.parameter(&name, "ident", text);
                format!("${name}")
            }
            _ => text.to_owned(),
        }
    }

    pub fn field_name(&mut self, k: usize) -> String {
        let name = self.fields[k].name.clone();
        self.given(&name)
    }

    pub fn var_name(&mut self, k: usize) -> String {
        let (text, call) = (self.vars[k].text.clone(), self.vars[k].call);
        if call { self.given(&text) } else { text }
    }

    /// A variable that can be named here.
    pub fn find(&mut self, accept: impl Fn(&Var) -> bool) -> Option<usize> {
        let (hole, wrapped) = (self.hole, self.wrap.is_some());
        let reach: Vec<usize> = (0..self.vars.len())
            .filter(|k| (!hole || !wrapped || self.vars[*k].call) && accept(&self.vars[*k]))
            .collect();
        (!reach.is_empty()).then(|| self.random.pick(&reach))
    }

    /// Declares a variable under one of few names, which may be there already: the older one is then hidden.
    pub fn declare(&mut self, ty: Ty, mutable: bool) -> String {
        const NAMES: [&str; 6] = ["t", "k", "base", "acc", "q", "step"];
        let text = if self.random.percent(45) {
            (*self.random.one(&NAMES)).to_owned()
        } else {
            self.fresh += 1;
            format!("w{}", self.fresh)
        };
        self.declare_as(text, ty, mutable)
    }

    pub fn declare_as(&mut self, text: String, ty: Ty, mutable: bool) -> String {
        let call = self.hole || (self.wrap.is_some() && self.random.percent(50));
        // Those of another place are other variables.
        self.vars.retain(|var| var.text != text || var.call != call);
        self.vars.push(Var {
            text,
            call,
            ty,
            mutable,
        });
        self.var_name(self.vars.len() - 1)
    }

    /// Writes an argument of the macro around.
    pub fn argument(&mut self, fragment: &'static str, write: impl FnOnce(&mut Writer) -> String) -> String {
        self.hole = true;
        let text = write(self);
        self.hole = false;
        self.fresh += 1;
        let name = format!("e{}", self.fresh);
        if let Some(wrap) = &mut self.wrap {
            wrap.parameters.push((name.clone(), fragment, text));
        }
        format!("${name}")
    }

    /// Whether an argument may be written.
    pub fn can_pass(&self) -> bool {
        self.wrap.is_some() && !self.hole
    }

    pub fn operator(&mut self, out: Ty) -> Option<Op> {
        let fit: Vec<Op> = self.items.ops.iter().filter(|op| op.out == out).copied().collect();
        (!fit.is_empty()).then(|| self.random.pick(&fit))
    }

    pub fn asked(&mut self) {
        self.turns += if self.nested > 0 { 2 } else { 1 };
    }
}
