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
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
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
                    let __private2 = unsafe {
                        __rt::Private::new(
                            grid,
                            __n,
                            false,
                            |__base| {
                                __rt::std::vec![__rt::extent(__base, & raw mut (* __base))]
                            },
                        )
                    };
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
                                            let __product = ((__left_factor,).0 * (__right_factor,).0);
                                            let __term = 0.5;
                                            __rt::contract::difference(
                                                __target,
                                                __left_factor,
                                                __right_factor,
                                                __term,
                                                (__product,).0 - (__term,).0,
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
                                            let __product = ((__left_factor,).0 * (__right_factor,).0);
                                            let __term = 0.5;
                                            __rt::contract::difference(
                                                __target,
                                                __left_factor,
                                                __right_factor,
                                                __term,
                                                (__product,).0 - (__term,).0,
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
            },
        )
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
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
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
                                        let __product = ((__left_factor,).0 * (__right_factor,).0);
                                        let __term = 0.5;
                                        __rt::contract::difference(
                                            __target,
                                            __left_factor,
                                            __right_factor,
                                            __term,
                                            (__product,).0 - (__term,).0,
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
            },
        )
}
fn signed(
    u: &impl ::swathe::Argument<Field<f32, 2>>,
    v: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
    r: i32,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for signed {}
    };
    let mut __launch = __rt::Launch::new(<signed as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<f32, 2>, _>(&*v))?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *v)?;
    if __rt::Launch::is_remote(&__launch) {
        let __value2 = __rt::DeviceValue::new(&r);
        return unsafe {
            __launch
                .run_remote::<
                    signed,
                >(
                    &[
                        __rt::launch_arg::<Field<f32, 2>, _>(&*u),
                        __rt::launch_arg_mut::<Field<f32, 2>, _>(&mut *v),
                        __rt::DeviceValue::arg(&__value2),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<f32, 2>, _>(&*u);
                let u = __field0;
                let __field1 = __rt::access_mut::<Field<f32, 2>, _>(&mut *v);
                let v = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                let [h, w] = u.shape();
                {
                    let __shape = v.shape();
                    let __n = v.len();
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
                            let u = unsafe { u.beginning_at(__begins.read[0usize]) };
                            let v = unsafe {
                                v.beginning_at_mut(__begins.written[0usize])
                            };
                            let r = r;
                            let h = {
                                let _ = &h;
                                u.shape()[0usize]
                            };
                            let w = {
                                let _ = &w;
                                u.shape()[1usize]
                            };
                            let __shape = __shape;
                            let __width: usize = core::hint::black_box(
                                if __target.wide() { 16 } else { 8 },
                            ) & !(if __target.wide() { 16 } else { 8 } - 1);
                            let __inner: usize = if if __target.wide() { 16 } else { 8 }
                                == 8usize
                            {
                                __width & if __target.wide() { 16 } else { 8 }
                            } else {
                                if __target.wide() { 16 } else { 8 }
                            };
                            #[cfg(not(debug_assertions))]
                            let __along0 = {
                                let mut __inside = __rt::Inside::ALL;
                                __rt::Inside::typed::<i32, _>(&mut __inside, &r);
                                {
                                    let __k = 0usize;
                                    __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                }
                                let __line0 = __rt::Inside::position::<
                                    usize,
                                    _,
                                >(&mut __inside, |__k: usize| __k);
                                let __line1 = __rt::Inside::fits::<
                                    i32,
                                >(&mut __inside, __line0);
                                let __line2 = __rt::Inside::value::<
                                    i32,
                                    _,
                                >(&mut __inside, r);
                                __rt::Inside::less(&mut __inside, __line1, __line2, false);
                                let __line3 = __rt::Inside::add::<
                                    i32,
                                >(&mut __inside, __line1, __line2);
                                let __line4 = __rt::Inside::cast::<
                                    i32,
                                    _,
                                >(&mut __inside, w);
                                __rt::Inside::less(&mut __inside, __line3, __line4, true);
                                let __line5 = __rt::Inside::number::<i32>(&mut __inside, 0);
                                let __line6 = __rt::Inside::sub::<
                                    i32,
                                >(&mut __inside, __line5, __line2);
                                let __line7 = __rt::Inside::add::<
                                    i32,
                                >(&mut __inside, __line1, __line6);
                                let __line8 = __rt::Inside::fits::<
                                    usize,
                                >(&mut __inside, __line7);
                                __rt::Inside::below(&mut __inside, __line8, &u.shape(), 1);
                                let __line9 = __rt::Inside::fits::<
                                    usize,
                                >(&mut __inside, __line3);
                                __rt::Inside::below(&mut __inside, __line9, &u.shape(), 1);
                                __inside
                            };
                            for (__head, __row) in __rt::rows(__shape, __range) {
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __head[0usize] < __shape[0usize],
                                    )
                                };
                                let i = __head[0usize];
                                let __range = __row;
                                let __whole = __range.start..__range.end;
                                #[cfg(not(debug_assertions))]
                                let (__inside,) = {
                                    let mut __inside = __rt::Inside::of(
                                        __along0,
                                        &__whole,
                                        8usize,
                                    );
                                    __rt::Inside::typed::<i32, _>(&mut __inside, &r);
                                    {
                                        let __k = 0usize;
                                        __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                    }
                                    let __line0 = __rt::Inside::cast::<
                                        i32,
                                        _,
                                    >(&mut __inside, i);
                                    let __line1 = __rt::Inside::number::<i32>(&mut __inside, 0);
                                    let __line2 = __rt::Inside::value::<
                                        i32,
                                        _,
                                    >(&mut __inside, r);
                                    let __line3 = __rt::Inside::sub::<
                                        i32,
                                    >(&mut __inside, __line1, __line2);
                                    let __line4 = __rt::Inside::add::<
                                        i32,
                                    >(&mut __inside, __line0, __line3);
                                    let __line5 = __rt::Inside::fits::<
                                        usize,
                                    >(&mut __inside, __line4);
                                    __rt::Inside::below(&mut __inside, __line5, &u.shape(), 0);
                                    let __line6 = __rt::Inside::add::<
                                        i32,
                                    >(&mut __inside, __line0, __line2);
                                    let __line7 = __rt::Inside::fits::<
                                        usize,
                                    >(&mut __inside, __line6);
                                    __rt::Inside::below(&mut __inside, __line7, &u.shape(), 0);
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
                                            if true {
                                                if __target.wide() {
                                                    let __fit8 = __rt::Fit::new();
                                                    let __fit9 = __rt::Fit::new();
                                                    if 0usize + __fit8.bytes() + __fit9.bytes()
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
                                                                let __iteration = __rt::BlockAt(
                                                                    __rt::number_in_rows(&__shape, __head, __k),
                                                                );
                                                                let mut __plane8 = __rt::Lanes::<_, 16>::zeros();
                                                                __fit8.of(&__plane8);
                                                                let mut __plane9 = __rt::Lanes::<_, 16>::zeros();
                                                                __fit9.of(&__plane9);
                                                                let y = (i as i32);
                                                                for __l in 0..__width {
                                                                    let j = (__k + __l);
                                                                    let _ = j;
                                                                    let mut __keep8 = unsafe {
                                                                        __rt::Lanes::get(&__plane8, __l)
                                                                    };
                                                                    {
                                                                        let x = (j as i32);
                                                                        if false {
                                                                            let _ = ((((y >= r) && (x >= r)) && ((y + r) < (h as i32)))
                                                                                && ((x + r) < (w as i32)));
                                                                        }
                                                                        __keep8 = x;
                                                                    }
                                                                    unsafe { __rt::Lanes::set(&mut __plane8, __l, __keep8) };
                                                                }
                                                                if __rt::together(
                                                                    || __width,
                                                                    || ((y >= r) && ((y + r) < (h as i32))),
                                                                ) {
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        let mut __keep9 = unsafe {
                                                                            __rt::Lanes::get(&__plane9, __l)
                                                                        };
                                                                        {
                                                                            let mut sum = 0.0;
                                                                            __keep9 = sum;
                                                                        }
                                                                        unsafe { __rt::Lanes::set(&mut __plane9, __l, __keep9) };
                                                                    }
                                                                    '__l1: for a in __rt::inclusive(
                                                                        __rt::together(|| __width, || (-r))..=r,
                                                                        false,
                                                                    ) {
                                                                        '__l2: for b in __rt::inclusive(
                                                                            __rt::together(|| __width, || (-r))..=r,
                                                                            false,
                                                                        ) {
                                                                            for __l in 0..__inner {
                                                                                let j = (__k + __l);
                                                                                let _ = j;
                                                                                let mut x = unsafe { __rt::Lanes::get(&__plane8, __l) };
                                                                                let mut sum = unsafe { __rt::Lanes::get(&__plane9, __l) };
                                                                                {
                                                                                    sum
                                                                                        += __rt::peek(
                                                                                                &{
                                                                                                    let __p = {
                                                                                                        let __i = __rt::axes(
                                                                                                            __rank0,
                                                                                                            [
                                                                                                                ((y + a) as usize),
                                                                                                                if false {
                                                                                                                    ((x + b) as usize)
                                                                                                                } else {
                                                                                                                    usize::wrapping_add(
                                                                                                                        __rt::within::index(j),
                                                                                                                        __rt::within::index(b),
                                                                                                                    )
                                                                                                                },
                                                                                                            ],
                                                                                                        );
                                                                                                        unsafe { u.unchecked(__i) }
                                                                                                    };
                                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                                },
                                                                                            )
                                                                                            .0;
                                                                                }
                                                                                unsafe { __rt::Lanes::set(&mut __plane9, __l, sum) };
                                                                            }
                                                                        }
                                                                    }
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        let mut sum = unsafe { __rt::Lanes::get(&__plane9, __l) };
                                                                        {
                                                                            {
                                                                                let __v = sum;
                                                                                {
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank1, [i, j]);
                                                                                        unsafe { v.unchecked(__i) }
                                                                                    };
                                                                                    let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                                                    let __value = &mut __copy;
                                                                                    (*(__value)) = (__v,).0;
                                                                                    unsafe { __rt::Pointer::write(__p, __copy) }
                                                                                }
                                                                            };
                                                                        }
                                                                        unsafe { __rt::Lanes::set(&mut __plane9, __l, sum) };
                                                                    }
                                                                } else {}
                                                                core::mem::forget(__iteration);
                                                                __k += 16;
                                                            }
                                                        }
                                                    } else {}
                                                } else {
                                                    let __fit8 = __rt::Fit::new();
                                                    let __fit9 = __rt::Fit::new();
                                                    if 0usize + __fit8.bytes() + __fit9.bytes()
                                                        <= __rt::MOST_PLANES / 8
                                                    {
                                                        if __range.end.saturating_sub(__range.start) >= 8 {
                                                            let __texts = __rt::texts();
                                                            while __k < __range.end {
                                                                let __again = (__k + 8).saturating_sub(__range.end);
                                                                if __again > 0 && __rt::texts() != __texts {
                                                                    break;
                                                                }
                                                                __k -= __again;
                                                                let __iteration = __rt::BlockAt(
                                                                    __rt::number_in_rows(&__shape, __head, __k),
                                                                );
                                                                let mut __plane8 = __rt::Lanes::<_, 8>::zeros();
                                                                __fit8.of(&__plane8);
                                                                let mut __plane9 = __rt::Lanes::<_, 8>::zeros();
                                                                __fit9.of(&__plane9);
                                                                let y = (i as i32);
                                                                for __l in 0..__width {
                                                                    let j = (__k + __l);
                                                                    let _ = j;
                                                                    let mut __keep8 = unsafe {
                                                                        __rt::Lanes::get(&__plane8, __l)
                                                                    };
                                                                    {
                                                                        let x = (j as i32);
                                                                        if false {
                                                                            let _ = ((((y >= r) && (x >= r)) && ((y + r) < (h as i32)))
                                                                                && ((x + r) < (w as i32)));
                                                                        }
                                                                        __keep8 = x;
                                                                    }
                                                                    unsafe { __rt::Lanes::set(&mut __plane8, __l, __keep8) };
                                                                }
                                                                if __rt::together(
                                                                    || __width,
                                                                    || ((y >= r) && ((y + r) < (h as i32))),
                                                                ) {
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        let mut __keep9 = unsafe {
                                                                            __rt::Lanes::get(&__plane9, __l)
                                                                        };
                                                                        {
                                                                            let mut sum = 0.0;
                                                                            __keep9 = sum;
                                                                        }
                                                                        unsafe { __rt::Lanes::set(&mut __plane9, __l, __keep9) };
                                                                    }
                                                                    '__l1: for a in __rt::inclusive(
                                                                        __rt::together(|| __width, || (-r))..=r,
                                                                        false,
                                                                    ) {
                                                                        '__l2: for b in __rt::inclusive(
                                                                            __rt::together(|| __width, || (-r))..=r,
                                                                            false,
                                                                        ) {
                                                                            for __l in 0..__inner {
                                                                                let j = (__k + __l);
                                                                                let _ = j;
                                                                                let mut x = unsafe { __rt::Lanes::get(&__plane8, __l) };
                                                                                let mut sum = unsafe { __rt::Lanes::get(&__plane9, __l) };
                                                                                {
                                                                                    sum
                                                                                        += __rt::peek(
                                                                                                &{
                                                                                                    let __p = {
                                                                                                        let __i = __rt::axes(
                                                                                                            __rank0,
                                                                                                            [
                                                                                                                ((y + a) as usize),
                                                                                                                if false {
                                                                                                                    ((x + b) as usize)
                                                                                                                } else {
                                                                                                                    usize::wrapping_add(
                                                                                                                        __rt::within::index(j),
                                                                                                                        __rt::within::index(b),
                                                                                                                    )
                                                                                                                },
                                                                                                            ],
                                                                                                        );
                                                                                                        unsafe { u.unchecked(__i) }
                                                                                                    };
                                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                                },
                                                                                            )
                                                                                            .0;
                                                                                }
                                                                                unsafe { __rt::Lanes::set(&mut __plane9, __l, sum) };
                                                                            }
                                                                        }
                                                                    }
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        let mut sum = unsafe { __rt::Lanes::get(&__plane9, __l) };
                                                                        {
                                                                            {
                                                                                let __v = sum;
                                                                                {
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank1, [i, j]);
                                                                                        unsafe { v.unchecked(__i) }
                                                                                    };
                                                                                    let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                                                    let __value = &mut __copy;
                                                                                    (*(__value)) = (__v,).0;
                                                                                    unsafe { __rt::Pointer::write(__p, __copy) }
                                                                                }
                                                                            };
                                                                        }
                                                                        unsafe { __rt::Lanes::set(&mut __plane9, __l, sum) };
                                                                    }
                                                                } else {}
                                                                core::mem::forget(__iteration);
                                                                __k += 8;
                                                            }
                                                        }
                                                    } else {}
                                                }
                                            }
                                            '__l0: for __k in __k..__range.end {
                                                let j = __k;
                                                let __iteration = __rt::RowPosition {
                                                    shape: &__shape,
                                                    head: __head,
                                                    last: __k,
                                                };
                                                let y = (i as i32);
                                                let x = (j as i32);
                                                if if false {
                                                    ((((y >= r) && (x >= r)) && ((y + r) < (h as i32)))
                                                        && ((x + r) < (w as i32)))
                                                } else {
                                                    ((y >= r) && ((y + r) < (h as i32)))
                                                } {
                                                    let mut sum = 0.0;
                                                    '__l1: for a in __rt::inclusive((-r)..=r, false) {
                                                        '__l2: for b in __rt::inclusive((-r)..=r, false) {
                                                            sum
                                                                += __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(
                                                                                    __rank0,
                                                                                    [
                                                                                        ((y + a) as usize),
                                                                                        if false {
                                                                                            ((x + b) as usize)
                                                                                        } else {
                                                                                            usize::wrapping_add(
                                                                                                __rt::within::index(j),
                                                                                                __rt::within::index(b),
                                                                                            )
                                                                                        },
                                                                                    ],
                                                                                );
                                                                                unsafe { u.unchecked(__i) }
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
                                                                let __i = __rt::axes(__rank1, [i, j]);
                                                                unsafe { v.unchecked(__i) }
                                                            };
                                                            let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                            let __value = &mut __copy;
                                                            (*(__value)) = (__v,).0;
                                                            unsafe { __rt::Pointer::write(__p, __copy) }
                                                        }
                                                    };
                                                }
                                                core::mem::forget(__iteration);
                                            }
                                        }
                                    } else {
                                        let __row = __range;
                                        let __range = __row;
                                        let mut __k = __range.start;
                                        '__l0: for __k in __k..__range.end {
                                            let j = __k;
                                            let __iteration = __rt::RowPosition {
                                                shape: &__shape,
                                                head: __head,
                                                last: __k,
                                            };
                                            let y = (i as i32);
                                            let x = (j as i32);
                                            if ((((y >= r) && (x >= r)) && ((y + r) < (h as i32)))
                                                && ((x + r) < (w as i32)))
                                            {
                                                let mut sum = 0.0;
                                                '__l1: for a in __rt::inclusive((-r)..=r, false) {
                                                    '__l2: for b in __rt::inclusive((-r)..=r, false) {
                                                        sum
                                                            += __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(
                                                                                __rank0,
                                                                                [((y + a) as usize), ((x + b) as usize)],
                                                                            );
                                                                            match u.checked(__i) {
                                                                                core::option::Option::Some(__p) => __p,
                                                                                core::option::Option::None => {
                                                                                    u.fail(__launch, 0u32, __i);
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
                                                            let __i = __rt::axes(__rank1, [i, j]);
                                                            unsafe { v.unchecked(__i) }
                                                        };
                                                        let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                        let __value = &mut __copy;
                                                        (*(__value)) = (__v,).0;
                                                        unsafe { __rt::Pointer::write(__p, __copy) }
                                                    }
                                                };
                                            }
                                            core::mem::forget(__iteration);
                                        }
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
fn moving(
    u: &impl ::swathe::Argument<Field<f32, 2>>,
    v: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
    r: usize,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for moving {}
    };
    let mut __launch = __rt::Launch::new(<moving as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<f32, 2>, _>(&*v))?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *v)?;
    if __rt::Launch::is_remote(&__launch) {
        let __value2 = __rt::DeviceValue::new(&r);
        return unsafe {
            __launch
                .run_remote::<
                    moving,
                >(
                    &[
                        __rt::launch_arg::<Field<f32, 2>, _>(&*u),
                        __rt::launch_arg_mut::<Field<f32, 2>, _>(&mut *v),
                        __rt::DeviceValue::arg(&__value2),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<f32, 2>, _>(&*u);
                let u = __field0;
                let __field1 = __rt::access_mut::<Field<f32, 2>, _>(&mut *v);
                let v = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                let [h, w] = u.shape();
                {
                    let __shape = v.shape();
                    let __n = v.len();
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
                            let u = unsafe { u.beginning_at(__begins.read[0usize]) };
                            let v = unsafe {
                                v.beginning_at_mut(__begins.written[0usize])
                            };
                            let r = r;
                            let h = {
                                let _ = &h;
                                u.shape()[0usize]
                            };
                            let w = {
                                let _ = &w;
                                u.shape()[1usize]
                            };
                            let __shape = __shape;
                            let __width: usize = core::hint::black_box(
                                if __target.wide() { 16 } else { 8 },
                            ) & !(if __target.wide() { 16 } else { 8 } - 1);
                            let __inner: usize = if if __target.wide() { 16 } else { 8 }
                                == 8usize
                            {
                                __width & if __target.wide() { 16 } else { 8 }
                            } else {
                                if __target.wide() { 16 } else { 8 }
                            };
                            #[cfg(not(debug_assertions))]
                            let __along0 = {
                                let mut __inside = __rt::Inside::ALL;
                                __rt::Inside::typed::<usize, _>(&mut __inside, &r);
                                __rt::Inside::typed::<usize, _>(&mut __inside, &w);
                                {
                                    let __k = 0usize;
                                    __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                }
                                let __line0 = __rt::Inside::position::<
                                    usize,
                                    _,
                                >(&mut __inside, |__k: usize| __k);
                                let __line1 = __rt::Inside::value::<
                                    usize,
                                    _,
                                >(&mut __inside, r);
                                __rt::Inside::less(&mut __inside, __line0, __line1, false);
                                let __line2 = __rt::Inside::add::<
                                    usize,
                                >(&mut __inside, __line0, __line1);
                                let __line3 = __rt::Inside::value::<
                                    usize,
                                    _,
                                >(&mut __inside, w);
                                __rt::Inside::less(&mut __inside, __line2, __line3, true);
                                let __line4 = __rt::Inside::sub::<
                                    usize,
                                >(&mut __inside, __line0, __line1);
                                __rt::Inside::below(&mut __inside, __line4, &u.shape(), 1);
                                let __line5 = __rt::Inside::number::<
                                    usize,
                                >(&mut __inside, 1);
                                let __line6 = __rt::Inside::add::<
                                    usize,
                                >(&mut __inside, __line2, __line5);
                                let __line7 = __rt::Inside::sub::<
                                    usize,
                                >(&mut __inside, __line6, __line5);
                                __rt::Inside::below(&mut __inside, __line7, &u.shape(), 1);
                                __rt::Inside::less(&mut __inside, __line6, __line4, false);
                                __inside
                            };
                            for (__head, __row) in __rt::rows(__shape, __range) {
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __head[0usize] < __shape[0usize],
                                    )
                                };
                                let i = __head[0usize];
                                let __range = __row;
                                let __whole = __range.start..__range.end;
                                #[cfg(not(debug_assertions))]
                                let (__inside,) = {
                                    let mut __inside = __rt::Inside::of(
                                        __along0,
                                        &__whole,
                                        8usize,
                                    );
                                    __rt::Inside::typed::<usize, _>(&mut __inside, &i);
                                    __rt::Inside::typed::<usize, _>(&mut __inside, &r);
                                    {
                                        let __k = 0usize;
                                        __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                    }
                                    let __line0 = __rt::Inside::value::<
                                        usize,
                                        _,
                                    >(&mut __inside, i);
                                    let __line1 = __rt::Inside::value::<
                                        usize,
                                        _,
                                    >(&mut __inside, r);
                                    let __line2 = __rt::Inside::sub::<
                                        usize,
                                    >(&mut __inside, __line0, __line1);
                                    __rt::Inside::below(&mut __inside, __line2, &u.shape(), 0);
                                    let __line3 = __rt::Inside::add::<
                                        usize,
                                    >(&mut __inside, __line0, __line1);
                                    let __line4 = __rt::Inside::number::<
                                        usize,
                                    >(&mut __inside, 1);
                                    let __line5 = __rt::Inside::add::<
                                        usize,
                                    >(&mut __inside, __line3, __line4);
                                    let __line6 = __rt::Inside::sub::<
                                        usize,
                                    >(&mut __inside, __line5, __line4);
                                    __rt::Inside::below(&mut __inside, __line6, &u.shape(), 0);
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
                                            if true {
                                                if __target.wide() {
                                                    let __fit7 = __rt::Fit::new();
                                                    if 0usize + __fit7.bytes() <= __rt::MOST_PLANES / 16 {
                                                        if __range.end.saturating_sub(__range.start) >= 16 {
                                                            let __texts = __rt::texts();
                                                            while __k < __range.end {
                                                                let __again = (__k + 16).saturating_sub(__range.end);
                                                                if __again > 0 && __rt::texts() != __texts {
                                                                    break;
                                                                }
                                                                __k -= __again;
                                                                let __iteration = __rt::BlockAt(
                                                                    __rt::number_in_rows(&__shape, __head, __k),
                                                                );
                                                                let mut __plane7 = __rt::Lanes::<_, 16>::zeros();
                                                                __fit7.of(&__plane7);
                                                                for __l in 0..__width {
                                                                    let j = (__k + __l);
                                                                    let _ = j;
                                                                    {
                                                                        if false {
                                                                            let _ = ((((i >= r) && (j >= r)) && ((i + r) < h))
                                                                                && ((j + r) < w));
                                                                        }
                                                                    }
                                                                }
                                                                if __rt::together(
                                                                    || __width,
                                                                    || ((i >= r) && ((i + r) < h)),
                                                                ) {
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        let mut __keep7 = unsafe {
                                                                            __rt::Lanes::get(&__plane7, __l)
                                                                        };
                                                                        {
                                                                            let mut sum = 0.0;
                                                                            __keep7 = sum;
                                                                        }
                                                                        unsafe { __rt::Lanes::set(&mut __plane7, __l, __keep7) };
                                                                    }
                                                                    '__l1: for k in (__rt::together(
                                                                        || __width,
                                                                        || (i - r),
                                                                    )..__rt::together(
                                                                        || __width,
                                                                        || ((i + r) + __rt::number(1)),
                                                                    )) {
                                                                        '__l2: for __round10 in (0..__rt::together(
                                                                            || __width,
                                                                            || usize::wrapping_sub(
                                                                                usize::wrapping_add(
                                                                                    usize::wrapping_add(0, __rt::within::index(r)),
                                                                                    1,
                                                                                ),
                                                                                usize::wrapping_sub(0, __rt::within::index(r)),
                                                                            ),
                                                                        )) {
                                                                            for __l in 0..__inner {
                                                                                let j = (__k + __l);
                                                                                let _ = j;
                                                                                let mut sum = unsafe { __rt::Lanes::get(&__plane7, __l) };
                                                                                {
                                                                                    let l = __rt::within::like(
                                                                                        || ((j - r) + ((j + r) + __rt::number(1))),
                                                                                        usize::wrapping_add(
                                                                                            usize::wrapping_sub(
                                                                                                __rt::within::index(j),
                                                                                                __rt::within::index(r),
                                                                                            ),
                                                                                            __round10,
                                                                                        ),
                                                                                    );
                                                                                    sum
                                                                                        += __rt::peek(
                                                                                                &{
                                                                                                    let __p = {
                                                                                                        let __i = __rt::axes(__rank0, [k, l]);
                                                                                                        unsafe { u.unchecked(__i) }
                                                                                                    };
                                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                                },
                                                                                            )
                                                                                            .0;
                                                                                }
                                                                                unsafe { __rt::Lanes::set(&mut __plane7, __l, sum) };
                                                                            }
                                                                        }
                                                                    }
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        let mut sum = unsafe { __rt::Lanes::get(&__plane7, __l) };
                                                                        {
                                                                            {
                                                                                let __v = sum;
                                                                                {
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank1, [i, j]);
                                                                                        unsafe { v.unchecked(__i) }
                                                                                    };
                                                                                    let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                                                    let __value = &mut __copy;
                                                                                    (*(__value)) = (__v,).0;
                                                                                    unsafe { __rt::Pointer::write(__p, __copy) }
                                                                                }
                                                                            };
                                                                        }
                                                                        unsafe { __rt::Lanes::set(&mut __plane7, __l, sum) };
                                                                    }
                                                                } else {}
                                                                core::mem::forget(__iteration);
                                                                __k += 16;
                                                            }
                                                        }
                                                    } else {}
                                                } else {
                                                    let __fit7 = __rt::Fit::new();
                                                    if 0usize + __fit7.bytes() <= __rt::MOST_PLANES / 8 {
                                                        if __range.end.saturating_sub(__range.start) >= 8 {
                                                            let __texts = __rt::texts();
                                                            while __k < __range.end {
                                                                let __again = (__k + 8).saturating_sub(__range.end);
                                                                if __again > 0 && __rt::texts() != __texts {
                                                                    break;
                                                                }
                                                                __k -= __again;
                                                                let __iteration = __rt::BlockAt(
                                                                    __rt::number_in_rows(&__shape, __head, __k),
                                                                );
                                                                let mut __plane7 = __rt::Lanes::<_, 8>::zeros();
                                                                __fit7.of(&__plane7);
                                                                for __l in 0..__width {
                                                                    let j = (__k + __l);
                                                                    let _ = j;
                                                                    {
                                                                        if false {
                                                                            let _ = ((((i >= r) && (j >= r)) && ((i + r) < h))
                                                                                && ((j + r) < w));
                                                                        }
                                                                    }
                                                                }
                                                                if __rt::together(
                                                                    || __width,
                                                                    || ((i >= r) && ((i + r) < h)),
                                                                ) {
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        let mut __keep7 = unsafe {
                                                                            __rt::Lanes::get(&__plane7, __l)
                                                                        };
                                                                        {
                                                                            let mut sum = 0.0;
                                                                            __keep7 = sum;
                                                                        }
                                                                        unsafe { __rt::Lanes::set(&mut __plane7, __l, __keep7) };
                                                                    }
                                                                    '__l1: for k in (__rt::together(
                                                                        || __width,
                                                                        || (i - r),
                                                                    )..__rt::together(
                                                                        || __width,
                                                                        || ((i + r) + __rt::number(1)),
                                                                    )) {
                                                                        '__l2: for __round10 in (0..__rt::together(
                                                                            || __width,
                                                                            || usize::wrapping_sub(
                                                                                usize::wrapping_add(
                                                                                    usize::wrapping_add(0, __rt::within::index(r)),
                                                                                    1,
                                                                                ),
                                                                                usize::wrapping_sub(0, __rt::within::index(r)),
                                                                            ),
                                                                        )) {
                                                                            for __l in 0..__inner {
                                                                                let j = (__k + __l);
                                                                                let _ = j;
                                                                                let mut sum = unsafe { __rt::Lanes::get(&__plane7, __l) };
                                                                                {
                                                                                    let l = __rt::within::like(
                                                                                        || ((j - r) + ((j + r) + __rt::number(1))),
                                                                                        usize::wrapping_add(
                                                                                            usize::wrapping_sub(
                                                                                                __rt::within::index(j),
                                                                                                __rt::within::index(r),
                                                                                            ),
                                                                                            __round10,
                                                                                        ),
                                                                                    );
                                                                                    sum
                                                                                        += __rt::peek(
                                                                                                &{
                                                                                                    let __p = {
                                                                                                        let __i = __rt::axes(__rank0, [k, l]);
                                                                                                        unsafe { u.unchecked(__i) }
                                                                                                    };
                                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                                },
                                                                                            )
                                                                                            .0;
                                                                                }
                                                                                unsafe { __rt::Lanes::set(&mut __plane7, __l, sum) };
                                                                            }
                                                                        }
                                                                    }
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        let mut sum = unsafe { __rt::Lanes::get(&__plane7, __l) };
                                                                        {
                                                                            {
                                                                                let __v = sum;
                                                                                {
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank1, [i, j]);
                                                                                        unsafe { v.unchecked(__i) }
                                                                                    };
                                                                                    let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                                                    let __value = &mut __copy;
                                                                                    (*(__value)) = (__v,).0;
                                                                                    unsafe { __rt::Pointer::write(__p, __copy) }
                                                                                }
                                                                            };
                                                                        }
                                                                        unsafe { __rt::Lanes::set(&mut __plane7, __l, sum) };
                                                                    }
                                                                } else {}
                                                                core::mem::forget(__iteration);
                                                                __k += 8;
                                                            }
                                                        }
                                                    } else {}
                                                }
                                            }
                                            '__l0: for __k in __k..__range.end {
                                                let j = __k;
                                                let __iteration = __rt::RowPosition {
                                                    shape: &__shape,
                                                    head: __head,
                                                    last: __k,
                                                };
                                                if if false {
                                                    ((((i >= r) && (j >= r)) && ((i + r) < h)) && ((j + r) < w))
                                                } else {
                                                    ((i >= r) && ((i + r) < h))
                                                } {
                                                    let mut sum = 0.0;
                                                    '__l1: for k in ((i - r)..((i + r) + __rt::number(1))) {
                                                        '__l2: for __round10 in (0..usize::wrapping_sub(
                                                            usize::wrapping_add(
                                                                usize::wrapping_add(0, __rt::within::index(r)),
                                                                1,
                                                            ),
                                                            usize::wrapping_sub(0, __rt::within::index(r)),
                                                        )) {
                                                            let l = __rt::within::like(
                                                                || ((j - r) + ((j + r) + __rt::number(1))),
                                                                usize::wrapping_add(
                                                                    usize::wrapping_sub(
                                                                        __rt::within::index(j),
                                                                        __rt::within::index(r),
                                                                    ),
                                                                    __round10,
                                                                ),
                                                            );
                                                            sum
                                                                += __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, [k, l]);
                                                                                unsafe { u.unchecked(__i) }
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
                                                                let __i = __rt::axes(__rank1, [i, j]);
                                                                unsafe { v.unchecked(__i) }
                                                            };
                                                            let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                            let __value = &mut __copy;
                                                            (*(__value)) = (__v,).0;
                                                            unsafe { __rt::Pointer::write(__p, __copy) }
                                                        }
                                                    };
                                                }
                                                core::mem::forget(__iteration);
                                            }
                                        }
                                    } else {
                                        let __row = __range;
                                        let __range = {
                                            let (mut __first, mut __last) = (__row.start, __row.end);
                                            if true && core::option::Option::is_some(&__rt::limit(r))
                                                && core::option::Option::is_some(&__rt::limit(r))
                                            {
                                                if let core::option::Option::Some(__limit) = __rt::limit(
                                                    r,
                                                ) {
                                                    __first = core::cmp::max(
                                                        __first,
                                                        __limit.saturating_sub(0),
                                                    );
                                                }
                                            }
                                            __first..__last
                                        };
                                        let mut __k = __range.start;
                                        '__l0: for __k in __k..__range.end {
                                            let j = __k;
                                            if true && core::option::Option::is_some(&__rt::limit(r))
                                                && core::option::Option::is_some(&__rt::limit(r))
                                            {
                                                if let core::option::Option::Some(__limit) = __rt::limit(
                                                    r,
                                                ) {
                                                    unsafe { core::hint::assert_unchecked(j >= __limit) };
                                                }
                                            }
                                            let __iteration = __rt::RowPosition {
                                                shape: &__shape,
                                                head: __head,
                                                last: __k,
                                            };
                                            if ((((i >= r) && (j >= r)) && ((i + r) < h))
                                                && ((j + r) < w))
                                            {
                                                let mut sum = 0.0;
                                                '__l1: for k in ((i - r)..((i + r) + __rt::number(1))) {
                                                    '__ahead2: {
                                                        let __span = ((j - r)..((j + r) + __rt::number(1)));
                                                        #[cfg(not(debug_assertions))]
                                                        {
                                                            if __rt::UNCHECKED
                                                                || (__rt::counts_positions(&__span)
                                                                    && (__rt::Corner::ZERO.value(k).inside(&u.shape(), 0usize)
                                                                        && __rt::span_inside(
                                                                            __span.start as usize,
                                                                            __span.end as usize,
                                                                            &u.shape(),
                                                                            1usize,
                                                                        )))
                                                            {
                                                                '__l2: for l in __span {
                                                                    sum
                                                                        += __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, [k, l]);
                                                                                        unsafe { u.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0;
                                                                }
                                                                break '__ahead2;
                                                            }
                                                            core::hint::cold_path();
                                                        }
                                                        '__l2: for l in __span {
                                                            sum
                                                                += __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, [k, l]);
                                                                                match u.checked(__i) {
                                                                                    core::option::Option::Some(__p) => __p,
                                                                                    core::option::Option::None => {
                                                                                        u.fail(__launch, 0u32, __i);
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
                                                    };
                                                }
                                                {
                                                    let __v = sum;
                                                    {
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, [i, j]);
                                                            unsafe { v.unchecked(__i) }
                                                        };
                                                        let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                        let __value = &mut __copy;
                                                        (*(__value)) = (__v,).0;
                                                        unsafe { __rt::Pointer::write(__p, __copy) }
                                                    }
                                                };
                                            }
                                            core::mem::forget(__iteration);
                                        }
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
