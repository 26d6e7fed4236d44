fn permute(
    order: &impl ::swathe::Argument<Field<u32>>,
    x: &impl ::swathe::Argument<Field<f32>>,
    out: &mut impl ::swathe::ArgumentMut<Field<f32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for permute {}
    };
    let mut __launch = __rt::Launch::new(<permute as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "order",
        __rt::place_of::<Field<u32>, _>(&*order),
    )?;
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<f32>, _>(&*x))?;
    __rt::Launch::argument(
        &mut __launch,
        "out",
        __rt::place_of::<Field<f32>, _>(&*out),
    )?;
    __rt::prepare::<Field<f32>, _>(&mut *out)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    permute,
                >(
                    &[
                        __rt::launch_arg::<Field<u32>, _>(&*order),
                        __rt::launch_arg::<Field<f32>, _>(&*x),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *out),
                    ],
                )
        };
    }
    if __rt::Launch::is_checked(&__launch) {
        let __field0 = __rt::access::<Field<u32>, _>(&*order);
        let order = __field0;
        let __field1 = __rt::access::<Field<f32>, _>(&*x);
        let x = __field1;
        let __field2 = __rt::access_mut::<Field<f32>, _>(&mut *out);
        let out = __field2;
        let __cells2 = __rt::Cells::new(__field2, false)?;
        return __launch
            .run(
                &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                    let __rank0 = __field0.rank();
                    let __rank1 = __field1.rank();
                    let __rank2 = __field2.rank();
                    let __shared0 = false;
                    let __shared1 = false;
                    let __shared2 = false;
                    {
                        let __shape = order.shape();
                        let __n = order.len();
                        __rt::Cells::clear(&__cells2);
                        __rt::for_each_in_order(
                            __n,
                            core::option::Option::Some(19u32),
                            __rt::Version::for_elements(
                                false,
                                [__field0.scalars(), __field1.scalars(), __field2.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin(), __field1.begin()],
                                [__field2.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let order = unsafe {
                                    order.beginning_at(__begins.read[0usize])
                                };
                                let x = unsafe { x.beginning_at(__begins.read[1usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                '__l0: for __k in __range {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    let k = (__rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { order.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0 as usize);
                                    if (k < out.len()) {} else {
                                        {
                                            let __m0 = k;
                                            __rt::Failures::failed(
                                                __launch,
                                                1u32,
                                                7u32,
                                                9u32,
                                                "{0:} is no position",
                                                &[{ __rt::show::display(&(__m0,).0) }],
                                            );
                                            core::mem::forget(__iteration);
                                            continue '__l0;
                                        }
                                    };
                                    unsafe {
                                        {
                                            let __v = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, i);
                                                            match x.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    x.fail(__launch, 1u32, __i);
                                                                    core::mem::forget(__iteration);
                                                                    continue '__l0;
                                                                }
                                                            }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank2, k);
                                                    __rt::Cells::noted(
                                                        &__cells2,
                                                        unsafe { out.unchecked(__i) },
                                                        __launch,
                                                        2u32,
                                                        __i,
                                                        __k,
                                                    )
                                                };
                                                let mut __copy = unsafe {
                                                    __rt::Pointer::read(__p.unnoted())
                                                };
                                                let __value = &mut __copy;
                                                (*(__value)) = (__v,).0;
                                                unsafe { __rt::Pointer::write(__p, __copy) }
                                            }
                                        };
                                    };
                                    core::mem::forget(__iteration);
                                }
                            },
                        );
                    }
                    core::result::Result::Ok(())
                },
            );
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<u32>, _>(&*order);
                let order = __field0;
                let __field1 = __rt::access::<Field<f32>, _>(&*x);
                let x = __field1;
                let __field2 = __rt::access_mut::<Field<f32>, _>(&mut *out);
                let out = __field2;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __rank2 = __field2.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                {
                    let __shape = order.shape();
                    let __n = order.len();
                    if __rt::covers(__field1.shape(), __field0.shape()) {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(19u32),
                            __rt::Version::for_elements(
                                false,
                                [__field0.scalars(), __field1.scalars(), __field2.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin(), __field1.begin()],
                                [__field2.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let order = unsafe {
                                    order.beginning_at(__begins.read[0usize])
                                };
                                let x = unsafe { x.beginning_at(__begins.read[1usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(x.shape(), order.shape()),
                                    )
                                };
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    let k = (__rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { order.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0 as usize);
                                    if (k < out.len()) {} else {
                                        {
                                            let __m0 = k;
                                            __rt::Failures::failed(
                                                __launch,
                                                1u32,
                                                7u32,
                                                9u32,
                                                "{0:} is no position",
                                                &[{ __rt::show::display(&(__m0,).0) }],
                                            );
                                            core::mem::forget(__iteration);
                                            continue '__l0;
                                        }
                                    };
                                    unsafe {
                                        {
                                            let __v = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, i);
                                                            unsafe { x.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank2, k);
                                                    unsafe { out.unchecked(__i) }
                                                };
                                                let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                let __value = &mut __copy;
                                                (*(__value)) = (__v,).0;
                                                unsafe { __rt::Pointer::write(__p, __copy) }
                                            }
                                        };
                                    };
                                    core::mem::forget(__iteration);
                                }
                            },
                        );
                    } else {
                        __rt::for_each_in_versions::<
                            false,
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(19u32),
                            __rt::Version::for_elements(
                                false,
                                [__field0.scalars(), __field1.scalars(), __field2.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin(), __field1.begin()],
                                [__field2.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let order = unsafe {
                                    order.beginning_at(__begins.read[0usize])
                                };
                                let x = unsafe { x.beginning_at(__begins.read[1usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    let k = (__rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { order.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0 as usize);
                                    if (k < out.len()) {} else {
                                        {
                                            let __m0 = k;
                                            __rt::Failures::failed(
                                                __launch,
                                                1u32,
                                                7u32,
                                                9u32,
                                                "{0:} is no position",
                                                &[{ __rt::show::display(&(__m0,).0) }],
                                            );
                                            core::mem::forget(__iteration);
                                            continue '__l0;
                                        }
                                    };
                                    unsafe {
                                        {
                                            let __v = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, i);
                                                            match x.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    x.fail(__launch, 1u32, __i);
                                                                    core::mem::forget(__iteration);
                                                                    continue '__l0;
                                                                }
                                                            }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank2, k);
                                                    unsafe { out.unchecked(__i) }
                                                };
                                                let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                let __value = &mut __copy;
                                                (*(__value)) = (__v,).0;
                                                unsafe { __rt::Pointer::write(__p, __copy) }
                                            }
                                        };
                                    };
                                    core::mem::forget(__iteration);
                                }
                            },
                        );
                    }
                }
                core::result::Result::Ok(())
            },
        )
}
fn quotients(
    a: &impl ::swathe::Argument<Field<i32>>,
    b: &impl ::swathe::Argument<Field<i32>>,
    out: &mut impl ::swathe::ArgumentMut<Field<i32>>,
) -> ::swathe::Result<i32> {
    use __rt::methods::*;
    trait __no__func_max {
        fn __func_max(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_max for __T {
        fn __func_max(&self) {}
    }
    trait __no__func_rem_euclid {
        fn __func_rem_euclid(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_rem_euclid for __T {
        fn __func_rem_euclid(&self) {}
    }
    const _: () = {
        impl __rt::FuncDef for quotients {}
    };
    let mut __launch = __rt::Launch::new(<quotients as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "a", __rt::place_of::<Field<i32>, _>(&*a))?;
    __rt::Launch::argument(&mut __launch, "b", __rt::place_of::<Field<i32>, _>(&*b))?;
    __rt::Launch::argument(
        &mut __launch,
        "out",
        __rt::place_of::<Field<i32>, _>(&*out),
    )?;
    __rt::prepare::<Field<i32>, _>(&mut *out)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote_for::<
                    quotients,
                    i32,
                >(
                    &[
                        __rt::launch_arg::<Field<i32>, _>(&*a),
                        __rt::launch_arg::<Field<i32>, _>(&*b),
                        __rt::launch_arg_mut::<Field<i32>, _>(&mut *out),
                    ],
                )
        };
    }
    __launch
        .run_for(
            &mut |__launch| -> core::result::Result<i32, __rt::Failed> {
                let __field0 = __rt::access::<Field<i32>, _>(&*a);
                let a = __field0;
                let __field1 = __rt::access::<Field<i32>, _>(&*b);
                let b = __field1;
                let __field2 = __rt::access_mut::<Field<i32>, _>(&mut *out);
                let out = __field2;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __rank2 = __field2.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                let mut largest = i32::MIN;
                {
                    let __shape = out.shape();
                    let __n = out.len();
                    if __rt::covers(__field0.shape(), __field2.shape())
                        && __rt::covers(__field1.shape(), __field2.shape())
                    {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(25u32),
                            __rt::Version::for_elements(
                                (core::cfg!(not(debug_assertions))
                                    && __rt::stage::pays(
                                        __rt::Target::Fused,
                                        9usize,
                                        [
                                            __field0.staged(false),
                                            __field1.staged(false),
                                            __field2.staged(false),
                                        ],
                                    )),
                                [__field0.scalars(), __field1.scalars(), __field2.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin(), __field1.begin()],
                                [__field2.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let a = unsafe { a.beginning_at(__begins.read[0usize]) };
                                let b = unsafe { b.beginning_at(__begins.read[1usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(a.shape(), out.shape()),
                                    )
                                };
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(b.shape(), out.shape()),
                                    )
                                };
                                #[cfg(not(debug_assertions))]
                                let __streaming = __rt::stage::Streaming(
                                    __rt::stage::streams(
                                        __target,
                                        [
                                            __field0.staged(false),
                                            __field1.staged(false),
                                            __field2.staged(false),
                                        ],
                                        [a.bytes(), b.bytes(), out.bytes()],
                                    ),
                                );
                                let mut __k = __range.start;
                                #[cfg(debug_assertions)]
                                let mut __until = __range.end;
                                #[cfg(not(debug_assertions))]
                                let mut __until = if __field0.fits_a_block()
                                    && __field1.fits_a_block() && __field2.fits_a_block()
                                    && ((core::cfg!(not(debug_assertions))
                                        && __rt::stage::pays(
                                            __target,
                                            9usize,
                                            [
                                                __field0.staged(false),
                                                __field1.staged(false),
                                                __field2.staged(false),
                                            ],
                                        )) || __streaming.0) && __k < __range.end
                                {
                                    core::cmp::min(
                                        __range.end,
                                        if __streaming.0 {
                                            __k
                                                + {
                                                    let i = __rt::position(__shape, __k);
                                                    out.head(i)
                                                }
                                        } else {
                                            __k
                                        },
                                    )
                                } else {
                                    __range.end
                                };
                                loop {
                                    '__l0: for __k in __k..__until {
                                        let i = __rt::position(__shape, __k);
                                        let __iteration = __rt::Iteration(__k);
                                        {
                                            let __v = ({
                                                let __dividend = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, i);
                                                                unsafe { a.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0;
                                                let __divisor = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, i);
                                                                unsafe { b.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0;
                                                {
                                                    use __rt::{Checked as _, Unchecked as _};
                                                    if let core::option::Option::Some(__fault) = (&&__rt::Operands(
                                                        &__dividend,
                                                        &__divisor,
                                                    ))
                                                        .__fault()
                                                    {
                                                        {
                                                            __rt::Failures::failed(
                                                                __launch,
                                                                2u32,
                                                                16u32,
                                                                18u32,
                                                                __fault.message(false),
                                                                &[],
                                                            );
                                                            core::mem::forget(__iteration);
                                                            continue '__l0;
                                                        }
                                                    }
                                                }
                                                (__dividend,).0 / (__divisor,).0
                                            }
                                                + __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, i);
                                                                unsafe { a.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0
                                                    .__func_rem_euclid(5));
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank2, i);
                                                    unsafe { out.unchecked(__i) }
                                                };
                                                let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                let __value = &mut __copy;
                                                (*(__value)) = (__v,).0;
                                                unsafe { __rt::Pointer::write(__p, __copy) }
                                            }
                                        };
                                        core::mem::forget(__iteration);
                                    }
                                    __k = __until;
                                    if __k >= __range.end {
                                        break;
                                    }
                                    #[cfg(not(debug_assertions))]
                                    if __field0.fits_a_block() && __field1.fits_a_block()
                                        && __field2.fits_a_block()
                                    {
                                        while __range.end.saturating_sub(__k) >= __rt::stage::BLOCK
                                        {
                                            let __block = __rt::BlockAt(__k);
                                            let i = __rt::position(__shape, __k);
                                            let mut __stage0 = __rt::Stage::new();
                                            let mut __stage1 = __rt::Stage::new();
                                            let mut __stage2 = __rt::Stage::new();
                                            unsafe { __rt::Stage::fill(&mut __stage0, a, i) };
                                            unsafe { __rt::Stage::fill(&mut __stage1, b, i) };
                                            {
                                                let a = unsafe { __rt::Stage::view(&mut __stage0, a, i) };
                                                let b = unsafe { __rt::Stage::view(&mut __stage1, b, i) };
                                                let out = unsafe {
                                                    __rt::Stage::view(&mut __stage2, out, i)
                                                };
                                                for __l in 0..__rt::stage::BLOCK {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    {
                                                        let __v = ({
                                                            let __dividend = __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, i);
                                                                            unsafe { a.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0;
                                                            let __divisor = __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank1, i);
                                                                            unsafe { b.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0;
                                                            {
                                                                use __rt::{Checked as _, Unchecked as _};
                                                                if let core::option::Option::Some(__fault) = (&&__rt::Operands(
                                                                    &__dividend,
                                                                    &__divisor,
                                                                ))
                                                                    .__fault()
                                                                {
                                                                    __rt::again()
                                                                }
                                                            }
                                                            (__dividend,).0 / (__divisor,).0
                                                        }
                                                            + __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, i);
                                                                            unsafe { a.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0
                                                                .__func_rem_euclid(5));
                                                        {
                                                            let __p = {
                                                                let __i = __rt::axes(__rank2, i);
                                                                unsafe { out.unchecked(__i) }
                                                            };
                                                            let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                            let __value = &mut __copy;
                                                            (*(__value)) = (__v,).0;
                                                            unsafe { __rt::Pointer::write(__p, __copy) }
                                                        }
                                                    };
                                                }
                                            }
                                            unsafe {
                                                __rt::Stage::flush(&__stage2, out, i, __streaming.0)
                                            };
                                            core::mem::forget(__block);
                                            __k += __rt::stage::BLOCK;
                                        }
                                    }
                                    __until = __range.end;
                                }
                            },
                        );
                    } else {
                        __rt::for_each_in_versions::<
                            false,
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(25u32),
                            __rt::Version::for_elements(
                                false,
                                [__field0.scalars(), __field1.scalars(), __field2.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin(), __field1.begin()],
                                [__field2.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let a = unsafe { a.beginning_at(__begins.read[0usize]) };
                                let b = unsafe { b.beginning_at(__begins.read[1usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    {
                                        let __v = ({
                                            let __dividend = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            match a.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    a.fail(__launch, 0u32, __i);
                                                                    core::mem::forget(__iteration);
                                                                    continue '__l0;
                                                                }
                                                            }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                            let __divisor = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, i);
                                                            match b.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    b.fail(__launch, 1u32, __i);
                                                                    core::mem::forget(__iteration);
                                                                    continue '__l0;
                                                                }
                                                            }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                            {
                                                use __rt::{Checked as _, Unchecked as _};
                                                if let core::option::Option::Some(__fault) = (&&__rt::Operands(
                                                    &__dividend,
                                                    &__divisor,
                                                ))
                                                    .__fault()
                                                {
                                                    {
                                                        __rt::Failures::failed(
                                                            __launch,
                                                            2u32,
                                                            16u32,
                                                            18u32,
                                                            __fault.message(false),
                                                            &[],
                                                        );
                                                        core::mem::forget(__iteration);
                                                        continue '__l0;
                                                    }
                                                }
                                            }
                                            (__dividend,).0 / (__divisor,).0
                                        }
                                            + __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            match a.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    a.fail(__launch, 2u32, __i);
                                                                    core::mem::forget(__iteration);
                                                                    continue '__l0;
                                                                }
                                                            }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0
                                                .__func_rem_euclid(5));
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank2, i);
                                                unsafe { out.unchecked(__i) }
                                            };
                                            let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                            let __value = &mut __copy;
                                            (*(__value)) = (__v,).0;
                                            unsafe { __rt::Pointer::write(__p, __copy) }
                                        }
                                    };
                                    core::mem::forget(__iteration);
                                }
                            },
                        );
                    }
                }
                {
                    let [__n5] = out.shape();
                    let __n0 = out.len();
                    '__l1: for i in (0usize..__n0) {
                        largest = largest
                            .__func_max(
                                __rt::peek(
                                        &{
                                            let __p = {
                                                let __i = __rt::axes(__rank2, i);
                                                unsafe { out.unchecked(__i) }
                                            };
                                            unsafe { __rt::Pointer::read(__p) }
                                        },
                                    )
                                    .0,
                            );
                    }
                };
                let __result: i32 = largest;
                core::result::Result::Ok(__result)
            },
        )
}
