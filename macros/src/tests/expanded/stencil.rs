fn relax(
    u: &impl ::swathe::Argument<Field<f32, 2>>,
    out: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for relax {}
    };
    let mut __launch = __rt::Launch::new(<relax as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    __rt::Launch::argument(
        &mut __launch,
        "out",
        __rt::place_of::<Field<f32, 2>, _>(&*out),
    )?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *out)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    relax,
                >(
                    &[
                        __rt::launch_arg::<Field<f32, 2>, _>(&*u),
                        __rt::launch_arg_mut::<Field<f32, 2>, _>(&mut *out),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<f32, 2>, _>(&*u);
                let u = __field0;
                let __field1 = __rt::access_mut::<Field<f32, 2>, _>(&mut *out);
                let out = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                let [h, w] = u.shape();
                {
                    let __shape = out.shape();
                    let __n = out.len();
                    if (__field1.shape()[0usize] <= __field0.shape()[0usize])
                        && (__field1.shape()[1usize] <= __field0.shape()[1usize])
                    {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(63u32),
                            __rt::Version::for_elements(
                                false,
                                [__field0.scalars(), __field1.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin()],
                                [__field1.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let u = unsafe { u.beginning_at(__begins.read[0usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let h = {
                                    let _ = &h;
                                    u.shape()[0usize]
                                };
                                let w = {
                                    let _ = &w;
                                    u.shape()[1usize]
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (out.shape()[0usize] <= u.shape()[0usize]),
                                    )
                                };
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (out.shape()[1usize] <= u.shape()[1usize]),
                                    )
                                };
                                #[cfg(not(debug_assertions))]
                                let __streaming = __rt::stage::Streaming(
                                    __rt::stage::streams(
                                        __target,
                                        [__field1.staged(true)],
                                        [u.bytes(), out.bytes()],
                                    ),
                                );
                                #[cfg(not(debug_assertions))]
                                let __along0 = {
                                    let mut __inside = __rt::Inside::ALL;
                                    __rt::Inside::typed::<usize, _>(&mut __inside, &w);
                                    {
                                        let __k = 0usize;
                                        __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                    }
                                    let __line0 = __rt::Inside::position::<
                                        usize,
                                        _,
                                    >(&mut __inside, |__k: usize| __k);
                                    let __line1 = __rt::Inside::number::<
                                        usize,
                                    >(&mut __inside, 0);
                                    __rt::Inside::less(&mut __inside, __line1, __line0, true);
                                    let __line2 = __rt::Inside::number::<
                                        usize,
                                    >(&mut __inside, 1);
                                    let __line3 = __rt::Inside::add::<
                                        usize,
                                    >(&mut __inside, __line0, __line2);
                                    let __line4 = __rt::Inside::value::<
                                        usize,
                                        _,
                                    >(&mut __inside, w);
                                    __rt::Inside::less(&mut __inside, __line3, __line4, true);
                                    __rt::Inside::below(&mut __inside, __line0, &u.shape(), 1);
                                    let __line5 = __rt::Inside::sub::<
                                        usize,
                                    >(&mut __inside, __line0, __line2);
                                    __rt::Inside::below(&mut __inside, __line5, &u.shape(), 1);
                                    __rt::Inside::below(&mut __inside, __line3, &u.shape(), 1);
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
                                            24usize,
                                        );
                                        __rt::Inside::typed::<usize, _>(&mut __inside, &i);
                                        {
                                            let __k = 0usize;
                                            __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                        }
                                        let __line0 = __rt::Inside::value::<
                                            usize,
                                            _,
                                        >(&mut __inside, i);
                                        let __line1 = __rt::Inside::number::<
                                            usize,
                                        >(&mut __inside, 1);
                                        let __line2 = __rt::Inside::sub::<
                                            usize,
                                        >(&mut __inside, __line0, __line1);
                                        __rt::Inside::below(&mut __inside, __line2, &u.shape(), 0);
                                        let __line3 = __rt::Inside::add::<
                                            usize,
                                        >(&mut __inside, __line0, __line1);
                                        __rt::Inside::below(&mut __inside, __line3, &u.shape(), 0);
                                        __rt::Inside::below(&mut __inside, __line0, &u.shape(), 0);
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
                                                #[cfg(debug_assertions)]
                                                let mut __until = __range.end;
                                                #[cfg(not(debug_assertions))]
                                                let mut __until = if __field1.fits_a_block()
                                                    && (false || __streaming.0) && __k < __range.end
                                                    && core::option::Option::is_some(&__rt::limit(h))
                                                    && {
                                                        let j = __k;
                                                        if false {
                                                            ((((i > __rt::number(0)) && (j > __rt::number(0)))
                                                                && ((i + __rt::number(1)) < h))
                                                                && ((j + __rt::number(1)) < w))
                                                        } else {
                                                            ((i > __rt::number(0)) && ((i + __rt::number(1)) < h))
                                                        }
                                                    }
                                                    && {
                                                        let j = (__range.end - 1);
                                                        if false {
                                                            ((((i > __rt::number(0)) && (j > __rt::number(0)))
                                                                && ((i + __rt::number(1)) < h))
                                                                && ((j + __rt::number(1)) < w))
                                                        } else {
                                                            ((i > __rt::number(0)) && ((i + __rt::number(1)) < h))
                                                        }
                                                    }
                                                {
                                                    core::cmp::min(
                                                        __range.end,
                                                        if __streaming.0 {
                                                            __k
                                                                + {
                                                                    let j = __k;
                                                                    out.head([i, j])
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
                                                        if if false {
                                                            ((((i > __rt::number(0)) && (j > __rt::number(0)))
                                                                && ((i + __rt::number(1)) < h))
                                                                && ((j + __rt::number(1)) < w))
                                                        } else {
                                                            ((i > __rt::number(0)) && ((i + __rt::number(1)) < h))
                                                        } {
                                                            let around = (((__rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, [(i - __rt::number(1)), j]);
                                                                            unsafe { u.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0
                                                                + __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, [(i + __rt::number(1)), j]);
                                                                                unsafe { u.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0)
                                                                + __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, [i, (j - __rt::number(1))]);
                                                                                unsafe { u.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0)
                                                                + __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, [i, (j + __rt::number(1))]);
                                                                                unsafe { u.unchecked(__i) }
                                                                            };
                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                        },
                                                                    )
                                                                    .0);
                                                            {
                                                                let __v = ({
                                                                    let __left_factor = 0.5;
                                                                    let __right_factor = __rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, [i, j]);
                                                                                    unsafe { u.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0;
                                                                    let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                    let __term = (0.125 * around);
                                                                    __rt::contract::sum(
                                                                        __target,
                                                                        __left_factor,
                                                                        __right_factor,
                                                                        __term,
                                                                        (__product,).0 + (__term,).0,
                                                                    )
                                                                });
                                                                {
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank1, [i, j]);
                                                                        unsafe { out.unchecked(__i) }
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
                                                    __k = __until;
                                                    if __k >= __range.end {
                                                        break;
                                                    }
                                                    #[cfg(not(debug_assertions))]
                                                    if __field1.fits_a_block() {
                                                        while __range.end.saturating_sub(__k) >= __rt::stage::BLOCK
                                                        {
                                                            let __block = __rt::BlockAt(
                                                                __rt::number_in_rows(&__shape, [i, 0], __k),
                                                            );
                                                            let j = __k;
                                                            let mut __stage1 = __rt::Stage::new();
                                                            {
                                                                let out = unsafe {
                                                                    __rt::Stage::view(&mut __stage1, out, [i, j])
                                                                };
                                                                for __l in 0..__rt::stage::BLOCK {
                                                                    let j = (__k + __l);
                                                                    if if false {
                                                                        ((((i > __rt::number(0)) && (j > __rt::number(0)))
                                                                            && ((i + __rt::number(1)) < h))
                                                                            && ((j + __rt::number(1)) < w))
                                                                    } else {
                                                                        ((i > __rt::number(0)) && ((i + __rt::number(1)) < h))
                                                                    } {
                                                                        let around = (((__rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(__rank0, [(i - __rt::number(1)), j]);
                                                                                        unsafe { u.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0
                                                                            + __rt::peek(
                                                                                    &{
                                                                                        let __p = {
                                                                                            let __i = __rt::axes(__rank0, [(i + __rt::number(1)), j]);
                                                                                            unsafe { u.unchecked(__i) }
                                                                                        };
                                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                                    },
                                                                                )
                                                                                .0)
                                                                            + __rt::peek(
                                                                                    &{
                                                                                        let __p = {
                                                                                            let __i = __rt::axes(__rank0, [i, (j - __rt::number(1))]);
                                                                                            unsafe { u.unchecked(__i) }
                                                                                        };
                                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                                    },
                                                                                )
                                                                                .0)
                                                                            + __rt::peek(
                                                                                    &{
                                                                                        let __p = {
                                                                                            let __i = __rt::axes(__rank0, [i, (j + __rt::number(1))]);
                                                                                            unsafe { u.unchecked(__i) }
                                                                                        };
                                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                                    },
                                                                                )
                                                                                .0);
                                                                        {
                                                                            let __v = ({
                                                                                let __left_factor = 0.5;
                                                                                let __right_factor = __rt::peek(
                                                                                        &{
                                                                                            let __p = {
                                                                                                let __i = __rt::axes(__rank0, [i, j]);
                                                                                                unsafe { u.unchecked(__i) }
                                                                                            };
                                                                                            unsafe { __rt::Pointer::read(__p) }
                                                                                        },
                                                                                    )
                                                                                    .0;
                                                                                let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                                                let __term = (0.125 * around);
                                                                                __rt::contract::sum(
                                                                                    __target,
                                                                                    __left_factor,
                                                                                    __right_factor,
                                                                                    __term,
                                                                                    (__product,).0 + (__term,).0,
                                                                                )
                                                                            });
                                                                            {
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank1, [i, j]);
                                                                                    unsafe { out.unchecked(__i) }
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
                                                            unsafe {
                                                                __rt::Stage::flush(&__stage1, out, [i, j], __streaming.0)
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
                                            let __range = {
                                                let (mut __first, mut __last) = (__row.start, __row.end);
                                                if true && core::option::Option::is_some(&__rt::limit(h))
                                                    && core::option::Option::is_some(&__rt::limit(w))
                                                {
                                                    if let core::option::Option::Some(__limit) = core::option::Option::Some::<
                                                        usize,
                                                    >(0) {
                                                        __first = core::cmp::max(
                                                            __first,
                                                            __limit.saturating_add(1).saturating_sub(0),
                                                        );
                                                    }
                                                    if let core::option::Option::Some(__limit) = __rt::limit_of_sums(
                                                        __rt::limit(w),
                                                        &__shape,
                                                        1,
                                                    ) {
                                                        __last = core::cmp::min(__last, __limit.saturating_sub(1));
                                                    }
                                                }
                                                __first..__last
                                            };
                                            let mut __k = __range.start;
                                            '__l0: for __k in __k..__range.end {
                                                let j = __k;
                                                if true && core::option::Option::is_some(&__rt::limit(h))
                                                    && core::option::Option::is_some(&__rt::limit(w))
                                                {
                                                    if let core::option::Option::Some(__limit) = core::option::Option::Some::<
                                                        usize,
                                                    >(0) {
                                                        unsafe { core::hint::assert_unchecked(j > __limit) };
                                                    }
                                                    if let core::option::Option::Some(__limit) = __rt::limit_of_sums(
                                                        __rt::limit(w),
                                                        &__shape,
                                                        1,
                                                    ) {
                                                        unsafe {
                                                            core::hint::assert_unchecked(
                                                                j < __limit && j.wrapping_add(1) < __limit,
                                                            )
                                                        };
                                                    }
                                                    if let core::option::Option::Some(__limit) = __rt::limit_of_sums(
                                                        __rt::limit(w),
                                                        &__shape,
                                                        1,
                                                    ) {
                                                        unsafe {
                                                            core::hint::assert_unchecked(j.wrapping_sub(1) < __limit)
                                                        };
                                                    }
                                                }
                                                let __iteration = __rt::RowPosition {
                                                    shape: &__shape,
                                                    head: __head,
                                                    last: __k,
                                                };
                                                if ((((i > __rt::number(0)) && (j > __rt::number(0)))
                                                    && ((i + __rt::number(1)) < h))
                                                    && ((j + __rt::number(1)) < w))
                                                {
                                                    let around = (((__rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank0, [(i - __rt::number(1)), j]);
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
                                                                        let __i = __rt::axes(__rank0, [(i + __rt::number(1)), j]);
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
                                                            .0)
                                                        + __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, [i, (j - __rt::number(1))]);
                                                                        match u.checked(__i) {
                                                                            core::option::Option::Some(__p) => __p,
                                                                            core::option::Option::None => {
                                                                                u.fail(__launch, 2u32, __i);
                                                                                core::mem::forget(__iteration);
                                                                                continue '__l0;
                                                                            }
                                                                        }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0)
                                                        + __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, [i, (j + __rt::number(1))]);
                                                                        match u.checked(__i) {
                                                                            core::option::Option::Some(__p) => __p,
                                                                            core::option::Option::None => {
                                                                                u.fail(__launch, 3u32, __i);
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
                                                        let __v = ({
                                                            let __left_factor = 0.5;
                                                            let __right_factor = __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, [i, j]);
                                                                            unsafe { u.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0;
                                                            let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                            let __term = (0.125 * around);
                                                            __rt::contract::sum(
                                                                __target,
                                                                __left_factor,
                                                                __right_factor,
                                                                __term,
                                                                (__product,).0 + (__term,).0,
                                                            )
                                                        });
                                                        {
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, [i, j]);
                                                                unsafe { out.unchecked(__i) }
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
                    } else {
                        __rt::for_each_in_versions::<
                            false,
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(63u32),
                            __rt::Version::for_elements(
                                false,
                                [__field0.scalars(), __field1.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin()],
                                [__field1.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let u = unsafe { u.beginning_at(__begins.read[0usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let h = {
                                    let _ = &h;
                                    u.shape()[0usize]
                                };
                                let w = {
                                    let _ = &w;
                                    u.shape()[1usize]
                                };
                                let __shape = __shape;
                                for (__head, __row) in __rt::rows(__shape, __range) {
                                    unsafe {
                                        core::hint::assert_unchecked(
                                            __head[0usize] < __shape[0usize],
                                        )
                                    };
                                    let i = __head[0usize];
                                    let __range = {
                                        let (mut __first, mut __last) = (__row.start, __row.end);
                                        if true && core::option::Option::is_some(&__rt::limit(h))
                                            && core::option::Option::is_some(&__rt::limit(w))
                                        {
                                            if let core::option::Option::Some(__limit) = core::option::Option::Some::<
                                                usize,
                                            >(0) {
                                                __first = core::cmp::max(
                                                    __first,
                                                    __limit.saturating_add(1).saturating_sub(0),
                                                );
                                            }
                                            if let core::option::Option::Some(__limit) = __rt::limit_of_sums(
                                                __rt::limit(w),
                                                &__shape,
                                                1,
                                            ) {
                                                __last = core::cmp::min(__last, __limit.saturating_sub(1));
                                            }
                                        }
                                        __first..__last
                                    };
                                    let mut __k = __range.start;
                                    '__l0: for __k in __k..__range.end {
                                        let j = __k;
                                        if true && core::option::Option::is_some(&__rt::limit(h))
                                            && core::option::Option::is_some(&__rt::limit(w))
                                        {
                                            if let core::option::Option::Some(__limit) = core::option::Option::Some::<
                                                usize,
                                            >(0) {
                                                unsafe { core::hint::assert_unchecked(j > __limit) };
                                            }
                                            if let core::option::Option::Some(__limit) = __rt::limit_of_sums(
                                                __rt::limit(w),
                                                &__shape,
                                                1,
                                            ) {
                                                unsafe {
                                                    core::hint::assert_unchecked(
                                                        j < __limit && j.wrapping_add(1) < __limit,
                                                    )
                                                };
                                            }
                                            if let core::option::Option::Some(__limit) = __rt::limit_of_sums(
                                                __rt::limit(w),
                                                &__shape,
                                                1,
                                            ) {
                                                unsafe {
                                                    core::hint::assert_unchecked(j.wrapping_sub(1) < __limit)
                                                };
                                            }
                                        }
                                        let __iteration = __rt::RowPosition {
                                            shape: &__shape,
                                            head: __head,
                                            last: __k,
                                        };
                                        if ((((i > __rt::number(0)) && (j > __rt::number(0)))
                                            && ((i + __rt::number(1)) < h))
                                            && ((j + __rt::number(1)) < w))
                                        {
                                            let around = (((__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, [(i - __rt::number(1)), j]);
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
                                                                let __i = __rt::axes(__rank0, [(i + __rt::number(1)), j]);
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
                                                    .0)
                                                + __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, [i, (j - __rt::number(1))]);
                                                                match u.checked(__i) {
                                                                    core::option::Option::Some(__p) => __p,
                                                                    core::option::Option::None => {
                                                                        u.fail(__launch, 2u32, __i);
                                                                        core::mem::forget(__iteration);
                                                                        continue '__l0;
                                                                    }
                                                                }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0)
                                                + __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, [i, (j + __rt::number(1))]);
                                                                match u.checked(__i) {
                                                                    core::option::Option::Some(__p) => __p,
                                                                    core::option::Option::None => {
                                                                        u.fail(__launch, 3u32, __i);
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
                                                let __v = ((0.5
                                                    * __rt::peek(
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
                                                        .0) + (0.125 * around));
                                                {
                                                    let __p = {
                                                        let __i = __rt::axes(__rank1, [i, j]);
                                                        unsafe { out.unchecked(__i) }
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
                            },
                        );
                    }
                }
                core::result::Result::Ok(())
            },
        )
}
fn periodic(
    u: &impl ::swathe::Argument<Field<f32, 2>>,
    out: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for periodic {}
    };
    let mut __launch = __rt::Launch::new(<periodic as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    __rt::Launch::argument(
        &mut __launch,
        "out",
        __rt::place_of::<Field<f32, 2>, _>(&*out),
    )?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *out)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    periodic,
                >(
                    &[
                        __rt::launch_arg::<Field<f32, 2>, _>(&*u),
                        __rt::launch_arg_mut::<Field<f32, 2>, _>(&mut *out),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<f32, 2>, _>(&*u);
                let u = __field0;
                let __field1 = __rt::access_mut::<Field<f32, 2>, _>(&mut *out);
                let out = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                let [h, w] = u.shape();
                {
                    let __shape = [h, w];
                    let __n = match __rt::positions(__shape) {
                        core::option::Option::Some(__n) => __n,
                        core::option::Option::None => {
                            __rt::Failures::failed(
                                __launch,
                                0u32,
                                17u32,
                                28u32,
                                __rt::TOO_MANY_OF_AXES,
                                &[__rt::show::debug(&__shape)],
                            );
                            0
                        }
                    };
                    if (__field0.shape()[0usize] <= __field1.shape()[0usize])
                        && (__field0.shape()[1usize] <= __field1.shape()[1usize])
                    {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(25u32),
                            __rt::Version::for_elements(
                                false,
                                [__field0.scalars(), __field1.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin()],
                                [__field1.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let u = unsafe { u.beginning_at(__begins.read[0usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let h = {
                                    let _ = &h;
                                    u.shape()[0usize]
                                };
                                let w = {
                                    let _ = &w;
                                    u.shape()[1usize]
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (u.shape()[0usize] <= out.shape()[0usize]),
                                    )
                                };
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (u.shape()[1usize] <= out.shape()[1usize]),
                                    )
                                };
                                #[cfg(not(debug_assertions))]
                                let __streaming = __rt::stage::Streaming(
                                    __rt::stage::streams(
                                        __target,
                                        [__field1.staged(true)],
                                        [u.bytes(), out.bytes()],
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
                                    let (__inside, __multiple6, __multiple7) = {
                                        let mut __inside = __rt::Inside::of(
                                            __along0,
                                            &__whole,
                                            24usize,
                                        );
                                        __rt::Inside::typed::<usize, _>(&mut __inside, &i);
                                        __rt::Inside::typed::<usize, _>(&mut __inside, &h);
                                        __rt::Inside::typed::<usize, _>(&mut __inside, &w);
                                        {
                                            let __k = 0usize;
                                            __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                        }
                                        let __line0 = __rt::Inside::value::<
                                            usize,
                                            _,
                                        >(&mut __inside, i);
                                        let __line1 = __rt::Inside::number::<
                                            usize,
                                        >(&mut __inside, 1);
                                        let __line2 = __rt::Inside::add::<
                                            usize,
                                        >(&mut __inside, __line0, __line1);
                                        let __line3 = __rt::Inside::value::<
                                            usize,
                                            _,
                                        >(&mut __inside, h);
                                        let __multiple6 = __rt::Inside::multiple(
                                            &mut __inside,
                                            __line2,
                                            __line3,
                                        );
                                        let __line4 = __rt::Inside::position::<
                                            usize,
                                            _,
                                        >(&mut __inside, |__k: usize| __k);
                                        let __line5 = __rt::Inside::value::<
                                            usize,
                                            _,
                                        >(&mut __inside, w);
                                        let __line6 = __rt::Inside::add::<
                                            usize,
                                        >(&mut __inside, __line4, __line5);
                                        let __line7 = __rt::Inside::sub::<
                                            usize,
                                        >(&mut __inside, __line6, __line1);
                                        let __multiple7 = __rt::Inside::multiple(
                                            &mut __inside,
                                            __line7,
                                            __line5,
                                        );
                                        (
                                            __rt::Inside::range(__inside, &__whole),
                                            __multiple6,
                                            __multiple7,
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
                                                                    out.head([i, j])
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
                                                        {
                                                            let __v = (__rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(
                                                                                __rank0,
                                                                                [
                                                                                    __rt::within::less(
                                                                                        (i + __rt::number(1)),
                                                                                        h,
                                                                                        __multiple6,
                                                                                        |mut __a0, __a1| __a0 % __a1,
                                                                                    ),
                                                                                    j,
                                                                                ],
                                                                            );
                                                                            unsafe { u.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0
                                                                + __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(
                                                                                    __rank0,
                                                                                    [
                                                                                        i,
                                                                                        __rt::within::less(
                                                                                            ((j + w) - __rt::number(1)),
                                                                                            w,
                                                                                            __multiple7,
                                                                                            |mut __a0, __a1| __a0 % __a1,
                                                                                        ),
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
                                                    __k = __until;
                                                    if __k >= __range.end {
                                                        break;
                                                    }
                                                    #[cfg(not(debug_assertions))]
                                                    if __field1.fits_a_block() {
                                                        while __range.end.saturating_sub(__k) >= __rt::stage::BLOCK
                                                        {
                                                            let __block = __rt::BlockAt(
                                                                __rt::number_in_rows(&__shape, [i, 0], __k),
                                                            );
                                                            let j = __k;
                                                            let mut __stage1 = __rt::Stage::new();
                                                            {
                                                                let out = unsafe {
                                                                    __rt::Stage::view(&mut __stage1, out, [i, j])
                                                                };
                                                                for __l in 0..__rt::stage::BLOCK {
                                                                    let j = (__k + __l);
                                                                    {
                                                                        let __v = (__rt::peek(
                                                                                &{
                                                                                    let __p = {
                                                                                        let __i = __rt::axes(
                                                                                            __rank0,
                                                                                            [
                                                                                                __rt::within::less(
                                                                                                    (i + __rt::number(1)),
                                                                                                    h,
                                                                                                    __multiple6,
                                                                                                    |mut __a0, __a1| __a0 % __a1,
                                                                                                ),
                                                                                                j,
                                                                                            ],
                                                                                        );
                                                                                        unsafe { u.unchecked(__i) }
                                                                                    };
                                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                                },
                                                                            )
                                                                            .0
                                                                            + __rt::peek(
                                                                                    &{
                                                                                        let __p = {
                                                                                            let __i = __rt::axes(
                                                                                                __rank0,
                                                                                                [
                                                                                                    i,
                                                                                                    __rt::within::less(
                                                                                                        ((j + w) - __rt::number(1)),
                                                                                                        w,
                                                                                                        __multiple7,
                                                                                                        |mut __a0, __a1| __a0 % __a1,
                                                                                                    ),
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
                                                                                unsafe { out.unchecked(__i) }
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
                                                                __rt::Stage::flush(&__stage1, out, [i, j], __streaming.0)
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
                                                {
                                                    let __v = (__rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(
                                                                        __rank0,
                                                                        [
                                                                            {
                                                                                let __dividend = (i + __rt::number(1));
                                                                                let __divisor = h;
                                                                                {
                                                                                    use __rt::{Checked as _, Unchecked as _};
                                                                                    if let core::option::Option::Some(__fault) = (&&__rt::Operands(
                                                                                        &__dividend,
                                                                                        &__divisor,
                                                                                    ))
                                                                                        .__fault()
                                                                                    {
                                                                                        {
                                                                                            __rt::Failures::failed(
                                                                                                __launch,
                                                                                                0u32,
                                                                                                18u32,
                                                                                                26u32,
                                                                                                __fault.message(true),
                                                                                                &[],
                                                                                            );
                                                                                            core::mem::forget(__iteration);
                                                                                            continue '__l0;
                                                                                        }
                                                                                    }
                                                                                }
                                                                                (__dividend,).0 % (__divisor,).0
                                                                            },
                                                                            j,
                                                                        ],
                                                                    );
                                                                    unsafe { u.unchecked(__i) }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0
                                                        + __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(
                                                                            __rank0,
                                                                            [
                                                                                i,
                                                                                {
                                                                                    let __dividend = ((j + w) - __rt::number(1));
                                                                                    let __divisor = w;
                                                                                    {
                                                                                        use __rt::{Checked as _, Unchecked as _};
                                                                                        if let core::option::Option::Some(__fault) = (&&__rt::Operands(
                                                                                            &__dividend,
                                                                                            &__divisor,
                                                                                        ))
                                                                                            .__fault()
                                                                                        {
                                                                                            {
                                                                                                __rt::Failures::failed(
                                                                                                    __launch,
                                                                                                    1u32,
                                                                                                    18u32,
                                                                                                    51u32,
                                                                                                    __fault.message(true),
                                                                                                    &[],
                                                                                                );
                                                                                                core::mem::forget(__iteration);
                                                                                                continue '__l0;
                                                                                            }
                                                                                        }
                                                                                    }
                                                                                    (__dividend,).0 % (__divisor,).0
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
                            core::option::Option::Some(25u32),
                            __rt::Version::for_elements(
                                false,
                                [__field0.scalars(), __field1.scalars()],
                            ),
                            __rt::Begins::new(
                                [__field0.begin()],
                                [__field1.begin_mut()],
                            ),
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let u = unsafe { u.beginning_at(__begins.read[0usize]) };
                                let out = unsafe {
                                    out.beginning_at_mut(__begins.written[0usize])
                                };
                                let h = {
                                    let _ = &h;
                                    u.shape()[0usize]
                                };
                                let w = {
                                    let _ = &w;
                                    u.shape()[1usize]
                                };
                                let __shape = __shape;
                                for (__head, __row) in __rt::rows(__shape, __range) {
                                    unsafe {
                                        core::hint::assert_unchecked(
                                            __head[0usize] < __shape[0usize],
                                        )
                                    };
                                    let i = __head[0usize];
                                    let __range = __row;
                                    let mut __k = __range.start;
                                    '__l0: for __k in __k..__range.end {
                                        let j = __k;
                                        let __iteration = __rt::RowPosition {
                                            shape: &__shape,
                                            head: __head,
                                            last: __k,
                                        };
                                        {
                                            let __v = (__rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(
                                                                __rank0,
                                                                [
                                                                    {
                                                                        let __dividend = (i + __rt::number(1));
                                                                        let __divisor = h;
                                                                        {
                                                                            use __rt::{Checked as _, Unchecked as _};
                                                                            if let core::option::Option::Some(__fault) = (&&__rt::Operands(
                                                                                &__dividend,
                                                                                &__divisor,
                                                                            ))
                                                                                .__fault()
                                                                            {
                                                                                {
                                                                                    __rt::Failures::failed(
                                                                                        __launch,
                                                                                        0u32,
                                                                                        18u32,
                                                                                        26u32,
                                                                                        __fault.message(true),
                                                                                        &[],
                                                                                    );
                                                                                    core::mem::forget(__iteration);
                                                                                    continue '__l0;
                                                                                }
                                                                            }
                                                                        }
                                                                        (__dividend,).0 % (__divisor,).0
                                                                    },
                                                                    j,
                                                                ],
                                                            );
                                                            unsafe { u.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0
                                                + __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(
                                                                    __rank0,
                                                                    [
                                                                        i,
                                                                        {
                                                                            let __dividend = ((j + w) - __rt::number(1));
                                                                            let __divisor = w;
                                                                            {
                                                                                use __rt::{Checked as _, Unchecked as _};
                                                                                if let core::option::Option::Some(__fault) = (&&__rt::Operands(
                                                                                    &__dividend,
                                                                                    &__divisor,
                                                                                ))
                                                                                    .__fault()
                                                                                {
                                                                                    {
                                                                                        __rt::Failures::failed(
                                                                                            __launch,
                                                                                            1u32,
                                                                                            18u32,
                                                                                            51u32,
                                                                                            __fault.message(true),
                                                                                            &[],
                                                                                        );
                                                                                        core::mem::forget(__iteration);
                                                                                        continue '__l0;
                                                                                    }
                                                                                }
                                                                            }
                                                                            (__dividend,).0 % (__divisor,).0
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
                                }
                            },
                        );
                    }
                }
                core::result::Result::Ok(())
            },
        )
}
fn cleared(
    grid: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for cleared {}
    };
    let mut __launch = __rt::Launch::new(<cleared as __rt::KernelDef>::info());
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
                    cleared,
                >(&[__rt::launch_arg_mut::<Field<f32, 2>, _>(&mut *grid)])
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access_mut::<Field<f32, 2>, _>(&mut *grid);
                let grid = __field0;
                let __rank0 = __field0.rank();
                let __shared0 = false;
                {
                    let __shape = grid.shape();
                    let __n = grid.len();
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(6u32),
                        __rt::Version::for_elements(false, [__field0.scalars()]),
                        __rt::Begins::NONE,
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let grid = grid;
                            let __shape = __shape;
                            for (__head, __row) in __rt::rows(__shape, __range) {
                                let __range = __row;
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let node = __rt::position_in_row(__head, __k);
                                    let __iteration = __rt::RowPosition {
                                        shape: &__shape,
                                        head: __head,
                                        last: __k,
                                    };
                                    {
                                        let __p = {
                                            let __i = __rt::axes(__rank0, node);
                                            unsafe { grid.unchecked(__i) }
                                        };
                                        let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                        let __value = &mut __copy;
                                        (*(__value)) = 0.0;
                                        unsafe { __rt::Pointer::write(__p, __copy) }
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
fn inner(
    u: &impl ::swathe::Argument<Field<f32>>,
    v: &mut impl ::swathe::ArgumentMut<Field<f32>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for inner {}
    };
    let mut __launch = __rt::Launch::new(<inner as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32>, _>(&*u))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<f32>, _>(&*v))?;
    __rt::prepare::<Field<f32>, _>(&mut *v)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    inner,
                >(
                    &[
                        __rt::launch_arg::<Field<f32>, _>(&*u),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *v),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<f32>, _>(&*u);
                let u = __field0;
                let __field1 = __rt::access_mut::<Field<f32>, _>(&mut *v);
                let v = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                {
                    let (__start, __end) = (1, (u.len() - __rt::number(1)));
                    let __step = 1usize;
                    let __n = __rt::LoopInt::count(__start, __end, false, __step);
                    let __n = if __n > __rt::MOST_POSITIONS {
                        __rt::Failures::failed(
                            __launch,
                            0u32,
                            33u32,
                            14u32,
                            __rt::TOO_MANY,
                            &[__rt::LoopInt::shown(__start), __rt::LoopInt::shown(__end)],
                        );
                        0
                    } else {
                        __n
                    };
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(22u32),
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
                            let (__start, __step) = (__start, __step);
                            #[cfg(not(debug_assertions))]
                            let __streaming = __rt::stage::Streaming(
                                __rt::stage::streams(
                                    __target,
                                    [__field1.staged(false)],
                                    [u.bytes(), v.bytes()],
                                ),
                            );
                            #[cfg(not(debug_assertions))]
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
                                __rt::Inside::below(&mut __inside, __line0, &v.shape(), 0);
                                let __line1 = __rt::Inside::number::<
                                    usize,
                                >(&mut __inside, 1);
                                let __line2 = __rt::Inside::sub::<
                                    usize,
                                >(&mut __inside, __line0, __line1);
                                __rt::Inside::below(&mut __inside, __line2, &u.shape(), 0);
                                __rt::Inside::below(&mut __inside, __line0, &u.shape(), 0);
                                let __line3 = __rt::Inside::add::<
                                    usize,
                                >(&mut __inside, __line0, __line1);
                                __rt::Inside::below(&mut __inside, __line3, &u.shape(), 0);
                                __inside
                            };
                            let __whole = __range.start..__range.end;
                            #[cfg(not(debug_assertions))]
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
                                                            let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                                            v.head(i)
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
                                                let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                                let __iteration = __rt::Iteration(__k);
                                                {
                                                    let __v = (({
                                                        let __term = __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, (i - __rt::number(1)));
                                                                        unsafe { u.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0;
                                                        let __left_factor = 2.0;
                                                        let __right_factor = __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, i);
                                                                        unsafe { u.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0;
                                                        __rt::contract::rest(
                                                            __target,
                                                            __left_factor,
                                                            __right_factor,
                                                            __term,
                                                            (__term,).0 - ((__left_factor,).0 * (__right_factor,).0),
                                                        )
                                                    })
                                                        + __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, (i + __rt::number(1)));
                                                                        unsafe { u.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0);
                                                    {
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, i);
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
                                                    let __block = __rt::BlockAt(__k);
                                                    let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                                    let mut __stage1 = __rt::Stage::new();
                                                    {
                                                        let v = unsafe { __rt::Stage::view(&mut __stage1, v, i) };
                                                        for __l in 0..__rt::stage::BLOCK {
                                                            let i = __rt::LoopInt::nth(__start, (__k + __l), 1usize);
                                                            {
                                                                let __v = (({
                                                                    let __term = __rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, (i - __rt::number(1)));
                                                                                    unsafe { u.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0;
                                                                    let __left_factor = 2.0;
                                                                    let __right_factor = __rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, i);
                                                                                    unsafe { u.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0;
                                                                    __rt::contract::rest(
                                                                        __target,
                                                                        __left_factor,
                                                                        __right_factor,
                                                                        __term,
                                                                        (__term,).0 - ((__left_factor,).0 * (__right_factor,).0),
                                                                    )
                                                                })
                                                                    + __rt::peek(
                                                                            &{
                                                                                let __p = {
                                                                                    let __i = __rt::axes(__rank0, (i + __rt::number(1)));
                                                                                    unsafe { u.unchecked(__i) }
                                                                                };
                                                                                unsafe { __rt::Pointer::read(__p) }
                                                                            },
                                                                        )
                                                                        .0);
                                                                {
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank1, i);
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
                                                        __rt::Stage::flush(&__stage1, v, i, __streaming.0)
                                                    };
                                                    core::mem::forget(__block);
                                                    __k += __rt::stage::BLOCK;
                                                }
                                            }
                                            __until = __range.end;
                                        }
                                    }
                                } else {
                                    let mut __k = __range.start;
                                    #[cfg(not(debug_assertions))]
                                    {
                                        let __look0 = __rt::iteration(|__k: usize| {
                                            let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                            let __value0 = {
                                                let __left = i;
                                                let __right = 1;
                                                __rt::arithmetic(&__left, &__right)?;
                                                __left - __right
                                            };
                                            let __value1 = __rt::axes(__rank0, i);
                                            let __value2 = {
                                                let __left = i;
                                                let __right = 1;
                                                __rt::arithmetic(&__left, &__right)?;
                                                __left + __right
                                            };
                                            let __value3 = __rt::axes(__rank1, i);
                                            core::option::Option::Some((
                                                (),
                                                (__value0, __value1, __value2, __value3),
                                            ))
                                        });
                                        while __k < __range.end {
                                            let __stop = __k
                                                + core::cmp::min(__range.end - __k, __rt::BLOCK);
                                            let __inside = __rt::UNCHECKED
                                                || '__inspection: {
                                                    let mut __m1_0 = __rt::MostOf::new();
                                                    let mut __m3_0 = __rt::MostOf::new();
                                                    for __k in __k..__stop {
                                                        let core::option::Option::Some(__seen0) = __look0(__k) else {
                                                            break '__inspection false
                                                        };
                                                        __rt::MostOf::take(&mut __m1_0, __seen0.1.1);
                                                        __rt::MostOf::take(&mut __m3_0, __seen0.1.3);
                                                    }
                                                    if !__rt::MostOf::inside(&__m1_0, u.shape()) {
                                                        break '__inspection false;
                                                    }
                                                    if !__rt::MostOf::inside(&__m3_0, v.shape()) {
                                                        break '__inspection false;
                                                    }
                                                    let mut __m0_0 = __rt::Most::new();
                                                    let mut __m2_0 = __rt::Most::new();
                                                    for __k in [__k, __stop - 1] {
                                                        let core::option::Option::Some(__seen0) = __look0(__k) else {
                                                            break '__inspection false
                                                        };
                                                        __rt::Most::take(&mut __m0_0, __seen0.1.0);
                                                        __rt::Most::take(&mut __m2_0, __seen0.1.2);
                                                    }
                                                    if !__rt::Most::below(&__m0_0, u.shape()[0usize]) {
                                                        break '__inspection false;
                                                    }
                                                    if !__rt::Most::below(&__m2_0, u.shape()[0usize]) {
                                                        break '__inspection false;
                                                    }
                                                    true
                                                };
                                            if !__inside {
                                                break;
                                            }
                                            '__l0: for __k in __k..__stop {
                                                let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                                let __seen0 = __rt::looked_at(__look0(__k));
                                                let __iteration = __rt::Iteration(__k);
                                                {
                                                    let __v = (({
                                                        let __term = __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, __seen0.1.0);
                                                                        unsafe { u.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0;
                                                        let __left_factor = 2.0;
                                                        let __right_factor = __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, __seen0.1.1);
                                                                        unsafe { u.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0;
                                                        __rt::contract::rest(
                                                            __target,
                                                            __left_factor,
                                                            __right_factor,
                                                            __term,
                                                            (__term,).0 - ((__left_factor,).0 * (__right_factor,).0),
                                                        )
                                                    })
                                                        + __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, __seen0.1.2);
                                                                        unsafe { u.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0);
                                                    {
                                                        let __p = {
                                                            let __i = __rt::axes(__rank1, __seen0.1.3);
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
                                            __k = __stop;
                                        }
                                    }
                                    '__l0: for __k in __k..__range.end {
                                        let i = __rt::LoopInt::nth(__start, __k, 1usize);
                                        let __iteration = __rt::Iteration(__k);
                                        {
                                            let __v = (({
                                                let __term = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, (i - __rt::number(1)));
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
                                                let __left_factor = 2.0;
                                                let __right_factor = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, i);
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
                                                    .0;
                                                __rt::contract::rest(
                                                    __target,
                                                    __left_factor,
                                                    __right_factor,
                                                    __term,
                                                    (__term,).0 - ((__left_factor,).0 * (__right_factor,).0),
                                                )
                                            })
                                                + __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, (i + __rt::number(1)));
                                                                match u.checked(__i) {
                                                                    core::option::Option::Some(__p) => __p,
                                                                    core::option::Option::None => {
                                                                        u.fail(__launch, 2u32, __i);
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
                                                    let __i = __rt::axes(__rank1, i);
                                                    match v.checked(__i) {
                                                        core::option::Option::Some(__p) => __p,
                                                        core::option::Option::None => {
                                                            v.fail(__launch, 3u32, __i);
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
                                }
                            }
                        },
                    );
                }
                core::result::Result::Ok(())
            },
        )
}
fn interior(
    u: &impl ::swathe::Argument<Field<f32, 2>>,
    v: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    trait __no__func_saturating_sub {
        fn __func_saturating_sub(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_saturating_sub for __T {
        fn __func_saturating_sub(&self) {}
    }
    const _: () = {
        impl __rt::FuncDef for interior {}
    };
    let mut __launch = __rt::Launch::new(<interior as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<f32, 2>, _>(&*v))?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *v)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    interior,
                >(
                    &[
                        __rt::launch_arg::<Field<f32, 2>, _>(&*u),
                        __rt::launch_arg_mut::<Field<f32, 2>, _>(&mut *v),
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
                let [__n2, __n3] = v.shape();
                let __n4: usize = usize::__func_saturating_sub(__n2, 1);
                let __n5: usize = usize::__func_saturating_sub(__n3, 1);
                {
                    let __shape = [
                        usize::__func_saturating_sub(__n4, 1),
                        usize::__func_saturating_sub(__n5, 1),
                    ];
                    let __n = match __rt::positions(__shape) {
                        core::option::Option::Some(__n) => __n,
                        core::option::Option::None => {
                            __rt::Failures::failed(
                                __launch,
                                0u32,
                                40u32,
                                9u32,
                                __rt::TOO_MANY_OF_AXES,
                                &[__rt::show::debug(&__shape)],
                            );
                            0
                        }
                    };
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(39u32),
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
                            let __shape = __shape;
                            #[cfg(not(debug_assertions))]
                            let __along0 = {
                                let mut __inside = __rt::Inside::ALL;
                                {
                                    let __k = 0usize;
                                    __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                }
                                let __line0 = __rt::Inside::number::<
                                    usize,
                                >(&mut __inside, 1);
                                let __line1 = __rt::Inside::position::<
                                    usize,
                                    _,
                                >(&mut __inside, |__k: usize| __k);
                                let __line2 = __rt::Inside::add::<
                                    usize,
                                >(&mut __inside, __line0, __line1);
                                __rt::Inside::below(&mut __inside, __line2, &v.shape(), 1);
                                __rt::Inside::below(&mut __inside, __line2, &u.shape(), 1);
                                let __line3 = __rt::Inside::sub::<
                                    usize,
                                >(&mut __inside, __line2, __line0);
                                __rt::Inside::below(&mut __inside, __line3, &u.shape(), 1);
                                let __line4 = __rt::Inside::add::<
                                    usize,
                                >(&mut __inside, __line2, __line0);
                                __rt::Inside::below(&mut __inside, __line4, &u.shape(), 1);
                                __inside
                            };
                            for (__head, __row) in __rt::rows(__shape, __range) {
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __head[0usize] < __shape[0usize],
                                    )
                                };
                                let __counter7 = __head[0usize];
                                let __range = __row;
                                let __whole = __range.start..__range.end;
                                #[cfg(not(debug_assertions))]
                                let (__inside,) = {
                                    let mut __inside = __rt::Inside::of(
                                        __along0,
                                        &__whole,
                                        24usize,
                                    );
                                    __rt::Inside::typed::<usize, _>(&mut __inside, &__counter7);
                                    {
                                        let __k = 0usize;
                                        __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                    }
                                    let __line0 = __rt::Inside::number::<
                                        usize,
                                    >(&mut __inside, 1);
                                    let __line1 = __rt::Inside::value::<
                                        usize,
                                        _,
                                    >(&mut __inside, __counter7);
                                    let __line2 = __rt::Inside::add::<
                                        usize,
                                    >(&mut __inside, __line0, __line1);
                                    __rt::Inside::below(&mut __inside, __line2, &v.shape(), 0);
                                    let __line3 = __rt::Inside::sub::<
                                        usize,
                                    >(&mut __inside, __line2, __line0);
                                    __rt::Inside::below(&mut __inside, __line3, &u.shape(), 0);
                                    let __line4 = __rt::Inside::add::<
                                        usize,
                                    >(&mut __inside, __line2, __line0);
                                    __rt::Inside::below(&mut __inside, __line4, &u.shape(), 0);
                                    __rt::Inside::below(&mut __inside, __line2, &u.shape(), 0);
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
                                            '__l0: for __k in __k..__range.end {
                                                let __counter9 = __k;
                                                let __iteration = __rt::RowPosition {
                                                    shape: &__shape,
                                                    head: __head,
                                                    last: __k,
                                                };
                                                let i: usize = (1 + __counter7);
                                                let j: usize = (1 + __counter9);
                                                {
                                                    let __v = (((__rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank0, [(i - __rt::number(1)), j]);
                                                                    unsafe { u.unchecked(__i) }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0
                                                        + __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, [(i + __rt::number(1)), j]);
                                                                        unsafe { u.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0)
                                                        + __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, [i, (j - __rt::number(1))]);
                                                                        unsafe { u.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0)
                                                        + __rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, [i, (j + __rt::number(1))]);
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
                                        }
                                    } else {
                                        let __row = __range;
                                        let __range = __row;
                                        let mut __k = __range.start;
                                        #[cfg(not(debug_assertions))]
                                        {
                                            let __look0 = __rt::iteration(|__k: usize| {
                                                let __counter9 = __k;
                                                let __value0 = {
                                                    let __left = 1;
                                                    let __right = __counter7;
                                                    __rt::arithmetic(&__left, &__right)?;
                                                    __left + __right
                                                };
                                                let i: usize = __value0;
                                                let __value1 = {
                                                    let __left = 1;
                                                    let __right = __counter9;
                                                    __rt::arithmetic(&__left, &__right)?;
                                                    __left + __right
                                                };
                                                let j: usize = __value1;
                                                let __value2 = {
                                                    let __left = i;
                                                    let __right = 1;
                                                    __rt::arithmetic(&__left, &__right)?;
                                                    __left - __right
                                                };
                                                let __value3 = j;
                                                let __value4 = {
                                                    let __left = i;
                                                    let __right = 1;
                                                    __rt::arithmetic(&__left, &__right)?;
                                                    __left + __right
                                                };
                                                let __value5 = j;
                                                let __value6 = i;
                                                let __value7 = {
                                                    let __left = j;
                                                    let __right = 1;
                                                    __rt::arithmetic(&__left, &__right)?;
                                                    __left - __right
                                                };
                                                let __value8 = i;
                                                let __value9 = {
                                                    let __left = j;
                                                    let __right = 1;
                                                    __rt::arithmetic(&__left, &__right)?;
                                                    __left + __right
                                                };
                                                let __value10 = i;
                                                let __value11 = j;
                                                core::option::Option::Some((
                                                    (),
                                                    (
                                                        __value0,
                                                        __value1,
                                                        __value2,
                                                        __value3,
                                                        __value4,
                                                        __value5,
                                                        __value6,
                                                        __value7,
                                                        __value8,
                                                        __value9,
                                                        __value10,
                                                        __value11,
                                                    ),
                                                ))
                                            });
                                            while __k < __range.end {
                                                let __stop = __k
                                                    + core::cmp::min(__range.end - __k, __rt::BLOCK);
                                                let __inside = __rt::UNCHECKED
                                                    || '__inspection: {
                                                        let mut __m0_0 = __rt::Most::new();
                                                        let mut __m0_1 = __rt::Most::new();
                                                        let mut __m1_0 = __rt::Most::new();
                                                        let mut __m1_1 = __rt::Most::new();
                                                        let mut __m2_0 = __rt::Most::new();
                                                        let mut __m2_1 = __rt::Most::new();
                                                        let mut __m3_0 = __rt::Most::new();
                                                        let mut __m3_1 = __rt::Most::new();
                                                        let mut __m4_0 = __rt::Most::new();
                                                        let mut __m4_1 = __rt::Most::new();
                                                        for __k in __k..__stop {
                                                            let core::option::Option::Some(__seen0) = __look0(__k) else {
                                                                break '__inspection false
                                                            };
                                                            __rt::Most::take(&mut __m0_0, __seen0.1.2);
                                                            __rt::Most::take(&mut __m0_1, __seen0.1.3);
                                                            __rt::Most::take(&mut __m1_0, __seen0.1.4);
                                                            __rt::Most::take(&mut __m1_1, __seen0.1.5);
                                                            __rt::Most::take(&mut __m2_0, __seen0.1.6);
                                                            __rt::Most::take(&mut __m2_1, __seen0.1.7);
                                                            __rt::Most::take(&mut __m3_0, __seen0.1.8);
                                                            __rt::Most::take(&mut __m3_1, __seen0.1.9);
                                                            __rt::Most::take(&mut __m4_0, __seen0.1.10);
                                                            __rt::Most::take(&mut __m4_1, __seen0.1.11);
                                                        }
                                                        if !__rt::Most::below(&__m0_0, u.shape()[0usize]) {
                                                            break '__inspection false;
                                                        }
                                                        if !__rt::Most::below(&__m0_1, u.shape()[1usize]) {
                                                            break '__inspection false;
                                                        }
                                                        if !__rt::Most::below(&__m1_0, u.shape()[0usize]) {
                                                            break '__inspection false;
                                                        }
                                                        if !__rt::Most::below(&__m1_1, u.shape()[1usize]) {
                                                            break '__inspection false;
                                                        }
                                                        if !__rt::Most::below(&__m2_0, u.shape()[0usize]) {
                                                            break '__inspection false;
                                                        }
                                                        if !__rt::Most::below(&__m2_1, u.shape()[1usize]) {
                                                            break '__inspection false;
                                                        }
                                                        if !__rt::Most::below(&__m3_0, u.shape()[0usize]) {
                                                            break '__inspection false;
                                                        }
                                                        if !__rt::Most::below(&__m3_1, u.shape()[1usize]) {
                                                            break '__inspection false;
                                                        }
                                                        if !__rt::Most::below(&__m4_0, v.shape()[0usize]) {
                                                            break '__inspection false;
                                                        }
                                                        if !__rt::Most::below(&__m4_1, v.shape()[1usize]) {
                                                            break '__inspection false;
                                                        }
                                                        true
                                                    };
                                                if !__inside {
                                                    break;
                                                }
                                                '__l0: for __k in __k..__stop {
                                                    let __counter9 = __k;
                                                    let __seen0 = __rt::looked_at(__look0(__k));
                                                    let __iteration = __rt::RowPosition {
                                                        shape: &__shape,
                                                        head: __head,
                                                        last: __k,
                                                    };
                                                    let i: usize = __seen0.1.0;
                                                    let j: usize = __seen0.1.1;
                                                    {
                                                        let __v = (((__rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, [__seen0.1.2, __seen0.1.3]);
                                                                        unsafe { u.unchecked(__i) }
                                                                    };
                                                                    unsafe { __rt::Pointer::read(__p) }
                                                                },
                                                            )
                                                            .0
                                                            + __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, [__seen0.1.4, __seen0.1.5]);
                                                                            unsafe { u.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0)
                                                            + __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, [__seen0.1.6, __seen0.1.7]);
                                                                            unsafe { u.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0)
                                                            + __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, [__seen0.1.8, __seen0.1.9]);
                                                                            unsafe { u.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0);
                                                        {
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, [__seen0.1.10, __seen0.1.11]);
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
                                                __k = __stop;
                                            }
                                        }
                                        '__l0: for __k in __k..__range.end {
                                            let __counter9 = __k;
                                            let __iteration = __rt::RowPosition {
                                                shape: &__shape,
                                                head: __head,
                                                last: __k,
                                            };
                                            let i: usize = (1 + __counter7);
                                            let j: usize = (1 + __counter9);
                                            {
                                                let __v = (((__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, [(i - __rt::number(1)), j]);
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
                                                                    let __i = __rt::axes(__rank0, [(i + __rt::number(1)), j]);
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
                                                        .0)
                                                    + __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank0, [i, (j - __rt::number(1))]);
                                                                    match u.checked(__i) {
                                                                        core::option::Option::Some(__p) => __p,
                                                                        core::option::Option::None => {
                                                                            u.fail(__launch, 2u32, __i);
                                                                            core::mem::forget(__iteration);
                                                                            continue '__l0;
                                                                        }
                                                                    }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0)
                                                    + __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank0, [i, (j + __rt::number(1))]);
                                                                    match u.checked(__i) {
                                                                        core::option::Option::Some(__p) => __p,
                                                                        core::option::Option::None => {
                                                                            u.fail(__launch, 3u32, __i);
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
                                                        match v.checked(__i) {
                                                            core::option::Option::Some(__p) => __p,
                                                            core::option::Option::None => {
                                                                v.fail(__launch, 4u32, __i);
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
fn forward(
    u: &impl ::swathe::Argument<Field<f32, 2>>,
    v: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for forward {}
    };
    let mut __launch = __rt::Launch::new(<forward as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<f32, 2>, _>(&*v))?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *v)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    forward,
                >(
                    &[
                        __rt::launch_arg::<Field<f32, 2>, _>(&*u),
                        __rt::launch_arg_mut::<Field<f32, 2>, _>(&mut *v),
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
                let [h, w] = [u.shape()[0], u.shape()[1]];
                {
                    let __shape = v.shape();
                    let __n = v.len();
                    __rt::for_each_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(31u32),
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
                            let h = {
                                let _ = &h;
                                u.shape()[0usize]
                            };
                            let w = {
                                let _ = &w;
                                u.shape()[1usize]
                            };
                            let __shape = __shape;
                            #[cfg(not(debug_assertions))]
                            let __along0 = {
                                let mut __inside = __rt::Inside::ALL;
                                __rt::Inside::typed::<usize, _>(&mut __inside, &w);
                                {
                                    let __k = 0usize;
                                    __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                }
                                let __line0 = __rt::Inside::position::<
                                    usize,
                                    _,
                                >(&mut __inside, |__k: usize| __k);
                                let __line1 = __rt::Inside::number::<
                                    usize,
                                >(&mut __inside, 1);
                                let __line2 = __rt::Inside::add::<
                                    usize,
                                >(&mut __inside, __line0, __line1);
                                let __line3 = __rt::Inside::value::<
                                    usize,
                                    _,
                                >(&mut __inside, w);
                                __rt::Inside::less(&mut __inside, __line2, __line3, true);
                                __rt::Inside::below(&mut __inside, __line0, &u.shape(), 1);
                                __rt::Inside::below(&mut __inside, __line2, &u.shape(), 1);
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
                                        24usize,
                                    );
                                    __rt::Inside::typed::<usize, _>(&mut __inside, &i);
                                    {
                                        let __k = 0usize;
                                        __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                    }
                                    let __line0 = __rt::Inside::value::<
                                        usize,
                                        _,
                                    >(&mut __inside, i);
                                    let __line1 = __rt::Inside::number::<
                                        usize,
                                    >(&mut __inside, 1);
                                    let __line2 = __rt::Inside::add::<
                                        usize,
                                    >(&mut __inside, __line0, __line1);
                                    __rt::Inside::below(&mut __inside, __line2, &u.shape(), 0);
                                    __rt::Inside::below(&mut __inside, __line0, &u.shape(), 0);
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
                                            '__l0: for __k in __k..__range.end {
                                                let j = __k;
                                                let __iteration = __rt::RowPosition {
                                                    shape: &__shape,
                                                    head: __head,
                                                    last: __k,
                                                };
                                                if if false {
                                                    (((i + __rt::number(1)) < h) && ((j + __rt::number(1)) < w))
                                                } else {
                                                    ((i + __rt::number(1)) < h)
                                                } {
                                                    {
                                                        {
                                                            let __v = (__rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, [(i + __rt::number(1)), j]);
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
                                                                    .0);
                                                            {
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank1, [i, j]);
                                                                    unsafe { v.unchecked(__i) }
                                                                };
                                                                let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                                let __value = &mut __copy;
                                                                (*(__value)) += (__v,).0;
                                                                unsafe { __rt::Pointer::write(__p, __copy) }
                                                            }
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
                                            if true && core::option::Option::is_some(&__rt::limit(h))
                                                && core::option::Option::is_some(&__rt::limit(w))
                                            {
                                                if let core::option::Option::Some(__limit) = __rt::limit_of_sums(
                                                    __rt::limit(w),
                                                    &__shape,
                                                    1,
                                                ) {
                                                    __last = core::cmp::min(__last, __limit.saturating_sub(1));
                                                }
                                            }
                                            __first..__last
                                        };
                                        let mut __k = __range.start;
                                        '__l0: for __k in __k..__range.end {
                                            let j = __k;
                                            if true && core::option::Option::is_some(&__rt::limit(h))
                                                && core::option::Option::is_some(&__rt::limit(w))
                                            {
                                                if let core::option::Option::Some(__limit) = __rt::limit_of_sums(
                                                    __rt::limit(w),
                                                    &__shape,
                                                    1,
                                                ) {
                                                    unsafe {
                                                        core::hint::assert_unchecked(
                                                            j < __limit && j.wrapping_add(1) < __limit,
                                                        )
                                                    };
                                                }
                                            }
                                            let __iteration = __rt::RowPosition {
                                                shape: &__shape,
                                                head: __head,
                                                last: __k,
                                            };
                                            if (((i + __rt::number(1)) < h)
                                                && ((j + __rt::number(1)) < w))
                                            {
                                                {
                                                    {
                                                        let __v = (__rt::peek(
                                                                &{
                                                                    let __p = {
                                                                        let __i = __rt::axes(__rank0, [(i + __rt::number(1)), j]);
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
                                                                .0);
                                                        {
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, [i, j]);
                                                                unsafe { v.unchecked(__i) }
                                                            };
                                                            let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                            let __value = &mut __copy;
                                                            (*(__value)) += (__v,).0;
                                                            unsafe { __rt::Pointer::write(__p, __copy) }
                                                        }
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
