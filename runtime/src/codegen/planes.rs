//! Places in structures of arrays: each scalar lies in a plane of its own.

use swathe_ir::{Expr, ExprKind, FieldAccess, Span, Type};

use super::Result;
use super::body::{Binding, Body};
use super::cells::Trail;
use super::helper::braced;
use super::module::Module;
use super::types::{self, struct_initialiser};
use super::typing::member_type;
use super::value::{Effect, Value, prec};
use crate::collision::AccessKind;
use crate::kernel::FuncRef;

/// A place in the planes of a field.
pub(super) struct PlanarPlace {
    field: String,
    /// Offset of the place in the element: a number, and texts to add.
    offset: usize,
    steps: Vec<String>,
    pitch: String,
    /// Number of the element.
    index: String,
    pub ty: Type,
    pub effect: Effect,
    /// Where it is noted.
    pub trail: Option<Box<Trail>>,
    mutable: bool,
}

/// A scalar of a type.
pub(super) struct Leaf {
    /// Where a value of the type has it, such as `.x` or `.pos.v[3]`.
    pub path: String,
    pub scalar: Type,
    pub offset: usize,
}

impl Body<'_> {
    /// The place, if it is one in the planes of a field.
    pub(super) fn planar(&mut self, e: &Expr) -> Result<Option<PlanarPlace>> {
        match &e.kind {
            ExprKind::Field(access) => self.planar_access(access, e.span),
            ExprKind::Member(base, name) => {
                let Some(base) = self.planar(base)? else {
                    return Ok(None);
                };
                let Some((ty, offset)) = member_type(&base.ty, name).zip(member_offset(&base.ty, name)) else {
                    return self.unsupported(format!("member `{name}` of `{}`", base.ty), e.span);
                };
                let trail = Trail::member(base.trail.clone(), &base.ty, name);
                Ok(Some(PlanarPlace {
                    trail,
                    ..base.part(ty, offset)
                }))
            }
            ExprKind::Index(base, index) => {
                let Some(base) = self.planar(base)? else {
                    return Ok(None);
                };
                self.planar_index(base, index).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The element of an access, if its scalars lie in planes.
    pub(super) fn planar_access(&mut self, access: &FieldAccess, span: Span) -> Result<Option<PlanarPlace>> {
        let Some(element) = self.planar_element(access, span)? else {
            return Ok(None);
        };
        let f = element.field;
        Ok(Some(PlanarPlace {
            field: f.name,
            offset: 0,
            steps: Vec::new(),
            pitch: element.planes.pitch,
            index: element.number,
            ty: f.element,
            effect: element.effect,
            trail: element.trail,
            mutable: f.mutable,
        }))
    }

    /// Whether it is a place in planes.
    pub(super) fn is_planar(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Field(access) => {
                matches!(self.locals.get(&access.field), Some(Binding::Field(f)) if f.planes.is_some())
            }
            ExprKind::Member(base, _) | ExprKind::Index(base, _) => self.is_planar(base),
            _ => false,
        }
    }

    /// `place op= value` by a function of the user, which changes a copy.
    pub(super) fn planar_assign_call(&mut self, func: &FuncRef, place: &Expr, value: &Expr) -> Result<()> {
        let value = Self::settled(self.lower(value)?);
        let value = self.simple(value, "value");
        let Some(place) = self.planar(place)? else {
            return Ok(());
        };
        self.note_planar(&place, AccessKind::Write);
        let current = self.planar_value(&place);
        let (t, copy) = (self.module.ty(&place.ty), self.declare("place"));
        self.effect(format!("{t} {copy} = {};", current.text));
        self.assigned(func, copy.clone(), value.text)?;
        let store = self.planar_store(&place, &copy);
        self.effect(store);
        Ok(())
    }

    fn planar_index(&mut self, base: PlanarPlace, index: &Expr) -> Result<PlanarPlace> {
        let (ty, shape) = match &base.ty {
            Type::Array(t, n) => ((**t).clone(), vec![*n]),
            Type::Vector(s, n) => (Type::Scalar(*s), vec![*n]),
            Type::Matrix(s, r, c) => (Type::Scalar(*s), vec![*r, *c]),
            _ => return self.unsupported(format!("an index of `{}`", base.ty), index.span),
        };
        let mut position = match (&index.kind, shape.as_slice()) {
            (ExprKind::Array(pair, _), [_, _]) => self.sequence(&pair.iter().collect::<Vec<_>>())?,
            _ => vec![self.lower(index)?],
        };
        if position.len() != shape.len() {
            return self.unsupported(format!("this index of `{}`", base.ty), index.span);
        }
        self.check_index(&mut position, &shape, index.span)?;
        let effect = position.iter().fold(base.effect, |e, p| e.max(p.effect));
        let usize = self.module.ty(&Type::Scalar(swathe_ir::Scalar::Usize));
        let mut size = ty.size();
        let trail = match position.as_slice() {
            [k] => Trail::element(base.trail, &base.ty, k),
            _ => base.trail,
        };
        let mut place = PlanarPlace {
            ty,
            effect,
            trail,
            ..base
        };
        for (p, n) in position.iter().zip(&shape).rev() {
            match p.lit.and_then(|k| usize::try_from(k).ok()) {
                Some(k) => place.offset += k * size,
                None => place.steps.push(format!("{usize}({}) * {size}", p.text)),
            }
            size *= n;
        }
        Ok(place)
    }

    /// The value of a place, which is also a place if it is a scalar.
    pub(super) fn planar_value(&mut self, place: &PlanarPlace) -> Value {
        let ty = &place.ty;
        let text = match ty {
            Type::Scalar(_) => place.scalar(&self.module.ty(ty)),
            _ => format!("{}({})", self.module.load_planes(ty), place.arguments()),
        };
        Value::new(text, prec::POSTFIX, ty.clone(), place.effect)
    }

    /// The statement that sets a place.
    pub(super) fn planar_store(&mut self, place: &PlanarPlace, value: &str) -> String {
        let ty = &place.ty;
        match ty {
            Type::Scalar(_) => format!("{} = {value};", place.scalar(&self.module.ty(ty))),
            _ => format!("{}({}, {value});", self.module.store_planes(ty), place.arguments()),
        }
    }
}

impl PlanarPlace {
    fn part(mut self, ty: Type, offset: usize) -> PlanarPlace {
        self.offset += offset;
        PlanarPlace { ty, ..self }
    }

    /// Start of the first plane.
    fn at(&self) -> String {
        let number = (self.offset > 0).then(|| self.offset.to_string());
        let terms: Vec<String> = number.into_iter().chain(self.steps.iter().cloned()).collect();
        match terms.as_slice() {
            [] => self.field.clone(),
            [one] if self.steps.is_empty() => format!("{} + {} * {one}", self.field, self.pitch),
            _ => format!("{} + {} * ({})", self.field, self.pitch, terms.join(" + ")),
        }
    }

    fn scalar(&self, t: &str) -> String {
        let qualifier = if self.mutable { "" } else { "const " };
        match self.at() {
            at if at == self.field => format!("(({qualifier}{t}*){at})[{}]", self.index),
            at => format!("(({qualifier}{t}*)({at}))[{}]", self.index),
        }
    }

    /// The arguments of a function over planes.
    pub(super) fn arguments(&self) -> String {
        format!("{}, {}, {}", self.at(), self.pitch, self.index)
    }
}

impl Module {
    /// Name of the function that reads a value from planes.
    fn load_planes(&mut self, ty: &Type) -> String {
        let (t, usize) = (self.ty(ty), self.ty(&Type::Scalar(swathe_ir::Scalar::Usize)));
        let name = format!("load_{t}");
        let leaves = leaves(ty);
        let texts: Vec<String> = leaves.iter().map(|leaf| self.plane(leaf, "const ")).collect();
        let value = self.assembled(ty, &mut texts.into_iter());
        self.helper(&name, || {
            format!(
                "static __device__ __forceinline__ {t} {name}(const char* at, {usize} pitch, {usize} i) {{\n    return {value};\n}}\n"
            )
        });
        name
    }

    /// Name of the function that writes a value to planes.
    fn store_planes(&mut self, ty: &Type) -> String {
        let (t, usize) = (self.ty(ty), self.ty(&Type::Scalar(swathe_ir::Scalar::Usize)));
        let name = format!("store_{t}");
        let mut text = String::new();
        for leaf in leaves(ty) {
            text.push_str(&format!("    {} = value{};\n", self.plane(&leaf, ""), leaf.path));
        }
        self.helper(&name, || {
            format!(
                "static __device__ __forceinline__ void {name}(char* at, {usize} pitch, {usize} i, {t} value) {{\n{text}}}\n"
            )
        });
        name
    }

    /// Addresses of the scalars of an element in planes, within a function over planes.
    pub(super) fn plane_addresses(&mut self, ty: &Type) -> Vec<String> {
        leaves(ty)
            .iter()
            .map(|leaf| format!("&{}", self.plane(leaf, "")))
            .collect()
    }

    fn plane(&mut self, leaf: &Leaf, qualifier: &str) -> String {
        let t = self.ty(&leaf.scalar);
        match leaf.offset {
            0 => format!("(({qualifier}{t}*)at)[i]"),
            offset => format!("(({qualifier}{t}*)(at + pitch * {offset}))[i]"),
        }
    }

    /// A value of these scalars.
    fn assembled(&mut self, ty: &Type, scalars: &mut dyn Iterator<Item = String>) -> String {
        let name = self.ty(ty);
        match ty {
            _ if types::is_empty(ty) => format!("{name}{{}}"),
            Type::Scalar(_) | Type::Enum(_) => scalars.next().unwrap_or_default(),
            Type::Vector(_, n) => braced(ty, &name, &scalars.take(*n).collect::<Vec<_>>()),
            Type::Matrix(_, r, c) => braced(ty, &name, &scalars.take(r * c).collect::<Vec<_>>()),
            Type::Array(t, n) => {
                let items: Vec<String> = (0..*n).map(|_| self.assembled(t, scalars)).collect();
                format!("{name}{{{{{}}}}}", items.join(", "))
            }
            Type::Struct(s) => {
                let items: Vec<String> = s.members.iter().map(|m| self.assembled(&m.ty, scalars)).collect();
                struct_initialiser(&name, s, &items)
            }
            Type::Unit | Type::Tuple(_) | Type::Field(..) => String::new(),
        }
    }
}

/// The scalars of a type, in order of declaration.
pub(super) fn leaves(ty: &Type) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(ty, String::new(), 0, &mut found);
    found
}

fn collect(ty: &Type, path: String, offset: usize, found: &mut Vec<Leaf>) {
    match ty {
        Type::Scalar(_) | Type::Enum(_) => found.push(Leaf {
            path,
            scalar: ty.clone(),
            offset,
        }),
        Type::Vector(s, n) => {
            for k in 0..*n {
                let path = match (["x", "y", "z", "w"].get(k), *n <= 4) {
                    (Some(component), true) => format!("{path}.{component}"),
                    _ => format!("{path}.v[{k}]"),
                };
                collect(&Type::Scalar(*s), path, offset + k * s.size(), found);
            }
        }
        Type::Matrix(s, r, c) => {
            for k in 0..r * c {
                let path = format!("{path}.m[{}][{}]", k / c, k % c);
                collect(&Type::Scalar(*s), path, offset + k * s.size(), found);
            }
        }
        Type::Array(t, n) => {
            for k in 0..*n {
                collect(t, format!("{path}.v[{k}]"), offset + k * t.device_layout().0, found);
            }
        }
        Type::Struct(s) => {
            for m in &s.members {
                collect(
                    &m.ty,
                    format!("{path}.{}", types::member_name(ty, &m.name)),
                    offset + m.offset,
                    found,
                );
            }
        }
        Type::Tuple(types) => {
            for (k, (t, at)) in types.iter().zip(Type::tuple_offsets(types)).enumerate() {
                collect(t, format!("{path}._{k}"), offset + at, found);
            }
        }
        Type::Unit | Type::Field(..) => {}
    }
}

/// Offset of a member or component in bytes.
pub(super) fn member_offset(ty: &Type, name: &str) -> Option<usize> {
    match ty {
        Type::Struct(s) => s.members.iter().find(|m| m.name == name).map(|m| m.offset),
        Type::Vector(s, _) => ["x", "y", "z", "w"]
            .iter()
            .position(|c| *c == name)
            .map(|k| k * s.size()),
        _ => None,
    }
}
