fn ell(
    columns: &impl ::swathe::Argument<Field<u32, 2>>,
    values: &impl ::swathe::Argument<Field<f32, 2>>,
    x: &impl ::swathe::Argument<Field<f32>>,
    y: &mut impl ::swathe::ArgumentMut<Field<f32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for ell {}
    };
    let mut __launch = __rt::Launch::new(<ell as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "columns",
        __rt::place_of::<Field<u32, 2>, _>(&*columns),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "values",
        __rt::place_of::<Field<f32, 2>, _>(&*values),
    )?;
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<f32>, _>(&*x))?;
    __rt::Launch::argument(&mut __launch, "y", __rt::place_of::<Field<f32>, _>(&*y))?;
    __rt::prepare::<Field<f32>, _>(&mut *y)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    ell,
                >(
                    &[
                        __rt::launch_arg::<Field<u32, 2>, _>(&*columns),
                        __rt::launch_arg::<Field<f32, 2>, _>(&*values),
                        __rt::launch_arg::<Field<f32>, _>(&*x),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *y),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<u32, 2>, _>(&*columns);
                let columns = __field0;
                let __field1 = __rt::access::<Field<f32, 2>, _>(&*values);
                let values = __field1;
                let __field2 = __rt::access::<Field<f32>, _>(&*x);
                let x = __field2;
                let __field3 = __rt::access_mut::<Field<f32>, _>(&mut *y);
                let y = __field3;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __rank2 = __field2.rank();
                let __rank3 = __field3.rank();
                #[cfg(all(not(debug_assertions), panic = "unwind"))]
                let __ends = __rt::functions_end::<ell>(1u64);
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                let __shared3 = false;
                {
                    let __shape = y.shape();
                    let __n = y.len();
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::None,
                        __rt::Version::Avx512,
                        __rt::Begins::new(
                            [__field0.begin(), __field1.begin(), __field2.begin()],
                            [__field3.begin_mut()],
                        ),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let columns = unsafe {
                                columns.beginning_at(__begins.read[0usize])
                            };
                            let values = unsafe {
                                values.beginning_at(__begins.read[1usize])
                            };
                            let x = unsafe { x.beginning_at(__begins.read[2usize]) };
                            let y = unsafe {
                                y.beginning_at_mut(__begins.written[0usize])
                            };
                            let __shape = __shape;
                            let __width: usize = core::hint::black_box(16) & !(16 - 1);
                            let __inner: usize = if 16 == 8usize {
                                __width & 16
                            } else {
                                16
                            };
                            #[cfg(all(not(debug_assertions), panic = "unwind"))]
                            let __ends = __ends;
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
                                >(&mut __inside, 0);
                                __rt::Inside::below(
                                    &mut __inside,
                                    __line0,
                                    &values.shape(),
                                    0,
                                );
                                let __line1 = __rt::Inside::extent::<
                                    usize,
                                >(&mut __inside, &columns.shape(), 0);
                                let __line2 = __rt::Inside::number::<
                                    usize,
                                >(&mut __inside, 1);
                                let __line3 = __rt::Inside::sub::<
                                    usize,
                                >(&mut __inside, __line1, __line2);
                                __rt::Inside::below(
                                    &mut __inside,
                                    __line3,
                                    &values.shape(),
                                    0,
                                );
                                let __line4 = __rt::Inside::position::<
                                    usize,
                                    _,
                                >(&mut __inside, |__k: usize| __rt::position(__shape, __k));
                                __rt::Inside::below(
                                    &mut __inside,
                                    __line4,
                                    &values.shape(),
                                    1,
                                );
                                __rt::Inside::below(
                                    &mut __inside,
                                    __line0,
                                    &columns.shape(),
                                    0,
                                );
                                __rt::Inside::below(
                                    &mut __inside,
                                    __line3,
                                    &columns.shape(),
                                    0,
                                );
                                __rt::Inside::below(
                                    &mut __inside,
                                    __line4,
                                    &columns.shape(),
                                    1,
                                );
                                __inside
                            };
                            let __whole = __range.start..__range.end;
                            #[cfg(not(debug_assertions))]
                            let (__inside,) = {
                                let mut __inside = __rt::Inside::of(
                                    __along0,
                                    &__whole,
                                    8usize,
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
                                        #[cfg(not(debug_assertions))] #[cfg(panic = "unwind")]
                                        if true && __target.wide() && __ends && x.len() != 0 {
                                            let __kept_fit0 = __rt::Fit::new();
                                            let __fit5 = __rt::Fit::new();
                                            if 0usize + __kept_fit0.bytes() + __fit5.bytes()
                                                <= __rt::MOST_PLANES / 16
                                            {
                                                if __range.end.saturating_sub(__range.start) >= 16 {
                                                    let __texts = __rt::texts();
                                                    while __k < __range.end {
                                                        let __again = (__k + 16).saturating_sub(__range.end);
                                                        if __again > 0 && __rt::texts() != __texts {
                                                            break;
                                                        }
                                                        __k -= __again;
                                                        let mut __values = __rt::Lanes::<_, 16>::zeros();
                                                        __kept_fit0.of(&__values);
                                                        for __l in 0..16 {
                                                            let r = __rt::position(__shape, (__k + __l));
                                                            let _ = r;
                                                            let __value = __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank3, r);
                                                                            unsafe { y.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0;
                                                            unsafe { __rt::Lanes::set(&mut __values, __l, __value) };
                                                        }
                                                        let __kept0 = __rt::Kept(move || {
                                                            for __l in 0..16 {
                                                                let r = __rt::position(__shape, (__k + __l));
                                                                let _ = r;
                                                                let __old = unsafe { __rt::Lanes::get(&__values, __l) };
                                                                {
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank3, r);
                                                                        unsafe { y.unchecked(__i) }
                                                                    };
                                                                    let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                                    let __value = &mut __copy;
                                                                    (*(__value)) = __old;
                                                                    unsafe { __rt::Pointer::write(__p, __copy) }
                                                                }
                                                            }
                                                        });
                                                        let __iteration = __rt::BlockAt(__k);
                                                        let mut __plane5 = __rt::Lanes::<_, 16>::zeros();
                                                        __fit5.of(&__plane5);
                                                        for __l in 0..__width {
                                                            let r = __rt::position(__shape, (__k + __l));
                                                            let _ = r;
                                                            let mut __keep5 = unsafe {
                                                                __rt::Lanes::get(&__plane5, __l)
                                                            };
                                                            {
                                                                let mut sum = 0.0;
                                                                __keep5 = sum;
                                                            }
                                                            unsafe { __rt::Lanes::set(&mut __plane5, __l, __keep5) };
                                                        }
                                                        '__l1: for k in (0..columns.shape()[0]) {
                                                            let mut __outside = 0u32;
                                                            for __l in 0..__inner {
                                                                let r = __rt::position(__shape, (__k + __l));
                                                                let _ = r;
                                                                let mut sum = unsafe { __rt::Lanes::get(&__plane5, __l) };
                                                                {
                                                                    {
                                                                        let __left_factor = __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank1, [k, r]);
                                                                                        unsafe { values.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0;
                                                                        let __right_factor = __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(
                                                                                            __rank2,
                                                                                            (__rt::peek(
                                                                                                    &{
                                                                                                        let __p = {
                                                                                                            let __i = __rt::axes(__rank0, [k, r]);
                                                                                                            unsafe { columns.unchecked(__i) }
                                                                                                        };
                                                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                                                    },
                                                                                                )
                                                                                                .0 as usize),
                                                                                        );
                                                                                        let (__p, __inside) = unsafe { x.or_first(__i) };
                                                                                        __outside |= !__inside as u32;
                                                                                        __p
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0;
                                                                        let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                        let __place = &mut sum;
                                                                        if !__rt::contract::add(
                                                                            __target,
                                                                            __place,
                                                                            __left_factor,
                                                                            __right_factor,
                                                                        ) {
                                                                            (*(__place)) += (__product,).0;
                                                                        }
                                                                    };
                                                                }
                                                                unsafe { __rt::Lanes::set(&mut __plane5, __l, sum) };
                                                            }
                                                            if __outside != 0 {
                                                                __rt::again()
                                                            }
                                                        }
                                                        for __l in 0..__width {
                                                            let r = __rt::position(__shape, (__k + __l));
                                                            let _ = r;
                                                            let mut sum = unsafe { __rt::Lanes::get(&__plane5, __l) };
                                                            {
                                                                {
                                                                    let __v = sum;
                                                                    {
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank3, r);
                                                                            unsafe { y.unchecked(__i) }
                                                                        };
                                                                        let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                                        let __value = &mut __copy;
                                                                        (*(__value)) = (__v,).0;
                                                                        unsafe { __rt::Pointer::write(__p, __copy) }
                                                                    }
                                                                };
                                                            }
                                                            unsafe { __rt::Lanes::set(&mut __plane5, __l, sum) };
                                                        }
                                                        core::mem::forget(__iteration);
                                                        core::mem::forget(__kept0);
                                                        __k += 16;
                                                    }
                                                }
                                            } else {}
                                        }
                                        '__l0: for __k in __k..__range.end {
                                            let r = __rt::position(__shape, __k);
                                            let __iteration = __rt::Iteration(__k);
                                            let mut sum = 0.0;
                                            '__l1: for k in (0..columns.shape()[0]) {
                                                {
                                                    let __left_factor = __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank1, [k, r]);
                                                                    unsafe { values.unchecked(__i) }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0;
                                                    let __right_factor = __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(
                                                                        __rank2,
                                                                        (__rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, [k, r]);
                                                                                        unsafe { columns.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0 as usize),
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
                                                    let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                    let __place = &mut sum;
                                                    if !__rt::contract::add(
                                                        __target,
                                                        __place,
                                                        __left_factor,
                                                        __right_factor,
                                                    ) {
                                                        (*(__place)) += (__product,).0;
                                                    }
                                                };
                                            }
                                            {
                                                let __v = sum;
                                                {
                                                    let __p = {
                                                        let __i = __rt::axes(__rank3, r);
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
                                    }
                                } else {
                                    let mut __k = __range.start;
                                    '__l0: for __k in __k..__range.end {
                                        let r = __rt::position(__shape, __k);
                                        let __iteration = __rt::Iteration(__k);
                                        let mut sum = 0.0;
                                        '__ahead1: {
                                            let __span = (0..columns.shape()[0]);
                                            #[cfg(not(debug_assertions))]
                                            {
                                                if __rt::UNCHECKED
                                                    || (__rt::counts_positions(&__span)
                                                        && (__rt::span_inside(
                                                            __span.start as usize,
                                                            __span.end as usize,
                                                            &values.shape(),
                                                            0usize,
                                                        )
                                                            && __rt::Corner::ZERO
                                                                .value(r)
                                                                .inside(&values.shape(), 1usize)
                                                            && __rt::span_inside(
                                                                __span.start as usize,
                                                                __span.end as usize,
                                                                &columns.shape(),
                                                                0usize,
                                                            )
                                                            && __rt::Corner::ZERO
                                                                .value(r)
                                                                .inside(&columns.shape(), 1usize)))
                                                {
                                                    '__l1: for k in __span {
                                                        {
                                                            let __left_factor = __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank1, [k, r]);
                                                                            unsafe { values.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0;
                                                            let __right_factor = __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(
                                                                                __rank2,
                                                                                (__rt::peek(
                                                                                        &{
                                                                                            let __p = {
                                                                                                let __i = __rt::axes(__rank0, [k, r]);
                                                                                                unsafe { columns.unchecked(__i) }
                                                                                            };
                                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                                        },
                                                                                    )
                                                                                    .0 as usize),
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
                                                            let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                            let __place = &mut sum;
                                                            if !__rt::contract::add(
                                                                __target,
                                                                __place,
                                                                __left_factor,
                                                                __right_factor,
                                                            ) {
                                                                (*(__place)) += (__product,).0;
                                                            }
                                                        };
                                                    }
                                                    break '__ahead1;
                                                }
                                                core::hint::cold_path();
                                            }
                                            '__l1: for k in __span {
                                                {
                                                    let __left_factor = __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank1, [k, r]);
                                                                    match values.checked(__i) {
                                                                        core::option::Option::Some(__p) => __p,
                                                                        core::option::Option::None => {
                                                                            values.fail(__launch, 0u32, __i);
                                                                            core::mem::forget(__iteration);
                                                                            continue '__l0;
                                                                        }
                                                                    }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0;
                                                    let __right_factor = __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(
                                                                        __rank2,
                                                                        (__rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, [k, r]);
                                                                                        match columns.checked(__i) {
                                                                                            core::option::Option::Some(__p) => __p,
                                                                                            core::option::Option::None => {
                                                                                                columns.fail(__launch, 1u32, __i);
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
                                                    let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                    let __place = &mut sum;
                                                    if !__rt::contract::add(
                                                        __target,
                                                        __place,
                                                        __left_factor,
                                                        __right_factor,
                                                    ) {
                                                        (*(__place)) += (__product,).0;
                                                    }
                                                };
                                            }
                                        };
                                        {
                                            let __v = sum;
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank3, r);
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
                                }
                            }
                        },
                    );
                }
                core::result::Result::Ok(())
            },
        )
}
fn depth(
    parent: &impl ::swathe::Argument<Field<u32>>,
    depth: &mut impl ::swathe::ArgumentMut<Field<u32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for depth {}
    };
    let mut __launch = __rt::Launch::new(<depth as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "parent",
        __rt::place_of::<Field<u32>, _>(&*parent),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "depth",
        __rt::place_of::<Field<u32>, _>(&*depth),
    )?;
    __rt::prepare::<Field<u32>, _>(&mut *depth)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    depth,
                >(
                    &[
                        __rt::launch_arg::<Field<u32>, _>(&*parent),
                        __rt::launch_arg_mut::<Field<u32>, _>(&mut *depth),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<u32>, _>(&*parent);
                let parent = __field0;
                let __field1 = __rt::access_mut::<Field<u32>, _>(&mut *depth);
                let depth = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                #[cfg(all(not(debug_assertions), panic = "unwind"))]
                let __ends = __rt::functions_end::<depth>(1u64);
                let __shared0 = false;
                let __shared1 = false;
                {
                    let __shape = depth.shape();
                    let __n = depth.len();
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::None,
                        __rt::Version::Avx512,
                        __rt::Begins::new([__field0.begin()], [__field1.begin_mut()]),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let parent = unsafe {
                                parent.beginning_at(__begins.read[0usize])
                            };
                            let depth = unsafe {
                                depth.beginning_at_mut(__begins.written[0usize])
                            };
                            let __shape = __shape;
                            let __width: usize = core::hint::black_box(32) & !(32 - 1);
                            let __inner: usize = if 32 == 8usize {
                                __width & 32
                            } else {
                                32
                            };
                            #[cfg(all(not(debug_assertions), panic = "unwind"))]
                            let __ends = __ends;
                            let mut __k = __range.start;
                            #[cfg(not(debug_assertions))] #[cfg(panic = "unwind")]
                            if true && __target.wide() && __ends && parent.len() != 0 {
                                let __kept_fit0 = __rt::Fit::new();
                                let __fit3 = __rt::Fit::new();
                                let __fit4 = __rt::Fit::new();
                                if 0usize + __kept_fit0.bytes() + __fit3.bytes()
                                    + __fit4.bytes() <= __rt::MOST_PLANES / 32
                                {
                                    if __range.end.saturating_sub(__range.start) >= 32 {
                                        let __texts = __rt::texts();
                                        while __k < __range.end {
                                            let __again = (__k + 32).saturating_sub(__range.end);
                                            if __again > 0 && __rt::texts() != __texts {
                                                break;
                                            }
                                            __k -= __again;
                                            let mut __values = __rt::Lanes::<_, 32>::zeros();
                                            __kept_fit0.of(&__values);
                                            for __l in 0..32 {
                                                let i = __rt::position(__shape, (__k + __l));
                                                let _ = i;
                                                let __value = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, i);
                                                                unsafe { depth.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0;
                                                unsafe { __rt::Lanes::set(&mut __values, __l, __value) };
                                            }
                                            let __kept0 = __rt::Kept(move || {
                                                for __l in 0..32 {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    let _ = i;
                                                    let __old = unsafe { __rt::Lanes::get(&__values, __l) };
                                                    {
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, i);
                                                            unsafe { depth.unchecked(__i) }
                                                        };
                                                        let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                        let __value = &mut __copy;
                                                        (*(__value)) = __old;
                                                        unsafe { __rt::Pointer::write(__p, __copy) }
                                                    }
                                                }
                                            });
                                            let __iteration = __rt::BlockAt(__k);
                                            let mut __plane3 = __rt::Lanes::<_, 32>::zeros();
                                            __fit3.of(&__plane3);
                                            let mut __plane4 = __rt::Lanes::<_, 32>::zeros();
                                            __fit4.of(&__plane4);
                                            let mut __exit = __rt::Lanes::<u32, 32>::zeros();
                                            for __l in 0..__width {
                                                let i = __rt::position(__shape, (__k + __l));
                                                let _ = i;
                                                let mut __keep3 = unsafe {
                                                    __rt::Lanes::get(&__plane3, __l)
                                                };
                                                let mut __keep4 = unsafe {
                                                    __rt::Lanes::get(&__plane4, __l)
                                                };
                                                {
                                                    let mut node = i;
                                                    let mut steps = 0;
                                                    __keep3 = node;
                                                    __keep4 = steps;
                                                }
                                                unsafe { __rt::Lanes::set(&mut __plane3, __l, __keep3) };
                                                unsafe { __rt::Lanes::set(&mut __plane4, __l, __keep4) };
                                            }
                                            __exit = __rt::Lanes::<u32, 32>::zeros();
                                            '__l1: loop {
                                                let mut __outside = 0u32;
                                                let mut __any = 0u32;
                                                for __l in 0..__inner {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    let _ = i;
                                                    let mut __e = unsafe { __rt::Lanes::get(&__exit, __l) };
                                                    let mut node = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                    let mut steps = unsafe { __rt::Lanes::get(&__plane4, __l) };
                                                    let __goes = __e == 0 && (node != __rt::number(0));
                                                    __e |= if __goes { 0 } else { 4u32 };
                                                    if __goes {
                                                        {
                                                            node = (__rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, node);
                                                                            let (__p, __inside) = unsafe { parent.or_first(__i) };
                                                                            __outside |= !__inside as u32;
                                                                            __p
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0 as usize);
                                                            steps += __rt::number(1);
                                                        }
                                                    }
                                                    unsafe { __rt::Lanes::set(&mut __plane3, __l, node) };
                                                    unsafe { __rt::Lanes::set(&mut __plane4, __l, steps) };
                                                    __e &= !8u32;
                                                    __any |= (__e == 0) as u32;
                                                    unsafe { __rt::Lanes::set(&mut __exit, __l, __e) };
                                                }
                                                if __outside != 0 {
                                                    __rt::again()
                                                }
                                                if __any == 0 {
                                                    break '__l1;
                                                }
                                            }
                                            for __l in 0..__width {
                                                let i = __rt::position(__shape, (__k + __l));
                                                let _ = i;
                                                let mut steps = unsafe { __rt::Lanes::get(&__plane4, __l) };
                                                {
                                                    {
                                                        let __v = steps;
                                                        {
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, i);
                                                                unsafe { depth.unchecked(__i) }
                                                            };
                                                            let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                            let __value = &mut __copy;
                                                            (*(__value)) = (__v,).0;
                                                            unsafe { __rt::Pointer::write(__p, __copy) }
                                                        }
                                                    };
                                                }
                                                unsafe { __rt::Lanes::set(&mut __plane4, __l, steps) };
                                            }
                                            core::mem::forget(__iteration);
                                            core::mem::forget(__kept0);
                                            __k += 32;
                                        }
                                    }
                                } else {}
                            }
                            '__l0: for __k in __k..__range.end {
                                let i = __rt::position(__shape, __k);
                                let __iteration = __rt::Iteration(__k);
                                let mut node = i;
                                let mut steps = 0;
                                '__l1: while (node != __rt::number(0)) {
                                    node = (__rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, node);
                                                    match parent.checked(__i) {
                                                        core::option::Option::Some(__p) => __p,
                                                        core::option::Option::None => {
                                                            parent.fail(__launch, 0u32, __i);
                                                            core::mem::forget(__iteration);
                                                            continue '__l0;
                                                        }
                                                    }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0 as usize);
                                    steps += __rt::number(1);
                                }
                                {
                                    let __v = steps;
                                    {
                                        let __p = {
                                            let __i = __rt::axes(__rank1, i);
                                            unsafe { depth.unchecked(__i) }
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
                core::result::Result::Ok(())
            },
        )
}
fn counted(
    starts: &impl ::swathe::Argument<Field<u32>>,
    ids: &impl ::swathe::Argument<Field<u32>>,
    text: &impl ::swathe::Argument<Field<u8>>,
    len: usize,
    counts: &mut impl ::swathe::ArgumentMut<Field<u32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for counted {}
    };
    let mut __launch = __rt::Launch::new(<counted as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "starts",
        __rt::place_of::<Field<u32>, _>(&*starts),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "ids",
        __rt::place_of::<Field<u32>, _>(&*ids),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "text",
        __rt::place_of::<Field<u8>, _>(&*text),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "counts",
        __rt::place_of::<Field<u32>, _>(&*counts),
    )?;
    __rt::prepare::<Field<u32>, _>(&mut *counts)?;
    if __rt::Launch::is_remote(&__launch) {
        let __value3 = __rt::DeviceValue::new(&len);
        return unsafe {
            __launch
                .run_remote::<
                    counted,
                >(
                    &[
                        __rt::launch_arg::<Field<u32>, _>(&*starts),
                        __rt::launch_arg::<Field<u32>, _>(&*ids),
                        __rt::launch_arg::<Field<u8>, _>(&*text),
                        __rt::DeviceValue::arg(&__value3),
                        __rt::launch_arg_mut::<Field<u32>, _>(&mut *counts),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<u32>, _>(&*starts);
                let starts = __field0;
                let __field1 = __rt::access::<Field<u32>, _>(&*ids);
                let ids = __field1;
                let __field2 = __rt::access::<Field<u8>, _>(&*text);
                let text = __field2;
                let __field4 = __rt::access_mut::<Field<u32>, _>(&mut *counts);
                let counts = __field4;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __rank2 = __field2.rank();
                let __rank4 = __field4.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                let __shared3 = false;
                let __shared4 = false;
                {
                    let __shape = counts.shape();
                    let __n = counts.len();
                    if __rt::covers(__field1.shape(), __field4.shape()) {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::None,
                            __rt::Version::Avx512,
                            __rt::Begins::new(
                                [__field0.begin(), __field1.begin(), __field2.begin()],
                                [__field4.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let starts = unsafe {
                                    starts.beginning_at(__begins.read[0usize])
                                };
                                let ids = unsafe {
                                    ids.beginning_at(__begins.read[1usize])
                                };
                                let text = unsafe {
                                    text.beginning_at(__begins.read[2usize])
                                };
                                let len = len;
                                let counts = unsafe {
                                    counts.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(ids.shape(), counts.shape()),
                                    )
                                };
                                let mut __k = __range.start;
                                #[cfg(not(debug_assertions))]
                                {
                                    let __look0 = __rt::iteration(|__k: usize| {
                                        let i = __rt::position(__shape, __k);
                                        let __value0 = __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank1, i);
                                                        unsafe { ids.unchecked(__i) }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0;
                                        core::option::Option::Some(((), (__value0,)))
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
                                                if !__rt::Most::below(&__m1_0, starts.shape()[0usize]) {
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
                                            let start = (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, (__seen0.1.0 as usize));
                                                            unsafe { starts.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0 as usize);
                                            let mut count = 0;
                                            '__ahead1: {
                                                let __span = (0..len);
                                                #[cfg(not(debug_assertions))]
                                                {
                                                    if __rt::UNCHECKED || core::ops::Range::is_empty(&__span)
                                                        || (__rt::counts_positions(&__span)
                                                            && (__rt::Corner::ZERO
                                                                .value(start)
                                                                .along((__span.start as usize), (__span.end as usize))
                                                                .inside(&text.shape(), 0usize)))
                                                    {
                                                        '__l1: for k in __span {
                                                            count
                                                                += ((__rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank2, (start + k));
                                                                                unsafe { text.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0 == __rt::number(32)) as u32);
                                                        }
                                                        break '__ahead1;
                                                    }
                                                    core::hint::cold_path();
                                                }
                                                '__l1: for k in __span {
                                                    count
                                                        += ((__rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank2, (start + k));
                                                                        match text.checked(__i) {
                                                                            core::option::Option::Some(__p) => __p,
                                                                            core::option::Option::None => {
                                                                                text.fail(__launch, 2u32, __i);
                                                                                core::mem::forget(__iteration);
                                                                                continue '__l0;
                                                                            }
                                                                        }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0 == __rt::number(32)) as u32);
                                                }
                                            };
                                            {
                                                let __v = count;
                                                {
                                                    let __p = {
                                                        let __i = __rt::axes(__rank4, i);
                                                        unsafe { counts.unchecked(__i) }
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
                                    let start = (__rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(
                                                        __rank0,
                                                        (__rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank1, i);
                                                                        unsafe { ids.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0 as usize),
                                                    );
                                                    match starts.checked(__i) {
                                                        core::option::Option::Some(__p) => __p,
                                                        core::option::Option::None => {
                                                            starts.fail(__launch, 1u32, __i);
                                                            core::mem::forget(__iteration);
                                                            continue '__l0;
                                                        }
                                                    }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0 as usize);
                                    let mut count = 0;
                                    '__ahead1: {
                                        let __span = (0..len);
                                        #[cfg(not(debug_assertions))]
                                        {
                                            if __rt::UNCHECKED || core::ops::Range::is_empty(&__span)
                                                || (__rt::counts_positions(&__span)
                                                    && (__rt::Corner::ZERO
                                                        .value(start)
                                                        .along((__span.start as usize), (__span.end as usize))
                                                        .inside(&text.shape(), 0usize)))
                                            {
                                                '__l1: for k in __span {
                                                    count
                                                        += ((__rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank2, (start + k));
                                                                        unsafe { text.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0 == __rt::number(32)) as u32);
                                                }
                                                break '__ahead1;
                                            }
                                            core::hint::cold_path();
                                        }
                                        '__l1: for k in __span {
                                            count
                                                += ((__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank2, (start + k));
                                                                match text.checked(__i) {
                                                                    core::option::Option::Some(__p) => __p,
                                                                    core::option::Option::None => {
                                                                        text.fail(__launch, 2u32, __i);
                                                                        core::mem::forget(__iteration);
                                                                        continue '__l0;
                                                                    }
                                                                }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0 == __rt::number(32)) as u32);
                                        }
                                    };
                                    {
                                        let __v = count;
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank4, i);
                                                unsafe { counts.unchecked(__i) }
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
                            core::option::Option::None,
                            __rt::Version::Avx512,
                            __rt::Begins::new(
                                [__field0.begin(), __field1.begin(), __field2.begin()],
                                [__field4.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let starts = unsafe {
                                    starts.beginning_at(__begins.read[0usize])
                                };
                                let ids = unsafe {
                                    ids.beginning_at(__begins.read[1usize])
                                };
                                let text = unsafe {
                                    text.beginning_at(__begins.read[2usize])
                                };
                                let len = len;
                                let counts = unsafe {
                                    counts.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    let start = (__rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(
                                                        __rank0,
                                                        (__rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank1, i);
                                                                        match ids.checked(__i) {
                                                                            core::option::Option::Some(__p) => __p,
                                                                            core::option::Option::None => {
                                                                                ids.fail(__launch, 0u32, __i);
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
                                                    match starts.checked(__i) {
                                                        core::option::Option::Some(__p) => __p,
                                                        core::option::Option::None => {
                                                            starts.fail(__launch, 1u32, __i);
                                                            core::mem::forget(__iteration);
                                                            continue '__l0;
                                                        }
                                                    }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0 as usize);
                                    let mut count = 0;
                                    '__l1: for k in (0..len) {
                                        count
                                            += ((__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank2, (start + k));
                                                            match text.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    text.fail(__launch, 2u32, __i);
                                                                    core::mem::forget(__iteration);
                                                                    continue '__l0;
                                                                }
                                                            }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0 == __rt::number(32)) as u32);
                                    }
                                    {
                                        let __v = count;
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank4, i);
                                                unsafe { counts.unchecked(__i) }
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
