fn over_line(
    x: &impl ::swathe::Argument<Field<f32>>,
    out: &mut impl ::swathe::ArgumentMut<Field<f32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for over_line {}
    };
    let mut __launch = __rt::Launch::new(<over_line as __rt::KernelDef>::info());
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
                    over_line,
                >(
                    &[
                        __rt::launch_arg::<Field<f32>, _>(&*x),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *out),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<f32>, _>(&*x);
                let x = __field0;
                let __field1 = __rt::access_mut::<Field<f32>, _>(&mut *out);
                let out = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
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
                        __rt::Begins::new([__field0.begin()], [__field1.begin_mut()]),
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
                                    if 0usize + __fit3.bytes() <= __rt::MOST_PLANES / 16 {
                                        if __range.end.saturating_sub(__range.start) >= 16 {
                                            let __texts = __rt::texts();
                                            while __k < __range.end {
                                                let __again = (__k + 16).saturating_sub(__range.end);
                                                if __again > 0 && __rt::texts() != __texts {
                                                    break;
                                                }
                                                __k -= __again;
                                                let __iteration = __rt::BlockAt(__k);
                                                let mut __plane3 = __rt::Lanes::<_, 16>::zeros();
                                                __fit3.of(&__plane3);
                                                for __l in 0..__width {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    let _ = i;
                                                    let mut __keep3 = unsafe {
                                                        __rt::Lanes::get(&__plane3, __l)
                                                    };
                                                    {
                                                        let mut s = 0.0;
                                                        __keep3 = s;
                                                    }
                                                    unsafe { __rt::Lanes::set(&mut __plane3, __l, __keep3) };
                                                }
                                                {
                                                    let [__n4] = x.shape();
                                                    let __n0 = x.len();
                                                    '__l1: for j in (0usize..__n0) {
                                                        for __l in 0..__inner {
                                                            let i = __rt::position(__shape, (__k + __l));
                                                            let _ = i;
                                                            let mut s = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                            {
                                                                {
                                                                    let __left_factor = __rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, j);
                                                                                    unsafe { x.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0;
                                                                    let __right_factor = (i as f32);
                                                                    let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                    let __place = &mut s;
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
                                                            unsafe { __rt::Lanes::set(&mut __plane3, __l, s) };
                                                        }
                                                    }
                                                }
                                                for __l in 0..__width {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    let _ = i;
                                                    let mut s = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                    {
                                                        {
                                                            let __v = s;
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
                                                    unsafe { __rt::Lanes::set(&mut __plane3, __l, s) };
                                                }
                                                core::mem::forget(__iteration);
                                                __k += 16;
                                            }
                                        }
                                    } else {}
                                } else {
                                    let __fit3 = __rt::Fit::new();
                                    if 0usize + __fit3.bytes() <= __rt::MOST_PLANES / 8 {
                                        if __range.end.saturating_sub(__range.start) >= 8 {
                                            let __texts = __rt::texts();
                                            while __k < __range.end {
                                                let __again = (__k + 8).saturating_sub(__range.end);
                                                if __again > 0 && __rt::texts() != __texts {
                                                    break;
                                                }
                                                __k -= __again;
                                                let __iteration = __rt::BlockAt(__k);
                                                let mut __plane3 = __rt::Lanes::<_, 8>::zeros();
                                                __fit3.of(&__plane3);
                                                for __l in 0..__width {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    let _ = i;
                                                    let mut __keep3 = unsafe {
                                                        __rt::Lanes::get(&__plane3, __l)
                                                    };
                                                    {
                                                        let mut s = 0.0;
                                                        __keep3 = s;
                                                    }
                                                    unsafe { __rt::Lanes::set(&mut __plane3, __l, __keep3) };
                                                }
                                                {
                                                    let [__n4] = x.shape();
                                                    let __n0 = x.len();
                                                    '__l1: for j in (0usize..__n0) {
                                                        for __l in 0..__inner {
                                                            let i = __rt::position(__shape, (__k + __l));
                                                            let _ = i;
                                                            let mut s = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                            {
                                                                {
                                                                    let __left_factor = __rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, j);
                                                                                    unsafe { x.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0;
                                                                    let __right_factor = (i as f32);
                                                                    let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                    let __place = &mut s;
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
                                                            unsafe { __rt::Lanes::set(&mut __plane3, __l, s) };
                                                        }
                                                    }
                                                }
                                                for __l in 0..__width {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    let _ = i;
                                                    let mut s = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                    {
                                                        {
                                                            let __v = s;
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
                                                    unsafe { __rt::Lanes::set(&mut __plane3, __l, s) };
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
                                let mut s = 0.0;
                                {
                                    let [__n4] = x.shape();
                                    let __n0 = x.len();
                                    '__l1: for j in (0usize..__n0) {
                                        {
                                            let __left_factor = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, j);
                                                            unsafe { x.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                            let __right_factor = (i as f32);
                                            let __product = ((__left_factor,).0 * (__right_factor,).0);
                                            let __place = &mut s;
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
                                    let __v = s;
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
                core::result::Result::Ok(())
            },
        )
}
fn over_table(
    x: &impl ::swathe::Argument<Field<f32, 2>>,
    out: &mut impl ::swathe::ArgumentMut<Field<f32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for over_table {}
    };
    let mut __launch = __rt::Launch::new(<over_table as __rt::KernelDef>::info());
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
                    over_table,
                >(
                    &[
                        __rt::launch_arg::<Field<f32, 2>, _>(&*x),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *out),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<f32, 2>, _>(&*x);
                let x = __field0;
                let __field1 = __rt::access_mut::<Field<f32>, _>(&mut *out);
                let out = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
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
                        __rt::Begins::new([__field0.begin()], [__field1.begin_mut()]),
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
                                    if 0usize + __fit3.bytes() <= __rt::MOST_PLANES / 16 {
                                        if __range.end.saturating_sub(__range.start) >= 16 {
                                            let __texts = __rt::texts();
                                            while __k < __range.end {
                                                let __again = (__k + 16).saturating_sub(__range.end);
                                                if __again > 0 && __rt::texts() != __texts {
                                                    break;
                                                }
                                                __k -= __again;
                                                let __iteration = __rt::BlockAt(__k);
                                                let mut __plane3 = __rt::Lanes::<_, 16>::zeros();
                                                __fit3.of(&__plane3);
                                                for __l in 0..__width {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    let _ = i;
                                                    let mut __keep3 = unsafe {
                                                        __rt::Lanes::get(&__plane3, __l)
                                                    };
                                                    {
                                                        let mut s = 0.0;
                                                        __keep3 = s;
                                                    }
                                                    unsafe { __rt::Lanes::set(&mut __plane3, __l, __keep3) };
                                                }
                                                {
                                                    let [__n4, __n5] = x.shape();
                                                    '__l1: for a in (0usize..__n4) {
                                                        '__l2: for b in (0usize..__n5) {
                                                            for __l in 0..__inner {
                                                                let i = __rt::position(__shape, (__k + __l));
                                                                let _ = i;
                                                                let mut s = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                                {
                                                                    {
                                                                        let __left_factor = __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, [a, b]);
                                                                                        unsafe { x.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0;
                                                                        let __right_factor = (i as f32);
                                                                        let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                        let __place = &mut s;
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
                                                                unsafe { __rt::Lanes::set(&mut __plane3, __l, s) };
                                                            }
                                                        }
                                                    }
                                                }
                                                for __l in 0..__width {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    let _ = i;
                                                    let mut s = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                    {
                                                        {
                                                            let __v = s;
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
                                                    unsafe { __rt::Lanes::set(&mut __plane3, __l, s) };
                                                }
                                                core::mem::forget(__iteration);
                                                __k += 16;
                                            }
                                        }
                                    } else {}
                                } else {
                                    let __fit3 = __rt::Fit::new();
                                    if 0usize + __fit3.bytes() <= __rt::MOST_PLANES / 8 {
                                        if __range.end.saturating_sub(__range.start) >= 8 {
                                            let __texts = __rt::texts();
                                            while __k < __range.end {
                                                let __again = (__k + 8).saturating_sub(__range.end);
                                                if __again > 0 && __rt::texts() != __texts {
                                                    break;
                                                }
                                                __k -= __again;
                                                let __iteration = __rt::BlockAt(__k);
                                                let mut __plane3 = __rt::Lanes::<_, 8>::zeros();
                                                __fit3.of(&__plane3);
                                                for __l in 0..__width {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    let _ = i;
                                                    let mut __keep3 = unsafe {
                                                        __rt::Lanes::get(&__plane3, __l)
                                                    };
                                                    {
                                                        let mut s = 0.0;
                                                        __keep3 = s;
                                                    }
                                                    unsafe { __rt::Lanes::set(&mut __plane3, __l, __keep3) };
                                                }
                                                {
                                                    let [__n4, __n5] = x.shape();
                                                    '__l1: for a in (0usize..__n4) {
                                                        '__l2: for b in (0usize..__n5) {
                                                            for __l in 0..__inner {
                                                                let i = __rt::position(__shape, (__k + __l));
                                                                let _ = i;
                                                                let mut s = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                                {
                                                                    {
                                                                        let __left_factor = __rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, [a, b]);
                                                                                        unsafe { x.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0;
                                                                        let __right_factor = (i as f32);
                                                                        let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                        let __place = &mut s;
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
                                                                unsafe { __rt::Lanes::set(&mut __plane3, __l, s) };
                                                            }
                                                        }
                                                    }
                                                }
                                                for __l in 0..__width {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    let _ = i;
                                                    let mut s = unsafe { __rt::Lanes::get(&__plane3, __l) };
                                                    {
                                                        {
                                                            let __v = s;
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
                                                    unsafe { __rt::Lanes::set(&mut __plane3, __l, s) };
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
                                let mut s = 0.0;
                                {
                                    let [__n4, __n5] = x.shape();
                                    '__l1: for a in (0usize..__n4) {
                                        '__l2: for b in (0usize..__n5) {
                                            {
                                                let __left_factor = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, [a, b]);
                                                                unsafe { x.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0;
                                                let __right_factor = (i as f32);
                                                let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                let __place = &mut s;
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
                                    }
                                };
                                {
                                    let __v = s;
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
                core::result::Result::Ok(())
            },
        )
}
fn whole(
    x: &impl ::swathe::Argument<Field<f32, 2>>,
    out: &mut impl ::swathe::ArgumentMut<Field<f32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for whole {}
    };
    let mut __launch = __rt::Launch::new(<whole as __rt::KernelDef>::info());
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
                    whole,
                >(
                    &[
                        __rt::launch_arg::<Field<f32, 2>, _>(&*x),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *out),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<f32, 2>, _>(&*x);
                let x = __field0;
                let __field1 = __rt::access_mut::<Field<f32>, _>(&mut *out);
                let out = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
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
                        __rt::Begins::new([__field0.begin()], [__field1.begin_mut()]),
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
                                let mut s = 0.0;
                                {
                                    let [__n4, __n5] = x.shape();
                                    '__l1: for __i0 in (0usize..__n4) {
                                        '__ahead2: {
                                            let __span = (0usize..__n5);
                                            #[cfg(not(debug_assertions))]
                                            {
                                                if __rt::UNCHECKED
                                                    || (__rt::counts_positions(&__span)
                                                        && (__rt::Corner::ZERO
                                                            .value(__i0)
                                                            .inside(&x.shape(), 0usize)
                                                            && __rt::span_inside(
                                                                __span.start as usize,
                                                                __span.end as usize,
                                                                &x.shape(),
                                                                1usize,
                                                            )))
                                                {
                                                    '__l2: for __i1 in __span {
                                                        let p = [__i0, __i1];
                                                        {
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
                                                            let __right_factor = (i as f32);
                                                            let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                            let __place = &mut s;
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
                                            '__l2: for __i1 in __span {
                                                let p = [__i0, __i1];
                                                {
                                                    let __left_factor = __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank0, p);
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
                                                        .0;
                                                    let __right_factor = (i as f32);
                                                    let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                    let __place = &mut s;
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
                                };
                                {
                                    let __v = s;
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
                core::result::Result::Ok(())
            },
        )
}
