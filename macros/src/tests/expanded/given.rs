fn next(i: usize, n: usize) -> usize {
    use __rt::methods::*;
    const _: () = {
        impl next {
            pub const fn __looped(__depth: u32) -> bool {
                __depth > 0 && false
            }
            pub const fn __gives(__depth: u32) -> bool {
                __depth > 0 && { true }
            }
            pub fn __typed<__V, const __W: usize>(
                _: &__rt::Lanes<__V, __W>,
                _: impl core::ops::FnOnce() -> __V,
            ) {}
            pub const a_function_of_kernels_must_not_call_itself: u32 = {
                let mut __size = 11u32;
                __size
            };
        }
        impl next {
            pub fn __lanes2<
                const __W: usize,
                __A0: __rt::Is<usize>,
                __A1: __rt::Is<usize>,
            >(
                __target: __rt::Target,
                __outer: &__rt::Lanes<u32, __W>,
                __plane0: &__rt::Lanes<__A0, __W>,
                __plane1: &__rt::Lanes<__A1, __W>,
                __out: &mut __rt::Lanes<usize, __W>,
            ) {
                let __plane0: &__rt::Lanes<usize, __W> = __rt::Lanes::typed(__plane0);
                let __plane1: &__rt::Lanes<usize, __W> = __rt::Lanes::typed(__plane1);
                let __width: usize = core::hint::black_box(__W) & !(__W - 1);
                let __inner: usize = if __W == 8usize { __width & __W } else { __W };
                for __l in 0..__width {
                    let __active = unsafe { __rt::Lanes::get(__outer, __l) } == 0;
                    let mut __value = unsafe { __rt::Lanes::get(__out, __l) };
                    if __active {
                        __value = unsafe {
                            next::__of(&__rt::FuncSlot::at(__target))
                                .__call(
                                    __rt::Lanes::get(__plane0, __l),
                                    __rt::Lanes::get(__plane1, __l),
                                )
                        };
                    }
                    unsafe { __rt::Lanes::set(__out, __l, __value) };
                }
            }
        }
        impl next {
            pub fn __given(
                __inside: &mut __rt::Inside,
                __args: &[__rt::Line],
            ) -> __rt::Given {
                let mut __v0 = __rt::Inside::parameter::<
                    usize,
                >(__inside, __args, 0usize);
                let mut __v1 = __rt::Inside::parameter::<
                    usize,
                >(__inside, __args, 1usize);
                let __value: __rt::Line = {
                    if ({
                        let (__a0, __a1) = (
                            {
                                let (__a0, __a1) = (
                                    __v0,
                                    __rt::Inside::amount(__inside, 1),
                                );
                                __rt::Inside::add::<usize>(__inside, __a0, __a1)
                            },
                            __v1,
                        );
                        __rt::Inside::decide_equal(__inside, __a0, __a1)
                    } == true)
                    {
                        __rt::Inside::amount(__inside, 0)
                    } else {
                        {
                            let (__a0, __a1) = (__v0, __rt::Inside::amount(__inside, 1));
                            __rt::Inside::add::<usize>(__inside, __a0, __a1)
                        }
                    }
                };
                __rt::Inside::result::<usize>(__inside, __value)
            }
        }
        impl __rt::FuncDef for next {}
    };
    if ((i + __rt::number(1)) == n) { 0 } else { (i + __rt::number(1)) }
}
fn around(mut i: i32, n: i32) -> usize {
    use __rt::methods::*;
    trait __no__func_rem_euclid {
        fn __func_rem_euclid(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_rem_euclid for __T {
        fn __func_rem_euclid(&self) {}
    }
    const _: () = {
        impl around {
            pub const fn __looped(__depth: u32) -> bool {
                __depth > 0
                    && {
                        const NONE: i32 = 0;
                        false
                            || {
                                use __rt::no_lanes::*;
                                {
                                    use next as __callee;
                                    __callee::__looped(__depth - 1)
                                }
                            }
                    }
            }
            pub const fn __gives(__depth: u32) -> bool {
                __depth > 0
                    && {
                        const NONE: i32 = 0;
                        true
                            && {
                                use __rt::no_lanes::*;
                                {
                                    use next as __callee;
                                    __callee::__gives(__depth - 1)
                                }
                            }
                    }
            }
            pub fn __typed<__V, const __W: usize>(
                _: &__rt::Lanes<__V, __W>,
                _: impl core::ops::FnOnce() -> __V,
            ) {}
            pub const a_function_of_kernels_must_not_call_itself: u32 = {
                const NONE: i32 = 0;
                let mut __size = 25u32;
                __size = __size
                    .saturating_add(
                        u32::saturating_mul(
                            match {
                                use __rt::no_lanes::*;
                                {
                                    use next as __callee;
                                    __callee::a_function_of_kernels_must_not_call_itself
                                }
                            } {
                                __part if __part <= 1000u32 => __part,
                                _ => 1,
                            },
                            1u32,
                        ),
                    );
                __size
            };
        }
        impl around {
            pub fn __lanes2<const __W: usize, __A0: __rt::Is<i32>, __A1: __rt::Is<i32>>(
                __target: __rt::Target,
                __outer: &__rt::Lanes<u32, __W>,
                __plane0: &__rt::Lanes<__A0, __W>,
                __plane1: &__rt::Lanes<__A1, __W>,
                __out: &mut __rt::Lanes<usize, __W>,
            ) {
                let __plane0: &__rt::Lanes<i32, __W> = __rt::Lanes::typed(__plane0);
                let __plane1: &__rt::Lanes<i32, __W> = __rt::Lanes::typed(__plane1);
                let __fit4 = __rt::Fit::new();
                let __fit5 = __rt::Fit::new();
                let __fit6 = __rt::Fit::new();
                if 0usize + __fit4.bytes() + __fit5.bytes() + __fit6.bytes()
                    <= __rt::MOST_PLANES / __W
                {
                    {
                        const NONE: i32 = 0;
                        let __width: usize = core::hint::black_box(__W) & !(__W - 1);
                        let __inner: usize = if __W == 8usize {
                            __width & __W
                        } else {
                            __W
                        };
                        let mut __exit = __rt::Lanes::<u32, __W>::zeros();
                        let mut __active = 0u32;
                        for __l in 0..__width {
                            let __e = (unsafe { __rt::Lanes::get(__outer, __l) } != 0)
                                as u32;
                            unsafe { __rt::Lanes::set(&mut __exit, __l, __e) };
                            __active |= __e ^ 1;
                        }
                        if __active == 0 {
                            return;
                        }
                        let mut __plane0 = *__plane0;
                        let __plane1 = *__plane1;
                        let mut __plane3 = __out;
                        let mut __plane4 = __rt::Lanes::<_, __W>::zeros();
                        __fit4.of(&__plane4);
                        let mut __plane5 = __rt::Lanes::<_, __W>::zeros();
                        __fit5.of(&__plane5);
                        let mut __plane6 = __rt::Lanes::<_, __W>::zeros();
                        __fit6.of(&__plane6);
                        if const {
                            false
                                || {
                                    use __rt::no_lanes::*;
                                    {
                                        use next as __callee;
                                        __callee::__looped(8u32)
                                    }
                                }
                        }
                            && 0 + core::mem::size_of_val(&__plane4)
                                + core::mem::size_of_val(&__plane5)
                                + core::mem::size_of_val(&__plane6) <= __rt::MOST_PASSED
                        {
                            for __l in 0..__width {
                                let mut __e = unsafe { __rt::Lanes::get(&__exit, __l) };
                                let mut i = unsafe { __rt::Lanes::get(&__plane0, __l) };
                                let mut n = unsafe { __rt::Lanes::get(&__plane1, __l) };
                                let mut __value3 = unsafe {
                                    __rt::Lanes::get(&__plane3, __l)
                                };
                                let mut __keep4 = unsafe {
                                    __rt::Lanes::get(&__plane4, __l)
                                };
                                let mut __keep5 = unsafe {
                                    __rt::Lanes::get(&__plane5, __l)
                                };
                                if __e == 0 {
                                    '__region: {
                                        if (n <= NONE) {
                                            {
                                                __value3 = 0;
                                                {
                                                    __e |= 1u32;
                                                    break '__region;
                                                }
                                            };
                                        }
                                        let below = (i < __rt::number(0));
                                        if (below || (i >= n)) {
                                            i = {
                                                let __divisor = n;
                                                {
                                                    use __rt::{Checked as _, Unchecked as _};
                                                    if let core::option::Option::Some(__fault) = (&&__rt::Operands(
                                                        &i,
                                                        &__divisor,
                                                    ))
                                                        .__fault()
                                                    {
                                                        __rt::function_failed(
                                                            "<parsed string 2>",
                                                            16u32,
                                                            13u32,
                                                            __fault.message(true),
                                                            __rt::std::boxed::Box::new([]),
                                                        );
                                                    }
                                                }
                                                i.__func_rem_euclid((__divisor,).0)
                                            };
                                        }
                                        let __value4 = (i as usize);
                                        let __value5 = (n as usize);
                                        __keep4 = __value4;
                                        __keep5 = __value5;
                                    }
                                }
                                unsafe { __rt::Lanes::set(&mut __plane0, __l, i) };
                                unsafe { __rt::Lanes::set(&mut __plane3, __l, __value3) };
                                unsafe { __rt::Lanes::set(&mut __plane4, __l, __keep4) };
                                unsafe { __rt::Lanes::set(&mut __plane5, __l, __keep5) };
                                unsafe { __rt::Lanes::set(&mut __exit, __l, __e) };
                            }
                            {
                                use __rt::no_lanes::*;
                                {
                                    use next as __callee;
                                    __callee::__typed(
                                        &__plane6,
                                        || unsafe {
                                            let __arg0 = __rt::Lanes::get(&__plane4, 0);
                                            let __arg1 = __rt::Lanes::get(&__plane5, 0);
                                            let __value = {
                                                use __rt::not_func::args2::*;
                                                {
                                                    use next as __callee;
                                                    __callee::__of(&__rt::FuncSlot::NEW)
                                                        .__call((__arg0,).0, (__arg1,).0)
                                                }
                                            };
                                            __value
                                        },
                                    )
                                }
                            };
                            {
                                use __rt::no_lanes::*;
                                {
                                    use next as __callee;
                                    __callee::__lanes2(
                                        __rt::Target::Plain,
                                        &__exit,
                                        &__plane4,
                                        &__plane5,
                                        &mut __plane6,
                                    )
                                }
                            };
                            for __l in 0..__width {
                                let mut __e = unsafe { __rt::Lanes::get(&__exit, __l) };
                                let mut __value3 = unsafe {
                                    __rt::Lanes::get(&__plane3, __l)
                                };
                                let mut __value6 = unsafe {
                                    __rt::Lanes::get(&__plane6, __l)
                                };
                                if __e == 0 {
                                    {
                                        __value3 = __value6;
                                    }
                                }
                                unsafe { __rt::Lanes::set(&mut __plane3, __l, __value3) };
                                unsafe { __rt::Lanes::set(&mut __exit, __l, __e) };
                            }
                        } else {
                            for __l in 0..__width {
                                let mut __e = unsafe { __rt::Lanes::get(&__exit, __l) };
                                let mut i = unsafe { __rt::Lanes::get(&__plane0, __l) };
                                let mut n = unsafe { __rt::Lanes::get(&__plane1, __l) };
                                let mut __value3 = unsafe {
                                    __rt::Lanes::get(&__plane3, __l)
                                };
                                if __e == 0 {
                                    '__region: {
                                        if (n <= NONE) {
                                            {
                                                __value3 = 0;
                                                {
                                                    __e |= 1u32;
                                                    break '__region;
                                                }
                                            };
                                        }
                                        let below = (i < __rt::number(0));
                                        if (below || (i >= n)) {
                                            i = {
                                                let __divisor = n;
                                                {
                                                    use __rt::{Checked as _, Unchecked as _};
                                                    if let core::option::Option::Some(__fault) = (&&__rt::Operands(
                                                        &i,
                                                        &__divisor,
                                                    ))
                                                        .__fault()
                                                    {
                                                        __rt::function_failed(
                                                            "<parsed string 2>",
                                                            16u32,
                                                            13u32,
                                                            __fault.message(true),
                                                            __rt::std::boxed::Box::new([]),
                                                        );
                                                    }
                                                }
                                                i.__func_rem_euclid((__divisor,).0)
                                            };
                                        }
                                        __value3 = {
                                            use __rt::not_func::args2::*;
                                            {
                                                use next as __callee;
                                                __callee::__of(&__rt::FuncSlot::NEW)
                                                    .__call((i as usize), (n as usize))
                                            }
                                        };
                                    }
                                }
                                unsafe { __rt::Lanes::set(&mut __plane0, __l, i) };
                                unsafe { __rt::Lanes::set(&mut __plane3, __l, __value3) };
                                unsafe { __rt::Lanes::set(&mut __exit, __l, __e) };
                            }
                        }
                    }
                } else {
                    let __width: usize = core::hint::black_box(__W) & !(__W - 1);
                    let __inner: usize = if __W == 8usize { __width & __W } else { __W };
                    for __l in 0..__width {
                        let __active = unsafe { __rt::Lanes::get(__outer, __l) } == 0;
                        let mut __value = unsafe { __rt::Lanes::get(__out, __l) };
                        if __active {
                            __value = unsafe {
                                around::__of(&__rt::FuncSlot::at(__target))
                                    .__call(
                                        __rt::Lanes::get(__plane0, __l),
                                        __rt::Lanes::get(__plane1, __l),
                                    )
                            };
                        }
                        unsafe { __rt::Lanes::set(__out, __l, __value) };
                    }
                }
            }
        }
        impl around {
            pub fn __given(
                __inside: &mut __rt::Inside,
                __args: &[__rt::Line],
            ) -> __rt::Given {
                const NONE: i32 = 0;
                let mut __v0 = __rt::Inside::parameter::<i32>(__inside, __args, 0usize);
                let mut __v1 = __rt::Inside::parameter::<i32>(__inside, __args, 1usize);
                let __value: __rt::Line = {
                    if ({
                        let (__a0, __a1) = (__v1, __rt::Inside::any(__inside, NONE));
                        __rt::Inside::decide_less(__inside, __a1, __a0)
                    } == false)
                    {
                        let __value = __rt::Inside::amount(__inside, 0);
                        return __rt::Inside::result::<usize>(__inside, __value);
                    } else {}
                    let __v2 = ({
                        let (__a0, __a1) = (__v0, __rt::Inside::amount(__inside, 0));
                        __rt::Inside::decide_less(__inside, __a0, __a1)
                    } == true);
                    if (__v2
                        || ({
                            let (__a0, __a1) = (__v0, __v1);
                            __rt::Inside::decide_less(__inside, __a0, __a1)
                        } == false))
                    {
                        __v0 = {
                            let (__a0, __a1) = (__v0, __v1);
                            __rt::Inside::rem_euclid::<i32>(__inside, __a0, __a1)
                        };
                    } else {}
                    {
                        let __args = [
                            {
                                let (__a0,) = (__v0,);
                                __rt::Inside::fits::<usize>(__inside, __a0)
                            },
                            {
                                let (__a0,) = (__v1,);
                                __rt::Inside::fits::<usize>(__inside, __a0)
                            },
                        ];
                        let __given = {
                            use __rt::no_lanes::*;
                            {
                                use next as __callee;
                                __callee::__given(__inside, &__args)
                            }
                        };
                        __rt::Given::line(__given)
                    }
                };
                __rt::Inside::result::<usize>(__inside, __value)
            }
        }
        impl __rt::FuncDef for around {}
    };
    {
        const NONE: i32 = 0;
        if (n <= NONE) {
            (return 0);
        }
        let below = (i < __rt::number(0));
        if (below || (i >= n)) {
            i = {
                let __divisor = n;
                {
                    use __rt::{Checked as _, Unchecked as _};
                    if let core::option::Option::Some(__fault) = (&&__rt::Operands(
                        &i,
                        &__divisor,
                    ))
                        .__fault()
                    {
                        __rt::function_failed(
                            "<parsed string 2>",
                            16u32,
                            13u32,
                            __fault.message(true),
                            __rt::std::boxed::Box::new([]),
                        );
                    }
                }
                i.__func_rem_euclid((__divisor,).0)
            };
        }
        {
            use __rt::not_func::args2::*;
            {
                use next as __callee;
                __callee::__of(&__rt::FuncSlot::NEW).__call((i as usize), (n as usize))
            }
        }
    }
}
fn shifted(
    u: &impl ::swathe::Argument<Field<f32, 2>>,
    v: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
    n: i32,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for shifted {}
    };
    let mut __launch = __rt::Launch::new(<shifted as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<f32, 2>, _>(&*v))?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *v)?;
    if __rt::Launch::is_remote(&__launch) {
        let __value2 = __rt::DeviceValue::new(&n);
        return unsafe {
            __launch
                .run_remote::<
                    shifted,
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
                        __rt::Version::for_elements(
                            false,
                            [__field0.scalars(), __field1.scalars()],
                        ),
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
                            let n = n;
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
                                if __target.wide() { 32 } else { 8 },
                            ) & !(if __target.wide() { 32 } else { 8 } - 1);
                            let __inner: usize = if if __target.wide() { 32 } else { 8 }
                                == 8usize
                            {
                                __width & if __target.wide() { 32 } else { 8 }
                            } else {
                                if __target.wide() { 32 } else { 8 }
                            };
                            #[cfg(not(debug_assertions))]
                            let __streaming = __rt::stage::Streaming(
                                __rt::stage::streams(
                                    __target,
                                    [__field1.staged(true)],
                                    [u.bytes(), v.bytes()],
                                ),
                            );
                            #[cfg(not(debug_assertions))]
                            let __along0 = {
                                let mut __inside = __rt::Inside::ALL;
                                {
                                    let __k = 0usize;
                                    __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                }
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
                                let (__inside, __given8, __given9, __given10) = {
                                    let mut __inside = __rt::Inside::of(
                                        __along0,
                                        &__whole,
                                        24usize,
                                    );
                                    __rt::Inside::typed::<usize, _>(&mut __inside, &i);
                                    {
                                        let __k = 0usize;
                                        __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                    }
                                    let __given8 = {
                                        let __amounts = [
                                            __rt::Inside::any(&mut __inside, i),
                                            __rt::Inside::any(&mut __inside, h),
                                        ];
                                        let __given = if const {
                                            {
                                                use __rt::no_lanes::*;
                                                {
                                                    use next as __callee;
                                                    __callee::__gives(4u32)
                                                }
                                            }
                                        } {
                                            {
                                                use __rt::no_lanes::*;
                                                {
                                                    use next as __callee;
                                                    __callee::__given(&mut __inside, &__amounts)
                                                }
                                            }
                                        } else {
                                            __rt::Inside::untold(&mut __inside)
                                        };
                                        __rt::Inside::grows(&mut __inside, __given, 0)
                                    };
                                    let __line0 = __rt::Inside::position::<
                                        usize,
                                        _,
                                    >(&mut __inside, |__k: usize| __k);
                                    let __line1 = __rt::Inside::fits::<
                                        i32,
                                    >(&mut __inside, __line0);
                                    let __line2 = __rt::Inside::number::<i32>(&mut __inside, 1);
                                    let __line3 = __rt::Inside::add::<
                                        i32,
                                    >(&mut __inside, __line1, __line2);
                                    let __given9 = {
                                        let __amounts = [
                                            __line3,
                                            __rt::Inside::any(&mut __inside, n),
                                        ];
                                        let __given = if const {
                                            {
                                                use __rt::no_lanes::*;
                                                {
                                                    use around as __callee;
                                                    __callee::__gives(4u32)
                                                }
                                            }
                                        } {
                                            {
                                                use __rt::no_lanes::*;
                                                {
                                                    use around as __callee;
                                                    __callee::__given(&mut __inside, &__amounts)
                                                }
                                            }
                                        } else {
                                            __rt::Inside::untold(&mut __inside)
                                        };
                                        __rt::Inside::grows(&mut __inside, __given, 1)
                                    };
                                    let __line4 = __rt::Inside::given::<
                                        usize,
                                    >(&mut __inside, __given8);
                                    __rt::Inside::below(&mut __inside, __line4, &u.shape(), 0);
                                    let __line5 = __rt::Inside::given::<
                                        usize,
                                    >(&mut __inside, __given9);
                                    __rt::Inside::below(&mut __inside, __line5, &u.shape(), 1);
                                    let __given10 = {
                                        let __amounts = [
                                            __line0,
                                            __rt::Inside::any(&mut __inside, w),
                                        ];
                                        let __given = if const {
                                            {
                                                use __rt::no_lanes::*;
                                                {
                                                    use next as __callee;
                                                    __callee::__gives(4u32)
                                                }
                                            }
                                        } {
                                            {
                                                use __rt::no_lanes::*;
                                                {
                                                    use next as __callee;
                                                    __callee::__given(&mut __inside, &__amounts)
                                                }
                                            }
                                        } else {
                                            __rt::Inside::untold(&mut __inside)
                                        };
                                        __rt::Inside::grows(&mut __inside, __given, 1)
                                    };
                                    let __line6 = __rt::Inside::value::<
                                        usize,
                                        _,
                                    >(&mut __inside, i);
                                    __rt::Inside::below(&mut __inside, __line6, &u.shape(), 0);
                                    let __line7 = __rt::Inside::given::<
                                        usize,
                                    >(&mut __inside, __given10);
                                    let __line8 = __rt::Inside::number::<
                                        usize,
                                    >(&mut __inside, 2);
                                    let __line9 = __rt::Inside::add::<
                                        usize,
                                    >(&mut __inside, __line7, __line8);
                                    __rt::Inside::below(&mut __inside, __line9, &u.shape(), 1);
                                    (
                                        __rt::Inside::range(__inside, &__whole),
                                        __rt::Given::at_zero(
                                            __given8,
                                            0,
                                            {
                                                let __k = 0usize;
                                                __k
                                            },
                                        ),
                                        __rt::Given::at_zero(
                                            __given9,
                                            1,
                                            {
                                                let __k = 0usize;
                                                __k
                                            },
                                        ),
                                        __rt::Given::at_zero(
                                            __given10,
                                            1,
                                            {
                                                let __k = 0usize;
                                                __k
                                            },
                                        ),
                                    )
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
                                            if const {
                                                false
                                                    || {
                                                        use __rt::no_lanes::*;
                                                        {
                                                            use around as __callee;
                                                            __callee::__looped(8u32)
                                                        }
                                                    }
                                            } {
                                                if __target.wide() {
                                                    let __fit11 = __rt::Fit::new();
                                                    let __fit12 = __rt::Fit::new();
                                                    let __fit13 = __rt::Fit::new();
                                                    if 0usize + __fit11.bytes() + __fit12.bytes()
                                                        + __fit13.bytes() <= __rt::MOST_PLANES / 32
                                                    {
                                                        if __range.end.saturating_sub(__range.start) >= 32 {
                                                            let __texts = __rt::texts();
                                                            while __k < __range.end {
                                                                let __again = (__k + 32).saturating_sub(__range.end);
                                                                if __again > 0 && __rt::texts() != __texts {
                                                                    break;
                                                                }
                                                                __k -= __again;
                                                                let __iteration = __rt::BlockAt::printing(
                                                                    __rt::number_in_rows(&__shape, __head, __k),
                                                                );
                                                                let mut __plane11 = __rt::Lanes::<_, 32>::zeros();
                                                                __fit11.of(&__plane11);
                                                                let mut __plane12 = __rt::Lanes::<_, 32>::zeros();
                                                                __fit12.of(&__plane12);
                                                                let mut __plane13 = __rt::Lanes::<_, 32>::zeros();
                                                                __fit13.of(&__plane13);
                                                                if const {
                                                                    false
                                                                        || {
                                                                            use __rt::no_lanes::*;
                                                                            {
                                                                                use around as __callee;
                                                                                __callee::__looped(8u32)
                                                                            }
                                                                        }
                                                                }
                                                                    && 0 + core::mem::size_of_val(&__plane11)
                                                                        + core::mem::size_of_val(&__plane12)
                                                                        + core::mem::size_of_val(&__plane13) <= __rt::MOST_PASSED
                                                                {
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        let mut __keep11 = unsafe {
                                                                            __rt::Lanes::get(&__plane11, __l)
                                                                        };
                                                                        let mut __keep12 = unsafe {
                                                                            __rt::Lanes::get(&__plane12, __l)
                                                                        };
                                                                        {
                                                                            let __value11 = ((j as i32) + __rt::number(1));
                                                                            let __value12 = n;
                                                                            __keep11 = __value11;
                                                                            __keep12 = __value12;
                                                                        }
                                                                        unsafe { __rt::Lanes::set(&mut __plane11, __l, __keep11) };
                                                                        unsafe { __rt::Lanes::set(&mut __plane12, __l, __keep12) };
                                                                    }
                                                                    {
                                                                        use __rt::no_lanes::*;
                                                                        {
                                                                            use around as __callee;
                                                                            __callee::__typed(
                                                                                &__plane13,
                                                                                || unsafe {
                                                                                    let __arg0 = __rt::Lanes::get(&__plane11, 0);
                                                                                    let __arg1 = __rt::Lanes::get(&__plane12, 0);
                                                                                    let __value = {
                                                                                        use __rt::not_func::args2::*;
                                                                                        {
                                                                                            use around as __callee;
                                                                                            __callee::__of(&__rt::FuncSlot::NEW)
                                                                                                .__call((__arg0,).0, (__arg1,).0)
                                                                                        }
                                                                                    };
                                                                                    __value
                                                                                },
                                                                            )
                                                                        }
                                                                    };
                                                                    {
                                                                        use __rt::no_lanes::*;
                                                                        {
                                                                            use around as __callee;
                                                                            __callee::__lanes2(
                                                                                __target,
                                                                                &__rt::Lanes::<u32, 32>::zeros(),
                                                                                &__plane11,
                                                                                &__plane12,
                                                                                &mut __plane13,
                                                                            )
                                                                        }
                                                                    };
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        let mut __value13 = unsafe {
                                                                            __rt::Lanes::get(&__plane13, __l)
                                                                        };
                                                                        {
                                                                            let right = __value13;
                                                                            {
                                                                                let __v = (__rt::peek(
                                                                                        &{
                                                                                            let __p = {
                                                                                                let __i = __rt::axes(
                                                                                                    __rank0,
                                                                                                    [
                                                                                                        if false {
                                                                                                            {
                                                                                                                use __rt::not_func::args2::*;
                                                                                                                {
                                                                                                                    use next as __callee;
                                                                                                                    __callee::__of(&__rt::FuncSlot::at(__target)).__call(i, h)
                                                                                                                }
                                                                                                            }
                                                                                                        } else {
                                                                                                            __rt::within::index(__given8)
                                                                                                        },
                                                                                                        if false {
                                                                                                            right
                                                                                                        } else {
                                                                                                            usize::wrapping_add(
                                                                                                                __rt::within::index(__given9),
                                                                                                                __rt::within::index(j),
                                                                                                            )
                                                                                                        },
                                                                                                    ],
                                                                                                );
                                                                                                unsafe { u.unchecked(__i) }
                                                                                            };
                                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                                        },
                                                                                    )
                                                                                    .0
                                                                                    - __rt::peek(
                                                                                            &{
                                                                                                let __p = {
                                                                                                    let __i = __rt::axes(
                                                                                                        __rank0,
                                                                                                        [
                                                                                                            i,
                                                                                                            if false {
                                                                                                                ({
                                                                                                                    use __rt::not_func::args2::*;
                                                                                                                    {
                                                                                                                        use next as __callee;
                                                                                                                        __callee::__of(&__rt::FuncSlot::at(__target)).__call(j, w)
                                                                                                                    }
                                                                                                                } + __rt::number(2))
                                                                                                            } else {
                                                                                                                usize::wrapping_add(
                                                                                                                    usize::wrapping_add(
                                                                                                                        __rt::within::index(__given10),
                                                                                                                        __rt::within::index(j),
                                                                                                                    ),
                                                                                                                    2,
                                                                                                                )
                                                                                                            },
                                                                                                        ],
                                                                                                    );
                                                                                                    unsafe { u.unchecked(__i) }
                                                                                                };
                                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                                            },
                                                                                        )
                                                                                        .0);
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
                                                                    }
                                                                } else {
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        {
                                                                            let right = {
                                                                                use __rt::not_func::args2::*;
                                                                                {
                                                                                    use around as __callee;
                                                                                    __callee::__of(&__rt::FuncSlot::at(__target))
                                                                                        .__call(((j as i32) + __rt::number(1)), n)
                                                                                }
                                                                            };
                                                                            {
                                                                                let __v = (__rt::peek(
                                                                                        &{
                                                                                            let __p = {
                                                                                                let __i = __rt::axes(
                                                                                                    __rank0,
                                                                                                    [
                                                                                                        if false {
                                                                                                            {
                                                                                                                use __rt::not_func::args2::*;
                                                                                                                {
                                                                                                                    use next as __callee;
                                                                                                                    __callee::__of(&__rt::FuncSlot::at(__target)).__call(i, h)
                                                                                                                }
                                                                                                            }
                                                                                                        } else {
                                                                                                            __rt::within::index(__given8)
                                                                                                        },
                                                                                                        if false {
                                                                                                            right
                                                                                                        } else {
                                                                                                            usize::wrapping_add(
                                                                                                                __rt::within::index(__given9),
                                                                                                                __rt::within::index(j),
                                                                                                            )
                                                                                                        },
                                                                                                    ],
                                                                                                );
                                                                                                unsafe { u.unchecked(__i) }
                                                                                            };
                                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                                        },
                                                                                    )
                                                                                    .0
                                                                                    - __rt::peek(
                                                                                            &{
                                                                                                let __p = {
                                                                                                    let __i = __rt::axes(
                                                                                                        __rank0,
                                                                                                        [
                                                                                                            i,
                                                                                                            if false {
                                                                                                                ({
                                                                                                                    use __rt::not_func::args2::*;
                                                                                                                    {
                                                                                                                        use next as __callee;
                                                                                                                        __callee::__of(&__rt::FuncSlot::at(__target)).__call(j, w)
                                                                                                                    }
                                                                                                                } + __rt::number(2))
                                                                                                            } else {
                                                                                                                usize::wrapping_add(
                                                                                                                    usize::wrapping_add(
                                                                                                                        __rt::within::index(__given10),
                                                                                                                        __rt::within::index(j),
                                                                                                                    ),
                                                                                                                    2,
                                                                                                                )
                                                                                                            },
                                                                                                        ],
                                                                                                    );
                                                                                                    unsafe { u.unchecked(__i) }
                                                                                                };
                                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                                            },
                                                                                        )
                                                                                        .0);
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
                                                                    }
                                                                }
                                                                core::mem::forget(__iteration);
                                                                __k += 32;
                                                            }
                                                        }
                                                    } else {}
                                                } else {
                                                    let __fit11 = __rt::Fit::new();
                                                    let __fit12 = __rt::Fit::new();
                                                    let __fit13 = __rt::Fit::new();
                                                    if 0usize + __fit11.bytes() + __fit12.bytes()
                                                        + __fit13.bytes() <= __rt::MOST_PLANES / 8
                                                    {
                                                        if __range.end.saturating_sub(__range.start) >= 8 {
                                                            let __texts = __rt::texts();
                                                            while __k < __range.end {
                                                                let __again = (__k + 8).saturating_sub(__range.end);
                                                                if __again > 0 && __rt::texts() != __texts {
                                                                    break;
                                                                }
                                                                __k -= __again;
                                                                let __iteration = __rt::BlockAt::printing(
                                                                    __rt::number_in_rows(&__shape, __head, __k),
                                                                );
                                                                let mut __plane11 = __rt::Lanes::<_, 8>::zeros();
                                                                __fit11.of(&__plane11);
                                                                let mut __plane12 = __rt::Lanes::<_, 8>::zeros();
                                                                __fit12.of(&__plane12);
                                                                let mut __plane13 = __rt::Lanes::<_, 8>::zeros();
                                                                __fit13.of(&__plane13);
                                                                if const {
                                                                    false
                                                                        || {
                                                                            use __rt::no_lanes::*;
                                                                            {
                                                                                use around as __callee;
                                                                                __callee::__looped(8u32)
                                                                            }
                                                                        }
                                                                }
                                                                    && 0 + core::mem::size_of_val(&__plane11)
                                                                        + core::mem::size_of_val(&__plane12)
                                                                        + core::mem::size_of_val(&__plane13) <= __rt::MOST_PASSED
                                                                {
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        let mut __keep11 = unsafe {
                                                                            __rt::Lanes::get(&__plane11, __l)
                                                                        };
                                                                        let mut __keep12 = unsafe {
                                                                            __rt::Lanes::get(&__plane12, __l)
                                                                        };
                                                                        {
                                                                            let __value11 = ((j as i32) + __rt::number(1));
                                                                            let __value12 = n;
                                                                            __keep11 = __value11;
                                                                            __keep12 = __value12;
                                                                        }
                                                                        unsafe { __rt::Lanes::set(&mut __plane11, __l, __keep11) };
                                                                        unsafe { __rt::Lanes::set(&mut __plane12, __l, __keep12) };
                                                                    }
                                                                    {
                                                                        use __rt::no_lanes::*;
                                                                        {
                                                                            use around as __callee;
                                                                            __callee::__typed(
                                                                                &__plane13,
                                                                                || unsafe {
                                                                                    let __arg0 = __rt::Lanes::get(&__plane11, 0);
                                                                                    let __arg1 = __rt::Lanes::get(&__plane12, 0);
                                                                                    let __value = {
                                                                                        use __rt::not_func::args2::*;
                                                                                        {
                                                                                            use around as __callee;
                                                                                            __callee::__of(&__rt::FuncSlot::NEW)
                                                                                                .__call((__arg0,).0, (__arg1,).0)
                                                                                        }
                                                                                    };
                                                                                    __value
                                                                                },
                                                                            )
                                                                        }
                                                                    };
                                                                    {
                                                                        use __rt::no_lanes::*;
                                                                        {
                                                                            use around as __callee;
                                                                            __callee::__lanes2(
                                                                                __target,
                                                                                &__rt::Lanes::<u32, 8>::zeros(),
                                                                                &__plane11,
                                                                                &__plane12,
                                                                                &mut __plane13,
                                                                            )
                                                                        }
                                                                    };
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        let mut __value13 = unsafe {
                                                                            __rt::Lanes::get(&__plane13, __l)
                                                                        };
                                                                        {
                                                                            let right = __value13;
                                                                            {
                                                                                let __v = (__rt::peek(
                                                                                        &{
                                                                                            let __p = {
                                                                                                let __i = __rt::axes(
                                                                                                    __rank0,
                                                                                                    [
                                                                                                        if false {
                                                                                                            {
                                                                                                                use __rt::not_func::args2::*;
                                                                                                                {
                                                                                                                    use next as __callee;
                                                                                                                    __callee::__of(&__rt::FuncSlot::at(__target)).__call(i, h)
                                                                                                                }
                                                                                                            }
                                                                                                        } else {
                                                                                                            __rt::within::index(__given8)
                                                                                                        },
                                                                                                        if false {
                                                                                                            right
                                                                                                        } else {
                                                                                                            usize::wrapping_add(
                                                                                                                __rt::within::index(__given9),
                                                                                                                __rt::within::index(j),
                                                                                                            )
                                                                                                        },
                                                                                                    ],
                                                                                                );
                                                                                                unsafe { u.unchecked(__i) }
                                                                                            };
                                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                                        },
                                                                                    )
                                                                                    .0
                                                                                    - __rt::peek(
                                                                                            &{
                                                                                                let __p = {
                                                                                                    let __i = __rt::axes(
                                                                                                        __rank0,
                                                                                                        [
                                                                                                            i,
                                                                                                            if false {
                                                                                                                ({
                                                                                                                    use __rt::not_func::args2::*;
                                                                                                                    {
                                                                                                                        use next as __callee;
                                                                                                                        __callee::__of(&__rt::FuncSlot::at(__target)).__call(j, w)
                                                                                                                    }
                                                                                                                } + __rt::number(2))
                                                                                                            } else {
                                                                                                                usize::wrapping_add(
                                                                                                                    usize::wrapping_add(
                                                                                                                        __rt::within::index(__given10),
                                                                                                                        __rt::within::index(j),
                                                                                                                    ),
                                                                                                                    2,
                                                                                                                )
                                                                                                            },
                                                                                                        ],
                                                                                                    );
                                                                                                    unsafe { u.unchecked(__i) }
                                                                                                };
                                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                                            },
                                                                                        )
                                                                                        .0);
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
                                                                    }
                                                                } else {
                                                                    for __l in 0..__width {
                                                                        let j = (__k + __l);
                                                                        let _ = j;
                                                                        {
                                                                            let right = {
                                                                                use __rt::not_func::args2::*;
                                                                                {
                                                                                    use around as __callee;
                                                                                    __callee::__of(&__rt::FuncSlot::at(__target))
                                                                                        .__call(((j as i32) + __rt::number(1)), n)
                                                                                }
                                                                            };
                                                                            {
                                                                                let __v = (__rt::peek(
                                                                                        &{
                                                                                            let __p = {
                                                                                                let __i = __rt::axes(
                                                                                                    __rank0,
                                                                                                    [
                                                                                                        if false {
                                                                                                            {
                                                                                                                use __rt::not_func::args2::*;
                                                                                                                {
                                                                                                                    use next as __callee;
                                                                                                                    __callee::__of(&__rt::FuncSlot::at(__target)).__call(i, h)
                                                                                                                }
                                                                                                            }
                                                                                                        } else {
                                                                                                            __rt::within::index(__given8)
                                                                                                        },
                                                                                                        if false {
                                                                                                            right
                                                                                                        } else {
                                                                                                            usize::wrapping_add(
                                                                                                                __rt::within::index(__given9),
                                                                                                                __rt::within::index(j),
                                                                                                            )
                                                                                                        },
                                                                                                    ],
                                                                                                );
                                                                                                unsafe { u.unchecked(__i) }
                                                                                            };
                                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                                        },
                                                                                    )
                                                                                    .0
                                                                                    - __rt::peek(
                                                                                            &{
                                                                                                let __p = {
                                                                                                    let __i = __rt::axes(
                                                                                                        __rank0,
                                                                                                        [
                                                                                                            i,
                                                                                                            if false {
                                                                                                                ({
                                                                                                                    use __rt::not_func::args2::*;
                                                                                                                    {
                                                                                                                        use next as __callee;
                                                                                                                        __callee::__of(&__rt::FuncSlot::at(__target)).__call(j, w)
                                                                                                                    }
                                                                                                                } + __rt::number(2))
                                                                                                            } else {
                                                                                                                usize::wrapping_add(
                                                                                                                    usize::wrapping_add(
                                                                                                                        __rt::within::index(__given10),
                                                                                                                        __rt::within::index(j),
                                                                                                                    ),
                                                                                                                    2,
                                                                                                                )
                                                                                                            },
                                                                                                        ],
                                                                                                    );
                                                                                                    unsafe { u.unchecked(__i) }
                                                                                                };
                                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                                            },
                                                                                        )
                                                                                        .0);
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
                                                                    }
                                                                }
                                                                core::mem::forget(__iteration);
                                                                __k += 8;
                                                            }
                                                        }
                                                    } else {}
                                                }
                                            }
                                            #[cfg(debug_assertions)]
                                            let mut __until = __range.end;
                                            #[cfg(not(debug_assertions))]
                                            let mut __until = if __field1.fits_a_block()
                                                && (false || __streaming.0) && __k < __range.end
                                            {
                                                core::cmp::min(
                                                    __range.end,
                                                    if __streaming.0 {
                                                        __k
                                                            + {
                                                                let j = __k;
                                                                v.head([i, j])
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
                                                    let j = __k;
                                                    let __iteration = __rt::RowPosition {
                                                        shape: &__shape,
                                                        head: __head,
                                                        last: __k,
                                                    };
                                                    let right = {
                                                        use __rt::not_func::args2::*;
                                                        {
                                                            use around as __callee;
                                                            __callee::__of(&__rt::FuncSlot::at(__target))
                                                                .__call(((j as i32) + __rt::number(1)), n)
                                                        }
                                                    };
                                                    {
                                                        let __v = (__rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(
                                                                            __rank0,
                                                                            [
                                                                                if false {
                                                                                    {
                                                                                        use __rt::not_func::args2::*;
                                                                                        {
                                                                                            use next as __callee;
                                                                                            __callee::__of(&__rt::FuncSlot::at(__target)).__call(i, h)
                                                                                        }
                                                                                    }
                                                                                } else {
                                                                                    __rt::within::index(__given8)
                                                                                },
                                                                                if false {
                                                                                    right
                                                                                } else {
                                                                                    usize::wrapping_add(
                                                                                        __rt::within::index(__given9),
                                                                                        __rt::within::index(j),
                                                                                    )
                                                                                },
                                                                            ],
                                                                        );
                                                                        unsafe { u.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0
                                                            - __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(
                                                                                __rank0,
                                                                                [
                                                                                    i,
                                                                                    if false {
                                                                                        ({
                                                                                            use __rt::not_func::args2::*;
                                                                                            {
                                                                                                use next as __callee;
                                                                                                __callee::__of(&__rt::FuncSlot::at(__target)).__call(j, w)
                                                                                            }
                                                                                        } + __rt::number(2))
                                                                                    } else {
                                                                                        usize::wrapping_add(
                                                                                            usize::wrapping_add(
                                                                                                __rt::within::index(__given10),
                                                                                                __rt::within::index(j),
                                                                                            ),
                                                                                            2,
                                                                                        )
                                                                                    },
                                                                                ],
                                                                            );
                                                                            unsafe { u.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0);
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
                                                    core::mem::forget(__iteration);
                                                }
                                                __k = __until;
                                                if __k >= __range.end {
                                                    break;
                                                }
                                                #[cfg(not(debug_assertions))]
                                                if __field1.fits_a_block() {
                                                    while __range.end.saturating_sub(__k) >= __rt::stage::BLOCK
                                                    {
                                                        let __block = __rt::BlockAt::printing(
                                                            __rt::number_in_rows(&__shape, [i, 0], __k),
                                                        );
                                                        let j = __k;
                                                        let mut __stage1 = __rt::Stage::new();
                                                        {
                                                            let v = unsafe {
                                                                __rt::Stage::view(&mut __stage1, v, [i, j])
                                                            };
                                                            for __l in 0..__rt::stage::BLOCK {
                                                                let j = (__k + __l);
                                                                let right = {
                                                                    use __rt::not_func::args2::*;
                                                                    {
                                                                        use around as __callee;
                                                                        __callee::__of(&__rt::FuncSlot::at(__target))
                                                                            .__call(((j as i32) + __rt::number(1)), n)
                                                                    }
                                                                };
                                                                {
                                                                    let __v = (__rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(
                                                                                        __rank0,
                                                                                        [
                                                                                            if false {
                                                                                                {
                                                                                                    use __rt::not_func::args2::*;
                                                                                                    {
                                                                                                        use next as __callee;
                                                                                                        __callee::__of(&__rt::FuncSlot::at(__target)).__call(i, h)
                                                                                                    }
                                                                                                }
                                                                                            } else {
                                                                                                __rt::within::index(__given8)
                                                                                            },
                                                                                            if false {
                                                                                                right
                                                                                            } else {
                                                                                                usize::wrapping_add(
                                                                                                    __rt::within::index(__given9),
                                                                                                    __rt::within::index(j),
                                                                                                )
                                                                                            },
                                                                                        ],
                                                                                    );
                                                                                    unsafe { u.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0
                                                                        - __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(
                                                                                            __rank0,
                                                                                            [
                                                                                                i,
                                                                                                if false {
                                                                                                    ({
                                                                                                        use __rt::not_func::args2::*;
                                                                                                        {
                                                                                                            use next as __callee;
                                                                                                            __callee::__of(&__rt::FuncSlot::at(__target)).__call(j, w)
                                                                                                        }
                                                                                                    } + __rt::number(2))
                                                                                                } else {
                                                                                                    usize::wrapping_add(
                                                                                                        usize::wrapping_add(
                                                                                                            __rt::within::index(__given10),
                                                                                                            __rt::within::index(j),
                                                                                                        ),
                                                                                                        2,
                                                                                                    )
                                                                                                },
                                                                                            ],
                                                                                        );
                                                                                        unsafe { u.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0);
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
                                                        }
                                                        unsafe {
                                                            __rt::Stage::flush(&__stage1, v, [i, j], __streaming.0)
                                                        };
                                                        core::mem::forget(__block);
                                                        __k += __rt::stage::BLOCK;
                                                    }
                                                }
                                                __until = __range.end;
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
                                            let right = {
                                                use __rt::not_func::args2::*;
                                                {
                                                    use around as __callee;
                                                    __callee::__of(&__rt::FuncSlot::at(__target))
                                                        .__call(((j as i32) + __rt::number(1)), n)
                                                }
                                            };
                                            {
                                                let __v = (__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(
                                                                    __rank0,
                                                                    [
                                                                        {
                                                                            use __rt::not_func::args2::*;
                                                                            {
                                                                                use next as __callee;
                                                                                __callee::__of(&__rt::FuncSlot::at(__target)).__call(i, h)
                                                                            }
                                                                        },
                                                                        right,
                                                                    ],
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
                                                    .0
                                                    - __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(
                                                                        __rank0,
                                                                        [
                                                                            i,
                                                                            ({
                                                                                use __rt::not_func::args2::*;
                                                                                {
                                                                                    use next as __callee;
                                                                                    __callee::__of(&__rt::FuncSlot::at(__target)).__call(j, w)
                                                                                }
                                                                            } + __rt::number(2)),
                                                                        ],
                                                                    );
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
                                                        .0);
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
