fn dot(
    x: &impl ::swathe::Argument<Field<f32>>,
    y: &impl ::swathe::Argument<Field<f32>>,
) -> ::swathe::Result<f32> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for dot {}
    };
    let mut __launch = __rt::Launch::new(<dot as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<f32>, _>(&*x))?;
    __rt::Launch::argument(&mut __launch, "y", __rt::place_of::<Field<f32>, _>(&*y))?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    dot,
                    f32,
                >(
                    &[
                        __rt::launch_arg::<Field<f32>, _>(&*x),
                        __rt::launch_arg::<Field<f32>, _>(&*y),
                    ],
                )
        };
    }
    __launch
        .run(|__launch| -> core::result::Result<f32, __rt::Failed> {
            let __field0 = __rt::access::<Field<f32>, _>(&*x);
            let x = __field0;
            let __field1 = __rt::access::<Field<f32>, _>(&*y);
            let y = __field1;
            let __rank0 = __field0.rank();
            let __rank1 = __field1.rank();
            let __shared0 = false;
            let __shared1 = false;
            let mut sum = 0.0;
            {
                let __shape = x.shape();
                let __n = x.len();
                if __rt::covers(__field1.shape(), __field0.shape()) {
                    let __total = __rt::reduce_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(10u32),
                        __rt::Begins::NONE,
                        || (__rt::zero_like(&sum),),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>,
                            __partial|
                        {
                            let x = x;
                            let y = y;
                            let __shape = __shape;
                            unsafe {
                                core::hint::assert_unchecked(
                                    __rt::covers(y.shape(), x.shape()),
                                )
                            };
                            let mut sum = __partial.0;
                            let __width: usize = core::hint::black_box(64) & !(64 - 1);
                            let __inner: usize = if 64 == 8usize {
                                __width & 64
                            } else {
                                64
                            };
                            let mut __plane2 = __rt::Lanes::<_, 64>::filled(sum);
                            let mut __k = __range.start;
                            if true {
                                while __range.end.saturating_sub(__k) >= 8usize {
                                    let __width = core::cmp::min(__range.end - __k, __width)
                                        & !(8usize - 1);
                                    let __iteration = __rt::BlockAt(__k);
                                    for __l in 0..__width {
                                        let i = __rt::position(__shape, (__k + __l));
                                        let _ = i;
                                        let mut sum = unsafe { __rt::Lanes::get(&__plane2, __l) };
                                        {
                                            {
                                                let __left_factor = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, i);
                                                                unsafe { x.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0;
                                                let __right_factor = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, i);
                                                                unsafe { y.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0;
                                                let __place = &mut sum;
                                                if !__rt::contract::add(
                                                    __target,
                                                    __place,
                                                    __left_factor,
                                                    __right_factor,
                                                ) {
                                                    (*(__place)) += ((__left_factor,).0 * (__right_factor,).0);
                                                }
                                            };
                                        }
                                        unsafe { __rt::Lanes::set(&mut __plane2, __l, sum) };
                                    }
                                    core::mem::forget(__iteration);
                                    __k += __width;
                                }
                            }
                            '__l0: for __k in __k..__range.end {
                                let i = __rt::position(__shape, __k);
                                let __iteration = __rt::Iteration(__k);
                                {
                                    let __left_factor = __rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { x.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0;
                                    let __right_factor = __rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank1, i);
                                                    unsafe { y.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0;
                                    let __place = &mut sum;
                                    if !__rt::contract::add(
                                        __target,
                                        __place,
                                        __left_factor,
                                        __right_factor,
                                    ) {
                                        (*(__place)) += ((__left_factor,).0 * (__right_factor,).0);
                                    }
                                };
                                core::mem::forget(__iteration);
                            }
                            sum = __rt::ReduceAdd::reduce_add(
                                __plane2
                                    .fold(|__a, __b| __rt::ReduceAdd::reduce_add(__a, __b)),
                                sum,
                            );
                            (sum,)
                        },
                        |__a, __b| (__rt::ReduceAdd::reduce_add(__a.0, __b.0),),
                    );
                    sum = __rt::ReduceAdd::reduce_add(sum, __total.0);
                } else {
                    let __total = __rt::reduce_in_versions::<
                        false,
                        _,
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(10u32),
                        __rt::Begins::NONE,
                        || (__rt::zero_like(&sum),),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>,
                            __partial|
                        {
                            let x = x;
                            let y = y;
                            let __shape = __shape;
                            let mut sum = __partial.0;
                            let mut __k = __range.start;
                            '__l0: for __k in __k..__range.end {
                                let i = __rt::position(__shape, __k);
                                let __iteration = __rt::Iteration(__k);
                                sum
                                    += (__rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { x.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0
                                        * __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank1, i);
                                                        match y.checked(__i) {
                                                            core::option::Option::Some(__p) => __p,
                                                            core::option::Option::None => {
                                                                y.fail(__launch, 1u32, __i);
                                                                core::mem::forget(__iteration);
                                                                continue '__l0;
                                                            }
                                                        }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0);
                                core::mem::forget(__iteration);
                            }
                            (sum,)
                        },
                        |__a, __b| (__rt::ReduceAdd::reduce_add(__a.0, __b.0),),
                    );
                    sum = __rt::ReduceAdd::reduce_add(sum, __total.0);
                }
            }
            let __result: f32 = sum;
            core::result::Result::Ok(__result)
        })
}
fn step(
    x: &mut impl ::swathe::ArgumentMut<Field<f64>>,
    v: &impl ::swathe::Argument<Field<f64>>,
    dt: f64,
) -> ::swathe::Result<(f64, u64)> {
    use __rt::methods::*;
    trait __no__func_abs {
        fn __func_abs(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_abs for __T {
        fn __func_abs(&self) {}
    }
    trait __no__func_max {
        fn __func_max(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_max for __T {
        fn __func_max(&self) {}
    }
    const _: () = {
        impl __rt::FuncDef for step {}
    };
    let mut __launch = __rt::Launch::new(<step as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<f64>, _>(&*x))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<f64>, _>(&*v))?;
    __rt::prepare::<Field<f64>, _>(&mut *x)?;
    if __rt::Launch::is_remote(&__launch) {
        let __value2 = __rt::DeviceValue::new(&dt);
        return unsafe {
            __launch
                .run_remote::<
                    step,
                    (f64, u64),
                >(
                    &[
                        __rt::launch_arg_mut::<Field<f64>, _>(&mut *x),
                        __rt::launch_arg::<Field<f64>, _>(&*v),
                        __rt::DeviceValue::arg(&__value2),
                    ],
                )
        };
    }
    __launch
        .run(|__launch| -> core::result::Result<(f64, u64), __rt::Failed> {
            let __field0 = __rt::access_mut::<Field<f64>, _>(&mut *x);
            let x = __field0;
            let __field1 = __rt::access::<Field<f64>, _>(&*v);
            let v = __field1;
            let __rank0 = __field0.rank();
            let __rank1 = __field1.rank();
            let __shared0 = false;
            let __shared1 = false;
            let __shared2 = false;
            let mut fastest = 0.0f64;
            let mut left = 10_u64;
            {
                let __shape = x.shape();
                let __n = x.len();
                if __rt::covers(__field1.shape(), __field0.shape()) {
                    let __total = __rt::reduce_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(41u32),
                        __rt::Begins::new([__field1.begin()], [__field0.begin_mut()]),
                        || (__rt::smallest_like(&fastest), __rt::zero_like(&left)),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>,
                            __partial|
                        {
                            let x = unsafe {
                                x.beginning_at_mut(__begins.written[0usize])
                            };
                            let v = unsafe { v.beginning_at(__begins.read[0usize]) };
                            let dt = dt;
                            let __shape = __shape;
                            unsafe {
                                core::hint::assert_unchecked(
                                    __rt::covers(v.shape(), x.shape()),
                                )
                            };
                            let mut fastest = __partial.0;
                            let mut left = __partial.1;
                            let __width: usize = core::hint::black_box(64) & !(64 - 1);
                            let __inner: usize = if 64 == 8usize {
                                __width & 64
                            } else {
                                64
                            };
                            let mut __plane3 = __rt::Lanes::<_, 64>::filled(fastest);
                            let mut __plane4 = __rt::Lanes::<_, 64>::filled(left);
                            let mut __k = __range.start;
                            if true {
                                let __kept_fit0 = __rt::Fit::new();
                                if 0usize + __kept_fit0.bytes() <= __rt::MOST_PLANES / 64 {
                                    while __range.end.saturating_sub(__k) >= 8usize {
                                        let __width = core::cmp::min(__range.end - __k, __width)
                                            & !(8usize - 1);
                                        let mut __values = __rt::Lanes::<_, 64>::zeros();
                                        __kept_fit0.of(&__values);
                                        for __l in 0..__width {
                                            let i = __rt::position(__shape, (__k + __l));
                                            let _ = i;
                                            let __value = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { x.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                            unsafe { __rt::Lanes::set(&mut __values, __l, __value) };
                                        }
                                        let __kept0 = __rt::Kept(move || {
                                            for __l in 0..__width {
                                                let i = __rt::position(__shape, (__k + __l));
                                                let _ = i;
                                                let __old = unsafe { __rt::Lanes::get(&__values, __l) };
                                                {
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, i);
                                                        unsafe { x.unchecked(__i) }
                                                    };
                                                    let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                    let __value = &mut __copy;
                                                    (*(__value)) = __old;
                                                    unsafe { __rt::Pointer::write(__p, __copy) }
                                                }
                                            }
                                        });
                                        let __iteration = __rt::BlockAt(__k);
                                        for __l in 0..__width {
                                            let i = __rt::position(__shape, (__k + __l));
                                            let _ = i;
                                            let mut fastest = unsafe {
                                                __rt::Lanes::get(&__plane3, __l)
                                            };
                                            let mut left = unsafe { __rt::Lanes::get(&__plane4, __l) };
                                            {
                                                {
                                                    let __left_factor = dt;
                                                    let __right_factor = __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank1, i);
                                                                    unsafe { v.unchecked(__i) }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0;
                                                    let __v = ((__left_factor,).0 * (__right_factor,).0);
                                                    {
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { x.unchecked(__i) }
                                                        };
                                                        let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                        let __value = &mut __copy;
                                                        if !__rt::contract::add(
                                                            __target,
                                                            &mut (*(__value)),
                                                            __left_factor,
                                                            __right_factor,
                                                        ) {
                                                            (*(__value)) += (__v,).0;
                                                        }
                                                        unsafe { __rt::Pointer::write(__p, __copy) }
                                                    }
                                                };
                                                fastest = fastest
                                                    .__func_max(
                                                        __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank1, i);
                                                                        unsafe { v.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0
                                                            .__func_abs(),
                                                    );
                                                if (__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, i);
                                                                unsafe { x.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0 < __rt::number(0.0))
                                                {
                                                    left += __rt::number(1);
                                                }
                                            }
                                            unsafe { __rt::Lanes::set(&mut __plane3, __l, fastest) };
                                            unsafe { __rt::Lanes::set(&mut __plane4, __l, left) };
                                        }
                                        core::mem::forget(__iteration);
                                        core::mem::forget(__kept0);
                                        __k += __width;
                                    }
                                } else {}
                            }
                            '__l0: for __k in __k..__range.end {
                                let i = __rt::position(__shape, __k);
                                let __iteration = __rt::Iteration(__k);
                                {
                                    let __left_factor = dt;
                                    let __right_factor = __rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank1, i);
                                                    unsafe { v.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0;
                                    let __v = ((__left_factor,).0 * (__right_factor,).0);
                                    {
                                        let __p = {
                                            let __i = __rt::axes(__rank0, i);
                                            unsafe { x.unchecked(__i) }
                                        };
                                        let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                        let __value = &mut __copy;
                                        if !__rt::contract::add(
                                            __target,
                                            &mut (*(__value)),
                                            __left_factor,
                                            __right_factor,
                                        ) {
                                            (*(__value)) += (__v,).0;
                                        }
                                        unsafe { __rt::Pointer::write(__p, __copy) }
                                    }
                                };
                                fastest = fastest
                                    .__func_max(
                                        __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank1, i);
                                                        unsafe { v.unchecked(__i) }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0
                                            .__func_abs(),
                                    );
                                if (__rt::peek(
                                        &{
                                            let __p = {
                                                let __i = __rt::axes(__rank0, i);
                                                unsafe { x.unchecked(__i) }
                                            };
                                            unsafe { __rt::Pointer::read(__p) }
                                        },
                                    )
                                    .0 < __rt::number(0.0))
                                {
                                    left += __rt::number(1);
                                }
                                core::mem::forget(__iteration);
                            }
                            fastest = __rt::ReduceMax::reduce_max(
                                __plane3
                                    .fold(|__a, __b| __rt::ReduceMax::reduce_max(__a, __b)),
                                fastest,
                            );
                            left = __rt::ReduceAdd::reduce_add(
                                __plane4
                                    .fold(|__a, __b| __rt::ReduceAdd::reduce_add(__a, __b)),
                                left,
                            );
                            (fastest, left)
                        },
                        |__a, __b| (
                            __rt::ReduceMax::reduce_max(__a.0, __b.0),
                            __rt::ReduceAdd::reduce_add(__a.1, __b.1),
                        ),
                    );
                    fastest = __rt::ReduceMax::reduce_max(fastest, __total.0);
                    left = __rt::ReduceAdd::reduce_sub(left, __total.1);
                } else {
                    let __total = __rt::reduce_in_versions::<
                        false,
                        _,
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(41u32),
                        __rt::Begins::new([__field1.begin()], [__field0.begin_mut()]),
                        || (__rt::smallest_like(&fastest), __rt::zero_like(&left)),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>,
                            __partial|
                        {
                            let x = unsafe {
                                x.beginning_at_mut(__begins.written[0usize])
                            };
                            let v = unsafe { v.beginning_at(__begins.read[0usize]) };
                            let dt = dt;
                            let __shape = __shape;
                            let mut fastest = __partial.0;
                            let mut left = __partial.1;
                            let mut __k = __range.start;
                            '__l0: for __k in __k..__range.end {
                                let i = __rt::position(__shape, __k);
                                let __iteration = __rt::Iteration(__k);
                                {
                                    {
                                        let __v = (dt
                                            * __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, i);
                                                            match v.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    v.fail(__launch, 0u32, __i);
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
                                                let __i = __rt::axes(__rank0, i);
                                                unsafe { x.unchecked(__i) }
                                            };
                                            let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                            let __value = &mut __copy;
                                            (*(__value)) += (__v,).0;
                                            unsafe { __rt::Pointer::write(__p, __copy) }
                                        }
                                    }
                                };
                                fastest = fastest
                                    .__func_max(
                                        __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank1, i);
                                                        match v.checked(__i) {
                                                            core::option::Option::Some(__p) => __p,
                                                            core::option::Option::None => {
                                                                v.fail(__launch, 2u32, __i);
                                                                core::mem::forget(__iteration);
                                                                continue '__l0;
                                                            }
                                                        }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0
                                            .__func_abs(),
                                    );
                                if (__rt::peek(
                                        &{
                                            let __p = {
                                                let __i = __rt::axes(__rank0, i);
                                                unsafe { x.unchecked(__i) }
                                            };
                                            unsafe { __rt::Pointer::read(__p) }
                                        },
                                    )
                                    .0 < __rt::number(0.0))
                                {
                                    left += __rt::number(1);
                                }
                                core::mem::forget(__iteration);
                            }
                            (fastest, left)
                        },
                        |__a, __b| (
                            __rt::ReduceMax::reduce_max(__a.0, __b.0),
                            __rt::ReduceAdd::reduce_add(__a.1, __b.1),
                        ),
                    );
                    fastest = __rt::ReduceMax::reduce_max(fastest, __total.0);
                    left = __rt::ReduceAdd::reduce_sub(left, __total.1);
                }
            }
            let __result: (f64, u64) = (fastest, left);
            core::result::Result::Ok(__result)
        })
}
fn in_any_order(
    x: &impl ::swathe::Argument<Field<f32>>,
    start: f32,
) -> ::swathe::Result<[f32; 2]> {
    use __rt::methods::*;
    trait __no__func_max {
        fn __func_max(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_max for __T {
        fn __func_max(&self) {}
    }
    const _: () = {
        impl __rt::FuncDef for in_any_order {}
    };
    let mut __launch = __rt::Launch::new(<in_any_order as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<f32>, _>(&*x))?;
    if __rt::Launch::is_remote(&__launch) {
        let __value1 = __rt::DeviceValue::new(&start);
        return unsafe {
            __launch
                .run_remote::<
                    in_any_order,
                    [f32; 2],
                >(
                    &[
                        __rt::launch_arg::<Field<f32>, _>(&*x),
                        __rt::DeviceValue::arg(&__value1),
                    ],
                )
        };
    }
    __launch
        .run(|__launch| -> core::result::Result<[f32; 2], __rt::Failed> {
            let __field0 = __rt::access::<Field<f32>, _>(&*x);
            let x = __field0;
            let __rank0 = __field0.rank();
            let __shared0 = false;
            let __shared1 = false;
            let mut most = start;
            let mut sum = 0.0;
            {
                let __shape = x.shape();
                let __n = x.len();
                let __total = __rt::reduce_in_versions::<
                    { core::cfg!(not(debug_assertions)) },
                    _,
                    _,
                    _,
                >(
                    __n,
                    core::option::Option::Some(24u32),
                    __rt::Begins::NONE,
                    || (__rt::smallest_like(&most), __rt::zero_like(&sum)),
                    |
                        __target: __rt::Target,
                        __begins: __rt::Begins<'_, _, _>,
                        __range: core::ops::Range<usize>,
                        __partial|
                    {
                        let x = x;
                        let __shape = __shape;
                        let mut most = __partial.0;
                        let mut sum = __partial.1;
                        let __width: usize = core::hint::black_box(64) & !(64 - 1);
                        let __inner: usize = if 64 == 8usize {
                            __width & 64
                        } else {
                            64
                        };
                        let mut __plane2 = __rt::Lanes::<_, 64>::filled(most);
                        let mut __plane3 = __rt::Lanes::<_, 64>::filled(sum);
                        let mut __k = __range.start;
                        if true {
                            while __range.end.saturating_sub(__k) >= 8usize {
                                let __width = core::cmp::min(__range.end - __k, __width)
                                    & !(8usize - 1);
                                let __iteration = __rt::BlockAt(__k);
                                for __l in 0..__width {
                                    let i = __rt::position(__shape, (__k + __l));
                                    let _ = i;
                                    let mut most = unsafe { __rt::Lanes::get(&__plane2, __l) };
                                    let mut sum = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                    {
                                        most = __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, i);
                                                        unsafe { x.unchecked(__i) }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0
                                            .__func_max(most);
                                        sum = ((1.0 + sum)
                                            + __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { x.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0);
                                    }
                                    unsafe { __rt::Lanes::set(&mut __plane2, __l, most) };
                                    unsafe { __rt::Lanes::set(&mut __plane3, __l, sum) };
                                }
                                core::mem::forget(__iteration);
                                __k += __width;
                            }
                        }
                        '__l0: for __k in __k..__range.end {
                            let i = __rt::position(__shape, __k);
                            let __iteration = __rt::Iteration(__k);
                            most = __rt::peek(
                                    &{
                                        let __p = {
                                            let __i = __rt::axes(__rank0, i);
                                            unsafe { x.unchecked(__i) }
                                        };
                                        unsafe { __rt::Pointer::read(__p) }
                                    },
                                )
                                .0
                                .__func_max(most);
                            sum = ((1.0 + sum)
                                + __rt::peek(
                                        &{
                                            let __p = {
                                                let __i = __rt::axes(__rank0, i);
                                                unsafe { x.unchecked(__i) }
                                            };
                                            unsafe { __rt::Pointer::read(__p) }
                                        },
                                    )
                                    .0);
                            core::mem::forget(__iteration);
                        }
                        most = __rt::ReduceMax::reduce_max(
                            __plane2
                                .fold(|__a, __b| __rt::ReduceMax::reduce_max(__a, __b)),
                            most,
                        );
                        sum = __rt::ReduceAdd::reduce_add(
                            __plane3
                                .fold(|__a, __b| __rt::ReduceAdd::reduce_add(__a, __b)),
                            sum,
                        );
                        (most, sum)
                    },
                    |__a, __b| (
                        __rt::ReduceMax::reduce_max(__a.0, __b.0),
                        __rt::ReduceAdd::reduce_add(__a.1, __b.1),
                    ),
                );
                most = __rt::ReduceMax::reduce_max(most, __total.0);
                sum = __rt::ReduceAdd::reduce_add(sum, __total.1);
            }
            let __result: [f32; 2] = [most, sum];
            core::result::Result::Ok(__result)
        })
}
