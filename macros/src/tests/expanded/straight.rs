fn saxpy(
    a: f32,
    x: &impl ::swathe::Argument<Field<f32>>,
    y: &mut impl ::swathe::ArgumentMut<Field<f32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for saxpy {}
    };
    let mut __launch = __rt::Launch::new(<saxpy as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<f32>, _>(&*x))?;
    __rt::Launch::argument(&mut __launch, "y", __rt::place_of::<Field<f32>, _>(&*y))?;
    __rt::prepare::<Field<f32>, _>(&mut *y)?;
    if __rt::Launch::is_remote(&__launch) {
        let __value0 = __rt::DeviceValue::new(&a);
        return unsafe {
            __launch
                .run_remote::<
                    saxpy,
                >(
                    &[
                        __rt::DeviceValue::arg(&__value0),
                        __rt::launch_arg::<Field<f32>, _>(&*x),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *y),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field1 = __rt::access::<Field<f32>, _>(&*x);
                let x = __field1;
                let __field2 = __rt::access_mut::<Field<f32>, _>(&mut *y);
                let y = __field2;
                let __rank1 = __field1.rank();
                let __rank2 = __field2.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                {
                    let __shape = y.shape();
                    let __n = y.len();
                    if __rt::covers(__field1.shape(), __field2.shape()) {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(14u32),
                            __rt::Version::for_elements(
                                false,
                                [__field1.scalars(), __field2.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field1.begin()],
                                [__field2.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let a = a;
                                let x = unsafe { x.beginning_at(__begins.read[0usize]) };
                                let y = unsafe {
                                    y.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(x.shape(), y.shape()),
                                    )
                                };
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    {
                                        let __v = ({
                                            let __left_factor = a;
                                            let __right_factor = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, i);
                                                            unsafe { x.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                            let __product = ((__left_factor,).0 * (__right_factor,).0);
                                            let __term = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank2, i);
                                                            unsafe { y.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                            __rt::contract::sum(
                                                __target,
                                                __left_factor,
                                                __right_factor,
                                                __term,
                                                (__product,).0 + (__term,).0,
                                            )
                                        });
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank2, i);
                                                unsafe { y.unchecked(__i) }
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
                    } else {
                        __rt::for_each_in_versions::<
                            false,
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(14u32),
                            __rt::Version::for_elements(
                                false,
                                [__field1.scalars(), __field2.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field1.begin()],
                                [__field2.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let a = a;
                                let x = unsafe { x.beginning_at(__begins.read[0usize]) };
                                let y = unsafe {
                                    y.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    {
                                        let __v = ((a
                                            * __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, i);
                                                            match x.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    x.fail(__launch, 0u32, __i);
                                                                    core::mem::forget(__iteration);
                                                                    continue '__l0;
                                                                }
                                                            }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0)
                                            + __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank2, i);
                                                            unsafe { y.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0);
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank2, i);
                                                unsafe { y.unchecked(__i) }
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
                core::result::Result::Ok(())
            },
        )
}
fn products(
    a: &impl ::swathe::Argument<Field<Mat3>>,
    b: &impl ::swathe::Argument<Field<Mat3>>,
    c: &mut impl ::swathe::ArgumentMut<Field<Mat3>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for products {}
    };
    let mut __launch = __rt::Launch::new(<products as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "a", __rt::place_of::<Field<Mat3>, _>(&*a))?;
    __rt::Launch::argument(&mut __launch, "b", __rt::place_of::<Field<Mat3>, _>(&*b))?;
    __rt::Launch::argument(&mut __launch, "c", __rt::place_of::<Field<Mat3>, _>(&*c))?;
    __rt::prepare::<Field<Mat3>, _>(&mut *c)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    products,
                >(
                    &[
                        __rt::launch_arg::<Field<Mat3>, _>(&*a),
                        __rt::launch_arg::<Field<Mat3>, _>(&*b),
                        __rt::launch_arg_mut::<Field<Mat3>, _>(&mut *c),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<Mat3>, _>(&*a);
                let a = __field0;
                let __field1 = __rt::access::<Field<Mat3>, _>(&*b);
                let b = __field1;
                let __field2 = __rt::access_mut::<Field<Mat3>, _>(&mut *c);
                let c = __field2;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __rank2 = __field2.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                {
                    let __shape = c.shape();
                    let __n = c.len();
                    if __rt::covers(__field0.shape(), __field2.shape())
                        && __rt::covers(__field1.shape(), __field2.shape())
                    {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(12u32),
                            __rt::Version::for_elements(
                                (core::cfg!(not(debug_assertions))
                                    && __rt::stage::pays(
                                        __rt::Target::Fused,
                                        4usize,
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
                                let c = unsafe {
                                    c.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(a.shape(), c.shape()),
                                    )
                                };
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(b.shape(), c.shape()),
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
                                        [a.bytes(), b.bytes(), c.bytes()],
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
                                            4usize,
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
                                                    c.head(i)
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
                                            let __v = (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { a.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0
                                                * __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, i);
                                                                unsafe { b.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0);
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank2, i);
                                                    unsafe { c.unchecked(__i) }
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
                                                let c = unsafe { __rt::Stage::view(&mut __stage2, c, i) };
                                                for __l in 0..__rt::stage::BLOCK {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    {
                                                        let __v = (__rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, i);
                                                                        unsafe { a.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0
                                                            * __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank1, i);
                                                                            unsafe { b.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0);
                                                        {
                                                            let __p = {
                                                                let __i = __rt::axes(__rank2, i);
                                                                unsafe { c.unchecked(__i) }
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
                                                __rt::Stage::flush(&__stage2, c, i, __streaming.0)
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
                            core::option::Option::Some(12u32),
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
                                let c = unsafe {
                                    c.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    {
                                        let __v = (__rt::peek(
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
                                            .0
                                            * __rt::peek(
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
                                                .0);
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank2, i);
                                                unsafe { c.unchecked(__i) }
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
                core::result::Result::Ok(())
            },
        )
}
fn every_third(
    x: &impl ::swathe::Argument<Field<f64>>,
    out: &mut impl ::swathe::ArgumentMut<Field<f64>>,
    n: usize,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for every_third {}
    };
    let mut __launch = __rt::Launch::new(<every_third as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<f64>, _>(&*x))?;
    __rt::Launch::argument(
        &mut __launch,
        "out",
        __rt::place_of::<Field<f64>, _>(&*out),
    )?;
    __rt::prepare::<Field<f64>, _>(&mut *out)?;
    if __rt::Launch::is_remote(&__launch) {
        let __value2 = __rt::DeviceValue::new(&n);
        return unsafe {
            __launch
                .run_remote::<
                    every_third,
                >(
                    &[
                        __rt::launch_arg::<Field<f64>, _>(&*x),
                        __rt::launch_arg_mut::<Field<f64>, _>(&mut *out),
                        __rt::DeviceValue::arg(&__value2),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<f64>, _>(&*x);
                let x = __field0;
                let __field1 = __rt::access_mut::<Field<f64>, _>(&mut *out);
                let out = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                {
                    let (__start, __end) = (1, n);
                    let __step = 3;
                    let __n = __rt::LoopInt::count(__start, __end, false, __step);
                    let __n = if __n > __rt::MOST_POSITIONS {
                        __rt::Failures::failed(
                            __launch,
                            0u32,
                            19u32,
                            15u32,
                            __rt::TOO_MANY,
                            &[__rt::LoopInt::shown(__start), __rt::LoopInt::shown(__end)],
                        );
                        0
                    } else {
                        __n
                    };
                    if (match __rt::limit(n) {
                        core::option::Option::Some(__end) => {
                            __end <= __field1.shape()[0usize]
                        }
                        core::option::Option::None => false,
                    }) {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(12u32),
                            __rt::Version::for_elements(
                                false,
                                [__field0.scalars(), __field1.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin()],
                                [__field1.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let x = unsafe { x.beginning_at(__begins.read[0usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let (__start, __step) = (__start, __step);
                                let mut __k = __range.start;
                                #[cfg(not(debug_assertions))]
                                {
                                    let __look0 = __rt::iteration(|__k: usize| {
                                        let i = __rt::LoopInt::nth(__start, __k, __step);
                                        let __value0 = {
                                            let __left = i;
                                            let __right = 1;
                                            __rt::arithmetic(&__left, &__right)?;
                                            __left - __right
                                        };
                                        core::option::Option::Some(((), (__value0,)))
                                    });
                                    while __k < __range.end {
                                        let __stop = __k
                                            + core::cmp::min(__range.end - __k, __rt::BLOCK);
                                        let __inside = __rt::UNCHECKED
                                            || '__inspection: {
                                                let mut __m0_0 = __rt::Most::new();
                                                for __k in __k..__stop {
                                                    let core::option::Option::Some(__seen0) = __look0(__k) else {
                                                        break '__inspection false
                                                    };
                                                    __rt::Most::take(&mut __m0_0, __seen0.1.0);
                                                }
                                                if !__rt::Most::below(&__m0_0, x.shape()[0usize]) {
                                                    break '__inspection false;
                                                }
                                                true
                                            };
                                        if !__inside {
                                            break;
                                        }
                                        '__l0: for __k in __k..__stop {
                                            let i = __rt::LoopInt::nth(__start, __k, __step);
                                            let __seen0 = __rt::looked_at(__look0(__k));
                                            let __iteration = __rt::Iteration(__k);
                                            {
                                                let __v = (__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, __seen0.1.0);
                                                                unsafe { x.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0 / __rt::number(3.0));
                                                {
                                                    let __p = {
                                                        let __i = __rt::axes(__rank1, i);
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
                                        __k = __stop;
                                    }
                                }
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::LoopInt::nth(__start, __k, __step);
                                    let __iteration = __rt::Iteration(__k);
                                    {
                                        let __v = (__rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, (i - __rt::number(1)));
                                                        match x.checked(__i) {
                                                            core::option::Option::Some(__p) => __p,
                                                            core::option::Option::None => {
                                                                x.fail(__launch, 0u32, __i);
                                                                core::mem::forget(__iteration);
                                                                continue '__l0;
                                                            }
                                                        }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0 / __rt::number(3.0));
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank1, i);
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
                    } else {
                        __rt::for_each_in_versions::<
                            false,
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(12u32),
                            __rt::Version::for_elements(
                                false,
                                [__field0.scalars(), __field1.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin()],
                                [__field1.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let x = unsafe { x.beginning_at(__begins.read[0usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let (__start, __step) = (__start, __step);
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::LoopInt::nth(__start, __k, __step);
                                    let __iteration = __rt::Iteration(__k);
                                    {
                                        let __v = (__rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, (i - __rt::number(1)));
                                                        match x.checked(__i) {
                                                            core::option::Option::Some(__p) => __p,
                                                            core::option::Option::None => {
                                                                x.fail(__launch, 0u32, __i);
                                                                core::mem::forget(__iteration);
                                                                continue '__l0;
                                                            }
                                                        }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0 / __rt::number(3.0));
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank1, i);
                                                match out.checked(__i) {
                                                    core::option::Option::Some(__p) => __p,
                                                    core::option::Option::None => {
                                                        out.fail(__launch, 1u32, __i);
                                                        core::mem::forget(__iteration);
                                                        continue '__l0;
                                                    }
                                                }
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
                core::result::Result::Ok(())
            },
        )
}
fn directions(
    x: &impl ::swathe::Argument<Field<Vec3>>,
    out: &mut impl ::swathe::ArgumentMut<Field<Vec3>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    trait __no__func_norm {
        fn __func_norm(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_norm for __T {
        fn __func_norm(&self) {}
    }
    trait __no__func_normalized {
        fn __func_normalized(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_normalized for __T {
        fn __func_normalized(&self) {}
    }
    trait __no__func_sin {
        fn __func_sin(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_sin for __T {
        fn __func_sin(&self) {}
    }
    const _: () = {
        impl __rt::FuncDef for directions {}
    };
    let mut __launch = __rt::Launch::new(<directions as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<Vec3>, _>(&*x))?;
    __rt::Launch::argument(
        &mut __launch,
        "out",
        __rt::place_of::<Field<Vec3>, _>(&*out),
    )?;
    __rt::prepare::<Field<Vec3>, _>(&mut *out)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    directions,
                >(
                    &[
                        __rt::launch_arg::<Field<Vec3>, _>(&*x),
                        __rt::launch_arg_mut::<Field<Vec3>, _>(&mut *out),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<Vec3>, _>(&*x);
                let x = __field0;
                let __field1 = __rt::access_mut::<Field<Vec3>, _>(&mut *out);
                let out = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                {
                    let __shape = out.shape();
                    let __n = out.len();
                    if __rt::covers(__field0.shape(), __field1.shape()) {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(36u32),
                            __rt::Version::for_elements(
                                (core::cfg!(not(debug_assertions))
                                    && __rt::stage::pays(
                                        __rt::Target::Fused,
                                        16usize,
                                        [__field0.staged(false), __field1.staged(false)],
                                    )),
                                [__field0.scalars(), __field1.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin()],
                                [__field1.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let x = unsafe { x.beginning_at(__begins.read[0usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(x.shape(), out.shape()),
                                    )
                                };
                                #[cfg(not(debug_assertions))]
                                let __streaming = __rt::stage::Streaming(
                                    __rt::stage::streams(
                                        __target,
                                        [__field0.staged(false), __field1.staged(false)],
                                        [x.bytes(), out.bytes()],
                                    ),
                                );
                                let mut __k = __range.start;
                                #[cfg(debug_assertions)]
                                let mut __until = __range.end;
                                #[cfg(not(debug_assertions))]
                                let mut __until = if __field0.fits_a_block()
                                    && __field1.fits_a_block()
                                    && ((core::cfg!(not(debug_assertions))
                                        && __rt::stage::pays(
                                            __target,
                                            16usize,
                                            [__field0.staged(false), __field1.staged(false)],
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
                                            let __v = {
                                                let __dividend = ({
                                                    let __x0 = __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank0, i);
                                                                    unsafe { x.unchecked(__i) }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0;
                                                    __rt::fast::normalized(
                                                        __target,
                                                        &{ (&(__x0,)).0 },
                                                        || (&(__x0,)).0.__func_normalized(),
                                                    )
                                                });
                                                let __divisor = ({
                                                    let __x0 = ({
                                                        let __x0 = __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, i);
                                                                        unsafe { x.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0;
                                                        __rt::products::norm(
                                                            __target,
                                                            &{ (&(__x0,)).0 },
                                                            || (&(__x0,)).0.__func_norm(),
                                                        )
                                                    });
                                                    __rt::single::sin(
                                                        __rt::single::number(&__x0),
                                                        || (&(__x0,)).0.__func_sin(),
                                                    )
                                                });
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
                                                                27u32,
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
                                            };
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank1, i);
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
                                    if __field0.fits_a_block() && __field1.fits_a_block() {
                                        while __range.end.saturating_sub(__k) >= __rt::stage::BLOCK
                                        {
                                            let __block = __rt::BlockAt::printing(__k);
                                            let i = __rt::position(__shape, __k);
                                            let mut __stage0 = __rt::Stage::new();
                                            let mut __stage1 = __rt::Stage::new();
                                            unsafe { __rt::Stage::fill(&mut __stage0, x, i) };
                                            {
                                                let x = unsafe { __rt::Stage::view(&mut __stage0, x, i) };
                                                let out = unsafe {
                                                    __rt::Stage::view(&mut __stage1, out, i)
                                                };
                                                for __l in 0..__rt::stage::BLOCK {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    {
                                                        let __v = {
                                                            let __dividend = ({
                                                                let __x0 = __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, i);
                                                                                unsafe { x.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0;
                                                                __rt::fast::normalized(
                                                                    __target,
                                                                    &{ (&(__x0,)).0 },
                                                                    || (&(__x0,)).0.__func_normalized(),
                                                                )
                                                            });
                                                            let __divisor = ({
                                                                let __x0 = ({
                                                                    let __x0 = __rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, i);
                                                                                    unsafe { x.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0;
                                                                    __rt::products::norm(
                                                                        __target,
                                                                        &{ (&(__x0,)).0 },
                                                                        || (&(__x0,)).0.__func_norm(),
                                                                    )
                                                                });
                                                                __rt::single::sin(
                                                                    __rt::single::number(&__x0),
                                                                    || (&(__x0,)).0.__func_sin(),
                                                                )
                                                            });
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
                                                        };
                                                        {
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, i);
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
                                                __rt::Stage::flush(&__stage1, out, i, __streaming.0)
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
                            core::option::Option::Some(36u32),
                            __rt::Version::for_elements(
                                false,
                                [__field0.scalars(), __field1.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin()],
                                [__field1.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let x = unsafe { x.beginning_at(__begins.read[0usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    {
                                        let __v = {
                                            let __dividend = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            match x.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    x.fail(__launch, 0u32, __i);
                                                                    core::mem::forget(__iteration);
                                                                    continue '__l0;
                                                                }
                                                            }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0
                                                .__func_normalized();
                                            let __divisor = ({
                                                let __x0 = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, i);
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
                                                    .0
                                                    .__func_norm();
                                                __rt::single::sin(
                                                    __rt::single::number(&__x0),
                                                    || (&(__x0,)).0.__func_sin(),
                                                )
                                            });
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
                                                            27u32,
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
                                        };
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank1, i);
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
                core::result::Result::Ok(())
            },
        )
}
