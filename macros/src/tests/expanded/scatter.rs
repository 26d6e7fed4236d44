fn histogram(
    keys: &impl ::swathe::Argument<Field<i32>>,
    bins: &mut impl ::swathe::ArgumentMut<Field<i32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for histogram {}
    };
    let mut __launch = __rt::Launch::new(<histogram as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "keys",
        __rt::place_of::<Field<i32>, _>(&*keys),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "bins",
        __rt::place_of::<Field<i32>, _>(&*bins),
    )?;
    __rt::prepare::<Field<i32>, _>(&mut *bins)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    histogram,
                >(
                    &[
                        __rt::launch_arg::<Field<i32>, _>(&*keys),
                        __rt::launch_arg_mut::<Field<i32>, _>(&mut *bins),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<i32>, _>(&*keys);
                let keys = __field0;
                let __field1 = __rt::access_mut::<Field<i32>, _>(&mut *bins);
                let bins = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                {
                    let __shape = keys.shape();
                    let __n = keys.len();
                    let __private1 = unsafe {
                        __rt::Private::new(
                            bins,
                            __n,
                            true,
                            |__base| {
                                __rt::std::vec![__rt::extent(__base, & raw mut (* __base))]
                            },
                        )
                    };
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(26u32),
                        __rt::Version::for_elements(false, [__field0.scalars()]),
                        __rt::Begins::new([__field0.begin()], [__field1.begin_mut()]),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let keys = unsafe {
                                keys.beginning_at(__begins.read[0usize])
                            };
                            let __shape = __shape;
                            let __claim1 = __rt::Private::claim(&__private1);
                            let (bins, __shared1) = (
                                __rt::Claim::copy(&__claim1, 0),
                                __rt::Claim::shared(&__claim1),
                            );
                            let mut __k = __range.start;
                            #[cfg(not(debug_assertions))]
                            if !(__shared1) {
                                let __shared1 = false;
                                let __look0 = __rt::iteration(|__k: usize| {
                                    let i = __rt::position(__shape, __k);
                                    let __value0 = __rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { keys.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0;
                                    core::option::Option::Some(((), (__value0,)))
                                });
                                let mut __first = __k;
                                '__parted: while __range.end - __first >= __rt::COPIES {
                                    '__l0: for __copy in 0..__rt::COPIES {
                                        let __k = __first + __copy;
                                        let i = __rt::position(__shape, __k);
                                        let __seen0 = match __look0(__k) {
                                            core::option::Option::Some(
                                                __seen0,
                                            ) if __rt::UNCHECKED
                                                || (true
                                                    && {
                                                        let mut __most = __rt::Most::new();
                                                        __rt::Most::take(&mut __most, __seen0.1.0);
                                                        __rt::Most::below(&__most, bins.shape()[0usize])
                                                    }) => __seen0,
                                            _ => {
                                                __first = __k;
                                                break '__parted;
                                            }
                                        };
                                        let bins = __rt::Claim::copy(&__claim1, __copy);
                                        let __iteration = __rt::Iteration(__k);
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank1, (__seen0.1.0 as usize));
                                                unsafe { bins.unchecked(__i) }
                                            };
                                            let __a0 = 1;
                                            unsafe {
                                                __rt::AtomicAdd::fetch_add(
                                                    __rt::Pointer::first(__p),
                                                    (__a0,).0,
                                                    __rt::Sharing::of(__p, __shared1, true),
                                                )
                                            }
                                        };
                                        core::mem::forget(__iteration);
                                    }
                                    __first += __rt::COPIES;
                                }
                                __k = __first;
                            }
                            '__l0: for __k in __k..__range.end {
                                let i = __rt::position(__shape, __k);
                                let __iteration = __rt::Iteration(__k);
                                {
                                    let __p = {
                                        let __i = __rt::axes(
                                            __rank1,
                                            (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { keys.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0 as usize),
                                        );
                                        match bins.checked(__i) {
                                            core::option::Option::Some(__p) => __p,
                                            core::option::Option::None => {
                                                bins.fail(__launch, 1u32, __i);
                                                core::mem::forget(__iteration);
                                                continue '__l0;
                                            }
                                        }
                                    };
                                    let __a0 = 1;
                                    unsafe {
                                        __rt::AtomicAdd::fetch_add(
                                            __rt::Pointer::first(__p),
                                            (__a0,).0,
                                            __rt::Sharing::of(__p, __shared1, true),
                                        )
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
fn sorted(
    keys: &impl ::swathe::Argument<Field<u32>>,
    counts: &mut impl ::swathe::ArgumentMut<Field<u32>>,
    order: &mut impl ::swathe::ArgumentMut<Field<u32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for sorted {}
    };
    let mut __launch = __rt::Launch::new(<sorted as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "keys",
        __rt::place_of::<Field<u32>, _>(&*keys),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "counts",
        __rt::place_of::<Field<u32>, _>(&*counts),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "order",
        __rt::place_of::<Field<u32>, _>(&*order),
    )?;
    __rt::prepare::<Field<u32>, _>(&mut *counts)?;
    __rt::prepare::<Field<u32>, _>(&mut *order)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    sorted,
                >(
                    &[
                        __rt::launch_arg::<Field<u32>, _>(&*keys),
                        __rt::launch_arg_mut::<Field<u32>, _>(&mut *counts),
                        __rt::launch_arg_mut::<Field<u32>, _>(&mut *order),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<u32>, _>(&*keys);
                let keys = __field0;
                let __field1 = __rt::access_mut::<Field<u32>, _>(&mut *counts);
                let counts = __field1;
                let __field2 = __rt::access_mut::<Field<u32>, _>(&mut *order);
                let order = __field2;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __rank2 = __field2.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                {
                    let __shape = keys.shape();
                    let __n = keys.len();
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(50u32),
                        __rt::Version::for_elements(false, [__field0.scalars()]),
                        __rt::Begins::new(
                            [__field0.begin()],
                            [__field1.begin_mut(), __field2.begin_mut()],
                        ),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let keys = unsafe {
                                keys.beginning_at(__begins.read[0usize])
                            };
                            let counts = unsafe {
                                counts.beginning_at_mut(__begins.written[0usize])
                            };
                            let order = unsafe {
                                order.beginning_at_mut(__begins.written[1usize])
                            };
                            let __shape = __shape;
                            let __shared1 = __rt::in_parallel();
                            let __shared2 = __rt::in_parallel();
                            let mut __k = __range.start;
                            #[cfg(not(debug_assertions))]
                            {
                                let __look0 = __rt::iteration(|__k: usize| {
                                    let i = __rt::position(__shape, __k);
                                    let __value0 = __rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { keys.unchecked(__i) }
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
                                            if !__rt::Most::below(&__m1_0, counts.shape()[0usize]) {
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
                                        let slot = {
                                            let __p = {
                                                let __i = __rt::axes(__rank1, (__seen0.1.0 as usize));
                                                unsafe { counts.unchecked(__i) }
                                            };
                                            let __a0 = 1;
                                            unsafe {
                                                __rt::AtomicAdd::fetch_add(
                                                    __rt::Pointer::first(__p),
                                                    (__a0,).0,
                                                    __rt::Sharing::of(__p, __shared1, true),
                                                )
                                            }
                                        };
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank2, (slot as usize));
                                                match order.checked(__i) {
                                                    core::option::Option::Some(__p) => __p,
                                                    core::option::Option::None => {
                                                        order.fail(__launch, 2u32, __i);
                                                        core::mem::forget(__iteration);
                                                        continue '__l0;
                                                    }
                                                }
                                            };
                                            let __a0 = (i as u32);
                                            unsafe {
                                                __rt::AtomicSwap::store(
                                                    __rt::Pointer::first(__p),
                                                    (__a0,).0,
                                                    __rt::Sharing::of(__p, __shared2, false),
                                                )
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
                                let slot = {
                                    let __p = {
                                        let __i = __rt::axes(
                                            __rank1,
                                            (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { keys.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0 as usize),
                                        );
                                        match counts.checked(__i) {
                                            core::option::Option::Some(__p) => __p,
                                            core::option::Option::None => {
                                                counts.fail(__launch, 1u32, __i);
                                                core::mem::forget(__iteration);
                                                continue '__l0;
                                            }
                                        }
                                    };
                                    let __a0 = 1;
                                    unsafe {
                                        __rt::AtomicAdd::fetch_add(
                                            __rt::Pointer::first(__p),
                                            (__a0,).0,
                                            __rt::Sharing::of(__p, __shared1, true),
                                        )
                                    }
                                };
                                {
                                    let __p = {
                                        let __i = __rt::axes(__rank2, (slot as usize));
                                        match order.checked(__i) {
                                            core::option::Option::Some(__p) => __p,
                                            core::option::Option::None => {
                                                order.fail(__launch, 2u32, __i);
                                                core::mem::forget(__iteration);
                                                continue '__l0;
                                            }
                                        }
                                    };
                                    let __a0 = (i as u32);
                                    unsafe {
                                        __rt::AtomicSwap::store(
                                            __rt::Pointer::first(__p),
                                            (__a0,).0,
                                            __rt::Sharing::of(__p, __shared2, false),
                                        )
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
fn mixed(
    at: &impl ::swathe::Argument<Field<u32>>,
    v: &mut impl ::swathe::ArgumentMut<Field<Vec2>>,
    w: &mut impl ::swathe::ArgumentMut<Field<Vec2>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    trait __no__func_new {
        fn __func_new(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_new for __T {
        fn __func_new(&self) {}
    }
    const _: () = {
        impl __rt::FuncDef for mixed {}
    };
    let mut __launch = __rt::Launch::new(<mixed as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "at", __rt::place_of::<Field<u32>, _>(&*at))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<Vec2>, _>(&*v))?;
    __rt::Launch::argument(&mut __launch, "w", __rt::place_of::<Field<Vec2>, _>(&*w))?;
    __rt::prepare::<Field<Vec2>, _>(&mut *v)?;
    __rt::prepare::<Field<Vec2>, _>(&mut *w)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    mixed,
                >(
                    &[
                        __rt::launch_arg::<Field<u32>, _>(&*at),
                        __rt::launch_arg_mut::<Field<Vec2>, _>(&mut *v),
                        __rt::launch_arg_mut::<Field<Vec2>, _>(&mut *w),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<u32>, _>(&*at);
                let at = __field0;
                let __field1 = __rt::access_mut::<Field<Vec2>, _>(&mut *v);
                let v = __field1;
                let __field2 = __rt::access_mut::<Field<Vec2>, _>(&mut *w);
                let w = __field2;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __rank2 = __field2.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                {
                    let __shape = at.shape();
                    let __n = at.len();
                    let __private1 = unsafe {
                        __rt::Private::new(
                            v,
                            __n,
                            true,
                            |__base| {
                                __rt::std::vec![__rt::extent(__base, & raw mut (* __base))]
                            },
                        )
                    };
                    let __private2 = unsafe {
                        __rt::Private::new(
                            w,
                            __n,
                            true,
                            |__base| {
                                __rt::std::vec![__rt::extent(__base, & raw mut (* __base))]
                            },
                        )
                    };
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(80u32),
                        __rt::Version::for_elements(false, [__field0.scalars()]),
                        __rt::Begins::new(
                            [__field0.begin()],
                            [__field1.begin_mut(), __field2.begin_mut()],
                        ),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let at = unsafe { at.beginning_at(__begins.read[0usize]) };
                            let __shape = __shape;
                            let __claim1 = __rt::Private::claim(&__private1);
                            let (v, __shared1) = (
                                __rt::Claim::copy(&__claim1, 0),
                                __rt::Claim::shared(&__claim1),
                            );
                            let __claim2 = __rt::Private::claim(&__private2);
                            let (w, __shared2) = (
                                __rt::Claim::copy(&__claim2, 0),
                                __rt::Claim::shared(&__claim2),
                            );
                            let mut __k = __range.start;
                            #[cfg(not(debug_assertions))]
                            if !(__shared1 || __shared2) {
                                let __shared1 = false;
                                let __shared2 = false;
                                let __look0 = __rt::iteration(|__k: usize| {
                                    let i = __rt::position(__shape, __k);
                                    let __value0 = __rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { at.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0;
                                    let __value1 = __rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { at.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0;
                                    let __value2 = __rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { at.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0;
                                    core::option::Option::Some((
                                        (),
                                        (__value0, __value1, __value2),
                                    ))
                                });
                                let mut __first = __k;
                                '__parted: while __range.end - __first >= __rt::COPIES {
                                    '__l0: for __copy in 0..__rt::COPIES {
                                        let __k = __first + __copy;
                                        let i = __rt::position(__shape, __k);
                                        let __seen0 = match __look0(__k) {
                                            core::option::Option::Some(
                                                __seen0,
                                            ) if __rt::UNCHECKED
                                                || (true
                                                    && {
                                                        let mut __most = __rt::Most::new();
                                                        __rt::Most::take(&mut __most, __seen0.1.0);
                                                        __rt::Most::below(&__most, v.shape()[0usize])
                                                    }
                                                    && {
                                                        let mut __most = __rt::Most::new();
                                                        __rt::Most::take(&mut __most, __seen0.1.1);
                                                        __rt::Most::below(&__most, v.shape()[0usize])
                                                    }
                                                    && {
                                                        let mut __most = __rt::Most::new();
                                                        __rt::Most::take(&mut __most, __seen0.1.2);
                                                        __rt::Most::below(&__most, w.shape()[0usize])
                                                    }) => __seen0,
                                            _ => {
                                                __first = __k;
                                                break '__parted;
                                            }
                                        };
                                        let v = __rt::Claim::copy(&__claim1, __copy);
                                        let w = __rt::Claim::copy(&__claim2, __copy);
                                        let __iteration = __rt::Iteration(__k);
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank1, (__seen0.1.0 as usize));
                                                unsafe { v.unchecked(__i) }
                                            };
                                            let __a0 = Vec2::__func_new(1.0, 2.0);
                                            unsafe {
                                                __rt::AtomicAdd::fetch_add(
                                                    __rt::Pointer::first(__p),
                                                    (__a0,).0,
                                                    __rt::Sharing::of(__p, __shared1, false),
                                                )
                                            }
                                        };
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank1, (__seen0.1.1 as usize));
                                                unsafe { v.unchecked(__i) }
                                            };
                                            let mut __room = __rt::zeroed(__p);
                                            let __base = __room.as_mut_ptr();
                                            let __place = unsafe { &raw mut (*(__base)).y };
                                            let __p = unsafe {
                                                __rt::Pointer::part(__p, __base, __place)
                                            };
                                            let __a0 = 3.0;
                                            unsafe {
                                                __rt::AtomicAdd::fetch_add(
                                                    __rt::Pointer::first(__p),
                                                    (__a0,).0,
                                                    __rt::Sharing::of(__p, __shared1, false),
                                                )
                                            }
                                        };
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank2, (__seen0.1.2 as usize));
                                                unsafe { w.unchecked(__i) }
                                            };
                                            let __a0 = Vec2::__func_new(1.0, 2.0);
                                            unsafe {
                                                __rt::AtomicAdd::fetch_add(
                                                    __rt::Pointer::first(__p),
                                                    (__a0,).0,
                                                    __rt::Sharing::of(__p, __shared2, true),
                                                )
                                            }
                                        };
                                        core::mem::forget(__iteration);
                                    }
                                    __first += __rt::COPIES;
                                }
                                __k = __first;
                            }
                            '__l0: for __k in __k..__range.end {
                                let i = __rt::position(__shape, __k);
                                let __iteration = __rt::Iteration(__k);
                                {
                                    let __p = {
                                        let __i = __rt::axes(
                                            __rank1,
                                            (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { at.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0 as usize),
                                        );
                                        match v.checked(__i) {
                                            core::option::Option::Some(__p) => __p,
                                            core::option::Option::None => {
                                                v.fail(__launch, 1u32, __i);
                                                core::mem::forget(__iteration);
                                                continue '__l0;
                                            }
                                        }
                                    };
                                    let __a0 = Vec2::__func_new(1.0, 2.0);
                                    unsafe {
                                        __rt::AtomicAdd::fetch_add(
                                            __rt::Pointer::first(__p),
                                            (__a0,).0,
                                            __rt::Sharing::of(__p, __shared1, false),
                                        )
                                    }
                                };
                                {
                                    let __p = {
                                        let __i = __rt::axes(
                                            __rank1,
                                            (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { at.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0 as usize),
                                        );
                                        match v.checked(__i) {
                                            core::option::Option::Some(__p) => __p,
                                            core::option::Option::None => {
                                                v.fail(__launch, 3u32, __i);
                                                core::mem::forget(__iteration);
                                                continue '__l0;
                                            }
                                        }
                                    };
                                    let mut __room = __rt::zeroed(__p);
                                    let __base = __room.as_mut_ptr();
                                    let __place = unsafe { &raw mut (*(__base)).y };
                                    let __p = unsafe {
                                        __rt::Pointer::part(__p, __base, __place)
                                    };
                                    let __a0 = 3.0;
                                    unsafe {
                                        __rt::AtomicAdd::fetch_add(
                                            __rt::Pointer::first(__p),
                                            (__a0,).0,
                                            __rt::Sharing::of(__p, __shared1, false),
                                        )
                                    }
                                };
                                {
                                    let __p = {
                                        let __i = __rt::axes(
                                            __rank2,
                                            (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { at.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0 as usize),
                                        );
                                        match w.checked(__i) {
                                            core::option::Option::Some(__p) => __p,
                                            core::option::Option::None => {
                                                w.fail(__launch, 5u32, __i);
                                                core::mem::forget(__iteration);
                                                continue '__l0;
                                            }
                                        }
                                    };
                                    let __a0 = Vec2::__func_new(1.0, 2.0);
                                    unsafe {
                                        __rt::AtomicAdd::fetch_add(
                                            __rt::Pointer::first(__p),
                                            (__a0,).0,
                                            __rt::Sharing::of(__p, __shared2, true),
                                        )
                                    }
                                };
                                core::mem::forget(__iteration);
                            }
                        },
                    );
                }
                {
                    let __shape = at.shape();
                    let __n = at.len();
                    let __private2 = unsafe {
                        __rt::Private::new(
                            w,
                            __n,
                            true,
                            |__base| {
                                __rt::std::vec![__rt::extent(__base, & raw mut (* __base))]
                            },
                        )
                    };
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(28u32),
                        __rt::Version::for_elements(false, [__field0.scalars()]),
                        __rt::Begins::new([__field0.begin()], [__field2.begin_mut()]),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let at = unsafe { at.beginning_at(__begins.read[0usize]) };
                            let __shape = __shape;
                            let __claim2 = __rt::Private::claim(&__private2);
                            let (w, __shared2) = (
                                __rt::Claim::copy(&__claim2, 0),
                                __rt::Claim::shared(&__claim2),
                            );
                            let mut __k = __range.start;
                            #[cfg(not(debug_assertions))]
                            if !(__shared2) {
                                let __shared2 = false;
                                let __look0 = __rt::iteration(|__k: usize| {
                                    let i = __rt::position(__shape, __k);
                                    let __value0 = __rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { at.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0;
                                    core::option::Option::Some(((), (__value0,)))
                                });
                                let mut __first = __k;
                                '__parted: while __range.end - __first >= __rt::COPIES {
                                    '__l1: for __copy in 0..__rt::COPIES {
                                        let __k = __first + __copy;
                                        let i = __rt::position(__shape, __k);
                                        let __seen0 = match __look0(__k) {
                                            core::option::Option::Some(
                                                __seen0,
                                            ) if __rt::UNCHECKED
                                                || (true
                                                    && {
                                                        let mut __most = __rt::Most::new();
                                                        __rt::Most::take(&mut __most, __seen0.1.0);
                                                        __rt::Most::below(&__most, w.shape()[0usize])
                                                    }) => __seen0,
                                            _ => {
                                                __first = __k;
                                                break '__parted;
                                            }
                                        };
                                        let w = __rt::Claim::copy(&__claim2, __copy);
                                        let __iteration = __rt::Iteration(__k);
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank2, (__seen0.1.0 as usize));
                                                unsafe { w.unchecked(__i) }
                                            };
                                            let __a0 = Vec2::__func_new(1.0, 2.0);
                                            unsafe {
                                                __rt::AtomicAdd::fetch_sub(
                                                    __rt::Pointer::first(__p),
                                                    (__a0,).0,
                                                    __rt::Sharing::of(__p, __shared2, false),
                                                )
                                            }
                                        };
                                        core::mem::forget(__iteration);
                                    }
                                    __first += __rt::COPIES;
                                }
                                __k = __first;
                            }
                            '__l1: for __k in __k..__range.end {
                                let i = __rt::position(__shape, __k);
                                let __iteration = __rt::Iteration(__k);
                                {
                                    let __p = {
                                        let __i = __rt::axes(
                                            __rank2,
                                            (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { at.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0 as usize),
                                        );
                                        match w.checked(__i) {
                                            core::option::Option::Some(__p) => __p,
                                            core::option::Option::None => {
                                                w.fail(__launch, 7u32, __i);
                                                core::mem::forget(__iteration);
                                                continue '__l1;
                                            }
                                        }
                                    };
                                    let __a0 = Vec2::__func_new(1.0, 2.0);
                                    unsafe {
                                        __rt::AtomicAdd::fetch_sub(
                                            __rt::Pointer::first(__p),
                                            (__a0,).0,
                                            __rt::Sharing::of(__p, __shared2, false),
                                        )
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
    x: &impl ::swathe::Argument<Field<f32>>,
    count: &mut impl ::swathe::ArgumentMut<Field<u32>>,
) -> ::swathe::Result<f32> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for counted {}
    };
    let mut __launch = __rt::Launch::new(<counted as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "x", __rt::place_of::<Field<f32>, _>(&*x))?;
    __rt::Launch::argument(
        &mut __launch,
        "count",
        __rt::place_of::<Field<u32>, _>(&*count),
    )?;
    __rt::prepare::<Field<u32>, _>(&mut *count)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote_for::<
                    counted,
                    f32,
                >(
                    &[
                        __rt::launch_arg::<Field<f32>, _>(&*x),
                        __rt::launch_arg_mut::<Field<u32>, _>(&mut *count),
                    ],
                )
        };
    }
    __launch
        .run_for(
            &mut |__launch| -> core::result::Result<f32, __rt::Failed> {
                let __field0 = __rt::access::<Field<f32>, _>(&*x);
                let x = __field0;
                let __field1 = __rt::access_mut::<Field<u32>, _>(&mut *count);
                let count = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                let mut sum = 0.0;
                {
                    let __shape = x.shape();
                    let __n = x.len();
                    let __private1 = unsafe {
                        __rt::Private::new(
                            count,
                            __n,
                            false,
                            |__base| {
                                __rt::std::vec![__rt::extent(__base, & raw mut (* __base))]
                            },
                        )
                    };
                    if __rt::covers(__field1.shape(), __field0.shape()) {
                        let __total = __rt::reduce_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(28u32),
                            __rt::Begins::new(
                                [__field0.begin()],
                                [__field1.begin_mut()],
                            ),
                            || (__rt::zero_like(&sum),),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>,
                                __partial|
                            {
                                let x = unsafe { x.beginning_at(__begins.read[0usize]) };
                                let __shape = __shape;
                                let mut sum = __partial.0;
                                let __claim1 = __rt::Private::claim(&__private1);
                                let (count, __shared1) = (
                                    __rt::Claim::copy(&__claim1, 0),
                                    __rt::Claim::shared(&__claim1),
                                );
                                if __shared1 {
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
                                            let __iteration = __rt::Iteration((__k + (__width - 1)));
                                            for __l in 0..__width {
                                                let i = __rt::position(__shape, (__k + __l));
                                                let _ = i;
                                                let mut sum = unsafe { __rt::Lanes::get(&__plane2, __l) };
                                                {
                                                    sum
                                                        += __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, i);
                                                                        unsafe { x.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0;
                                                }
                                                unsafe { __rt::Lanes::set(&mut __plane2, __l, sum) };
                                            }
                                            for __l in 0..__width {
                                                let i = __rt::position(__shape, (__k + __l));
                                                let _ = i;
                                                {
                                                    {
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, i);
                                                            unsafe { count.unchecked(__i) }
                                                        };
                                                        let __a0 = 1;
                                                        unsafe {
                                                            __rt::AtomicAdd::fetch_add(
                                                                __rt::Pointer::first(__p),
                                                                (__a0,).0,
                                                                __rt::Sharing::of(__p, __shared1, true),
                                                            )
                                                        }
                                                    };
                                                }
                                            }
                                            core::mem::forget(__iteration);
                                            __k += __width;
                                        }
                                    }
                                    '__l0: for __k in __k..__range.end {
                                        let i = __rt::position(__shape, __k);
                                        let __iteration = __rt::Iteration(__k);
                                        sum
                                            += __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { x.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank1, i);
                                                unsafe { count.unchecked(__i) }
                                            };
                                            let __a0 = 1;
                                            unsafe {
                                                __rt::AtomicAdd::fetch_add(
                                                    __rt::Pointer::first(__p),
                                                    (__a0,).0,
                                                    __rt::Sharing::of(__p, __shared1, true),
                                                )
                                            }
                                        };
                                        core::mem::forget(__iteration);
                                    }
                                    sum = __rt::ReduceAdd::reduce_add(
                                        __plane2
                                            .fold(|__a, __b| __rt::ReduceAdd::reduce_add(__a, __b)),
                                        sum,
                                    );
                                } else {
                                    let __shared1 = false;
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
                                            let __iteration = __rt::Iteration((__k + (__width - 1)));
                                            for __l in 0..__width {
                                                let i = __rt::position(__shape, (__k + __l));
                                                let _ = i;
                                                let mut sum = unsafe { __rt::Lanes::get(&__plane2, __l) };
                                                {
                                                    sum
                                                        += __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, i);
                                                                        unsafe { x.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0;
                                                }
                                                unsafe { __rt::Lanes::set(&mut __plane2, __l, sum) };
                                            }
                                            for __l in 0..__width {
                                                let i = __rt::position(__shape, (__k + __l));
                                                let _ = i;
                                                {
                                                    {
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, i);
                                                            unsafe { count.unchecked(__i) }
                                                        };
                                                        let __a0 = 1;
                                                        unsafe {
                                                            __rt::AtomicAdd::fetch_add(
                                                                __rt::Pointer::first(__p),
                                                                (__a0,).0,
                                                                __rt::Sharing::of(__p, __shared1, true),
                                                            )
                                                        }
                                                    };
                                                }
                                            }
                                            core::mem::forget(__iteration);
                                            __k += __width;
                                        }
                                    }
                                    '__l0: for __k in __k..__range.end {
                                        let i = __rt::position(__shape, __k);
                                        let __iteration = __rt::Iteration(__k);
                                        sum
                                            += __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, i);
                                                            unsafe { x.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank1, i);
                                                unsafe { count.unchecked(__i) }
                                            };
                                            let __a0 = 1;
                                            unsafe {
                                                __rt::AtomicAdd::fetch_add(
                                                    __rt::Pointer::first(__p),
                                                    (__a0,).0,
                                                    __rt::Sharing::of(__p, __shared1, true),
                                                )
                                            }
                                        };
                                        core::mem::forget(__iteration);
                                    }
                                    sum = __rt::ReduceAdd::reduce_add(
                                        __plane2
                                            .fold(|__a, __b| __rt::ReduceAdd::reduce_add(__a, __b)),
                                        sum,
                                    );
                                }
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
                            core::option::Option::Some(28u32),
                            __rt::Begins::new(
                                [__field0.begin()],
                                [__field1.begin_mut()],
                            ),
                            || (__rt::zero_like(&sum),),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>,
                                __partial|
                            {
                                let x = unsafe { x.beginning_at(__begins.read[0usize]) };
                                let __shape = __shape;
                                let mut sum = __partial.0;
                                let __claim1 = __rt::Private::claim(&__private1);
                                let (count, __shared1) = (
                                    __rt::Claim::copy(&__claim1, 0),
                                    __rt::Claim::shared(&__claim1),
                                );
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    sum
                                        += __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, i);
                                                        unsafe { x.unchecked(__i) }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0;
                                    {
                                        let __p = {
                                            let __i = __rt::axes(__rank1, i);
                                            match count.checked(__i) {
                                                core::option::Option::Some(__p) => __p,
                                                core::option::Option::None => {
                                                    count.fail(__launch, 1u32, __i);
                                                    core::mem::forget(__iteration);
                                                    continue '__l0;
                                                }
                                            }
                                        };
                                        let __a0 = 1;
                                        unsafe {
                                            __rt::AtomicAdd::fetch_add(
                                                __rt::Pointer::first(__p),
                                                (__a0,).0,
                                                __rt::Sharing::of(__p, __shared1, true),
                                            )
                                        }
                                    };
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
