fn densities(
    pos: &impl ::swathe::Argument<Field<Vec2>>,
    counts: &impl ::swathe::Argument<Field<u32, 2>>,
    cells: &impl ::swathe::Argument<Field<u32, 3>>,
    density: &mut impl ::swathe::ArgumentMut<Field<f32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    trait __no__func_distance_squared {
        fn __func_distance_squared(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_distance_squared
    for __T {
        fn __func_distance_squared(&self) {}
    }
    trait __no__func_max {
        fn __func_max(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_max for __T {
        fn __func_max(&self) {}
    }
    const _: () = {
        impl __rt::FuncDef for densities {}
    };
    let mut __launch = __rt::Launch::new(<densities as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "pos",
        __rt::place_of::<Field<Vec2>, _>(&*pos),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "counts",
        __rt::place_of::<Field<u32, 2>, _>(&*counts),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "cells",
        __rt::place_of::<Field<u32, 3>, _>(&*cells),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "density",
        __rt::place_of::<Field<f32>, _>(&*density),
    )?;
    __rt::prepare::<Field<f32>, _>(&mut *density)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    densities,
                >(
                    &[
                        __rt::launch_arg::<Field<Vec2>, _>(&*pos),
                        __rt::launch_arg::<Field<u32, 2>, _>(&*counts),
                        __rt::launch_arg::<Field<u32, 3>, _>(&*cells),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *density),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<Vec2>, _>(&*pos);
                let pos = __field0;
                let __field1 = __rt::access::<Field<u32, 2>, _>(&*counts);
                let counts = __field1;
                let __field2 = __rt::access::<Field<u32, 3>, _>(&*cells);
                let cells = __field2;
                let __field3 = __rt::access_mut::<Field<f32>, _>(&mut *density);
                let density = __field3;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __rank2 = __field2.rank();
                let __rank3 = __field3.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                let __shared3 = false;
                let [n, _] = counts.shape();
                {
                    let __shape = pos.shape();
                    let __n = pos.len();
                    if (1 <= __field1.shape()[1usize])
                        && __rt::covers(__field3.shape(), __field0.shape())
                        && (__field1.shape()[0usize] <= __field2.shape()[0usize])
                        && (1 <= __field2.shape()[1usize])
                    {
                        #[cfg(not(debug_assertions))]
                        let __looked0 = __rt::UNCHECKED
                            || (__rt::largest(__field2, __n)
                                .is_some_and(|__most| __rt::Most::below(
                                    &__most,
                                    __field0.shape()[0],
                                )));
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
                                let pos = unsafe {
                                    pos.beginning_at(__begins.read[0usize])
                                };
                                let counts = unsafe {
                                    counts.beginning_at(__begins.read[1usize])
                                };
                                let cells = unsafe {
                                    cells.beginning_at(__begins.read[2usize])
                                };
                                let density = unsafe {
                                    density.beginning_at_mut(__begins.written[0usize])
                                };
                                let n = {
                                    let _ = &n;
                                    counts.shape()[0usize]
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(density.shape(), pos.shape()),
                                    )
                                };
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (counts.shape()[0usize] <= cells.shape()[0usize]),
                                    )
                                };
                                '__looked_up: {
                                    #[cfg(not(debug_assertions))]
                                    if __looked0 {
                                        let mut __k = __range.start;
                                        '__l0: for __k in __k..__range.end {
                                            let p = __rt::position(__shape, __k);
                                            let __iteration = __rt::Iteration(__k);
                                            let mut sum = 0.0;
                                            '__l1: for a in (0..n) {
                                                '__ahead2: {
                                                    let __span = (0..(__rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank1, [a, 0]);
                                                                    unsafe { counts.unchecked(__i) }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0 as usize));
                                                    #[cfg(not(debug_assertions))]
                                                    {
                                                        if __rt::UNCHECKED
                                                            || (__rt::counts_positions(&__span)
                                                                && (__rt::Corner::ZERO
                                                                    .value(a)
                                                                    .inside(&cells.shape(), 0usize)
                                                                    && __rt::Corner::ZERO
                                                                        .number(0)
                                                                        .inside(&cells.shape(), 1usize)
                                                                    && __rt::span_inside(
                                                                        __span.start as usize,
                                                                        __span.end as usize,
                                                                        &cells.shape(),
                                                                        2usize,
                                                                    )))
                                                        {
                                                            '__l2: for k in __span {
                                                                let q = (__rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank2, [a, 0, k]);
                                                                                unsafe { cells.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0 as usize);
                                                                let near = (1.0
                                                                    - ({
                                                                        let __x0 = __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, p);
                                                                                        unsafe { pos.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0;
                                                                        let __x1 = __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, q);
                                                                                        unsafe { pos.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0;
                                                                        __rt::products::distance_squared(
                                                                            __target,
                                                                            &{ (&(__x0,)).0 },
                                                                            &{ (__x1,).0 },
                                                                            || (&(__x0,)).0.__func_distance_squared((__x1,).0),
                                                                        )
                                                                    }))
                                                                    .__func_max(0.0);
                                                                {
                                                                    let __left_factor = near;
                                                                    let __right_factor = near;
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
                                                            break '__ahead2;
                                                        }
                                                        core::hint::cold_path();
                                                    }
                                                    '__l2: for k in __span {
                                                        let q = (__rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank2, [a, 0, k]);
                                                                        match cells.checked(__i) {
                                                                            core::option::Option::Some(__p) => __p,
                                                                            core::option::Option::None => {
                                                                                cells.fail(__launch, 1u32, __i);
                                                                                core::mem::forget(__iteration);
                                                                                continue '__l0;
                                                                            }
                                                                        }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0 as usize);
                                                        let near = (1.0
                                                            - ({
                                                                let __x0 = __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, p);
                                                                                unsafe { pos.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0;
                                                                let __x1 = __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, q);
                                                                                unsafe { pos.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0;
                                                                __rt::products::distance_squared(
                                                                    __target,
                                                                    &{ (&(__x0,)).0 },
                                                                    &{ (__x1,).0 },
                                                                    || (&(__x0,)).0.__func_distance_squared((__x1,).0),
                                                                )
                                                            }))
                                                            .__func_max(0.0);
                                                        {
                                                            let __left_factor = near;
                                                            let __right_factor = near;
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
                                            }
                                            {
                                                let __v = sum;
                                                {
                                                    let __p = {
                                                        let __i = __rt::axes(__rank3, p);
                                                        unsafe { density.unchecked(__i) }
                                                    };
                                                    let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                    let __value = &mut __copy;
                                                    (*(__value)) = (__v,).0;
                                                    unsafe { __rt::Pointer::write(__p, __copy) }
                                                }
                                            };
                                            core::mem::forget(__iteration);
                                        }
                                        break '__looked_up;
                                    }
                                    let mut __k = __range.start;
                                    '__l0: for __k in __k..__range.end {
                                        let p = __rt::position(__shape, __k);
                                        let __iteration = __rt::Iteration(__k);
                                        let mut sum = 0.0;
                                        '__l1: for a in (0..n) {
                                            '__ahead2: {
                                                let __span = (0..(__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, [a, 0]);
                                                                unsafe { counts.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0 as usize));
                                                #[cfg(not(debug_assertions))]
                                                {
                                                    if __rt::UNCHECKED
                                                        || (__rt::counts_positions(&__span)
                                                            && (__rt::Corner::ZERO
                                                                .value(a)
                                                                .inside(&cells.shape(), 0usize)
                                                                && __rt::Corner::ZERO
                                                                    .number(0)
                                                                    .inside(&cells.shape(), 1usize)
                                                                && __rt::span_inside(
                                                                    __span.start as usize,
                                                                    __span.end as usize,
                                                                    &cells.shape(),
                                                                    2usize,
                                                                )))
                                                    {
                                                        '__l2: for k in __span {
                                                            let q = (__rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank2, [a, 0, k]);
                                                                            unsafe { cells.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0 as usize);
                                                            let near = (1.0
                                                                - ({
                                                                    let __x0 = __rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, p);
                                                                                    unsafe { pos.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0;
                                                                    let __x1 = __rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, q);
                                                                                    match pos.checked(__i) {
                                                                                        core::option::Option::Some(__p) => __p,
                                                                                        core::option::Option::None => {
                                                                                            pos.fail(__launch, 3u32, __i);
                                                                                            core::mem::forget(__iteration);
                                                                                            continue '__l0;
                                                                                        }
                                                                                    }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0;
                                                                    __rt::products::distance_squared(
                                                                        __target,
                                                                        &{ (&(__x0,)).0 },
                                                                        &{ (__x1,).0 },
                                                                        || (&(__x0,)).0.__func_distance_squared((__x1,).0),
                                                                    )
                                                                }))
                                                                .__func_max(0.0);
                                                            {
                                                                let __left_factor = near;
                                                                let __right_factor = near;
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
                                                        break '__ahead2;
                                                    }
                                                    core::hint::cold_path();
                                                }
                                                '__l2: for k in __span {
                                                    let q = (__rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank2, [a, 0, k]);
                                                                    match cells.checked(__i) {
                                                                        core::option::Option::Some(__p) => __p,
                                                                        core::option::Option::None => {
                                                                            cells.fail(__launch, 1u32, __i);
                                                                            core::mem::forget(__iteration);
                                                                            continue '__l0;
                                                                        }
                                                                    }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0 as usize);
                                                    let near = (1.0
                                                        - ({
                                                            let __x0 = __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, p);
                                                                            unsafe { pos.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0;
                                                            let __x1 = __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, q);
                                                                            match pos.checked(__i) {
                                                                                core::option::Option::Some(__p) => __p,
                                                                                core::option::Option::None => {
                                                                                    pos.fail(__launch, 3u32, __i);
                                                                                    core::mem::forget(__iteration);
                                                                                    continue '__l0;
                                                                                }
                                                                            }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0;
                                                            __rt::products::distance_squared(
                                                                __target,
                                                                &{ (&(__x0,)).0 },
                                                                &{ (__x1,).0 },
                                                                || (&(__x0,)).0.__func_distance_squared((__x1,).0),
                                                            )
                                                        }))
                                                        .__func_max(0.0);
                                                    {
                                                        let __left_factor = near;
                                                        let __right_factor = near;
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
                                        }
                                        {
                                            let __v = sum;
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank3, p);
                                                    unsafe { density.unchecked(__i) }
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
                                [__field3.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let pos = unsafe {
                                    pos.beginning_at(__begins.read[0usize])
                                };
                                let counts = unsafe {
                                    counts.beginning_at(__begins.read[1usize])
                                };
                                let cells = unsafe {
                                    cells.beginning_at(__begins.read[2usize])
                                };
                                let density = unsafe {
                                    density.beginning_at_mut(__begins.written[0usize])
                                };
                                let n = {
                                    let _ = &n;
                                    counts.shape()[0usize]
                                };
                                let __shape = __shape;
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let p = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    let mut sum = 0.0;
                                    '__l1: for a in (0..n) {
                                        '__l2: for k in (0..(__rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank1, [a, 0]);
                                                        match counts.checked(__i) {
                                                            core::option::Option::Some(__p) => __p,
                                                            core::option::Option::None => {
                                                                counts.fail(__launch, 0u32, __i);
                                                                core::mem::forget(__iteration);
                                                                continue '__l0;
                                                            }
                                                        }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0 as usize))
                                        {
                                            let q = (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank2, [a, 0, k]);
                                                            match cells.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    cells.fail(__launch, 1u32, __i);
                                                                    core::mem::forget(__iteration);
                                                                    continue '__l0;
                                                                }
                                                            }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0 as usize);
                                            let near = (1.0
                                                - __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, p);
                                                                unsafe { pos.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0
                                                    .__func_distance_squared(
                                                        __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, q);
                                                                        match pos.checked(__i) {
                                                                            core::option::Option::Some(__p) => __p,
                                                                            core::option::Option::None => {
                                                                                pos.fail(__launch, 3u32, __i);
                                                                                core::mem::forget(__iteration);
                                                                                continue '__l0;
                                                                            }
                                                                        }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0,
                                                    ))
                                                .__func_max(0.0);
                                            sum += (near * near);
                                        }
                                    }
                                    {
                                        let __v = sum;
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank3, p);
                                                match density.checked(__i) {
                                                    core::option::Option::Some(__p) => __p,
                                                    core::option::Option::None => {
                                                        density.fail(__launch, 4u32, __i);
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
fn spmv(
    starts: &impl ::swathe::Argument<Field<u32>>,
    columns: &impl ::swathe::Argument<Field<u32>>,
    values: &impl ::swathe::Argument<Field<f32>>,
    x: &impl ::swathe::Argument<Field<f32>>,
    y: &mut impl ::swathe::ArgumentMut<Field<f32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for spmv {}
    };
    let mut __launch = __rt::Launch::new(<spmv as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "starts",
        __rt::place_of::<Field<u32>, _>(&*starts),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "columns",
        __rt::place_of::<Field<u32>, _>(&*columns),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "values",
        __rt::place_of::<Field<f32>, _>(&*values),
    )?;
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<f32>, _>(&*x))?;
    __rt::Launch::argument(&mut __launch, "y", __rt::place_of::<Field<f32>, _>(&*y))?;
    __rt::prepare::<Field<f32>, _>(&mut *y)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    spmv,
                >(
                    &[
                        __rt::launch_arg::<Field<u32>, _>(&*starts),
                        __rt::launch_arg::<Field<u32>, _>(&*columns),
                        __rt::launch_arg::<Field<f32>, _>(&*values),
                        __rt::launch_arg::<Field<f32>, _>(&*x),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *y),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<u32>, _>(&*starts);
                let starts = __field0;
                let __field1 = __rt::access::<Field<u32>, _>(&*columns);
                let columns = __field1;
                let __field2 = __rt::access::<Field<f32>, _>(&*values);
                let values = __field2;
                let __field3 = __rt::access::<Field<f32>, _>(&*x);
                let x = __field3;
                let __field4 = __rt::access_mut::<Field<f32>, _>(&mut *y);
                let y = __field4;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __rank2 = __field2.rank();
                let __rank3 = __field3.rank();
                let __rank4 = __field4.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                let __shared3 = false;
                let __shared4 = false;
                {
                    let __shape = y.shape();
                    let __n = y.len();
                    if __rt::covers(__field0.shape(), __field4.shape()) {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::None,
                            __rt::Version::Avx512,
                            __rt::Begins::new(
                                [
                                    __field0.begin(),
                                    __field1.begin(),
                                    __field2.begin(),
                                    __field3.begin(),
                                ],
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
                                let columns = unsafe {
                                    columns.beginning_at(__begins.read[1usize])
                                };
                                let values = unsafe {
                                    values.beginning_at(__begins.read[2usize])
                                };
                                let x = unsafe { x.beginning_at(__begins.read[3usize]) };
                                let y = unsafe {
                                    y.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(starts.shape(), y.shape()),
                                    )
                                };
                                let mut __k = __range.start;
                                #[cfg(not(debug_assertions))]
                                {
                                    let __look0 = __rt::iteration(|__k: usize| {
                                        let r = __rt::position(__shape, __k);
                                        let __value0 = {
                                            let __left = r;
                                            let __right = 1;
                                            __rt::arithmetic(&__left, &__right)?;
                                            __left + __right
                                        };
                                        core::option::Option::Some(((), (__value0,)))
                                    });
                                    while __k < __range.end {
                                        let __stop = __k
                                            + core::cmp::min(__range.end - __k, __rt::BLOCK);
                                        let __inside = __rt::UNCHECKED
                                            || '__inspection: {
                                                let mut __m1_0 = __rt::Most::new();
                                                for __k in [__k, __stop - 1] {
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
                                            let r = __rt::position(__shape, __k);
                                            let __seen0 = __rt::looked_at(__look0(__k));
                                            let __iteration = __rt::Iteration(__k);
                                            let mut sum = 0.0;
                                            '__ahead1: {
                                                let __span = ((__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, r);
                                                                unsafe { starts.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0
                                                    as usize)..(__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, __seen0.1.0);
                                                                unsafe { starts.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0 as usize));
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
                                                                && __rt::span_inside(
                                                                    __span.start as usize,
                                                                    __span.end as usize,
                                                                    &columns.shape(),
                                                                    0usize,
                                                                )))
                                                    {
                                                        '__l1: for k in __span {
                                                            {
                                                                let __left_factor = __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank2, k);
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
                                                                                    __rank3,
                                                                                    (__rt::peek(
                                                                                            &{
                                                                                                let __p = {
                                                                                                    let __i = __rt::axes(__rank1, k);
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
                                                                                        x.fail(__launch, 4u32, __i);
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
                                                                        let __i = __rt::axes(__rank2, k);
                                                                        match values.checked(__i) {
                                                                            core::option::Option::Some(__p) => __p,
                                                                            core::option::Option::None => {
                                                                                values.fail(__launch, 2u32, __i);
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
                                                                            __rank3,
                                                                            (__rt::peek(
                                                                                    &{
                                                                                        let __p = {
                                                                                            let __i = __rt::axes(__rank1, k);
                                                                                            match columns.checked(__i) {
                                                                                                core::option::Option::Some(__p) => __p,
                                                                                                core::option::Option::None => {
                                                                                                    columns.fail(__launch, 3u32, __i);
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
                                                                                x.fail(__launch, 4u32, __i);
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
                                                        let __i = __rt::axes(__rank4, r);
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
                                        __k = __stop;
                                    }
                                }
                                '__l0: for __k in __k..__range.end {
                                    let r = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    let mut sum = 0.0;
                                    '__ahead1: {
                                        let __span = ((__rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, r);
                                                        unsafe { starts.unchecked(__i) }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0
                                            as usize)..(__rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, (r + __rt::number(1)));
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
                                            .0 as usize));
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
                                                        && __rt::span_inside(
                                                            __span.start as usize,
                                                            __span.end as usize,
                                                            &columns.shape(),
                                                            0usize,
                                                        )))
                                            {
                                                '__l1: for k in __span {
                                                    {
                                                        let __left_factor = __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank2, k);
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
                                                                            __rank3,
                                                                            (__rt::peek(
                                                                                    &{
                                                                                        let __p = {
                                                                                            let __i = __rt::axes(__rank1, k);
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
                                                                                x.fail(__launch, 4u32, __i);
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
                                                                let __i = __rt::axes(__rank2, k);
                                                                match values.checked(__i) {
                                                                    core::option::Option::Some(__p) => __p,
                                                                    core::option::Option::None => {
                                                                        values.fail(__launch, 2u32, __i);
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
                                                                    __rank3,
                                                                    (__rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank1, k);
                                                                                    match columns.checked(__i) {
                                                                                        core::option::Option::Some(__p) => __p,
                                                                                        core::option::Option::None => {
                                                                                            columns.fail(__launch, 3u32, __i);
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
                                                                        x.fail(__launch, 4u32, __i);
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
                                                let __i = __rt::axes(__rank4, r);
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
                            core::option::Option::None,
                            __rt::Version::Avx512,
                            __rt::Begins::new(
                                [
                                    __field0.begin(),
                                    __field1.begin(),
                                    __field2.begin(),
                                    __field3.begin(),
                                ],
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
                                let columns = unsafe {
                                    columns.beginning_at(__begins.read[1usize])
                                };
                                let values = unsafe {
                                    values.beginning_at(__begins.read[2usize])
                                };
                                let x = unsafe { x.beginning_at(__begins.read[3usize]) };
                                let y = unsafe {
                                    y.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let r = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    let mut sum = 0.0;
                                    '__l1: for k in ((__rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, r);
                                                    match starts.checked(__i) {
                                                        core::option::Option::Some(__p) => __p,
                                                        core::option::Option::None => {
                                                            starts.fail(__launch, 0u32, __i);
                                                            core::mem::forget(__iteration);
                                                            continue '__l0;
                                                        }
                                                    }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0
                                        as usize)..(__rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, (r + __rt::number(1)));
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
                                        .0 as usize))
                                    {
                                        sum
                                            += (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank2, k);
                                                            match values.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    values.fail(__launch, 2u32, __i);
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
                                                                let __i = __rt::axes(
                                                                    __rank3,
                                                                    (__rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank1, k);
                                                                                    match columns.checked(__i) {
                                                                                        core::option::Option::Some(__p) => __p,
                                                                                        core::option::Option::None => {
                                                                                            columns.fail(__launch, 3u32, __i);
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
                                                                        x.fail(__launch, 4u32, __i);
                                                                        core::mem::forget(__iteration);
                                                                        continue '__l0;
                                                                    }
                                                                }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0);
                                    }
                                    {
                                        let __v = sum;
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank4, r);
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
