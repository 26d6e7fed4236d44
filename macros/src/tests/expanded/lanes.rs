fn pull(d: Vec3) -> Vec3 {
    use __rt::methods::*;
    trait __no__func_dot {
        fn __func_dot(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_dot for __T {
        fn __func_dot(&self) {}
    }
    trait __no__func_sqrt {
        fn __func_sqrt(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_sqrt for __T {
        fn __func_sqrt(&self) {}
    }
    const _: () = {
        impl pull {
            pub const fn __looped(__depth: u32) -> bool {
                __depth > 0 && false
            }
            pub const fn __gives(__depth: u32) -> bool {
                __depth > 0 && false
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
        impl pull {
            pub fn __lanes1<const __W: usize, __A0: __rt::Is<Vec3>>(
                __target: __rt::Target,
                __outer: &__rt::Lanes<u32, __W>,
                __plane0: &__rt::Lanes<__A0, __W>,
                __out: &mut __rt::Lanes<Vec3, __W>,
            ) {
                let __plane0: &__rt::Lanes<Vec3, __W> = __rt::Lanes::typed(__plane0);
                let __width: usize = core::hint::black_box(__W) & !(__W - 1);
                let __inner: usize = if __W == 8usize { __width & __W } else { __W };
                for __l in 0..__width {
                    let __active = unsafe { __rt::Lanes::get(__outer, __l) } == 0;
                    let mut __value = unsafe { __rt::Lanes::get(__out, __l) };
                    if __active {
                        __value = unsafe {
                            pull::__of(&__rt::FuncSlot::at(__target))
                                .__call(__rt::Lanes::get(__plane0, __l))
                        };
                    }
                    unsafe { __rt::Lanes::set(__out, __l, __value) };
                }
            }
        }
        impl pull {
            pub fn __given(
                __inside: &mut __rt::Inside,
                _: &[__rt::Line],
            ) -> __rt::Given {
                __rt::Inside::untold(__inside)
            }
        }
        impl __rt::FuncDef for pull {}
    };
    let r2 = (d.__func_dot(d) + __rt::number(1e-3));
    {
        let __dividend = d;
        let __divisor = (r2 * r2.__func_sqrt());
        {
            use __rt::{Checked as _, Unchecked as _};
            if let core::option::Option::Some(__fault) = (&&__rt::Operands(
                &__dividend,
                &__divisor,
            ))
                .__fault()
            {
                __rt::function_failed(
                    "<parsed string 2>",
                    6u32,
                    5u32,
                    __fault.message(false),
                    __rt::std::boxed::Box::new([]),
                );
            }
        }
        (__dividend,).0 / (__divisor,).0
    }
}
fn gravity(
    pos: &impl ::swathe::Argument<Field<Vec3>>,
    acc: &mut impl ::swathe::ArgumentMut<Field<Vec3>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for gravity {}
    };
    let mut __launch = __rt::Launch::new(<gravity as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "pos",
        __rt::place_of::<Field<Vec3>, _>(&*pos),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "acc",
        __rt::place_of::<Field<Vec3>, _>(&*acc),
    )?;
    __rt::prepare::<Field<Vec3>, _>(&mut *acc)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    gravity,
                >(
                    &[
                        __rt::launch_arg::<Field<Vec3>, _>(&*pos),
                        __rt::launch_arg_mut::<Field<Vec3>, _>(&mut *acc),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<Vec3>, _>(&*pos);
                let pos = __field0;
                let __field1 = __rt::access_mut::<Field<Vec3>, _>(&mut *acc);
                let acc = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                {
                    let __shape = pos.shape();
                    let __n = pos.len();
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
                                [__field0.begin()],
                                [__field1.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let pos = unsafe {
                                    pos.beginning_at(__begins.read[0usize])
                                };
                                let acc = unsafe {
                                    acc.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(acc.shape(), pos.shape()),
                                    )
                                };
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
                                let mut __k = __range.start;
                                #[cfg(not(debug_assertions))]
                                if true {
                                    if __target.wide() {
                                        let __fit3 = __rt::Fit::new();
                                        let __fit5 = __rt::Fit::new();
                                        let __fit6 = __rt::Fit::new();
                                        if 0usize + __fit3.bytes() + __fit5.bytes() + __fit6.bytes()
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
                                                    let __iteration = __rt::BlockAt::printing(__k);
                                                    let mut __plane3 = __rt::Lanes::<_, 16>::zeros();
                                                    __fit3.of(&__plane3);
                                                    let mut __plane5 = __rt::Lanes::<_, 16>::zeros();
                                                    __fit5.of(&__plane5);
                                                    let mut __plane6 = __rt::Lanes::<_, 16>::zeros();
                                                    __fit6.of(&__plane6);
                                                    for __l in 0..__width {
                                                        let i = __rt::position(__shape, (__k + __l));
                                                        let _ = i;
                                                        let mut __keep3 = unsafe {
                                                            __rt::Lanes::get(&__plane3, __l)
                                                        };
                                                        {
                                                            let mut sum = Vec3::ZERO;
                                                            __keep3 = sum;
                                                        }
                                                        unsafe { __rt::Lanes::set(&mut __plane3, __l, __keep3) };
                                                    }
                                                    '__l1: for j in (0..pos.len()) {
                                                        if const {
                                                            false
                                                                || {
                                                                    use __rt::no_lanes::*;
                                                                    {
                                                                        use pull as __callee;
                                                                        __callee::__looped(8u32)
                                                                    }
                                                                }
                                                        }
                                                            && 0 + core::mem::size_of_val(&__plane5)
                                                                + core::mem::size_of_val(&__plane6) <= __rt::MOST_PASSED
                                                        {
                                                            for __l in 0..__inner {
                                                                let i = __rt::position(__shape, (__k + __l));
                                                                let _ = i;
                                                                let mut __keep5 = unsafe {
                                                                    __rt::Lanes::get(&__plane5, __l)
                                                                };
                                                                {
                                                                    let __value5 = (__rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, j);
                                                                                    unsafe { pos.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0
                                                                        - __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, i);
                                                                                        unsafe { pos.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0);
                                                                    __keep5 = __value5;
                                                                }
                                                                unsafe { __rt::Lanes::set(&mut __plane5, __l, __keep5) };
                                                            }
                                                            {
                                                                use __rt::no_lanes::*;
                                                                {
                                                                    use pull as __callee;
                                                                    __callee::__typed(
                                                                        &__plane6,
                                                                        || unsafe {
                                                                            let __arg0 = __rt::Lanes::get(&__plane5, 0);
                                                                            let __value = {
                                                                                use __rt::not_func::args1::*;
                                                                                {
                                                                                    use pull as __callee;
                                                                                    __callee::__of(&__rt::FuncSlot::NEW).__call((__arg0,).0)
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
                                                                    use pull as __callee;
                                                                    __callee::__lanes1(
                                                                        __target,
                                                                        &__rt::Lanes::<u32, 16>::zeros(),
                                                                        &__plane5,
                                                                        &mut __plane6,
                                                                    )
                                                                }
                                                            };
                                                            for __l in 0..__inner {
                                                                let i = __rt::position(__shape, (__k + __l));
                                                                let _ = i;
                                                                let mut sum = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                                let mut __value6 = unsafe {
                                                                    __rt::Lanes::get(&__plane6, __l)
                                                                };
                                                                {
                                                                    sum += __value6;
                                                                }
                                                                unsafe { __rt::Lanes::set(&mut __plane3, __l, sum) };
                                                            }
                                                        } else {
                                                            for __l in 0..__inner {
                                                                let i = __rt::position(__shape, (__k + __l));
                                                                let _ = i;
                                                                let mut sum = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                                {
                                                                    sum
                                                                        += {
                                                                            use __rt::not_func::args1::*;
                                                                            {
                                                                                use pull as __callee;
                                                                                __callee::__of(&__rt::FuncSlot::at(__target))
                                                                                    .__call(
                                                                                        (__rt::peek(
                                                                                                &{
                                                                                                    let __p = {
                                                                                                        let __i = __rt::axes(__rank0, j);
                                                                                                        unsafe { pos.unchecked(__i) }
                                                                                                    };
                                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                                },
                                                                                            )
                                                                                            .0
                                                                                            - __rt::peek(
                                                                                                    &{
                                                                                                        let __p = {
                                                                                                            let __i = __rt::axes(__rank0, i);
                                                                                                            unsafe { pos.unchecked(__i) }
                                                                                                        };
                                                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                                                    },
                                                                                                )
                                                                                                .0),
                                                                                    )
                                                                            }
                                                                        };
                                                                }
                                                                unsafe { __rt::Lanes::set(&mut __plane3, __l, sum) };
                                                            }
                                                        }
                                                    }
                                                    for __l in 0..__width {
                                                        let i = __rt::position(__shape, (__k + __l));
                                                        let _ = i;
                                                        let mut sum = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                        {
                                                            {
                                                                let __v = sum;
                                                                {
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank1, i);
                                                                        unsafe { acc.unchecked(__i) }
                                                                    };
                                                                    let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                                    let __value = &mut __copy;
                                                                    (*(__value)) = (__v,).0;
                                                                    unsafe { __rt::Pointer::write(__p, __copy) }
                                                                }
                                                            };
                                                        }
                                                        unsafe { __rt::Lanes::set(&mut __plane3, __l, sum) };
                                                    }
                                                    core::mem::forget(__iteration);
                                                    __k += 16;
                                                }
                                            }
                                        } else {}
                                    } else {
                                        let __fit3 = __rt::Fit::new();
                                        let __fit5 = __rt::Fit::new();
                                        let __fit6 = __rt::Fit::new();
                                        if 0usize + __fit3.bytes() + __fit5.bytes() + __fit6.bytes()
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
                                                    let __iteration = __rt::BlockAt::printing(__k);
                                                    let mut __plane3 = __rt::Lanes::<_, 8>::zeros();
                                                    __fit3.of(&__plane3);
                                                    let mut __plane5 = __rt::Lanes::<_, 8>::zeros();
                                                    __fit5.of(&__plane5);
                                                    let mut __plane6 = __rt::Lanes::<_, 8>::zeros();
                                                    __fit6.of(&__plane6);
                                                    for __l in 0..__width {
                                                        let i = __rt::position(__shape, (__k + __l));
                                                        let _ = i;
                                                        let mut __keep3 = unsafe {
                                                            __rt::Lanes::get(&__plane3, __l)
                                                        };
                                                        {
                                                            let mut sum = Vec3::ZERO;
                                                            __keep3 = sum;
                                                        }
                                                        unsafe { __rt::Lanes::set(&mut __plane3, __l, __keep3) };
                                                    }
                                                    '__l1: for j in (0..pos.len()) {
                                                        if const {
                                                            false
                                                                || {
                                                                    use __rt::no_lanes::*;
                                                                    {
                                                                        use pull as __callee;
                                                                        __callee::__looped(8u32)
                                                                    }
                                                                }
                                                        }
                                                            && 0 + core::mem::size_of_val(&__plane5)
                                                                + core::mem::size_of_val(&__plane6) <= __rt::MOST_PASSED
                                                        {
                                                            for __l in 0..__inner {
                                                                let i = __rt::position(__shape, (__k + __l));
                                                                let _ = i;
                                                                let mut __keep5 = unsafe {
                                                                    __rt::Lanes::get(&__plane5, __l)
                                                                };
                                                                {
                                                                    let __value5 = (__rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, j);
                                                                                    unsafe { pos.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0
                                                                        - __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, i);
                                                                                        unsafe { pos.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0);
                                                                    __keep5 = __value5;
                                                                }
                                                                unsafe { __rt::Lanes::set(&mut __plane5, __l, __keep5) };
                                                            }
                                                            {
                                                                use __rt::no_lanes::*;
                                                                {
                                                                    use pull as __callee;
                                                                    __callee::__typed(
                                                                        &__plane6,
                                                                        || unsafe {
                                                                            let __arg0 = __rt::Lanes::get(&__plane5, 0);
                                                                            let __value = {
                                                                                use __rt::not_func::args1::*;
                                                                                {
                                                                                    use pull as __callee;
                                                                                    __callee::__of(&__rt::FuncSlot::NEW).__call((__arg0,).0)
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
                                                                    use pull as __callee;
                                                                    __callee::__lanes1(
                                                                        __target,
                                                                        &__rt::Lanes::<u32, 8>::zeros(),
                                                                        &__plane5,
                                                                        &mut __plane6,
                                                                    )
                                                                }
                                                            };
                                                            for __l in 0..__inner {
                                                                let i = __rt::position(__shape, (__k + __l));
                                                                let _ = i;
                                                                let mut sum = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                                let mut __value6 = unsafe {
                                                                    __rt::Lanes::get(&__plane6, __l)
                                                                };
                                                                {
                                                                    sum += __value6;
                                                                }
                                                                unsafe { __rt::Lanes::set(&mut __plane3, __l, sum) };
                                                            }
                                                        } else {
                                                            for __l in 0..__inner {
                                                                let i = __rt::position(__shape, (__k + __l));
                                                                let _ = i;
                                                                let mut sum = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                                {
                                                                    sum
                                                                        += {
                                                                            use __rt::not_func::args1::*;
                                                                            {
                                                                                use pull as __callee;
                                                                                __callee::__of(&__rt::FuncSlot::at(__target))
                                                                                    .__call(
                                                                                        (__rt::peek(
                                                                                                &{
                                                                                                    let __p = {
                                                                                                        let __i = __rt::axes(__rank0, j);
                                                                                                        unsafe { pos.unchecked(__i) }
                                                                                                    };
                                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                                },
                                                                                            )
                                                                                            .0
                                                                                            - __rt::peek(
                                                                                                    &{
                                                                                                        let __p = {
                                                                                                            let __i = __rt::axes(__rank0, i);
                                                                                                            unsafe { pos.unchecked(__i) }
                                                                                                        };
                                                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                                                    },
                                                                                                )
                                                                                                .0),
                                                                                    )
                                                                            }
                                                                        };
                                                                }
                                                                unsafe { __rt::Lanes::set(&mut __plane3, __l, sum) };
                                                            }
                                                        }
                                                    }
                                                    for __l in 0..__width {
                                                        let i = __rt::position(__shape, (__k + __l));
                                                        let _ = i;
                                                        let mut sum = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                        {
                                                            {
                                                                let __v = sum;
                                                                {
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank1, i);
                                                                        unsafe { acc.unchecked(__i) }
                                                                    };
                                                                    let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                                    let __value = &mut __copy;
                                                                    (*(__value)) = (__v,).0;
                                                                    unsafe { __rt::Pointer::write(__p, __copy) }
                                                                }
                                                            };
                                                        }
                                                        unsafe { __rt::Lanes::set(&mut __plane3, __l, sum) };
                                                    }
                                                    core::mem::forget(__iteration);
                                                    __k += 8;
                                                }
                                            }
                                        } else {}
                                    }
                                }
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    let mut sum = Vec3::ZERO;
                                    '__l1: for j in (0..pos.len()) {
                                        sum
                                            += {
                                                use __rt::not_func::args1::*;
                                                {
                                                    use pull as __callee;
                                                    __callee::__of(&__rt::FuncSlot::at(__target))
                                                        .__call(
                                                            (__rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, j);
                                                                            unsafe { pos.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0
                                                                - __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, i);
                                                                                unsafe { pos.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0),
                                                        )
                                                }
                                            };
                                    }
                                    {
                                        let __v = sum;
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank1, i);
                                                unsafe { acc.unchecked(__i) }
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
                                [__field0.begin()],
                                [__field1.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let pos = unsafe {
                                    pos.beginning_at(__begins.read[0usize])
                                };
                                let acc = unsafe {
                                    acc.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    let mut sum = Vec3::ZERO;
                                    '__l1: for j in (0..pos.len()) {
                                        sum
                                            += {
                                                use __rt::not_func::args1::*;
                                                {
                                                    use pull as __callee;
                                                    __callee::__of(&__rt::FuncSlot::NEW)
                                                        .__call(
                                                            (__rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, j);
                                                                            unsafe { pos.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0
                                                                - __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, i);
                                                                                unsafe { pos.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0),
                                                        )
                                                }
                                            };
                                    }
                                    {
                                        let __v = sum;
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank1, i);
                                                match acc.checked(__i) {
                                                    core::option::Option::Some(__p) => __p,
                                                    core::option::Option::None => {
                                                        acc.fail(__launch, 2u32, __i);
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
fn escapes(
    out: &mut impl ::swathe::ArgumentMut<Field<u32, 2>>,
    most: u32,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for escapes {}
    };
    let mut __launch = __rt::Launch::new(<escapes as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "out",
        __rt::place_of::<Field<u32, 2>, _>(&*out),
    )?;
    __rt::prepare::<Field<u32, 2>, _>(&mut *out)?;
    if __rt::Launch::is_remote(&__launch) {
        let __value1 = __rt::DeviceValue::new(&most);
        return unsafe {
            __launch
                .run_remote::<
                    escapes,
                >(
                    &[
                        __rt::launch_arg_mut::<Field<u32, 2>, _>(&mut *out),
                        __rt::DeviceValue::arg(&__value1),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access_mut::<Field<u32, 2>, _>(&mut *out);
                let out = __field0;
                let __rank0 = __field0.rank();
                let __shared0 = false;
                let __shared1 = false;
                let [h, w] = out.shape();
                {
                    let __shape = out.shape();
                    let __n = out.len();
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::None,
                        __rt::Version::Avx512,
                        __rt::Begins::NONE,
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let out = out;
                            let most = most;
                            let h = {
                                let _ = &h;
                                out.shape()[0usize]
                            };
                            let w = {
                                let _ = &w;
                                out.shape()[1usize]
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
                            for (__head, __row) in __rt::rows(__shape, __range) {
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __head[0usize] < __shape[0usize],
                                    )
                                };
                                let i = __head[0usize];
                                let __range = __row;
                                let mut __k = __range.start;
                                #[cfg(not(debug_assertions))]
                                if true {
                                    if __target.wide() {
                                        let __fit6 = __rt::Fit::new();
                                        let __fit8 = __rt::Fit::new();
                                        let __fit9 = __rt::Fit::new();
                                        let __fit10 = __rt::Fit::new();
                                        if 0usize + __fit6.bytes() + __fit8.bytes() + __fit9.bytes()
                                            + __fit10.bytes() <= __rt::MOST_PLANES / 32
                                        {
                                            if __range.end.saturating_sub(__range.start) >= 32 {
                                                let __texts = __rt::texts();
                                                while __k < __range.end {
                                                    let __again = (__k + 32).saturating_sub(__range.end);
                                                    if __again > 0 && __rt::texts() != __texts {
                                                        break;
                                                    }
                                                    __k -= __again;
                                                    let __iteration = __rt::BlockAt(
                                                        __rt::number_in_rows(&__shape, __head, __k),
                                                    );
                                                    let mut __plane6 = __rt::Lanes::<_, 32>::zeros();
                                                    __fit6.of(&__plane6);
                                                    let mut __plane8 = __rt::Lanes::<_, 32>::zeros();
                                                    __fit8.of(&__plane8);
                                                    let mut __plane9 = __rt::Lanes::<_, 32>::zeros();
                                                    __fit9.of(&__plane9);
                                                    let mut __plane10 = __rt::Lanes::<_, 32>::zeros();
                                                    __fit10.of(&__plane10);
                                                    let mut __exit = __rt::Lanes::<u32, 32>::zeros();
                                                    for __l in 0..__width {
                                                        let j = (__k + __l);
                                                        let _ = j;
                                                        let mut __keep6 = unsafe {
                                                            __rt::Lanes::get(&__plane6, __l)
                                                        };
                                                        {
                                                            let x = (((j as f32) / (w as f32)) - __rt::number(2.0));
                                                            __keep6 = x;
                                                        }
                                                        unsafe { __rt::Lanes::set(&mut __plane6, __l, __keep6) };
                                                    }
                                                    let y = __rt::together(
                                                        || __width,
                                                        || (((i as f32) / (h as f32)) - __rt::number(1.0)),
                                                    );
                                                    for __l in 0..__width {
                                                        let j = (__k + __l);
                                                        let _ = j;
                                                        let mut __keep8 = unsafe {
                                                            __rt::Lanes::get(&__plane8, __l)
                                                        };
                                                        let mut __keep9 = unsafe {
                                                            __rt::Lanes::get(&__plane9, __l)
                                                        };
                                                        let mut __keep10 = unsafe {
                                                            __rt::Lanes::get(&__plane10, __l)
                                                        };
                                                        {
                                                            let mut a = 0.0f32;
                                                            let mut b = 0.0f32;
                                                            let mut n = 0;
                                                            __keep8 = a;
                                                            __keep9 = b;
                                                            __keep10 = n;
                                                        }
                                                        unsafe { __rt::Lanes::set(&mut __plane8, __l, __keep8) };
                                                        unsafe { __rt::Lanes::set(&mut __plane9, __l, __keep9) };
                                                        unsafe { __rt::Lanes::set(&mut __plane10, __l, __keep10) };
                                                    }
                                                    __exit = __rt::Lanes::<u32, 32>::zeros();
                                                    '__l1: loop {
                                                        let mut __any = 0u32;
                                                        for __l in 0..__inner {
                                                            let j = (__k + __l);
                                                            let _ = j;
                                                            let mut __e = unsafe { __rt::Lanes::get(&__exit, __l) };
                                                            let mut x = unsafe { __rt::Lanes::get(&__plane6, __l) };
                                                            let mut a = unsafe { __rt::Lanes::get(&__plane8, __l) };
                                                            let mut b = unsafe { __rt::Lanes::get(&__plane9, __l) };
                                                            let mut n = unsafe { __rt::Lanes::get(&__plane10, __l) };
                                                            let __goes = __e == 0
                                                                && ((({
                                                                    let __left_factor = a;
                                                                    let __right_factor = a;
                                                                    let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                    let __term = (b * b);
                                                                    __rt::contract::sum(
                                                                        __target,
                                                                        __left_factor,
                                                                        __right_factor,
                                                                        __term,
                                                                        (__product,).0 + (__term,).0,
                                                                    )
                                                                }) < __rt::number(4.0)) && (n < most));
                                                            __e |= if __goes { 0 } else { 4u32 };
                                                            if __goes {
                                                                {
                                                                    let next = (({
                                                                        let __left_factor = a;
                                                                        let __right_factor = a;
                                                                        let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                        let __term = (b * b);
                                                                        __rt::contract::difference(
                                                                            __target,
                                                                            __left_factor,
                                                                            __right_factor,
                                                                            __term,
                                                                            (__product,).0 - (__term,).0,
                                                                        )
                                                                    }) + x);
                                                                    b = ({
                                                                        let __left_factor = (2.0 * a);
                                                                        let __right_factor = b;
                                                                        let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                        let __term = y;
                                                                        __rt::contract::sum(
                                                                            __target,
                                                                            __left_factor,
                                                                            __right_factor,
                                                                            __term,
                                                                            (__product,).0 + (__term,).0,
                                                                        )
                                                                    });
                                                                    a = next;
                                                                    n += __rt::number(1);
                                                                }
                                                            }
                                                            unsafe { __rt::Lanes::set(&mut __plane8, __l, a) };
                                                            unsafe { __rt::Lanes::set(&mut __plane9, __l, b) };
                                                            unsafe { __rt::Lanes::set(&mut __plane10, __l, n) };
                                                            __e &= !8u32;
                                                            __any |= (__e == 0) as u32;
                                                            unsafe { __rt::Lanes::set(&mut __exit, __l, __e) };
                                                        }
                                                        if __any == 0 {
                                                            break '__l1;
                                                        }
                                                    }
                                                    for __l in 0..__width {
                                                        let j = (__k + __l);
                                                        let _ = j;
                                                        let mut n = unsafe { __rt::Lanes::get(&__plane10, __l) };
                                                        {
                                                            {
                                                                let __v = n;
                                                                {
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, [i, j]);
                                                                        unsafe { out.unchecked(__i) }
                                                                    };
                                                                    let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                                    let __value = &mut __copy;
                                                                    (*(__value)) = (__v,).0;
                                                                    unsafe { __rt::Pointer::write(__p, __copy) }
                                                                }
                                                            };
                                                        }
                                                        unsafe { __rt::Lanes::set(&mut __plane10, __l, n) };
                                                    }
                                                    core::mem::forget(__iteration);
                                                    __k += 32;
                                                }
                                            }
                                        } else {}
                                    } else {
                                        let __fit6 = __rt::Fit::new();
                                        let __fit8 = __rt::Fit::new();
                                        let __fit9 = __rt::Fit::new();
                                        let __fit10 = __rt::Fit::new();
                                        if 0usize + __fit6.bytes() + __fit8.bytes() + __fit9.bytes()
                                            + __fit10.bytes() <= __rt::MOST_PLANES / 8
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
                                                    let mut __plane6 = __rt::Lanes::<_, 8>::zeros();
                                                    __fit6.of(&__plane6);
                                                    let mut __plane8 = __rt::Lanes::<_, 8>::zeros();
                                                    __fit8.of(&__plane8);
                                                    let mut __plane9 = __rt::Lanes::<_, 8>::zeros();
                                                    __fit9.of(&__plane9);
                                                    let mut __plane10 = __rt::Lanes::<_, 8>::zeros();
                                                    __fit10.of(&__plane10);
                                                    let mut __exit = __rt::Lanes::<u32, 8>::zeros();
                                                    for __l in 0..__width {
                                                        let j = (__k + __l);
                                                        let _ = j;
                                                        let mut __keep6 = unsafe {
                                                            __rt::Lanes::get(&__plane6, __l)
                                                        };
                                                        {
                                                            let x = (((j as f32) / (w as f32)) - __rt::number(2.0));
                                                            __keep6 = x;
                                                        }
                                                        unsafe { __rt::Lanes::set(&mut __plane6, __l, __keep6) };
                                                    }
                                                    let y = __rt::together(
                                                        || __width,
                                                        || (((i as f32) / (h as f32)) - __rt::number(1.0)),
                                                    );
                                                    for __l in 0..__width {
                                                        let j = (__k + __l);
                                                        let _ = j;
                                                        let mut __keep8 = unsafe {
                                                            __rt::Lanes::get(&__plane8, __l)
                                                        };
                                                        let mut __keep9 = unsafe {
                                                            __rt::Lanes::get(&__plane9, __l)
                                                        };
                                                        let mut __keep10 = unsafe {
                                                            __rt::Lanes::get(&__plane10, __l)
                                                        };
                                                        {
                                                            let mut a = 0.0f32;
                                                            let mut b = 0.0f32;
                                                            let mut n = 0;
                                                            __keep8 = a;
                                                            __keep9 = b;
                                                            __keep10 = n;
                                                        }
                                                        unsafe { __rt::Lanes::set(&mut __plane8, __l, __keep8) };
                                                        unsafe { __rt::Lanes::set(&mut __plane9, __l, __keep9) };
                                                        unsafe { __rt::Lanes::set(&mut __plane10, __l, __keep10) };
                                                    }
                                                    __exit = __rt::Lanes::<u32, 8>::zeros();
                                                    '__l1: loop {
                                                        let mut __any = 0u32;
                                                        for __l in 0..__inner {
                                                            let j = (__k + __l);
                                                            let _ = j;
                                                            let mut __e = unsafe { __rt::Lanes::get(&__exit, __l) };
                                                            let mut x = unsafe { __rt::Lanes::get(&__plane6, __l) };
                                                            let mut a = unsafe { __rt::Lanes::get(&__plane8, __l) };
                                                            let mut b = unsafe { __rt::Lanes::get(&__plane9, __l) };
                                                            let mut n = unsafe { __rt::Lanes::get(&__plane10, __l) };
                                                            let __goes = __e == 0
                                                                && ((({
                                                                    let __left_factor = a;
                                                                    let __right_factor = a;
                                                                    let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                    let __term = (b * b);
                                                                    __rt::contract::sum(
                                                                        __target,
                                                                        __left_factor,
                                                                        __right_factor,
                                                                        __term,
                                                                        (__product,).0 + (__term,).0,
                                                                    )
                                                                }) < __rt::number(4.0)) && (n < most));
                                                            __e |= if __goes { 0 } else { 4u32 };
                                                            if __goes {
                                                                {
                                                                    let next = (({
                                                                        let __left_factor = a;
                                                                        let __right_factor = a;
                                                                        let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                        let __term = (b * b);
                                                                        __rt::contract::difference(
                                                                            __target,
                                                                            __left_factor,
                                                                            __right_factor,
                                                                            __term,
                                                                            (__product,).0 - (__term,).0,
                                                                        )
                                                                    }) + x);
                                                                    b = ({
                                                                        let __left_factor = (2.0 * a);
                                                                        let __right_factor = b;
                                                                        let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                        let __term = y;
                                                                        __rt::contract::sum(
                                                                            __target,
                                                                            __left_factor,
                                                                            __right_factor,
                                                                            __term,
                                                                            (__product,).0 + (__term,).0,
                                                                        )
                                                                    });
                                                                    a = next;
                                                                    n += __rt::number(1);
                                                                }
                                                            }
                                                            unsafe { __rt::Lanes::set(&mut __plane8, __l, a) };
                                                            unsafe { __rt::Lanes::set(&mut __plane9, __l, b) };
                                                            unsafe { __rt::Lanes::set(&mut __plane10, __l, n) };
                                                            __e &= !8u32;
                                                            __any |= (__e == 0) as u32;
                                                            unsafe { __rt::Lanes::set(&mut __exit, __l, __e) };
                                                        }
                                                        if __any == 0 {
                                                            break '__l1;
                                                        }
                                                    }
                                                    for __l in 0..__width {
                                                        let j = (__k + __l);
                                                        let _ = j;
                                                        let mut n = unsafe { __rt::Lanes::get(&__plane10, __l) };
                                                        {
                                                            {
                                                                let __v = n;
                                                                {
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, [i, j]);
                                                                        unsafe { out.unchecked(__i) }
                                                                    };
                                                                    let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                                    let __value = &mut __copy;
                                                                    (*(__value)) = (__v,).0;
                                                                    unsafe { __rt::Pointer::write(__p, __copy) }
                                                                }
                                                            };
                                                        }
                                                        unsafe { __rt::Lanes::set(&mut __plane10, __l, n) };
                                                    }
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
                                    let x = (((j as f32) / (w as f32)) - __rt::number(2.0));
                                    let y = (((i as f32) / (h as f32)) - __rt::number(1.0));
                                    let mut a = 0.0f32;
                                    let mut b = 0.0f32;
                                    let mut n = 0;
                                    '__l1: while ((({
                                        let __left_factor = a;
                                        let __right_factor = a;
                                        let __product = ((__left_factor,).0 * (__right_factor,).0);
                                        let __term = (b * b);
                                        __rt::contract::sum(
                                            __target,
                                            __left_factor,
                                            __right_factor,
                                            __term,
                                            (__product,).0 + (__term,).0,
                                        )
                                    }) < __rt::number(4.0)) && (n < most))
                                    {
                                        let next = (({
                                            let __left_factor = a;
                                            let __right_factor = a;
                                            let __product = ((__left_factor,).0 * (__right_factor,).0);
                                            let __term = (b * b);
                                            __rt::contract::difference(
                                                __target,
                                                __left_factor,
                                                __right_factor,
                                                __term,
                                                (__product,).0 - (__term,).0,
                                            )
                                        }) + x);
                                        b = ({
                                            let __left_factor = (2.0 * a);
                                            let __right_factor = b;
                                            let __product = ((__left_factor,).0 * (__right_factor,).0);
                                            let __term = y;
                                            __rt::contract::sum(
                                                __target,
                                                __left_factor,
                                                __right_factor,
                                                __term,
                                                (__product,).0 + (__term,).0,
                                            )
                                        });
                                        a = next;
                                        n += __rt::number(1);
                                    }
                                    {
                                        let __v = n;
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank0, [i, j]);
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
                        },
                    );
                }
                core::result::Result::Ok(())
            },
        )
}
