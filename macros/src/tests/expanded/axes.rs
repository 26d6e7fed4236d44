fn columns(
    u: &impl ::swathe::Argument<Field<f32, 2>>,
    v: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for columns {}
    };
    let mut __launch = __rt::Launch::new(<columns as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<f32, 2>, _>(&*v))?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *v)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    columns,
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
                let [h, w] = u.shape();
                {
                    let __shape = [h, w];
                    let __n = match __rt::positions(__shape) {
                        core::option::Option::Some(__n) => __n,
                        core::option::Option::None => {
                            __rt::Failures::failed(
                                __launch,
                                0u32,
                                6u32,
                                31u32,
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
                            core::option::Option::Some(12u32),
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
                                let v = unsafe {
                                    v.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (u.shape()[0usize] <= v.shape()[0usize]),
                                    )
                                };
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (u.shape()[1usize] <= v.shape()[1usize]),
                                    )
                                };
                                #[cfg(not(debug_assertions))]
                                let __streaming = __rt::stage::Streaming(
                                    __rt::stage::streams(
                                        __target,
                                        [__field1.staged(true)],
                                        [u.bytes(), v.bytes()],
                                    ),
                                );
                                for (__head, __row) in __rt::rows(__shape, __range) {
                                    unsafe {
                                        core::hint::assert_unchecked(
                                            __head[0usize] < __shape[0usize],
                                        )
                                    };
                                    let i = __head[0usize];
                                    let __range = __row;
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
                                            {
                                                let __v = (2.0
                                                    * __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank0, [i, j]);
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
                                                let __block = __rt::BlockAt(
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
                                                        {
                                                            let __v = (2.0
                                                                * __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, [i, j]);
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
                            },
                        );
                    } else {
                        __rt::for_each_in_versions::<
                            false,
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(12u32),
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
                                let v = unsafe {
                                    v.beginning_at_mut(__begins.written[0usize])
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
                                            let __v = (2.0
                                                * __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, [i, j]);
                                                                unsafe { u.unchecked(__i) }
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
                                                            v.fail(__launch, 1u32, __i);
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
fn transposed(
    u: &impl ::swathe::Argument<Field<f32, 3>>,
    v: &mut impl ::swathe::ArgumentMut<Field<f32, 3>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for transposed {}
    };
    let mut __launch = __rt::Launch::new(<transposed as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 3>, _>(&*u))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<f32, 3>, _>(&*v))?;
    __rt::prepare::<Field<f32, 3>, _>(&mut *v)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    transposed,
                >(
                    &[
                        __rt::launch_arg::<Field<f32, 3>, _>(&*u),
                        __rt::launch_arg_mut::<Field<f32, 3>, _>(&mut *v),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access::<Field<f32, 3>, _>(&*u);
                let u = __field0;
                let __field1 = __rt::access_mut::<Field<f32, 3>, _>(&mut *v);
                let v = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                let [__n5, __n6, __n7] = u.shape();
                {
                    let __shape = [__n7, __n5, __n6];
                    let __n = match __rt::positions(__shape) {
                        core::option::Option::Some(__n) => __n,
                        core::option::Option::None => {
                            __rt::Failures::failed(
                                __launch,
                                0u32,
                                13u32,
                                5u32,
                                __rt::TOO_MANY_OF_AXES,
                                &[__rt::show::debug(&__shape)],
                            );
                            0
                        }
                    };
                    if (__field0.shape()[2usize] <= __field1.shape()[0usize])
                        && (__field0.shape()[0usize] <= __field1.shape()[1usize])
                        && (__field0.shape()[1usize] <= __field1.shape()[2usize])
                    {
                        __rt::for_each_in_strips::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(12u32),
                            core::option::Option::Some(
                                __rt::Strips::new(__shape, 0usize),
                            ),
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
                                let v = unsafe {
                                    v.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (u.shape()[2usize] <= v.shape()[0usize]),
                                    )
                                };
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (u.shape()[0usize] <= v.shape()[1usize]),
                                    )
                                };
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (u.shape()[1usize] <= v.shape()[2usize]),
                                    )
                                };
                                #[cfg(not(debug_assertions))]
                                let __streaming = __rt::stage::Streaming(
                                    __rt::stage::streams(
                                        __target,
                                        [__field1.staged(true)],
                                        [u.bytes(), v.bytes()],
                                    ),
                                );
                                for (__head, __row) in __rt::rows(__shape, __range) {
                                    unsafe {
                                        core::hint::assert_unchecked(
                                            __head[0usize] < __shape[0usize],
                                        )
                                    };
                                    let k = __head[0usize];
                                    unsafe {
                                        core::hint::assert_unchecked(
                                            __head[1usize] < __shape[1usize],
                                        )
                                    };
                                    let i = __head[1usize];
                                    let __range = __row;
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
                                                        v.head([k, i, j])
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
                                                let __v = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, [i, j, k]);
                                                                unsafe { u.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0;
                                                {
                                                    let __p = {
                                                        let __i = __rt::axes(__rank1, [k, i, j]);
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
                                                let __block = __rt::BlockAt(
                                                    __rt::number_in_rows(&__shape, [k, i, 0], __k),
                                                );
                                                let j = __k;
                                                let mut __stage1 = __rt::Stage::new();
                                                {
                                                    let v = unsafe {
                                                        __rt::Stage::view(&mut __stage1, v, [k, i, j])
                                                    };
                                                    for __l in 0..__rt::stage::BLOCK {
                                                        let j = (__k + __l);
                                                        {
                                                            let __v = __rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, [i, j, k]);
                                                                            unsafe { u.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0;
                                                            {
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank1, [k, i, j]);
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
                                                    __rt::Stage::flush(&__stage1, v, [k, i, j], __streaming.0)
                                                };
                                                core::mem::forget(__block);
                                                __k += __rt::stage::BLOCK;
                                            }
                                        }
                                        __until = __range.end;
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
                            core::option::Option::Some(12u32),
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
                                let v = unsafe {
                                    v.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                for (__head, __row) in __rt::rows(__shape, __range) {
                                    unsafe {
                                        core::hint::assert_unchecked(
                                            __head[0usize] < __shape[0usize],
                                        )
                                    };
                                    let k = __head[0usize];
                                    unsafe {
                                        core::hint::assert_unchecked(
                                            __head[1usize] < __shape[1usize],
                                        )
                                    };
                                    let i = __head[1usize];
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
                                            let __v = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, [i, j, k]);
                                                            unsafe { u.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank1, [k, i, j]);
                                                    match v.checked(__i) {
                                                        core::option::Option::Some(__p) => __p,
                                                        core::option::Option::None => {
                                                            v.fail(__launch, 1u32, __i);
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
fn symmetric(
    u: &impl ::swathe::Argument<Field<f32, 2>>,
    v: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for symmetric {}
    };
    let mut __launch = __rt::Launch::new(<symmetric as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<f32, 2>, _>(&*v))?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *v)?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote::<
                    symmetric,
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
                {
                    let __shape = v.shape();
                    let __n = v.len();
                    if (__field1.shape()[0usize] <= __field0.shape()[0usize])
                        && (__field1.shape()[1usize] <= __field0.shape()[1usize])
                        && (__field1.shape()[1usize] <= __field0.shape()[0usize])
                        && (__field1.shape()[0usize] <= __field0.shape()[1usize])
                    {
                        __rt::for_each_in_strips::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(15u32),
                            core::option::Option::Some(
                                __rt::Strips::new(__shape, 0usize),
                            ),
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
                                let v = unsafe {
                                    v.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (v.shape()[0usize] <= u.shape()[0usize]),
                                    )
                                };
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (v.shape()[1usize] <= u.shape()[1usize]),
                                    )
                                };
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (v.shape()[1usize] <= u.shape()[0usize]),
                                    )
                                };
                                unsafe {
                                    core::hint::assert_unchecked(
                                        (v.shape()[0usize] <= u.shape()[1usize]),
                                    )
                                };
                                #[cfg(not(debug_assertions))]
                                let __streaming = __rt::stage::Streaming(
                                    __rt::stage::streams(
                                        __target,
                                        [__field1.staged(true)],
                                        [u.bytes(), v.bytes()],
                                    ),
                                );
                                for (__head, __row) in __rt::rows(__shape, __range) {
                                    unsafe {
                                        core::hint::assert_unchecked(
                                            __head[0usize] < __shape[0usize],
                                        )
                                    };
                                    let i = __head[0usize];
                                    let __range = __row;
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
                                            {
                                                let __v = (__rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, [i, j]);
                                                                unsafe { u.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0
                                                    + __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank0, [j, i]);
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
                                                let __block = __rt::BlockAt(
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
                                                        {
                                                            let __v = (__rt::peek(
                                                                    &{
                                                                        let __p = {
                                                                            let __i = __rt::axes(__rank0, [i, j]);
                                                                            unsafe { u.unchecked(__i) }
                                                                        };
                                                                        unsafe { __rt::Pointer::read(__p) }
                                                                    },
                                                                )
                                                                .0
                                                                + __rt::peek(
                                                                        &{
                                                                            let __p = {
                                                                                let __i = __rt::axes(__rank0, [j, i]);
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
                            },
                        );
                    } else {
                        __rt::for_each_in_versions::<
                            false,
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(15u32),
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
                                let v = unsafe {
                                    v.beginning_at_mut(__begins.written[0usize])
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
                                                            let __i = __rt::axes(__rank0, [i, j]);
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
                                                                let __i = __rt::axes(__rank0, [j, i]);
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
                            },
                        );
                    }
                }
                core::result::Result::Ok(())
            },
        )
}
fn short(
    u: &impl ::swathe::Argument<Field<f32, 2>>,
    v: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
    n: usize,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for short {}
    };
    let mut __launch = __rt::Launch::new(<short as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    __rt::Launch::argument(&mut __launch, "v", __rt::place_of::<Field<f32, 2>, _>(&*v))?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *v)?;
    if __rt::Launch::is_remote(&__launch) {
        let __value2 = __rt::DeviceValue::new(&n);
        return unsafe {
            __launch
                .run_remote::<
                    short,
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
                {
                    let __shape = [3, n];
                    let __n = match __rt::positions(__shape) {
                        core::option::Option::Some(__n) => __n,
                        core::option::Option::None => {
                            __rt::Failures::failed(
                                __launch,
                                0u32,
                                29u32,
                                28u32,
                                __rt::TOO_MANY_OF_AXES,
                                &[__rt::show::debug(&__shape)],
                            );
                            0
                        }
                    };
                    if (match __rt::limit(n) {
                        core::option::Option::Some(__end) => {
                            __end <= __field0.shape()[0usize]
                        }
                        core::option::Option::None => false,
                    }) && (3 <= __field0.shape()[1usize])
                        && (match __rt::limit(n) {
                            core::option::Option::Some(__end) => {
                                __end <= __field1.shape()[0usize]
                            }
                            core::option::Option::None => false,
                        }) && (3 <= __field1.shape()[1usize])
                    {
                        __rt::for_each_in_strips::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(10u32),
                            core::option::Option::Some(
                                __rt::Strips::new(__shape, 0usize),
                            ),
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
                                let v = unsafe {
                                    v.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                for (__head, __row) in __rt::rows(__shape, __range) {
                                    unsafe {
                                        core::hint::assert_unchecked(
                                            __head[0usize] < __shape[0usize],
                                        )
                                    };
                                    let k = __head[0usize];
                                    let __range = __row;
                                    let mut __k = __range.start;
                                    '__l0: for __k in __k..__range.end {
                                        let i = __k;
                                        let __iteration = __rt::RowPosition {
                                            shape: &__shape,
                                            head: __head,
                                            last: __k,
                                        };
                                        {
                                            let __v = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, [i, k]);
                                                            unsafe { u.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank1, [i, k]);
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
                            },
                        );
                    } else {
                        __rt::for_each_in_versions::<
                            false,
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(10u32),
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
                                let v = unsafe {
                                    v.beginning_at_mut(__begins.written[0usize])
                                };
                                let __shape = __shape;
                                for (__head, __row) in __rt::rows(__shape, __range) {
                                    unsafe {
                                        core::hint::assert_unchecked(
                                            __head[0usize] < __shape[0usize],
                                        )
                                    };
                                    let k = __head[0usize];
                                    let __range = __row;
                                    let mut __k = __range.start;
                                    '__l0: for __k in __k..__range.end {
                                        let i = __k;
                                        let __iteration = __rt::RowPosition {
                                            shape: &__shape,
                                            head: __head,
                                            last: __k,
                                        };
                                        {
                                            let __v = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, [i, k]);
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
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank1, [i, k]);
                                                    match v.checked(__i) {
                                                        core::option::Option::Some(__p) => __p,
                                                        core::option::Option::None => {
                                                            v.fail(__launch, 1u32, __i);
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
fn ordered(u: &impl ::swathe::Argument<Field<f32, 2>>) -> ::swathe::Result<f32> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for ordered {}
    };
    let mut __launch = __rt::Launch::new(<ordered as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    if __rt::Launch::is_remote(&__launch) {
        return unsafe {
            __launch
                .run_remote_for::<
                    ordered,
                    f32,
                >(&[__rt::launch_arg::<Field<f32, 2>, _>(&*u)])
        };
    }
    __launch
        .run_for(
            &mut |__launch| -> core::result::Result<f32, __rt::Failed> {
                let __field0 = __rt::access::<Field<f32, 2>, _>(&*u);
                let u = __field0;
                let __rank0 = __field0.rank();
                let __shared0 = false;
                let [h, w] = u.shape();
                let mut best = 0.0;
                let mut row = 0;
                {
                    let __shape = [w, h];
                    let __n = match __rt::positions(__shape) {
                        core::option::Option::Some(__n) => __n,
                        core::option::Option::None => {
                            __rt::Failures::failed(
                                __launch,
                                0u32,
                                39u32,
                                28u32,
                                __rt::TOO_MANY_OF_AXES,
                                &[__rt::show::debug(&__shape)],
                            );
                            0
                        }
                    };
                    let __total = __rt::reduce_in_versions::<
                        { core::cfg!(not(debug_assertions)) },
                        _,
                        _,
                        _,
                    >(
                        __n,
                        core::option::Option::Some(17u32),
                        __rt::Begins::NONE,
                        || (best, row),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>,
                            __partial|
                        {
                            let u = u;
                            let __shape = __shape;
                            let mut best = __partial.0;
                            let mut row = __partial.1;
                            for (__head, __row) in __rt::rows(__shape, __range) {
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __head[0usize] < __shape[0usize],
                                    )
                                };
                                let j = __head[0usize];
                                let __range = __row;
                                let mut __k = __range.start;
                                let mut __close = __k;
                                while __k < __range.end {
                                    let __most = if __k < __close { 32usize } else { 256usize };
                                    let __width = core::cmp::min(__range.end - __k, __most);
                                    #[cfg(not(debug_assertions))]
                                    if __width >= 8usize {
                                        let mut __taken: u32 = 0;
                                        let __first = __rt::number_in_rows(&__shape, __head, __k);
                                        __rt::block_begins(__first);
                                        '__l0: for __k in __k..__k + __width {
                                            let i = __k;
                                            let __iteration = __rt::BlockAt(__first);
                                            {
                                                let __compared9 = __rt::peek(
                                                        &{
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, [i, j]);
                                                                unsafe { u.unchecked(__i) }
                                                            };
                                                            unsafe { __rt::Pointer::read(__p) }
                                                        },
                                                    )
                                                    .0;
                                                {
                                                    __taken |= (__compared9 > best) as u32;
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
                                        let i = __k;
                                        let __iteration = __rt::RowPosition {
                                            shape: &__shape,
                                            head: __head,
                                            last: __k,
                                        };
                                        {
                                            let __compared9 = __rt::peek(
                                                    &{
                                                        let __p = {
                                                            let __i = __rt::axes(__rank0, [i, j]);
                                                            unsafe { u.unchecked(__i) }
                                                        };
                                                        unsafe { __rt::Pointer::read(__p) }
                                                    },
                                                )
                                                .0;
                                            if (__compared9 > best) {
                                                best = if false {
                                                    __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank0, [i, j]);
                                                                    match u.checked(__i) {
                                                                        core::option::Option::Some(__p) => __p,
                                                                        core::option::Option::None => {
                                                                            u.fail(__launch, 1u32, __i);
                                                                            loop {}
                                                                        }
                                                                    }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0
                                                } else {
                                                    __compared9
                                                };
                                                row = i;
                                            }
                                        };
                                        core::mem::forget(__iteration);
                                    }
                                    __k += __width;
                                }
                            }
                            (best, row)
                        },
                        |__a, __b| {
                            let __later0 = (__b.0 > __a.0);
                            (
                                if __later0 { __b.0 } else { __a.0 },
                                if __later0 { __b.1 } else { __a.1 },
                            )
                        },
                    );
                    best = __total.0;
                    row = __total.1;
                }
                {
                    let __shape = [w, h];
                    let __n = match __rt::positions(__shape) {
                        core::option::Option::Some(__n) => __n,
                        core::option::Option::None => {
                            __rt::Failures::failed(
                                __launch,
                                2u32,
                                45u32,
                                28u32,
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
                        core::option::Option::Some(8u32),
                        __rt::Version::for_elements(false, [__field0.scalars()]),
                        __rt::Begins::NONE,
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let u = u;
                            let __shape = __shape;
                            for (__head, __row) in __rt::rows(__shape, __range) {
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __head[0usize] < __shape[0usize],
                                    )
                                };
                                let j = __head[0usize];
                                let __range = __row;
                                let mut __k = __range.start;
                                '__l1: for __k in __k..__range.end {
                                    let i = __k;
                                    let __iteration = __rt::RowPosition {
                                        shape: &__shape,
                                        head: __head,
                                        last: __k,
                                    };
                                    {
                                        let __m0 = __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, [i, j]);
                                                        unsafe { u.unchecked(__i) }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0;
                                        let __m1 = j;
                                        let __m2 = i;
                                        __rt::print(
                                            __rt::Output::Out,
                                            "<parsed string 2>",
                                            46u32,
                                            9u32,
                                            "{0:}\n",
                                            &[
                                                { __rt::show::display(&(__m0,).0) },
                                                __rt::show::position(&__m1),
                                                __rt::show::position(&__m2),
                                            ],
                                        );
                                    };
                                    core::mem::forget(__iteration);
                                }
                            }
                        },
                    );
                }
                let __result: f32 = (best + (row as f32));
                core::result::Result::Ok(__result)
            },
        )
}
