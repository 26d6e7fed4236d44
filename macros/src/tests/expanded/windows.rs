fn scatter(
    x: &impl ::swathe::Argument<Field<Vec2>>,
    mass: &impl ::swathe::Argument<Field<f32>>,
    grid: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    trait __no__func_as_usize {
        fn __func_as_usize(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_as_usize for __T {
        fn __func_as_usize(&self) {}
    }
    const _: () = {
        impl __rt::FuncDef for scatter {}
    };
    let mut __launch = __rt::Launch::new(<scatter as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<Vec2>, _>(&*x))?;
    __rt::Launch::argument(
        &mut __launch,
        "mass",
        __rt::place_of::<Field<f32>, _>(&*mass),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "grid",
        __rt::place_of::<Field<f32, 2>, _>(&*grid),
    )?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *grid)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    scatter,
                    (),
                >(
                    &[
                        __rt::launch_arg::<Field<Vec2>, _>(&*x),
                        __rt::launch_arg::<Field<f32>, _>(&*mass),
                        __rt::launch_arg_mut::<Field<f32, 2>, _>(&mut *grid),
                    ],
                )
        };
    }
    __launch
        .run(|__launch| -> core::result::Result<(), __rt::Failed> {
            let __field0 = __rt::access::<Field<Vec2>, _>(&*x);
            let x = __field0;
            let __field1 = __rt::access::<Field<f32>, _>(&*mass);
            let mass = __field1;
            let __field2 = __rt::access_mut::<Field<f32, 2>, _>(&mut *grid);
            let grid = __field2;
            let __rank0 = __field0.rank();
            let __rank1 = __field1.rank();
            let __rank2 = __field2.rank();
            let __shared0 = false;
            let __shared1 = false;
            let __shared2 = false;
            let [n, _] = grid.shape();
            {
                let __shape = x.shape();
                let __n = x.len();
                let __private2 = __rt::Private::new(
                    grid,
                    __n,
                    false,
                    |__base| {
                        __rt::std::vec![
                            __rt::extent(__base, unsafe { & raw mut (* __base) })
                        ]
                    },
                );
                if __rt::covers(__field1.shape(), __field0.shape()) {
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::None,
                        __rt::Version::Avx512,
                        __rt::Begins::new(
                            [__field0.begin(), __field1.begin()],
                            [__field2.begin_mut()],
                        ),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let x = unsafe { x.beginning_at(__begins.read[0usize]) };
                            let mass = unsafe {
                                mass.beginning_at(__begins.read[1usize])
                            };
                            let n = n;
                            let __shape = __shape;
                            unsafe {
                                core::hint::assert_unchecked(
                                    __rt::covers(mass.shape(), x.shape()),
                                )
                            };
                            let __claim2 = __rt::Private::claim(&__private2);
                            let (grid, __shared2) = (
                                __rt::Claim::copy(&__claim2, 0),
                                __rt::Claim::shared(&__claim2),
                            );
                            if __shared2 {
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let p = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    let base = ({
                                        let __left_factor = __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, p);
                                                        unsafe { x.unchecked(__i) }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0;
                                        let __right_factor = (n as f32);
                                        let __term = 0.5;
                                        __rt::contract::difference(
                                            __target,
                                            __left_factor,
                                            __right_factor,
                                            __term,
                                            ((__left_factor,).0 * (__right_factor,).0) - (__term,).0,
                                        )
                                    })
                                        .__func_as_usize();
                                    '__l1: for i in (0..3) {
                                        '__l2: for j in (0..3) {
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(
                                                        __rank2,
                                                        [(base[0] + i), (base[1] + j)],
                                                    );
                                                    match grid.checked(__i) {
                                                        core::option::Option::Some(__p) => __p,
                                                        core::option::Option::None => {
                                                            grid.fail(__launch, 1u32, __i);
                                                            core::mem::forget(__iteration);
                                                            continue '__l0;
                                                        }
                                                    }
                                                };
                                                let __left_factor = 0.1;
                                                let __right_factor = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, p);
                                                                unsafe { mass.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0;
                                                let __done = !__shared2
                                                    && {
                                                        let mut __sum = unsafe { __rt::Pointer::read(__p) };
                                                        let __fused = __rt::contract::add(
                                                            __target,
                                                            &mut __sum,
                                                            __left_factor,
                                                            __right_factor,
                                                        );
                                                        if __fused {
                                                            unsafe { __rt::Pointer::write(__p, __sum) };
                                                        }
                                                        __fused
                                                    };
                                                if !__done {
                                                    let __a0 = ((__left_factor,).0 * (__right_factor,).0);
                                                    unsafe {
                                                        __rt::AtomicAdd::fetch_add(
                                                            __rt::Pointer::first(__p),
                                                            (__a0,).0,
                                                            __rt::Sharing::of(__p, __shared2, true),
                                                        )
                                                    };
                                                }
                                            };
                                        }
                                    }
                                    core::mem::forget(__iteration);
                                }
                            } else {
                                let __shared2 = false;
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let p = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    let base = ({
                                        let __left_factor = __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, p);
                                                        unsafe { x.unchecked(__i) }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0;
                                        let __right_factor = (n as f32);
                                        let __term = 0.5;
                                        __rt::contract::difference(
                                            __target,
                                            __left_factor,
                                            __right_factor,
                                            __term,
                                            ((__left_factor,).0 * (__right_factor,).0) - (__term,).0,
                                        )
                                    })
                                        .__func_as_usize();
                                    '__ahead1: {
                                        #[cfg(not(debug_assertions))]
                                        {
                                            if __rt::Corner::ZERO
                                                .element(&base, 0, || base[0])
                                                .along(0, 3)
                                                .inside(&grid.shape(), 0usize)
                                                && __rt::Corner::ZERO
                                                    .element(&base, 1, || base[1])
                                                    .along(0, 3)
                                                    .inside(&grid.shape(), 1usize)
                                            {
                                                '__l1: for i in (0..3) {
                                                    '__l2: for j in (0..3) {
                                                        {
                                                            let __p = {
                                                                let __i = __rt::axes(
                                                                    __rank2,
                                                                    [(base[0] + i), (base[1] + j)],
                                                                );
                                                                unsafe { grid.unchecked(__i) }
                                                            };
                                                            let __left_factor = 0.1;
                                                            let __right_factor = __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank1, p);
                                                                            unsafe { mass.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0;
                                                            let __done = !__shared2
                                                                && {
                                                                    let mut __sum = unsafe { __rt::Pointer::read(__p) };
                                                                    let __fused = __rt::contract::add(
                                                                        __target,
                                                                        &mut __sum,
                                                                        __left_factor,
                                                                        __right_factor,
                                                                    );
                                                                    if __fused {
                                                                        unsafe { __rt::Pointer::write(__p, __sum) };
                                                                    }
                                                                    __fused
                                                                };
                                                            if !__done {
                                                                let __a0 = ((__left_factor,).0 * (__right_factor,).0);
                                                                unsafe {
                                                                    __rt::AtomicAdd::fetch_add(
                                                                        __rt::Pointer::first(__p),
                                                                        (__a0,).0,
                                                                        __rt::Sharing::of(__p, __shared2, true),
                                                                    )
                                                                };
                                                            }
                                                        };
                                                    }
                                                }
                                                break '__ahead1;
                                            }
                                            core::hint::cold_path();
                                        }
                                        '__l1: for i in (0..3) {
                                            '__l2: for j in (0..3) {
                                                {
                                                    let __p = {
                                                        let __i = __rt::axes(
                                                            __rank2,
                                                            [(base[0] + i), (base[1] + j)],
                                                        );
                                                        match grid.checked(__i) {
                                                            core::option::Option::Some(__p) => __p,
                                                            core::option::Option::None => {
                                                                grid.fail(__launch, 1u32, __i);
                                                                core::mem::forget(__iteration);
                                                                continue '__l0;
                                                            }
                                                        }
                                                    };
                                                    let __left_factor = 0.1;
                                                    let __right_factor = __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank1, p);
                                                                    unsafe { mass.unchecked(__i) }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0;
                                                    let __done = !__shared2
                                                        && {
                                                            let mut __sum = unsafe { __rt::Pointer::read(__p) };
                                                            let __fused = __rt::contract::add(
                                                                __target,
                                                                &mut __sum,
                                                                __left_factor,
                                                                __right_factor,
                                                            );
                                                            if __fused {
                                                                unsafe { __rt::Pointer::write(__p, __sum) };
                                                            }
                                                            __fused
                                                        };
                                                    if !__done {
                                                        let __a0 = ((__left_factor,).0 * (__right_factor,).0);
                                                        unsafe {
                                                            __rt::AtomicAdd::fetch_add(
                                                                __rt::Pointer::first(__p),
                                                                (__a0,).0,
                                                                __rt::Sharing::of(__p, __shared2, true),
                                                            )
                                                        };
                                                    }
                                                };
                                            }
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
                            [__field0.begin(), __field1.begin()],
                            [__field2.begin_mut()],
                        ),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let x = unsafe { x.beginning_at(__begins.read[0usize]) };
                            let mass = unsafe {
                                mass.beginning_at(__begins.read[1usize])
                            };
                            let n = n;
                            let __shape = __shape;
                            let __claim2 = __rt::Private::claim(&__private2);
                            let (grid, __shared2) = (
                                __rt::Claim::copy(&__claim2, 0),
                                __rt::Claim::shared(&__claim2),
                            );
                            let mut __k = __range.start;
                            '__l0: for __k in __k..__range.end {
                                let p = __rt::position(__shape, __k);
                                let __iteration = __rt::Iteration(__k);
                                let base = ((__rt::peek(
                                        &{
                                            let __p = {
                                                let __i = __rt::axes(__rank0, p);
                                                unsafe { x.unchecked(__i) }
                                            };
                                            unsafe { __rt::Pointer::read(__p) }
                                        },
                                    )
                                    .0 * (n as f32)) - __rt::number(0.5))
                                    .__func_as_usize();
                                '__l1: for i in (0..3) {
                                    '__l2: for j in (0..3) {
                                        {
                                            let __p = {
                                                let __i = __rt::axes(
                                                    __rank2,
                                                    [(base[0] + i), (base[1] + j)],
                                                );
                                                match grid.checked(__i) {
                                                    core::option::Option::Some(__p) => __p,
                                                    core::option::Option::None => {
                                                        grid.fail(__launch, 1u32, __i);
                                                        core::mem::forget(__iteration);
                                                        continue '__l0;
                                                    }
                                                }
                                            };
                                            let __a0 = (0.1
                                                * __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, p);
                                                                match mass.checked(__i) {
                                                                    core::option::Option::Some(__p) => __p,
                                                                    core::option::Option::None => {
                                                                        mass.fail(__launch, 2u32, __i);
                                                                        core::mem::forget(__iteration);
                                                                        continue '__l0;
                                                                    }
                                                                }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0);
                                            unsafe {
                                                __rt::AtomicAdd::fetch_add(
                                                    __rt::Pointer::first(__p),
                                                    (__a0,).0,
                                                    __rt::Sharing::of(__p, __shared2, true),
                                                )
                                            }
                                        };
                                    }
                                }
                                core::mem::forget(__iteration);
                            }
                        },
                    );
                }
            }
            core::result::Result::Ok(())
        })
}
fn collect(
    x: &impl ::swathe::Argument<Field<Vec2>>,
    grid: &impl ::swathe::Argument<Field<f32, 2>>,
    out: &mut impl ::swathe::ArgumentMut<Field<f32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    trait __no__func_as_usize {
        fn __func_as_usize(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_as_usize for __T {
        fn __func_as_usize(&self) {}
    }
    const _: () = {
        impl __rt::FuncDef for collect {}
    };
    let mut __launch = __rt::Launch::new(<collect as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<Vec2>, _>(&*x))?;
    __rt::Launch::argument(
        &mut __launch,
        "grid",
        __rt::place_of::<Field<f32, 2>, _>(&*grid),
    )?;
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
                    collect,
                    (),
                >(
                    &[
                        __rt::launch_arg::<Field<Vec2>, _>(&*x),
                        __rt::launch_arg::<Field<f32, 2>, _>(&*grid),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *out),
                    ],
                )
        };
    }
    __launch
        .run(|__launch| -> core::result::Result<(), __rt::Failed> {
            let __field0 = __rt::access::<Field<Vec2>, _>(&*x);
            let x = __field0;
            let __field1 = __rt::access::<Field<f32, 2>, _>(&*grid);
            let grid = __field1;
            let __field2 = __rt::access_mut::<Field<f32>, _>(&mut *out);
            let out = __field2;
            let __rank0 = __field0.rank();
            let __rank1 = __field1.rank();
            let __rank2 = __field2.rank();
            let __shared0 = false;
            let __shared1 = false;
            let __shared2 = false;
            let [n, _] = grid.shape();
            {
                let __shape = x.shape();
                let __n = x.len();
                if __rt::covers(__field2.shape(), __field0.shape()) {
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::None,
                        __rt::Version::Avx512,
                        __rt::Begins::new(
                            [__field0.begin(), __field1.begin()],
                            [__field2.begin_mut()],
                        ),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let x = unsafe { x.beginning_at(__begins.read[0usize]) };
                            let grid = unsafe {
                                grid.beginning_at(__begins.read[1usize])
                            };
                            let out = unsafe {
                                out.beginning_at_mut(__begins.written[0usize])
                            };
                            let n = {
                                let _ = &n;
                                grid.shape()[0usize]
                            };
                            let __shape = __shape;
                            unsafe {
                                core::hint::assert_unchecked(
                                    __rt::covers(out.shape(), x.shape()),
                                )
                            };
                            let mut __k = __range.start;
                            '__l0: for __k in __k..__range.end {
                                let p = __rt::position(__shape, __k);
                                let __iteration = __rt::Iteration(__k);
                                let base = ({
                                    let __left_factor = __rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, p);
                                                    unsafe { x.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0;
                                    let __right_factor = (n as f32);
                                    let __term = 0.5;
                                    __rt::contract::difference(
                                        __target,
                                        __left_factor,
                                        __right_factor,
                                        __term,
                                        ((__left_factor,).0 * (__right_factor,).0) - (__term,).0,
                                    )
                                })
                                    .__func_as_usize();
                                let mut sum = 0.0;
                                '__ahead1: {
                                    #[cfg(not(debug_assertions))]
                                    {
                                        if __rt::Corner::ZERO
                                            .element(&base, 0, || base[0])
                                            .along(0, 3)
                                            .inside(&grid.shape(), 0usize)
                                            && __rt::Corner::ZERO
                                                .element(&base, 1, || base[1])
                                                .along(0, 3)
                                                .inside(&grid.shape(), 1usize)
                                        {
                                            '__l1: for i in (0..3) {
                                                '__l2: for j in (0..3) {
                                                    sum
                                                        += __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(
                                                                            __rank1,
                                                                            [(base[0] + i), (base[1] + j)],
                                                                        );
                                                                        unsafe { grid.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0;
                                                }
                                            }
                                            break '__ahead1;
                                        }
                                        core::hint::cold_path();
                                    }
                                    '__l1: for i in (0..3) {
                                        '__l2: for j in (0..3) {
                                            sum
                                                += __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(
                                                                    __rank1,
                                                                    [(base[0] + i), (base[1] + j)],
                                                                );
                                                                match grid.checked(__i) {
                                                                    core::option::Option::Some(__p) => __p,
                                                                    core::option::Option::None => {
                                                                        grid.fail(__launch, 1u32, __i);
                                                                        core::mem::forget(__iteration);
                                                                        continue '__l0;
                                                                    }
                                                                }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0;
                                        }
                                    }
                                };
                                {
                                    let __v = sum;
                                    {
                                        let __p = {
                                            let __i = __rt::axes(__rank2, p);
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
                        core::option::Option::None,
                        __rt::Version::Avx512,
                        __rt::Begins::new(
                            [__field0.begin(), __field1.begin()],
                            [__field2.begin_mut()],
                        ),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let x = unsafe { x.beginning_at(__begins.read[0usize]) };
                            let grid = unsafe {
                                grid.beginning_at(__begins.read[1usize])
                            };
                            let out = unsafe {
                                out.beginning_at_mut(__begins.written[0usize])
                            };
                            let n = {
                                let _ = &n;
                                grid.shape()[0usize]
                            };
                            let __shape = __shape;
                            let mut __k = __range.start;
                            '__l0: for __k in __k..__range.end {
                                let p = __rt::position(__shape, __k);
                                let __iteration = __rt::Iteration(__k);
                                let base = ((__rt::peek(
                                        &{
                                            let __p = {
                                                let __i = __rt::axes(__rank0, p);
                                                unsafe { x.unchecked(__i) }
                                            };
                                            unsafe { __rt::Pointer::read(__p) }
                                        },
                                    )
                                    .0 * (n as f32)) - __rt::number(0.5))
                                    .__func_as_usize();
                                let mut sum = 0.0;
                                '__l1: for i in (0..3) {
                                    '__l2: for j in (0..3) {
                                        sum
                                            += __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(
                                                                __rank1,
                                                                [(base[0] + i), (base[1] + j)],
                                                            );
                                                            match grid.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    grid.fail(__launch, 1u32, __i);
                                                                    core::mem::forget(__iteration);
                                                                    continue '__l0;
                                                                }
                                                            }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                    }
                                }
                                {
                                    let __v = sum;
                                    {
                                        let __p = {
                                            let __i = __rt::axes(__rank2, p);
                                            match out.checked(__i) {
                                                core::option::Option::Some(__p) => __p,
                                                core::option::Option::None => {
                                                    out.fail(__launch, 2u32, __i);
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
        })
}
