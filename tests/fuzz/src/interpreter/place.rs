//! Places: variables, elements of fields, and parts of them.

use swathe_ir::{Expr, ExprKind, FieldAccess, FuncKind, LocalId, Span, UnOp};

use super::flow::{Flow, Run};
use super::{Failed, Frame, Machine, Slot, What};
use crate::value::Value;

pub struct Place {
    root: Root,
    /// Outermost first.
    steps: Vec<Step>,
}

enum Root {
    Local(LocalId),
    Element { field: usize, at: usize },
}

enum Step {
    Member(String),
    Index(usize),
}

impl Machine {
    pub(super) fn place(&mut self, frame: &mut Frame, e: &Expr) -> Run<Place> {
        match &e.kind {
            ExprKind::Local(local) => Ok(Place {
                root: Root::Local(*local),
                steps: Vec::new(),
            }),
            ExprKind::Unary(UnOp::Deref, inner, _) => self.place(frame, inner),
            ExprKind::Ref { place, .. } => self.place(frame, place),
            ExprKind::Field(access) => {
                let (field, at) = self.element(frame, access, e.span)?;
                Ok(Place {
                    root: Root::Element { field, at },
                    steps: Vec::new(),
                })
            }
            ExprKind::Member(base, name) => {
                let mut place = self.place(frame, base)?;
                place.steps.push(Step::Member(name.clone()));
                Ok(place)
            }
            ExprKind::Index(base, index) => {
                let mut place = self.place(frame, base)?;
                let index = self.expr(frame, index)?.index();
                place.steps.push(Step::Index(index));
                Ok(place)
            }
            other => panic!("no place: {other:?}"),
        }
    }

    /// The element that an access means, as field and number; the failure is noted.
    pub(super) fn element(&mut self, frame: &mut Frame, access: &FieldAccess, span: Span) -> Run<(usize, usize)> {
        let mut index = Vec::new();
        for e in &access.index {
            match self.expr(frame, e)? {
                Value::Array(parts) => index.extend(parts.iter().map(Value::index)),
                value => index.push(value.index()),
            }
        }
        let field = frame.field(access.field);
        let shape = &self.fields[field].shape;
        assert_eq!(index.len(), shape.len(), "rustc has compared the ranks");
        if index.iter().zip(shape).any(|(i, n)| i >= n) {
            let func = &frame.instance.func;
            let order = match func.kind {
                FuncKind::Kernel => (self.sites.number(span) + 1, 0, 0),
                FuncKind::Func => (usize::MAX, span.line, span.column),
            };
            let name = func.locals[access.field.0 as usize].name.clone();
            self.failed.push(Failed {
                order,
                index: index.into_iter().map(|k| k as u64).collect(),
                file: func.file_of(span).to_owned(),
                line: span.line,
                column: span.column,
                what: What::Access(name, shape.clone()),
            });
            return Err(Flow::Fail);
        }
        let at = index.iter().zip(shape).fold(0, |at, (i, n)| at * n + i);
        Ok((field, at))
    }

    fn root<'m>(&'m mut self, frame: &'m mut Frame, root: &Root) -> &'m mut Value {
        match root {
            Root::Local(local) => match &mut frame.locals[local.0 as usize] {
                Slot::Value(value) => value,
                slot => {
                    // Declared without a value.
                    *slot = Slot::Value(Value::Unit);
                    let Slot::Value(value) = slot else { unreachable!() };
                    value
                }
            },
            Root::Element { field, at } => &mut self.fields[*field].elements[*at],
        }
    }

    fn resolve<'m>(&'m mut self, frame: &'m mut Frame, place: &Place) -> &'m mut Value {
        let mut value = self.root(frame, &place.root);
        for step in &place.steps {
            value = match step {
                Step::Member(name) => member(value, name),
                Step::Index(k) => match value {
                    Value::Array(items) | Value::Vector(items) => &mut items[*k],
                    other => panic!("nothing to index: {other:?}"),
                },
            };
        }
        value
    }

    pub(super) fn load(&mut self, frame: &mut Frame, place: &Place) -> Value {
        self.resolve(frame, place).clone()
    }

    pub(super) fn store(&mut self, frame: &mut Frame, place: &Place, value: Value) {
        *self.resolve(frame, place) = value;
    }
}

fn member<'v>(value: &'v mut Value, name: &str) -> &'v mut Value {
    match value {
        Value::Struct(members) => {
            let found = members.iter_mut().find(|(n, _)| n == name);
            &mut found.unwrap_or_else(|| panic!("no member `{name}`")).1
        }
        Value::Vector(items) => {
            let k = ["x", "y", "z", "w"]
                .iter()
                .position(|c| *c == name)
                .expect("a component");
            &mut items[k]
        }
        Value::Tuple(items) => &mut items[name.parse::<usize>().expect("a number")],
        other => panic!("`{name}` of {other:?}"),
    }
}
