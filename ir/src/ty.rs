//! Monomorphic types, as rustc reports them to the runtime.

/// Scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    /// 64 bits wide on the device, as on the host.
    Usize,
    /// 64 bits wide on the device, as on the host.
    Isize,
    /// IEEE 754 binary16: `half::f16`.
    F16,
    /// The upper half of an `f32`: `half::bf16`.
    Bf16,
    F32,
    F64,
}

impl Scalar {
    /// Every scalar type.
    pub const ALL: [Scalar; 15] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::Usize,
        Scalar::Isize,
        Scalar::F16,
        Scalar::Bf16,
        Scalar::F32,
        Scalar::F64,
    ];

    /// Name in Rust.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::Usize => "usize",
            Scalar::Isize => "isize",
            Scalar::F16 => "f16",
            Scalar::Bf16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// Size and alignment in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::Usize | Scalar::Isize | Scalar::F64 => 8,
        }
    }

    /// `f16`, `bf16`, `f32` or `f64`.
    #[must_use]
    pub const fn is_float(self) -> bool {
        self.is_half() || matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// `f16` or `bf16`, whose arithmetic is that of `f32`, rounded after each operation.
    #[must_use]
    pub const fn is_half(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16)
    }

    /// A signed or unsigned integer.
    #[must_use]
    pub const fn is_int(self) -> bool {
        !self.is_float() && !matches!(self, Scalar::Bool)
    }

    /// The integer with these bytes.
    ///
    /// # Panics
    /// If they are fewer than its size.
    #[must_use]
    pub fn integer(self, bytes: &[u8]) -> i128 {
        let mut word = [0; 8];
        word[..self.size()].copy_from_slice(&bytes[..self.size()]);
        let word = u64::from_le_bytes(word);
        if self.is_signed() {
            let unused = 64 - 8 * self.size() as u32;
            i128::from(word.cast_signed() << unused >> unused)
        } else {
            i128::from(word)
        }
    }

    /// A signed integer or a float.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(
            self,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Isize
        ) || self.is_float()
    }
}

/// A monomorphic type of the kernel language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `()`.
    Unit,
    /// A scalar.
    Scalar(Scalar),
    /// `Vector<T, N>`: `N` scalars in order, aligned as one scalar.
    Vector(Scalar, usize),
    /// `Matrix<T, R, C>`: `R` rows of `C` scalars, row after row, aligned as one scalar.
    Matrix(Scalar, usize, usize),
    /// `[T; N]`.
    Array(Box<Type>, usize),
    /// A tuple; never an element of a field.
    Tuple(Vec<Type>),
    /// A struct; the members of a tuple struct are called `0`, `1`, ..
    Struct(Box<Struct>),
    /// An enum without data.
    Enum(Box<Enum>),
    /// A field of such elements, with its rank; only a kernel's parameter.
    Field(Box<Type>, usize),
}

/// Layout of a struct, as rustc chose it on the host.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Struct {
    /// Name without path and without generic arguments.
    pub name: String,
    /// Path with generic arguments: distinguishes equal names.
    pub path: String,
    /// Members in order of declaration.
    pub members: Vec<Member>,
    /// Size in bytes, trailing padding included.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its offset in bytes.
    pub offset: usize,
}

/// An enum without data: one of some numbers, as rustc keeps it in memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enum {
    /// Name without path.
    pub name: String,
    /// Path: distinguishes equal names.
    pub path: String,
    /// The integer that it is in memory. Not every value of it is one of the enum.
    pub number: Scalar,
    /// Its values in order of declaration.
    pub variants: Vec<Variant>,
}

/// A value of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Its discriminant.
    pub value: i128,
}

impl Enum {
    /// Whether a number is one of its values.
    #[must_use]
    pub fn has(&self, value: i128) -> bool {
        self.variants.iter().any(|variant| variant.value == value)
    }
}

impl Type {
    /// The type in generated code, where an enum is its number.
    #[must_use]
    pub fn in_code(self) -> Type {
        match self {
            Type::Enum(e) => Type::Scalar(e.number),
            Type::Array(inner, n) => Type::Array(Box::new(inner.in_code()), n),
            Type::Field(inner, d) => Type::Field(Box::new(inner.in_code()), d),
            Type::Tuple(types) => Type::Tuple(types.into_iter().map(Type::in_code).collect()),
            Type::Struct(mut s) => {
                for member in &mut s.members {
                    let ty = std::mem::replace(&mut member.ty, Type::Unit);
                    member.ty = ty.in_code();
                }
                Type::Struct(s)
            }
            Type::Unit | Type::Scalar(_) | Type::Vector(..) | Type::Matrix(..) => self,
        }
    }

    /// Size in bytes on both devices; 0 for a tuple or a field, which are never stored.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Type::Unit | Type::Tuple(_) | Type::Field(..) => 0,
            Type::Scalar(s) => s.size(),
            Type::Vector(s, n) => s.size() * n,
            Type::Matrix(s, r, c) => s.size() * r * c,
            Type::Array(t, n) => t.size() * n,
            Type::Struct(s) => s.size,
            Type::Enum(e) => e.number.size(),
        }
    }

    /// Alignment in bytes on both devices.
    #[must_use]
    pub fn align(&self) -> usize {
        match self {
            Type::Unit | Type::Tuple(_) | Type::Field(..) => 1,
            Type::Scalar(s) | Type::Vector(s, _) | Type::Matrix(s, ..) => s.size(),
            Type::Array(t, _) => t.align(),
            Type::Struct(s) => s.align,
            Type::Enum(e) => e.number.size(),
        }
    }

    /// Size and alignment in bytes in CUDA C, where a tuple is a struct of its members in their order.
    #[must_use]
    pub fn device_layout(&self) -> (usize, usize) {
        match self {
            Type::Tuple(types) => {
                let align = types.iter().filter(|t| t.device_layout().0 > 0);
                let align = align.map(|t| t.device_layout().1).max().unwrap_or(1);
                let end = types
                    .iter()
                    .zip(Type::tuple_offsets(types))
                    .map(|(t, at)| at + t.device_layout().0);
                (end.max().unwrap_or(0).next_multiple_of(align), align)
            }
            Type::Array(t, n) => {
                let (size, align) = t.device_layout();
                (size * n, align)
            }
            _ => (self.size(), self.align().max(1)),
        }
    }

    /// Where the members of a tuple are in CUDA C. Members without size have no place, and take none.
    #[must_use]
    pub fn tuple_offsets(types: &[Type]) -> Vec<usize> {
        let mut end = 0_usize;
        let offset = |t: &Type| {
            let (size, align) = t.device_layout();
            let at = if size > 0 { end.next_multiple_of(align) } else { end };
            end = at + size;
            at
        };
        types.iter().map(offset).collect()
    }

    /// The scalar of a scalar, vector or matrix.
    #[must_use]
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(s) | Type::Vector(s, _) | Type::Matrix(s, ..) => Some(*s),
            _ => None,
        }
    }
}

impl std::fmt::Display for Type {
    /// As written in Rust: `Vector<f32, 3>`, `[f32; 4]`, `Particle`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Unit => f.write_str("()"),
            Type::Scalar(s) => f.write_str(s.name()),
            Type::Vector(s, n) => write!(f, "Vector<{}, {n}>", s.name()),
            Type::Matrix(s, r, c) => write!(f, "Matrix<{}, {r}, {c}>", s.name()),
            Type::Array(t, n) => write!(f, "[{t}; {n}]"),
            Type::Tuple(ts) => {
                f.write_str("(")?;
                for t in ts {
                    write!(f, "{t}, ")?;
                }
                f.write_str(")")
            }
            Type::Struct(s) => f.write_str(&s.name),
            Type::Enum(e) => f.write_str(&e.name),
            Type::Field(t, d) => write!(f, "Field<{t}, {d}>"),
        }
    }
}
