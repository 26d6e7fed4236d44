fn gather(
    columns: &impl ::swathe::Argument<Field<u32>>,
    x: &impl ::swathe::Argument<Field<f32>>,
    out: &mut impl ::swathe::ArgumentMut<Field<f32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for gather {}
    };
    let mut __launch = __rt::Launch::new(<gather as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "columns",
        __rt::place_of::<Field<u32>, _>(&*columns),
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
                    gather,
                >(
                    &[
                        __rt::launch_arg::<Field<u32>, _>(&*columns),
                        __rt::launch_arg::<Field<f32>, _>(&*x),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *out),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<u32>, _>(&*columns);
                let columns = __field0;
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
                    let __shape = out.shape();
                    let __n = out.len();
                    if __rt::covers(__field0.shape(), __field2.shape()) {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(20u32),
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
                                let columns = unsafe {
                                    columns.beginning_at(__begins.read[0usize])
                                };
                                let x = unsafe { x.beginning_at(__begins.read[1usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(columns.shape(), out.shape()),
                                    )
                                };
                                #[cfg(not(debug_assertions))]
                                let __along0 = {
                                    let mut __inside = __rt::Inside::ALL;
                                    {
                                        let __k = 0usize;
                                        __rt::Inside::typed::<
                                            usize,
                                            _,
                                        >(&mut __inside, &__rt::position(__shape, __k));
                                    }
                                    let __line0 = __rt::Inside::number::<
                                        usize,
                                    >(&mut __inside, 2);
                                    let __line1 = __rt::Inside::position::<
                                        usize,
                                        _,
                                    >(&mut __inside, |__k: usize| __rt::position(__shape, __k));
                                    let __line2 = __rt::Inside::mul::<
                                        usize,
                                    >(&mut __inside, __line0, __line1);
                                    let __line3 = __rt::Inside::number::<
                                        usize,
                                    >(&mut __inside, 1);
                                    let __line4 = __rt::Inside::add::<
                                        usize,
                                    >(&mut __inside, __line2, __line3);
                                    __rt::Inside::below(&mut __inside, __line4, &x.shape(), 0);
                                    __inside
                                };
                                let __whole = __range.start..__range.end;
                                #[cfg(not(debug_assertions))]
                                let (__inside,) = {
                                    let mut __inside = __rt::Inside::of(
                                        __along0,
                                        &__whole,
                                        24usize,
                                    );
                                    {
                                        let __k = 0usize;
                                        __rt::Inside::typed::<
                                            usize,
                                            _,
                                        >(&mut __inside, &__rt::position(__shape, __k));
                                    }
                                    (__rt::Inside::range(__inside, &__whole),)
                                };
                                #[cfg(debug_assertions)]
                                let (__inside,) = (__whole.start..__whole.start,);
                                for __part in 0..3usize {
                                    let __range = match __part {
                                        0 => __whole.start..__inside.start,
                                        1 => __inside.start..__inside.end,
                                        _ => __inside.end..__whole.end,
                                    };
                                    if __range.start >= __range.end {
                                        continue;
                                    }
                                    if __part == 1 {
                                        #[cfg(not(debug_assertions))]
                                        {
                                            let mut __k = __range.start;
                                            #[cfg(not(debug_assertions))]
                                            {
                                                let __look0 = __rt::iteration(|__k: usize| {
                                                    let i = __rt::position(__shape, __k);
                                                    let __value0 = (__rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank0, i);
                                                                    unsafe { columns.unchecked(__i) }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0 as usize);
                                                    let k = __value0;
                                                    let __value1 = __rt::axes(__rank1, k);
                                                    core::option::Option::Some(((), (__value0, __value1)))
                                                });
                                                while __k < __range.end {
                                                    let __stop = __k
                                                        + core::cmp::min(__range.end - __k, __rt::BLOCK);
                                                    let __inside = __rt::UNCHECKED
                                                        || '__inspection: {
                                                            let mut __m1_0 = __rt::MostOf::new();
                                                            for __k in __k..__stop {
                                                                let core::option::Option::Some(__seen0) = __look0(__k) else {
                                                                    break '__inspection false
                                                                };
                                                                __rt::MostOf::take(&mut __m1_0, __seen0.1.1);
                                                            }
                                                            if !__rt::MostOf::inside(&__m1_0, x.shape()) {
                                                                break '__inspection false;
                                                            }
                                                            true
                                                        };
                                                    if !__inside {
                                                        break;
                                                    }
                                                    '__l0: for __k in __k..__stop {
                                                        let i = __rt::position(__shape, __k);
                                                        let __seen0 = __rt::looked_at(__look0(__k));
                                                        let __iteration = __rt::Iteration(__k);
                                                        let k = __seen0.1.0;
                                                        {
                                                            let __v = (__rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank1, __seen0.1.1);
                                                                            unsafe { x.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0
                                                                + __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank1, ((2 * i) + __rt::number(1)));
                                                                                unsafe { x.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0);
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
                                                    __k = __stop;
                                                }
                                            }
                                            '__l0: for __k in __k..__range.end {
                                                let i = __rt::position(__shape, __k);
                                                let __iteration = __rt::Iteration(__k);
                                                let k = (__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, i);
                                                                unsafe { columns.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0 as usize);
                                                {
                                                    let __v = (__rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank1, k);
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
                                                        + __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank1, ((2 * i) + __rt::number(1)));
                                                                        unsafe { x.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0);
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
                                        }
                                    } else {
                                        let mut __k = __range.start;
                                        #[cfg(not(debug_assertions))]
                                        {
                                            let __look0 = __rt::iteration(|__k: usize| {
                                                let i = __rt::position(__shape, __k);
                                                let __value0 = (__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, i);
                                                                unsafe { columns.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0 as usize);
                                                let k = __value0;
                                                let __value1 = __rt::axes(__rank1, k);
                                                let __value2 = {
                                                    let __left = {
                                                        let __left = 2;
                                                        let __right = i;
                                                        __rt::arithmetic(&__left, &__right)?;
                                                        __left * __right
                                                    };
                                                    let __right = 1;
                                                    __rt::arithmetic(&__left, &__right)?;
                                                    __left + __right
                                                };
                                                core::option::Option::Some((
                                                    (),
                                                    (__value0, __value1, __value2),
                                                ))
                                            });
                                            while __k < __range.end {
                                                let __stop = __k
                                                    + core::cmp::min(__range.end - __k, __rt::BLOCK);
                                                let __inside = __rt::UNCHECKED
                                                    || '__inspection: {
                                                        let mut __m1_0 = __rt::MostOf::new();
                                                        for __k in __k..__stop {
                                                            let core::option::Option::Some(__seen0) = __look0(__k) else {
                                                                break '__inspection false
                                                            };
                                                            __rt::MostOf::take(&mut __m1_0, __seen0.1.1);
                                                        }
                                                        if !__rt::MostOf::inside(&__m1_0, x.shape()) {
                                                            break '__inspection false;
                                                        }
                                                        let mut __m2_0 = __rt::Most::new();
                                                        for __k in [__k, __stop - 1] {
                                                            let core::option::Option::Some(__seen0) = __look0(__k) else {
                                                                break '__inspection false
                                                            };
                                                            __rt::Most::take(&mut __m2_0, __seen0.1.2);
                                                        }
                                                        if !__rt::Most::below(&__m2_0, x.shape()[0usize]) {
                                                            break '__inspection false;
                                                        }
                                                        true
                                                    };
                                                if !__inside {
                                                    break;
                                                }
                                                '__l0: for __k in __k..__stop {
                                                    let i = __rt::position(__shape, __k);
                                                    let __seen0 = __rt::looked_at(__look0(__k));
                                                    let __iteration = __rt::Iteration(__k);
                                                    let k = __seen0.1.0;
                                                    {
                                                        let __v = (__rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank1, __seen0.1.1);
                                                                        unsafe { x.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0
                                                            + __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank1, __seen0.1.2);
                                                                            unsafe { x.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0);
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
                                                __k = __stop;
                                            }
                                        }
                                        '__l0: for __k in __k..__range.end {
                                            let i = __rt::position(__shape, __k);
                                            let __iteration = __rt::Iteration(__k);
                                            let k = (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { columns.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0 as usize);
                                            {
                                                let __v = (__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, k);
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
                                                    + __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank1, ((2 * i) + __rt::number(1)));
                                                                    match x.checked(__i) {
                                                                        core::option::Option::Some(__p) => __p,
                                                                        core::option::Option::None => {
                                                                            x.fail(__launch, 2u32, __i);
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
                                    }
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
                            core::option::Option::Some(20u32),
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
                                let columns = unsafe {
                                    columns.beginning_at(__begins.read[0usize])
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
                                                    match columns.checked(__i) {
                                                        core::option::Option::Some(__p) => __p,
                                                        core::option::Option::None => {
                                                            columns.fail(__launch, 0u32, __i);
                                                            core::mem::forget(__iteration);
                                                            continue '__l0;
                                                        }
                                                    }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0 as usize);
                                    {
                                        let __v = (__rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank1, k);
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
                                            + __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, ((2 * i) + __rt::number(1)));
                                                            match x.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    x.fail(__launch, 2u32, __i);
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
fn twice(
    a: &impl ::swathe::Argument<Field<u32>>,
    b: &impl ::swathe::Argument<Field<u32>>,
    x: &impl ::swathe::Argument<Field<f32, 2>>,
    out: &mut impl ::swathe::ArgumentMut<Field<f32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for twice {}
    };
    let mut __launch = __rt::Launch::new(<twice as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "a", __rt::place_of::<Field<u32>, _>(&*a))?;
    __rt::Launch::argument(&mut __launch, "b", __rt::place_of::<Field<u32>, _>(&*b))?;
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<f32, 2>, _>(&*x))?;
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
                    twice,
                >(
                    &[
                        __rt::launch_arg::<Field<u32>, _>(&*a),
                        __rt::launch_arg::<Field<u32>, _>(&*b),
                        __rt::launch_arg::<Field<f32, 2>, _>(&*x),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *out),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<u32>, _>(&*a);
                let a = __field0;
                let __field1 = __rt::access::<Field<u32>, _>(&*b);
                let b = __field1;
                let __field2 = __rt::access::<Field<f32, 2>, _>(&*x);
                let x = __field2;
                let __field3 = __rt::access_mut::<Field<f32>, _>(&mut *out);
                let out = __field3;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __rank2 = __field2.rank();
                let __rank3 = __field3.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                let __shared3 = false;
                {
                    let (__start, __end) = (0, out.len());
                    let __step = 1usize;
                    let __n = __rt::LoopInt::count(__start, __end, false, __step);
                    let __n = if __n > __rt::MOST_POSITIONS {
                        __rt::Failures::failed(
                            __launch,
                            0u32,
                            13u32,
                            14u32,
                            __rt::TOO_MANY,
                            &[__rt::LoopInt::shown(__start), __rt::LoopInt::shown(__end)],
                        );
                        0
                    } else {
                        __n
                    };
                    if (__field3.len() <= __field0.shape()[0usize])
                        && (__field3.len() <= __field2.shape()[1usize])
                    {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(15u32),
                            __rt::Version::for_elements(
                                false,
                                [
                                    __field0.scalars(),
                                    __field1.scalars(),
                                    __field2.scalars(),
                                    __field3.scalars(),
                                ],
                            ),
                            __rt::Begins::new(
                                [__field0.begin(), __field1.begin(), __field2.begin()],
                                [__field3.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let a = unsafe { a.beginning_at(__begins.read[0usize]) };
                                let b = unsafe { b.beginning_at(__begins.read[1usize]) };
                                let x = unsafe { x.beginning_at(__begins.read[2usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let (__start, __step) = (__start, __step);
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (out.len() <= a.shape()[0usize]),
                                    )
                                };
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (out.len() <= x.shape()[1usize]),
                                    )
                                };
                                let mut __k = __range.start;
                                #[cfg(not(debug_assertions))]
                                {
                                    let __look0 = __rt::iteration(|__k: usize| {
                                        let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                        let __value0 = __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, i);
                                                        unsafe { a.unchecked(__i) }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0;
                                        let __value1 = i;
                                        core::option::Option::Some(((), (__value0, __value1)))
                                    });
                                    let __look1 = __rt::iteration(|__k: usize| {
                                        let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                        let __seen0 = __look0(__k)?;
                                        let __value0 = __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank1, (__seen0.1.0 as usize));
                                                        unsafe { b.unchecked(__i) }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0;
                                        core::option::Option::Some((__seen0, (__value0,)))
                                    });
                                    while __k < __range.end {
                                        let __stop = __k
                                            + core::cmp::min(__range.end - __k, __rt::BLOCK);
                                        let __inside = __rt::UNCHECKED
                                            || '__inspection: {
                                                let mut __m1_0 = __rt::Most::new();
                                                for __k in __k..__stop {
                                                    let core::option::Option::Some(__seen0) = __look0(__k) else {
                                                        break '__inspection false
                                                    };
                                                    __rt::Most::take(&mut __m1_0, __seen0.1.0);
                                                }
                                                if !__rt::Most::below(&__m1_0, b.shape()[0usize]) {
                                                    break '__inspection false;
                                                }
                                                let mut __m2_1 = __rt::Most::new();
                                                for __k in [__k, __stop - 1] {
                                                    let core::option::Option::Some(__seen0) = __look0(__k) else {
                                                        break '__inspection false
                                                    };
                                                    __rt::Most::take(&mut __m2_1, __seen0.1.1);
                                                }
                                                if !__rt::Most::below(&__m2_1, x.shape()[1usize]) {
                                                    break '__inspection false;
                                                }
                                                let mut __m2_0 = __rt::Most::new();
                                                for __k in __k..__stop {
                                                    let core::option::Option::Some(__seen1) = __look1(__k) else {
                                                        break '__inspection false
                                                    };
                                                    __rt::Most::take(&mut __m2_0, __seen1.1.0);
                                                }
                                                if !__rt::Most::below(&__m2_0, x.shape()[0usize]) {
                                                    break '__inspection false;
                                                }
                                                true
                                            };
                                        if !__inside {
                                            break;
                                        }
                                        '__l0: for __k in __k..__stop {
                                            let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                            let __seen1 = __rt::looked_at(__look1(__k));
                                            let __iteration = __rt::Iteration(__k);
                                            {
                                                let __v = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(
                                                                    __rank2,
                                                                    [(__seen1.1.0 as usize), __seen1.0.1.1],
                                                                );
                                                                unsafe { x.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0;
                                                {
                                                    let __p = {
                                                        let __i = __rt::axes(__rank3, i);
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
                                    let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                    let __iteration = __rt::Iteration(__k);
                                    {
                                        let __v = __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(
                                                            __rank2,
                                                            [
                                                                (__rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(
                                                                                    __rank1,
                                                                                    (__rt::peek(
                                                                                            &{
                                                                                                let __p = {
                                                                                                    let __i = __rt::axes(__rank0, i);
                                                                                                    unsafe { a.unchecked(__i) }
                                                                                                };
                                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                                            },
                                                                                        )
                                                                                        .0 as usize),
                                                                                );
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
                                                                    .0 as usize),
                                                                i,
                                                            ],
                                                        );
                                                        match x.checked(__i) {
                                                            core::option::Option::Some(__p) => __p,
                                                            core::option::Option::None => {
                                                                x.fail(__launch, 2u32, __i);
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
                                                let __i = __rt::axes(__rank3, i);
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
                            core::option::Option::Some(15u32),
                            __rt::Version::for_elements(
                                false,
                                [
                                    __field0.scalars(),
                                    __field1.scalars(),
                                    __field2.scalars(),
                                    __field3.scalars(),
                                ],
                            ),
                            __rt::Begins::new(
                                [__field0.begin(), __field1.begin(), __field2.begin()],
                                [__field3.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let a = unsafe { a.beginning_at(__begins.read[0usize]) };
                                let b = unsafe { b.beginning_at(__begins.read[1usize]) };
                                let x = unsafe { x.beginning_at(__begins.read[2usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let (__start, __step) = (__start, __step);
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                    let __iteration = __rt::Iteration(__k);
                                    {
                                        let __v = __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(
                                                            __rank2,
                                                            [
                                                                (__rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(
                                                                                    __rank1,
                                                                                    (__rt::peek(
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
                                                                                        .0 as usize),
                                                                                );
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
                                                                    .0 as usize),
                                                                i,
                                                            ],
                                                        );
                                                        match x.checked(__i) {
                                                            core::option::Option::Some(__p) => __p,
                                                            core::option::Option::None => {
                                                                x.fail(__launch, 2u32, __i);
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
                                                let __i = __rt::axes(__rank3, i);
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
