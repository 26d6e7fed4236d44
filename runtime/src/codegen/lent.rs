//! What is passed for a field: to a kernel, and from there on to functions that it is lent to.
//!
//! A function is written once for each choice of the kernel's fields that it is given: how these lie in memory, and what is told where one of
//! its accesses fails, is that of the kernel's parameter.

use swathe_ir::{Expr, ExprKind, Scalar, Span, Type};

use super::Result;
use super::body::{Body, FieldBinding, PlanesBinding, Used};
use super::source::Arg;

impl Used {
    /// The arguments that stand for a field.
    pub(super) fn of_field(&self, f: &FieldBinding) -> Vec<Arg> {
        let param = f.param;
        let field = self.fields.contains(&param);
        let along = |count: usize, used: &dyn Fn(usize) -> bool, arg: fn(usize, usize) -> Arg| {
            let axes = (0..count).filter(|axis| used(*axis));
            axes.map(|axis| arg(param, axis)).collect::<Vec<_>>()
        };
        let mut args: Vec<Arg> = field.then_some(Arg::Field(param)).into_iter().collect();
        args.extend(along(
            f.extents.len(),
            &|k| self.extents.contains(&(param, k)),
            Arg::Extent,
        ));
        args.extend(along(
            f.starts.len(),
            &|k| self.starts.contains(&(param, k)),
            Arg::Start,
        ));
        args.extend(along(
            f.strides.len(),
            &|k| self.strides.contains(&(param, k)),
            Arg::Stride,
        ));
        if let Some(planes) = f.planes.as_ref().filter(|_| field) {
            args.push(Arg::Pitch(param));
            args.extend(planes.origin.is_some().then_some(Arg::Origin(param)));
        }
        args.extend((f.cells.is_some() && self.cells.contains(&param)).then_some(Arg::Cells(param)));
        args
    }

    /// Notes that an argument is passed on.
    fn pass_on(&mut self, arg: Arg) {
        match arg {
            Arg::Field(param) => _ = self.fields.insert(param),
            Arg::Extent(param, axis) => _ = self.extents.insert((param, axis)),
            Arg::Start(param, axis) => _ = self.starts.insert((param, axis)),
            Arg::Stride(param, axis) => _ = self.strides.insert((param, axis)),
            // They are there with the field.
            _ => {}
        }
    }
}

impl FieldBinding {
    /// The name of one of its arguments.
    fn argument(&self, arg: Arg) -> &str {
        let planes = self.planes.as_ref();
        match arg {
            Arg::Extent(_, axis) => &self.extents[axis],
            Arg::Start(_, axis) => &self.starts[axis],
            Arg::Stride(_, axis) => &self.strides[axis],
            Arg::Pitch(_) => planes.map_or("", |planes| &planes.pitch),
            Arg::Origin(_) => planes.and_then(|planes| planes.origin.as_deref()).unwrap_or_default(),
            Arg::Cells(_) => self.cells.as_deref().unwrap_or_default(),
            _ => &self.name,
        }
    }
}

impl Body<'_> {
    /// An argument that stands for a field, as a parameter.
    pub(super) fn declared_argument(&mut self, f: &FieldBinding, arg: Arg) -> String {
        let t = match arg {
            Arg::Field(_) => {
                let element = match &f.planes {
                    Some(_) => "char".to_owned(),
                    None => self.module.ty(&f.element),
                };
                let qualifier = if f.mutable { "" } else { "const " };
                format!("{qualifier}{element}* __restrict__")
            }
            Arg::Extent(..) => self.module.variant.index.name().to_owned(),
            Arg::Start(..) => self.module.ty(&Type::Scalar(Scalar::Isize)),
            Arg::Cells(_) => "u64* __restrict__".to_owned(),
            _ => self.module.ty(&Type::Scalar(Scalar::Usize)),
        };
        format!("{t} {}", f.argument(arg))
    }

    /// The fields among the arguments of a call.
    pub(super) fn lent(&self, args: &[&Expr], span: Span) -> Result<Vec<FieldBinding>> {
        let fields = args.iter().filter_map(|arg| match &arg.kind {
            ExprKind::FieldArgument(field) => Some(self.field(*field, span)),
            _ => None,
        });
        fields.collect()
    }

    /// Passes a field on, by the arguments that the function uses.
    pub(super) fn pass_on(&mut self, f: &FieldBinding, args: &[Arg]) -> Vec<String> {
        args.iter().for_each(|arg| self.used.pass_on(*arg));
        args.iter().map(|arg| f.argument(*arg).to_owned()).collect()
    }

    /// The parameter of a function that such a field is lent for.
    pub(super) fn lent_as(&mut self, wanted: &str, f: &FieldBinding) -> FieldBinding {
        let name = self.declare(wanted);
        let mut axes = |of: &[String], what: &str| -> Vec<String> {
            let named = (0..of.len()).map(|axis| self.declare(&format!("{name}{what}_{axis}")));
            named.collect()
        };
        let extents = axes(&f.extents, "");
        let strides = axes(&f.strides, "_stride");
        let starts = axes(&f.starts, "_start");
        let planes = f.planes.as_ref().map(|planes| PlanesBinding {
            pitch: self.declare(&format!("{name}_pitch")),
            origin: planes.origin.as_ref().map(|_| self.declare(&format!("{name}_origin"))),
        });
        FieldBinding {
            param: f.param,
            name,
            element: f.element.clone(),
            extents,
            starts,
            strides,
            planes,
            // Nobody writes it, so that no access can meet one.
            cells: None,
            mutable: false,
        }
    }
}
