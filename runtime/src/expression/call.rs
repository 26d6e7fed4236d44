//! Functions of the user's in expressions.

use std::any::TypeId;
use std::marker::PhantomData;

use swathe_ir::{Expr as Ir, ExprKind};

use super::extents::Join;
use super::kernel::Writer;
use super::node::{Context, Node};
use super::operation::{Of1, Of2, Operation, Operation1, Operation2};
use super::{Expr, IntoExpr};
use crate::element::KernelType;
use crate::kernel::build::expr;
use crate::kernel::probe::{FuncDef, FuncSlot};
use crate::kernel::rank::Dim;
use crate::kernel::{Callee, FuncRef};

/// What [`call!`](crate::call) makes of a `#[func]`: its definition `K`, and a closure `F` without captures that calls it.
pub struct Function<K, F>(PhantomData<fn() -> (K, F)>);

impl<K, F> Clone for Function<K, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, F> Copy for Function<K, F> {}

impl<K, F: Copy> Function<K, F> {
    fn new(_: F) -> Self {
        const { assert!(size_of::<F>() == 0, "a closure without captures") };
        Function(PhantomData)
    }

    #[inline(always)]
    fn closure() -> F {
        // SAFETY: a value of this type was given to `new`; it is `Copy`, and has no bytes.
        unsafe { std::ptr::NonNull::<F>::dangling().as_ptr().read() }
    }
}

/// A function of one element, by a closure that calls it through its definition.
#[doc(hidden)]
pub fn function1<K: FuncDef, A, R, F: Fn(FuncSlot<K>, A) -> R + Copy>(f: F) -> Function<K, F> {
    Function::new(f)
}

/// The same of two elements.
#[doc(hidden)]
pub fn function2<K: FuncDef, A, B, R, F: Fn(FuncSlot<K>, A, B) -> R + Copy>(f: F) -> Function<K, F> {
    Function::new(f)
}

fn call<K: FuncDef>(writer: &mut Writer, operands: Vec<Ir>) -> Ir {
    let callee = writer.builder.callee(Callee::Func(FuncRef {
        key: (TypeId::of::<K>(), 0),
        load: K::load,
    }));
    expr(ExprKind::Call {
        callee,
        name: "function".to_owned(),
        on: None,
        args: operands,
    })
}

macro_rules! operation {
    ($($operation:ident: $($a:ident $t:ident)*;)*) => {$(
        impl<K: FuncDef, F, $($t: KernelType,)* R: KernelType> Operation<($($t,)*)> for Function<K, F>
        where
            F: Fn(FuncSlot<K>, $($t),*) -> R + Copy + Send + Sync + 'static,
        {
            type Output = R;
            const NAME: &'static str = "call!";
            const COST: u32 = 20;
            const FAILS: bool = true;

            fn write(writer: &mut Writer, operands: Vec<Ir>) -> Ir {
                call::<K>(writer, operands)
            }
        }

        impl<K: FuncDef, F, $($t: KernelType,)* R: KernelType> $operation<$($t),*> for Function<K, F>
        where
            F: Fn(FuncSlot<K>, $($t),*) -> R + Copy + Send + Sync + 'static,
        {
            #[inline(always)]
            fn apply($($a: $t,)* _: Context) -> R {
                Self::closure()(FuncSlot::NEW, $($a),*)
            }
        }
    )*};
}
operation! {
    Operation1: a A;
    Operation2: a A b B;
}

impl<T: KernelType, const D: usize, N: Node<Item = T>> Expr<T, D, N> {
    /// A `#[func]` of each element: `x.expr().map(call!(saturate(_)))`.
    ///
    /// ```
    /// use swathe::call;
    /// use swathe::prelude::*;
    ///
    /// #[func]
    /// fn saturate(x: f32) -> f32 {
    ///     if x > 1.0 { 1.0 } else { x }
    /// }
    ///
    /// # fn main() -> swathe::Result<()> {
    /// let x = Field::from_slice(&Device::default(), &[0.25_f32, 0.75])?;
    /// assert_eq!((&x * 2.0).map(call!(saturate(_))).eval()?.to_vec()?, [0.5, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[allow(clippy::type_complexity)]
    #[inline]
    pub fn map<K, F>(
        self,
        _: Function<K, F>,
    ) -> Expr<<Function<K, F> as Operation<(T,)>>::Output, D, Of1<Function<K, F>, N>>
    where
        Function<K, F>: Operation1<T>,
    {
        Expr::new(Of1(self.node, PhantomData))
    }

    /// A `#[func]` of each element and that of another operand: `x.expr().zip(&y, call!(pull(_, _)))`.
    #[allow(clippy::type_complexity)]
    #[inline]
    pub fn zip<K, F, U: KernelType, R: IntoExpr<U>, const E: usize>(
        self,
        other: R,
        _: Function<K, F>,
    ) -> Expr<<Function<K, F> as Operation<(T, U)>>::Output, E, Of2<Function<K, F>, N, R::Node>>
    where
        Function<K, F>: Operation2<T, U>,
        Dim<D>: Join<R::Rank, Out = Dim<E>>,
    {
        Expr::new(Of2(self.node, other.into_node(), PhantomData))
    }
}

/// A `#[func]` for [`Expr::map`], `call!(f(_))`, or for [`Expr::zip`], `call!(f(_, _))`.
///
/// [`Expr::map`]: crate::Expr::map
/// [`Expr::zip`]: crate::Expr::zip
#[macro_export]
macro_rules! call {
    ($first:ident $(:: $next:ident)* (_)) => {
        $crate::__rt::function1(|__slot, __a| {
            #[allow(unused_imports)]
            use $crate::__rt::not_func::args1::*;
            #[allow(unused_imports)]
            use $first $(:: $next)* as __callee;
            __callee::__of(&__slot).__call(__a)
        })
    };
    ($first:ident $(:: $next:ident)* (_, _)) => {
        $crate::__rt::function2(|__slot, __a, __b| {
            #[allow(unused_imports)]
            use $crate::__rt::not_func::args2::*;
            #[allow(unused_imports)]
            use $first $(:: $next)* as __callee;
            __callee::__of(&__slot).__call(__a, __b)
        })
    };
}
