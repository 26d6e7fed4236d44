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
                .run_remote_for::<
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
        .run_for(
            &mut |__launch| -> core::result::Result<f32, __rt::Failed> {
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
            },
        )
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
                .run_remote_for::<
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
        .run_for(
            &mut |__launch| -> core::result::Result<(f64, u64), __rt::Failed> {
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
                            __rt::Begins::new(
                                [__field1.begin()],
                                [__field0.begin_mut()],
                            ),
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
                                                let mut left = {
                                                    let __like = unsafe { __rt::Lanes::get(&__plane4, __l) };
                                                    __rt::zero_like(&__like)
                                                };
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
                                                let left = __rt::ReduceAdd::reduce_add(
                                                    unsafe { __rt::Lanes::get(&__plane4, __l) },
                                                    left,
                                                );
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
                            __rt::Begins::new(
                                [__field1.begin()],
                                [__field0.begin_mut()],
                            ),
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
            },
        )
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
                .run_remote_for::<
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
        .run_for(
            &mut |__launch| -> core::result::Result<[f32; 2], __rt::Failed> {
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
            },
        )
}
fn residual(
    u: &impl ::swathe::Argument<Field<f32, 2>>,
    v: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
) -> ::swathe::Result<f32> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for residual {}
    };
    let mut __launch = __rt::Launch::new(<residual as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<f32, 2>, _>(&*v))?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *v)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote_for::<
                    residual,
                    f32,
                >(
                    &[
                        __rt::launch_arg::<Field<f32, 2>, _>(&*u),
                        __rt::launch_arg_mut::<Field<f32, 2>, _>(&mut *v),
                    ],
                )
        };
    }
    __launch
        .run_for(
            &mut |__launch| -> core::result::Result<f32, __rt::Failed> {
                let __field0 = __rt::access::<Field<f32, 2>, _>(&*u);
                let u = __field0;
                let __field1 = __rt::access_mut::<Field<f32, 2>, _>(&mut *v);
                let v = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                let [h, w] = u.shape();
                let mut change = 0.0;
                {
                    let (__start, __end) = (1, (h - __rt::number(1)));
                    let __step = 1usize;
                    let __n = __rt::LoopInt::count(__start, __end, false, __step);
                    let __n = if __n > __rt::MOST_POSITIONS {
                        __rt::Failures::failed(
                            __launch,
                            0u32,
                            41u32,
                            14u32,
                            __rt::TOO_MANY,
                            &[__rt::LoopInt::shown(__start), __rt::LoopInt::shown(__end)],
                        );
                        0
                    } else {
                        __n
                    };
                    let __total = __rt::reduce_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::None,
                        __rt::Begins::new([__field0.begin()], [__field1.begin_mut()]),
                        || (__rt::zero_like(&change),),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>,
                            __partial|
                        {
                            let u = unsafe { u.beginning_at(__begins.read[0usize]) };
                            let v = unsafe {
                                v.beginning_at_mut(__begins.written[0usize])
                            };
                            let w = {
                                let _ = &w;
                                u.shape()[1usize]
                            };
                            let (__start, __step) = (__start, __step);
                            let mut change = __partial.0;
                            let __parts: usize = core::hint::black_box(64) & !(64 - 1);
                            let mut __parts4 = __rt::Lanes::<_, 64>::filled(change);
                            let __along0 = {
                                let mut __inside = __rt::Inside::ALL;
                                __rt::Inside::typed::<usize, _>(&mut __inside, &w);
                                {
                                    let __k = 0usize;
                                    __rt::Inside::typed::<
                                        usize,
                                        _,
                                    >(&mut __inside, &__rt::LoopInt::nth(__start, __k, 1usize));
                                }
                                let __line0 = __rt::Inside::position::<
                                    usize,
                                    _,
                                >(
                                    &mut __inside,
                                    |__k: usize| __rt::LoopInt::nth(__start, __k, 1usize),
                                );
                                __rt::Inside::below(&mut __inside, __line0, &v.shape(), 0);
                                let __line1 = __rt::Inside::number::<
                                    usize,
                                >(&mut __inside, 1);
                                __rt::Inside::below(&mut __inside, __line1, &v.shape(), 1);
                                let __line2 = __rt::Inside::value::<
                                    usize,
                                    _,
                                >(&mut __inside, w);
                                let __line3 = __rt::Inside::sub::<
                                    usize,
                                >(&mut __inside, __line2, __line1);
                                let __line4 = __rt::Inside::sub::<
                                    usize,
                                >(&mut __inside, __line3, __line1);
                                __rt::Inside::below(&mut __inside, __line4, &v.shape(), 1);
                                __rt::Inside::below(&mut __inside, __line0, &u.shape(), 0);
                                let __line5 = __rt::Inside::sub::<
                                    usize,
                                >(&mut __inside, __line1, __line1);
                                __rt::Inside::below(&mut __inside, __line5, &u.shape(), 1);
                                let __line6 = __rt::Inside::sub::<
                                    usize,
                                >(&mut __inside, __line4, __line1);
                                __rt::Inside::below(&mut __inside, __line6, &u.shape(), 1);
                                let __line7 = __rt::Inside::add::<
                                    usize,
                                >(&mut __inside, __line1, __line1);
                                __rt::Inside::below(&mut __inside, __line7, &u.shape(), 1);
                                let __line8 = __rt::Inside::add::<
                                    usize,
                                >(&mut __inside, __line4, __line1);
                                __rt::Inside::below(&mut __inside, __line8, &u.shape(), 1);
                                __rt::Inside::below(&mut __inside, __line1, &u.shape(), 1);
                                __rt::Inside::below(&mut __inside, __line4, &u.shape(), 1);
                                __inside
                            };
                            let __whole = __range.start..__range.end;
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
                                    >(&mut __inside, &__rt::LoopInt::nth(__start, __k, 1usize));
                                }
                                (__rt::Inside::range(__inside, &__whole),)
                            };
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
                                    {
                                        let mut __k = __range.start;
                                        '__l0: for __k in __k..__range.end {
                                            let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                            let __iteration = __rt::Iteration(__k);
                                            {
                                                let (__first, __end) = (1, (w - __rt::number(1)));
                                                let __rounds = __rt::LoopInt::count(
                                                    __first,
                                                    __end,
                                                    false,
                                                    1usize,
                                                );
                                                let mut __begun = 0usize;
                                                while __rounds - __begun >= 8usize {
                                                    let __width = core::cmp::min(__rounds - __begun, __parts)
                                                        & !(8usize - 1);
                                                    for __part in 0..__width {
                                                        let __round = __begun + __part;
                                                        let j = __rt::LoopInt::nth(__first, __round, 1usize);
                                                        let mut change = unsafe {
                                                            __rt::Lanes::get(&__parts4, __part)
                                                        };
                                                        '__l1: {
                                                            {
                                                                let __v = (0.5
                                                                    * (__rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, [i, (j - __rt::number(1))]);
                                                                                    unsafe { u.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0
                                                                        + __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, [i, (j + __rt::number(1))]);
                                                                                        unsafe { u.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0));
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
                                                            change
                                                                += (__rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank1, [i, j]);
                                                                                unsafe { v.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0
                                                                    - __rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, [i, j]);
                                                                                    unsafe { u.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0);
                                                        }
                                                        unsafe { __rt::Lanes::set(&mut __parts4, __part, change) };
                                                    }
                                                    __begun += __width;
                                                }
                                                for __round in __begun..__rounds {
                                                    let __part = __round % 64;
                                                    let j = __rt::LoopInt::nth(__first, __round, 1usize);
                                                    let mut change = unsafe {
                                                        __rt::Lanes::get(&__parts4, __part)
                                                    };
                                                    '__l1: {
                                                        {
                                                            let __v = (0.5
                                                                * (__rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, [i, (j - __rt::number(1))]);
                                                                                unsafe { u.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0
                                                                    + __rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, [i, (j + __rt::number(1))]);
                                                                                    unsafe { u.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0));
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
                                                        change
                                                            += (__rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank1, [i, j]);
                                                                            unsafe { v.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0
                                                                - __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, [i, j]);
                                                                                unsafe { u.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0);
                                                    }
                                                    unsafe { __rt::Lanes::set(&mut __parts4, __part, change) };
                                                }
                                            };
                                            core::mem::forget(__iteration);
                                        }
                                    }
                                } else {
                                    let mut __k = __range.start;
                                    '__l0: for __k in __k..__range.end {
                                        let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                        let __iteration = __rt::Iteration(__k);
                                        '__ahead1: {
                                            let __span = (1..(w - __rt::number(1)));
                                            #[cfg(not(debug_assertions))]
                                            {
                                                if __rt::UNCHECKED || core::ops::Range::is_empty(&__span)
                                                    || (__rt::counts_positions(&__span)
                                                        && (__rt::Corner::ZERO.value(i).inside(&u.shape(), 0usize)
                                                            && __rt::Corner::ZERO
                                                                .along((__span.start as usize), (__span.end as usize))
                                                                .less(1)
                                                                .inside(&u.shape(), 1usize)
                                                            && __rt::Corner::ZERO
                                                                .along((__span.start as usize), (__span.end as usize))
                                                                .number(1)
                                                                .inside(&u.shape(), 1usize)
                                                            && __rt::Corner::ZERO.value(i).inside(&v.shape(), 0usize)
                                                            && __rt::span_inside(
                                                                __span.start as usize,
                                                                __span.end as usize,
                                                                &v.shape(),
                                                                1usize,
                                                            )
                                                            && __rt::span_inside(
                                                                __span.start as usize,
                                                                __span.end as usize,
                                                                &u.shape(),
                                                                1usize,
                                                            )))
                                                {
                                                    {
                                                        let (__first, __end) = (__span.start, __span.end);
                                                        let __rounds = __rt::LoopInt::count(
                                                            __first,
                                                            __end,
                                                            false,
                                                            1usize,
                                                        );
                                                        let mut __begun = 0usize;
                                                        while __rounds - __begun >= 8usize {
                                                            let __width = core::cmp::min(__rounds - __begun, __parts)
                                                                & !(8usize - 1);
                                                            for __part in 0..__width {
                                                                let __round = __begun + __part;
                                                                let j = __rt::LoopInt::nth(__first, __round, 1usize);
                                                                let mut change = unsafe {
                                                                    __rt::Lanes::get(&__parts4, __part)
                                                                };
                                                                '__l1: {
                                                                    {
                                                                        let __v = (0.5
                                                                            * (__rt::peek(
                                                                                    &{
                                                                                        let __p = {
                                                                                            let __i = __rt::axes(__rank0, [i, (j - __rt::number(1))]);
                                                                                            unsafe { u.unchecked(__i) }
                                                                                        };
                                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                                    },
                                                                                )
                                                                                .0
                                                                                + __rt::peek(
                                                                                        &{
                                                                                            let __p = {
                                                                                                let __i = __rt::axes(__rank0, [i, (j + __rt::number(1))]);
                                                                                                unsafe { u.unchecked(__i) }
                                                                                            };
                                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                                        },
                                                                                    )
                                                                                    .0));
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
                                                                    change
                                                                        += (__rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank1, [i, j]);
                                                                                        unsafe { v.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0
                                                                            - __rt::peek(
                                                                                    &{
                                                                                        let __p = {
                                                                                            let __i = __rt::axes(__rank0, [i, j]);
                                                                                            unsafe { u.unchecked(__i) }
                                                                                        };
                                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                                    },
                                                                                )
                                                                                .0);
                                                                }
                                                                unsafe { __rt::Lanes::set(&mut __parts4, __part, change) };
                                                            }
                                                            __begun += __width;
                                                        }
                                                        for __round in __begun..__rounds {
                                                            let __part = __round % 64;
                                                            let j = __rt::LoopInt::nth(__first, __round, 1usize);
                                                            let mut change = unsafe {
                                                                __rt::Lanes::get(&__parts4, __part)
                                                            };
                                                            '__l1: {
                                                                {
                                                                    let __v = (0.5
                                                                        * (__rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, [i, (j - __rt::number(1))]);
                                                                                        unsafe { u.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0
                                                                            + __rt::peek(
                                                                                    &{
                                                                                        let __p = {
                                                                                            let __i = __rt::axes(__rank0, [i, (j + __rt::number(1))]);
                                                                                            unsafe { u.unchecked(__i) }
                                                                                        };
                                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                                    },
                                                                                )
                                                                                .0));
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
                                                                change
                                                                    += (__rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank1, [i, j]);
                                                                                    unsafe { v.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0
                                                                        - __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, [i, j]);
                                                                                        unsafe { u.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0);
                                                            }
                                                            unsafe { __rt::Lanes::set(&mut __parts4, __part, change) };
                                                        }
                                                    }
                                                    break '__ahead1;
                                                }
                                                core::hint::cold_path();
                                            }
                                            {
                                                let (__first, __end) = (__span.start, __span.end);
                                                let __rounds = __rt::LoopInt::count(
                                                    __first,
                                                    __end,
                                                    false,
                                                    1usize,
                                                );
                                                let mut __begun = 0usize;
                                                for __round in __begun..__rounds {
                                                    let __part = __round % 64;
                                                    let j = __rt::LoopInt::nth(__first, __round, 1usize);
                                                    let mut change = unsafe {
                                                        __rt::Lanes::get(&__parts4, __part)
                                                    };
                                                    '__l1: {
                                                        {
                                                            let __v = (0.5
                                                                * (__rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, [i, (j - __rt::number(1))]);
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
                                                                    .0
                                                                    + __rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, [i, (j + __rt::number(1))]);
                                                                                    match u.checked(__i) {
                                                                                        core::option::Option::Some(__p) => __p,
                                                                                        core::option::Option::None => {
                                                                                            u.fail(__launch, 1u32, __i);
                                                                                            core::mem::forget(__iteration);
                                                                                            continue '__l0;
                                                                                        }
                                                                                    }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0));
                                                            {
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank1, [i, j]);
                                                                    match v.checked(__i) {
                                                                        core::option::Option::Some(__p) => __p,
                                                                        core::option::Option::None => {
                                                                            v.fail(__launch, 2u32, __i);
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
                                                        change
                                                            += (__rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank1, [i, j]);
                                                                            match v.checked(__i) {
                                                                                core::option::Option::Some(__p) => __p,
                                                                                core::option::Option::None => {
                                                                                    v.fail(__launch, 3u32, __i);
                                                                                    core::mem::forget(__iteration);
                                                                                    continue '__l0;
                                                                                }
                                                                            }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0
                                                                - __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, [i, j]);
                                                                                match u.checked(__i) {
                                                                                    core::option::Option::Some(__p) => __p,
                                                                                    core::option::Option::None => {
                                                                                        u.fail(__launch, 4u32, __i);
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
                                                    unsafe { __rt::Lanes::set(&mut __parts4, __part, change) };
                                                }
                                            }
                                        };
                                        core::mem::forget(__iteration);
                                    }
                                }
                            }
                            change = __rt::ReduceAdd::reduce_add(
                                __parts4
                                    .fold(|__a, __b| __rt::ReduceAdd::reduce_add(__a, __b)),
                                change,
                            );
                            (change,)
                        },
                        |__a, __b| (__rt::ReduceAdd::reduce_add(__a.0, __b.0),),
                    );
                    change = __rt::ReduceAdd::reduce_add(change, __total.0);
                }
                let __result: f32 = change;
                core::result::Result::Ok(__result)
            },
        )
}
fn blocks(x: &impl ::swathe::Argument<Field<f32>>) -> ::swathe::Result<f32> {
    use __rt::methods::*;
    trait __no__func_div_ceil {
        fn __func_div_ceil(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_div_ceil for __T {
        fn __func_div_ceil(&self) {}
    }
    trait __no__func_max {
        fn __func_max(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_max for __T {
        fn __func_max(&self) {}
    }
    trait __no__func_min {
        fn __func_min(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_min for __T {
        fn __func_min(&self) {}
    }
    const _: () = {
        impl __rt::FuncDef for blocks {}
    };
    let mut __launch = __rt::Launch::new(<blocks as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<f32>, _>(&*x))?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote_for::<blocks, f32>(&[__rt::launch_arg::<Field<f32>, _>(&*x)])
        };
    }
    __launch
        .run_for(
            &mut |__launch| -> core::result::Result<f32, __rt::Failed> {
                let __field0 = __rt::access::<Field<f32>, _>(&*x);
                let x = __field0;
                let __rank0 = __field0.rank();
                let __shared0 = false;
                let mut most = 0.0f32;
                let n = x.len();
                {
                    let (__start, __end) = (
                        0,
                        {
                            let __divisor = 1024;
                            {
                                use __rt::{Checked as _, Unchecked as _};
                                if let core::option::Option::Some(__fault) = (&&__rt::Operands(
                                    &n,
                                    &__divisor,
                                ))
                                    .__fault()
                                {
                                    {
                                        __rt::Failures::failed(
                                            __launch,
                                            0u32,
                                            53u32,
                                            21u32,
                                            __fault.message(false),
                                            &[],
                                        );
                                        return core::result::Result::Err(__rt::Failed);
                                    }
                                }
                            }
                            n.__func_div_ceil((__divisor,).0)
                        },
                    );
                    let __step = 1usize;
                    let __n = __rt::LoopInt::count(__start, __end, false, __step);
                    let __n = if __n > __rt::MOST_POSITIONS {
                        __rt::Failures::failed(
                            __launch,
                            0u32,
                            53u32,
                            18u32,
                            __rt::TOO_MANY,
                            &[__rt::LoopInt::shown(__start), __rt::LoopInt::shown(__end)],
                        );
                        0
                    } else {
                        __n
                    };
                    let __total = __rt::reduce_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::None,
                        __rt::Begins::NONE,
                        || (__rt::smallest_like(&most),),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>,
                            __partial|
                        {
                            let x = x;
                            let n = {
                                let _ = &n;
                                x.len()
                            };
                            let (__start, __step) = (__start, __step);
                            let mut most = __partial.0;
                            let __parts: usize = core::hint::black_box(64) & !(64 - 1);
                            let mut __parts1 = __rt::Lanes::<_, 64>::filled(most);
                            let __along0 = {
                                let mut __inside = __rt::Inside::ALL;
                                __rt::Inside::typed::<usize, _>(&mut __inside, &n);
                                {
                                    let __k = 0usize;
                                    __rt::Inside::typed::<
                                        usize,
                                        _,
                                    >(&mut __inside, &__rt::LoopInt::nth(__start, __k, 1usize));
                                }
                                let __line0 = __rt::Inside::position::<
                                    usize,
                                    _,
                                >(
                                    &mut __inside,
                                    |__k: usize| __rt::LoopInt::nth(__start, __k, 1usize),
                                );
                                let __line1 = __rt::Inside::number::<
                                    usize,
                                >(&mut __inside, 1);
                                let __line2 = __rt::Inside::add::<
                                    usize,
                                >(&mut __inside, __line0, __line1);
                                let __line3 = __rt::Inside::number::<
                                    usize,
                                >(&mut __inside, 1024);
                                let __line4 = __rt::Inside::mul::<
                                    usize,
                                >(&mut __inside, __line2, __line3);
                                let __line5 = __rt::Inside::value::<
                                    usize,
                                    _,
                                >(&mut __inside, n);
                                __rt::Inside::less(&mut __inside, __line5, __line4, false);
                                __inside
                            };
                            let __whole = __range.start..__range.end;
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
                                    >(&mut __inside, &__rt::LoopInt::nth(__start, __k, 1usize));
                                }
                                (__rt::Inside::range(__inside, &__whole),)
                            };
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
                                    {
                                        let mut __k = __range.start;
                                        '__l0: for __k in __k..__range.end {
                                            let block = __rt::LoopInt::nth(__start, __k, 1usize);
                                            let __iteration = __rt::Iteration(__k);
                                            '__ahead1: {
                                                let __span = ((block
                                                    * __rt::number(
                                                        1024,
                                                    ))..__rt::within::first(
                                                    ((block + __rt::number(1)) * __rt::number(1024)),
                                                    n,
                                                    |mut __a0, __a1| __a0.__func_min(__a1),
                                                ));
                                                #[cfg(not(debug_assertions))]
                                                {
                                                    if __rt::UNCHECKED
                                                        || (__rt::counts_positions(&__span)
                                                            && (__rt::span_inside(
                                                                __span.start as usize,
                                                                __span.end as usize,
                                                                &x.shape(),
                                                                0usize,
                                                            )))
                                                    {
                                                        {
                                                            let (__first, __end) = (__span.start, __span.end);
                                                            let __rounds = __rt::LoopInt::count(
                                                                __first,
                                                                __end,
                                                                false,
                                                                1usize,
                                                            );
                                                            let mut __begun = 0usize;
                                                            while __rounds - __begun >= 8usize {
                                                                let __width = core::cmp::min(__rounds - __begun, __parts)
                                                                    & !(8usize - 1);
                                                                for __part in 0..__width {
                                                                    let __round = __begun + __part;
                                                                    let i = __rt::LoopInt::nth(__first, __round, 1usize);
                                                                    let mut most = {
                                                                        let __like = unsafe { __rt::Lanes::get(&__parts1, __part) };
                                                                        __rt::smallest_like(&__like)
                                                                    };
                                                                    '__l1: {
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
                                                                            break '__l1;
                                                                        }
                                                                        most = most
                                                                            .__func_max(
                                                                                __rt::peek(
                                                                                        &{
                                                                                            let __p = {
                                                                                                let __i = __rt::axes(__rank0, i);
                                                                                                unsafe { x.unchecked(__i) }
                                                                                            };
                                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                                        },
                                                                                    )
                                                                                    .0,
                                                                            );
                                                                    }
                                                                    let most = __rt::ReduceMax::reduce_max(
                                                                        unsafe { __rt::Lanes::get(&__parts1, __part) },
                                                                        most,
                                                                    );
                                                                    unsafe { __rt::Lanes::set(&mut __parts1, __part, most) };
                                                                }
                                                                __begun += __width;
                                                            }
                                                            for __round in __begun..__rounds {
                                                                let __part = __round % 64;
                                                                let i = __rt::LoopInt::nth(__first, __round, 1usize);
                                                                let mut most = {
                                                                    let __like = unsafe { __rt::Lanes::get(&__parts1, __part) };
                                                                    __rt::smallest_like(&__like)
                                                                };
                                                                '__l1: {
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
                                                                        break '__l1;
                                                                    }
                                                                    most = most
                                                                        .__func_max(
                                                                            __rt::peek(
                                                                                    &{
                                                                                        let __p = {
                                                                                            let __i = __rt::axes(__rank0, i);
                                                                                            unsafe { x.unchecked(__i) }
                                                                                        };
                                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                                    },
                                                                                )
                                                                                .0,
                                                                        );
                                                                }
                                                                let most = __rt::ReduceMax::reduce_max(
                                                                    unsafe { __rt::Lanes::get(&__parts1, __part) },
                                                                    most,
                                                                );
                                                                unsafe { __rt::Lanes::set(&mut __parts1, __part, most) };
                                                            }
                                                        }
                                                        break '__ahead1;
                                                    }
                                                    core::hint::cold_path();
                                                }
                                                {
                                                    let (__first, __end) = (__span.start, __span.end);
                                                    let __rounds = __rt::LoopInt::count(
                                                        __first,
                                                        __end,
                                                        false,
                                                        1usize,
                                                    );
                                                    let mut __begun = 0usize;
                                                    for __round in __begun..__rounds {
                                                        let __part = __round % 64;
                                                        let i = __rt::LoopInt::nth(__first, __round, 1usize);
                                                        let mut most = {
                                                            let __like = unsafe { __rt::Lanes::get(&__parts1, __part) };
                                                            __rt::smallest_like(&__like)
                                                        };
                                                        '__l1: {
                                                            if (__rt::peek(
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
                                                                .0 < __rt::number(0.0))
                                                            {
                                                                break '__l1;
                                                            }
                                                            most = most
                                                                .__func_max(
                                                                    __rt::peek(
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
                                                                        .0,
                                                                );
                                                        }
                                                        let most = __rt::ReduceMax::reduce_max(
                                                            unsafe { __rt::Lanes::get(&__parts1, __part) },
                                                            most,
                                                        );
                                                        unsafe { __rt::Lanes::set(&mut __parts1, __part, most) };
                                                    }
                                                }
                                            };
                                            core::mem::forget(__iteration);
                                        }
                                    }
                                } else {
                                    let mut __k = __range.start;
                                    '__l0: for __k in __k..__range.end {
                                        let block = __rt::LoopInt::nth(__start, __k, 1usize);
                                        let __iteration = __rt::Iteration(__k);
                                        '__ahead1: {
                                            let __span = ((block
                                                * __rt::number(
                                                    1024,
                                                ))..((block + __rt::number(1)) * __rt::number(1024))
                                                .__func_min(n));
                                            #[cfg(not(debug_assertions))]
                                            {
                                                if __rt::UNCHECKED
                                                    || (__rt::counts_positions(&__span)
                                                        && (__rt::span_inside(
                                                            __span.start as usize,
                                                            __span.end as usize,
                                                            &x.shape(),
                                                            0usize,
                                                        )))
                                                {
                                                    {
                                                        let (__first, __end) = (__span.start, __span.end);
                                                        let __rounds = __rt::LoopInt::count(
                                                            __first,
                                                            __end,
                                                            false,
                                                            1usize,
                                                        );
                                                        let mut __begun = 0usize;
                                                        while __rounds - __begun >= 8usize {
                                                            let __width = core::cmp::min(__rounds - __begun, __parts)
                                                                & !(8usize - 1);
                                                            for __part in 0..__width {
                                                                let __round = __begun + __part;
                                                                let i = __rt::LoopInt::nth(__first, __round, 1usize);
                                                                let mut most = {
                                                                    let __like = unsafe { __rt::Lanes::get(&__parts1, __part) };
                                                                    __rt::smallest_like(&__like)
                                                                };
                                                                '__l1: {
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
                                                                        break '__l1;
                                                                    }
                                                                    most = most
                                                                        .__func_max(
                                                                            __rt::peek(
                                                                                    &{
                                                                                        let __p = {
                                                                                            let __i = __rt::axes(__rank0, i);
                                                                                            unsafe { x.unchecked(__i) }
                                                                                        };
                                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                                    },
                                                                                )
                                                                                .0,
                                                                        );
                                                                }
                                                                let most = __rt::ReduceMax::reduce_max(
                                                                    unsafe { __rt::Lanes::get(&__parts1, __part) },
                                                                    most,
                                                                );
                                                                unsafe { __rt::Lanes::set(&mut __parts1, __part, most) };
                                                            }
                                                            __begun += __width;
                                                        }
                                                        for __round in __begun..__rounds {
                                                            let __part = __round % 64;
                                                            let i = __rt::LoopInt::nth(__first, __round, 1usize);
                                                            let mut most = {
                                                                let __like = unsafe { __rt::Lanes::get(&__parts1, __part) };
                                                                __rt::smallest_like(&__like)
                                                            };
                                                            '__l1: {
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
                                                                    break '__l1;
                                                                }
                                                                most = most
                                                                    .__func_max(
                                                                        __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, i);
                                                                                        unsafe { x.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0,
                                                                    );
                                                            }
                                                            let most = __rt::ReduceMax::reduce_max(
                                                                unsafe { __rt::Lanes::get(&__parts1, __part) },
                                                                most,
                                                            );
                                                            unsafe { __rt::Lanes::set(&mut __parts1, __part, most) };
                                                        }
                                                    }
                                                    break '__ahead1;
                                                }
                                                core::hint::cold_path();
                                            }
                                            {
                                                let (__first, __end) = (__span.start, __span.end);
                                                let __rounds = __rt::LoopInt::count(
                                                    __first,
                                                    __end,
                                                    false,
                                                    1usize,
                                                );
                                                let mut __begun = 0usize;
                                                for __round in __begun..__rounds {
                                                    let __part = __round % 64;
                                                    let i = __rt::LoopInt::nth(__first, __round, 1usize);
                                                    let mut most = {
                                                        let __like = unsafe { __rt::Lanes::get(&__parts1, __part) };
                                                        __rt::smallest_like(&__like)
                                                    };
                                                    '__l1: {
                                                        if (__rt::peek(
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
                                                            .0 < __rt::number(0.0))
                                                        {
                                                            break '__l1;
                                                        }
                                                        most = most
                                                            .__func_max(
                                                                __rt::peek(
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
                                                                    .0,
                                                            );
                                                    }
                                                    let most = __rt::ReduceMax::reduce_max(
                                                        unsafe { __rt::Lanes::get(&__parts1, __part) },
                                                        most,
                                                    );
                                                    unsafe { __rt::Lanes::set(&mut __parts1, __part, most) };
                                                }
                                            }
                                        };
                                        core::mem::forget(__iteration);
                                    }
                                }
                            }
                            most = __rt::ReduceMax::reduce_max(
                                __parts1
                                    .fold(|__a, __b| __rt::ReduceMax::reduce_max(__a, __b)),
                                most,
                            );
                            (most,)
                        },
                        |__a, __b| (__rt::ReduceMax::reduce_max(__a.0, __b.0),),
                    );
                    most = __rt::ReduceMax::reduce_max(most, __total.0);
                }
                let __result: f32 = most;
                core::result::Result::Ok(__result)
            },
        )
}
fn words(text: &impl ::swathe::Argument<Field<u8>>) -> ::swathe::Result<u32> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for words {}
    };
    let mut __launch = __rt::Launch::new(<words as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "text",
        __rt::place_of::<Field<u8>, _>(&*text),
    )?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote_for::<
                    words,
                    u32,
                >(&[__rt::launch_arg::<Field<u8>, _>(&*text)])
        };
    }
    __launch
        .run_for(
            &mut |__launch| -> core::result::Result<u32, __rt::Failed> {
                let __field0 = __rt::access::<Field<u8>, _>(&*text);
                let text = __field0;
                let __rank0 = __field0.rank();
                let __shared0 = false;
                let mut count = 0u32;
                {
                    let (__start, __end) = (1, text.len());
                    let __step = 1usize;
                    let __n = __rt::LoopInt::count(__start, __end, false, __step);
                    let __n = if __n > __rt::MOST_POSITIONS {
                        __rt::Failures::failed(
                            __launch,
                            0u32,
                            69u32,
                            14u32,
                            __rt::TOO_MANY,
                            &[__rt::LoopInt::shown(__start), __rt::LoopInt::shown(__end)],
                        );
                        0
                    } else {
                        __n
                    };
                    let __total = __rt::reduce_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(18u32),
                        __rt::Begins::NONE,
                        || (__rt::zero_like(&count),),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>,
                            __partial|
                        {
                            let text = text;
                            let (__start, __step) = (__start, __step);
                            let mut count = __partial.0;
                            let __width: usize = core::hint::black_box(64) & !(64 - 1);
                            let __inner: usize = if 64 == 8usize {
                                __width & 64
                            } else {
                                64
                            };
                            let mut __plane1 = __rt::Lanes::<_, 64>::filled(count);
                            let __along0 = {
                                let mut __inside = __rt::Inside::ALL;
                                {
                                    let __k = 0usize;
                                    __rt::Inside::typed::<
                                        usize,
                                        _,
                                    >(&mut __inside, &__rt::LoopInt::nth(__start, __k, 1usize));
                                }
                                let __line0 = __rt::Inside::position::<
                                    usize,
                                    _,
                                >(
                                    &mut __inside,
                                    |__k: usize| __rt::LoopInt::nth(__start, __k, 1usize),
                                );
                                let __line1 = __rt::Inside::number::<
                                    usize,
                                >(&mut __inside, 1);
                                let __line2 = __rt::Inside::sub::<
                                    usize,
                                >(&mut __inside, __line0, __line1);
                                __rt::Inside::below(
                                    &mut __inside,
                                    __line2,
                                    &text.shape(),
                                    0,
                                );
                                __inside
                            };
                            let __whole = __range.start..__range.end;
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
                                    >(&mut __inside, &__rt::LoopInt::nth(__start, __k, 1usize));
                                }
                                (__rt::Inside::range(__inside, &__whole),)
                            };
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
                                    {
                                        let mut __k = __range.start;
                                        if true {
                                            while __range.end.saturating_sub(__k) >= 8usize {
                                                let __width = core::cmp::min(__range.end - __k, __width)
                                                    & !(8usize - 1);
                                                let __iteration = __rt::BlockAt(__k);
                                                for __l in 0..__width {
                                                    let i = __rt::LoopInt::nth(__start, (__k + __l), 1usize);
                                                    let _ = i;
                                                    let __eager0 = __rt::Eager::new(|| {
                                                        __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, (i - __rt::number(1)));
                                                                        unsafe { text.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0
                                                    });
                                                    let mut count = {
                                                        let __like = unsafe { __rt::Lanes::get(&__plane1, __l) };
                                                        __rt::zero_like(&__like)
                                                    };
                                                    {
                                                        if ((__rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, i);
                                                                        unsafe { text.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0 > __rt::number(32))
                                                            && (__rt::peek(&__rt::Eager::get(&__eager0)).0
                                                                <= __rt::number(32)))
                                                        {
                                                            count += __rt::number(1);
                                                        }
                                                    }
                                                    let count = __rt::ReduceAdd::reduce_add(
                                                        unsafe { __rt::Lanes::get(&__plane1, __l) },
                                                        count,
                                                    );
                                                    unsafe { __rt::Lanes::set(&mut __plane1, __l, count) };
                                                }
                                                core::mem::forget(__iteration);
                                                __k += __width;
                                            }
                                        }
                                        '__l0: for __k in __k..__range.end {
                                            let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                            let __iteration = __rt::Iteration(__k);
                                            let __eager0 = __rt::Eager::new(|| {
                                                __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, (i - __rt::number(1)));
                                                                unsafe { text.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0
                                            });
                                            if ((__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { text.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0 > __rt::number(32))
                                                && (__rt::peek(&__rt::Eager::get(&__eager0)).0
                                                    <= __rt::number(32)))
                                            {
                                                count += __rt::number(1);
                                            }
                                            core::mem::forget(__iteration);
                                        }
                                    }
                                } else {
                                    let mut __k = __range.start;
                                    '__l0: for __k in __k..__range.end {
                                        let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                        let __iteration = __rt::Iteration(__k);
                                        if ((__rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, i);
                                                        unsafe { text.unchecked(__i) }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0 > __rt::number(32))
                                            && (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, (i - __rt::number(1)));
                                                            match text.checked(__i) {
                                                                core::option::Option::Some(__p) => __p,
                                                                core::option::Option::None => {
                                                                    text.fail(__launch, 1u32, __i);
                                                                    core::mem::forget(__iteration);
                                                                    continue '__l0;
                                                                }
                                                            }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0 <= __rt::number(32)))
                                        {
                                            count += __rt::number(1);
                                        }
                                        core::mem::forget(__iteration);
                                    }
                                }
                            }
                            count = __rt::ReduceAdd::reduce_add(
                                __plane1
                                    .fold(|__a, __b| __rt::ReduceAdd::reduce_add(__a, __b)),
                                count,
                            );
                            (count,)
                        },
                        |__a, __b| (__rt::ReduceAdd::reduce_add(__a.0, __b.0),),
                    );
                    count = __rt::ReduceAdd::reduce_add(count, __total.0);
                }
                let __result: u32 = count;
                core::result::Result::Ok(__result)
            },
        )
}
fn nearest(
    x: &impl ::swathe::Argument<Field<Vec3>>,
    target: Vec3,
) -> ::swathe::Result<(f32, usize, u32)> {
    use __rt::methods::*;
    trait __no__func_distance {
        fn __func_distance(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_distance for __T {
        fn __func_distance(&self) {}
    }
    trait __no__func_distance_squared {
        fn __func_distance_squared(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_distance_squared
    for __T {
        fn __func_distance_squared(&self) {}
    }
    const _: () = {
        impl __rt::FuncDef for nearest {}
    };
    let mut __launch = __rt::Launch::new(<nearest as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<Vec3>, _>(&*x))?;
    if __rt::Launch::is_remote(&__launch) {
        let __value1 = __rt::DeviceValue::new(&target);
        return unsafe {
            __launch
                .run_remote_for::<
                    nearest,
                    (f32, usize, u32),
                >(
                    &[
                        __rt::launch_arg::<Field<Vec3>, _>(&*x),
                        __rt::DeviceValue::arg(&__value1),
                    ],
                )
        };
    }
    __launch
        .run_for(
            &mut |__launch| -> core::result::Result<(f32, usize, u32), __rt::Failed> {
                let __field0 = __rt::access::<Field<Vec3>, _>(&*x);
                let x = __field0;
                let __rank0 = __field0.rank();
                let __shared0 = false;
                let __shared1 = false;
                let mut least = f32::MAX;
                let mut at = 0;
                let mut last = 0;
                let mut last_at = 0;
                let mut __found8 = false;
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
                        core::option::Option::Some(65u32),
                        __rt::Begins::NONE,
                        || (least, at, last, last_at, __found8),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>,
                            __partial|
                        {
                            let x = x;
                            let target = target;
                            let __shape = __shape;
                            let mut least = __partial.0;
                            let mut at = __partial.1;
                            let mut last = __partial.2;
                            let mut last_at = __partial.3;
                            let mut __found8 = __partial.4;
                            let mut __k = __range.start;
                            let mut __close = __k;
                            while __k < __range.end {
                                let __most = if __k < __close { 32usize } else { 256usize };
                                let __width = core::cmp::min(__range.end - __k, __most);
                                #[cfg(not(debug_assertions))]
                                if __width >= 8usize {
                                    let mut __taken: u32 = 0;
                                    let __first = __k;
                                    __rt::block_begins(__first);
                                    '__l0: for __k in __k..__k + __width {
                                        let i = __rt::position(__shape, __k);
                                        let __iteration = __rt::BlockAt(__first);
                                        if (((i % __rt::number(2)) == __rt::number(0))
                                            && (({
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
                                                __rt::products::distance_squared(
                                                    __target,
                                                    &{ (&(__x0,)).0 },
                                                    &{ target },
                                                    || (&(__x0,)).0.__func_distance_squared(target),
                                                )
                                            }) < __rt::number(4.0)))
                                        {
                                            let distance = ({
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
                                                __rt::products::distance(
                                                    __target,
                                                    &{ (&(__x0,)).0 },
                                                    &{ target },
                                                    || (&(__x0,)).0.__func_distance(target),
                                                )
                                            });
                                            {
                                                __taken |= (distance < least) as u32;
                                            }
                                        }
                                        {
                                            let __compared9 = (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { x.unchecked(__i) }
                                                        };
                                                        let mut __room = __rt::Pointer::stand_in(__p);
                                                        let __base = __rt::Pointer::base(__p, &mut __room);
                                                        unsafe {
                                                            __rt::Pointer::get(
                                                                __p,
                                                                __base,
                                                                (&raw const (*(__base)).x).cast_mut(),
                                                            )
                                                        }
                                                    },
                                                )
                                                .0 as u32);
                                            {
                                                __taken |= (__compared9 >= last) as u32;
                                            };
                                        };
                                        core::mem::forget(__iteration);
                                    }
                                    if __taken == 0 {
                                        __k += __width;
                                        continue;
                                    }
                                    __rt::block_again();
                                    if __width > 32usize {
                                        __close = __k + __width;
                                        continue;
                                    }
                                }
                                '__l0: for __k in __k..__k + __width {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    if (((i % __rt::number(2)) == __rt::number(0))
                                        && (({
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
                                            __rt::products::distance_squared(
                                                __target,
                                                &{ (&(__x0,)).0 },
                                                &{ target },
                                                || (&(__x0,)).0.__func_distance_squared(target),
                                            )
                                        }) < __rt::number(4.0)))
                                    {
                                        let distance = ({
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
                                            __rt::products::distance(
                                                __target,
                                                &{ (&(__x0,)).0 },
                                                &{ target },
                                                || (&(__x0,)).0.__func_distance(target),
                                            )
                                        });
                                        if (distance < least) {
                                            least = distance;
                                            at = i;
                                        }
                                    }
                                    {
                                        let __compared9 = (__rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, i);
                                                        unsafe { x.unchecked(__i) }
                                                    };
                                                    let mut __room = __rt::Pointer::stand_in(__p);
                                                    let __base = __rt::Pointer::base(__p, &mut __room);
                                                    unsafe {
                                                        __rt::Pointer::get(
                                                            __p,
                                                            __base,
                                                            (&raw const (*(__base)).x).cast_mut(),
                                                        )
                                                    }
                                                },
                                            )
                                            .0 as u32);
                                        if (__compared9 >= last) {
                                            __found8 = true;
                                            last = if false {
                                                (__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, i);
                                                                match x.checked(__i) {
                                                                    core::option::Option::Some(__p) => __p,
                                                                    core::option::Option::None => {
                                                                        x.fail(__launch, 3u32, __i);
                                                                        loop {}
                                                                    }
                                                                }
                                                            };
                                                            let mut __room = __rt::Pointer::stand_in(__p);
                                                            let __base = __rt::Pointer::base(__p, &mut __room);
                                                            unsafe {
                                                                __rt::Pointer::get(
                                                                    __p,
                                                                    __base,
                                                                    (&raw const (*(__base)).x).cast_mut(),
                                                                )
                                                            }
                                                        },
                                                    )
                                                    .0 as u32)
                                            } else {
                                                __compared9
                                            };
                                            last_at = (i as u32);
                                        }
                                    };
                                    core::mem::forget(__iteration);
                                }
                                __k += __width;
                            }
                            (least, at, last, last_at, __found8)
                        },
                        |__a, __b| {
                            let __later0 = (__b.0 < __a.0);
                            let __later1 = __b.4 && (__b.2 >= __a.2);
                            (
                                if __later0 { __b.0 } else { __a.0 },
                                if __later0 { __b.1 } else { __a.1 },
                                if __later1 { __b.2 } else { __a.2 },
                                if __later1 { __b.3 } else { __a.3 },
                                if __later1 { __b.4 } else { __a.4 },
                            )
                        },
                    );
                    least = __total.0;
                    at = __total.1;
                    last = __total.2;
                    last_at = __total.3;
                    __found8 = __total.4;
                }
                let __result: (f32, usize, u32) = (least, at, last_at);
                core::result::Result::Ok(__result)
            },
        )
}
