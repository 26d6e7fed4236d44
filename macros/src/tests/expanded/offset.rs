fn advance(
    u: &impl ::swathe::Argument<OffsetField<f32, 2>>,
    out: &mut impl ::swathe::ArgumentMut<OffsetField<f32, 2>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for advance {}
    };
    let mut __launch = __rt::Launch::new(<advance as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "u",
        __rt::place_of::<OffsetField<f32, 2>, _>(&*u),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "out",
        __rt::place_of::<OffsetField<f32, 2>, _>(&*out),
    )?;
    __rt::prepare::<OffsetField<f32, 2>, _>(&mut *out)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    advance,
                >(
                    &[
                        __rt::launch_arg::<OffsetField<f32, 2>, _>(&*u),
                        __rt::launch_arg_mut::<OffsetField<f32, 2>, _>(&mut *out),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<OffsetField<f32, 2>, _>(&*u);
                let u = __field0;
                let __field1 = __rt::access_mut::<OffsetField<f32, 2>, _>(&mut *out);
                let out = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                {
                    let __shape = out.shape();
                    let __n = out.len();
                    if __field0.covers(0usize, __field1, 0usize, -1)
                        && __field0.covers(1usize, __field1, 1usize, 0)
                        && __field0.covers(0usize, __field1, 0usize, 1)
                        && __field0.covers(0usize, __field1, 0usize, 0)
                        && __field0.covers(1usize, __field1, 1usize, -1)
                        && __field0.covers(1usize, __field1, 1usize, 1)
                    {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(35u32),
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
                                let __shape = __shape;
                                let __origin = out.origin();
                                for (__head, __row) in __rt::rows(__shape, __range) {
                                    unsafe {
                                        core::hint::assert_unchecked(
                                            __head[0usize] < __shape[0usize],
                                        )
                                    };
                                    let __offset0 = __head[0usize];
                                    let __range = __row;
                                    let i = unsafe { __rt::at(__origin[0usize], __offset0) };
                                    let mut __k = __range.start;
                                    '__l0: for __k in __k..__range.end {
                                        let __offset1 = __k;
                                        let j = unsafe { __rt::at(__origin[1usize], __offset1) };
                                        let __iteration = __rt::RowPosition {
                                            shape: &__shape,
                                            head: __head,
                                            last: __k,
                                        };
                                        {
                                            let __v = (0.25
                                                * (((__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::signed_axes(
                                                                    __rank0,
                                                                    [(i - __rt::number(1)), j],
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
                                                                    let __i = __rt::signed_axes(
                                                                        __rank0,
                                                                        [(i + __rt::number(1)), j],
                                                                    );
                                                                    unsafe { u.unchecked(__i) }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0)
                                                    + __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::signed_axes(
                                                                        __rank0,
                                                                        [i, (j - __rt::number(1))],
                                                                    );
                                                                    unsafe { u.unchecked(__i) }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0)
                                                    + __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::signed_axes(
                                                                        __rank0,
                                                                        [i, (j + __rt::number(1))],
                                                                    );
                                                                    unsafe { u.unchecked(__i) }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0));
                                            {
                                                let __p = {
                                                    let __i = __rt::signed_axes(__rank1, [i, j]);
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
                    } else {
                        __rt::for_each_in_versions::<
                            false,
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(35u32),
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
                                let __shape = __shape;
                                let __origin = out.origin();
                                for (__head, __row) in __rt::rows(__shape, __range) {
                                    unsafe {
                                        core::hint::assert_unchecked(
                                            __head[0usize] < __shape[0usize],
                                        )
                                    };
                                    let __offset0 = __head[0usize];
                                    let __range = __row;
                                    let i = unsafe { __rt::at(__origin[0usize], __offset0) };
                                    let mut __k = __range.start;
                                    '__l0: for __k in __k..__range.end {
                                        let __offset1 = __k;
                                        let j = unsafe { __rt::at(__origin[1usize], __offset1) };
                                        let __iteration = __rt::RowPosition {
                                            shape: &__shape,
                                            head: __head,
                                            last: __k,
                                        };
                                        {
                                            let __v = (0.25
                                                * (((__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::signed_axes(
                                                                    __rank0,
                                                                    [(i - __rt::number(1)), j],
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
                                                    + __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::signed_axes(
                                                                        __rank0,
                                                                        [(i + __rt::number(1)), j],
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
                                                        .0)
                                                    + __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::signed_axes(
                                                                        __rank0,
                                                                        [i, (j - __rt::number(1))],
                                                                    );
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
                                                                    let __i = __rt::signed_axes(
                                                                        __rank0,
                                                                        [i, (j + __rt::number(1))],
                                                                    );
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
                                                        .0));
                                            {
                                                let __p = {
                                                    let __i = __rt::signed_axes(__rank1, [i, j]);
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
                }
                core::result::Result::Ok(())
            },
        )
}
