fn clamped<T: Float>(x: T, most: &mut T) -> T {
    use __rt::methods::*;
    trait __no__func_powf {
        fn __func_powf(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_powf for __T {
        fn __func_powf(&self) {}
    }
    trait __no__func_sin {
        fn __func_sin(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_sin for __T {
        fn __func_sin(&self) {}
    }
    const _: () = {
        impl clamped<__rt::Any> {
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
                let mut __size = 26u32;
                __size
            };
        }
        impl clamped<__rt::Any> {
            pub fn __given(
                __inside: &mut __rt::Inside,
                _: &[__rt::Line],
            ) -> __rt::Given {
                __rt::Inside::untold(__inside)
            }
        }
        impl<T: Float> __rt::FuncDef for clamped<T> {}
    };
    if (x >= T::ZERO) {} else {
        {
            let __m0 = x;
            __rt::function_failed(
                "<parsed string 2>",
                5u32,
                5u32,
                "{0:} is negative",
                __rt::std::boxed::Box::new([{ __rt::show::display(&(__m0,).0) }]),
            )
        }
    };
    if (x > (*most)) {
        (*most) = x;
        (return {
            let __dividend = x;
            let __divisor = (x + T::ONE);
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
                        8u32,
                        16u32,
                        __fault.message(false),
                        __rt::std::boxed::Box::new([]),
                    );
                }
            }
            (__dividend,).0 / (__divisor,).0
        });
    }
    ({
        let __x0 = ({ __rt::single::sin(__rt::single::number(&x), || x.__func_sin()) });
        __rt::single::powf(
            __rt::single::number(&__x0),
            __rt::single::number(&(*most)),
            || (&(__x0,)).0.__func_powf((*most)),
        )
    })
}
impl Body {
    fn energy(&self, g: f32) -> f32 {
        use __rt::methods::*;
        trait __no__func_dot {
            fn __func_dot(&self);
        }
        impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_dot for __T {
            fn __func_dot(&self) {}
        }
        const _: () = {
            impl __rt::OneFuncOfAName<17509238411564625685> for Body {
                fn callee() -> __rt::Callee {
                    __rt::method_callee::<17509238411564625685, Self>()
                }
            }
        };
        (((0.5 * self.mass) * self.vel.__func_dot(self.vel))
            + ((self.mass * g) * self.pos.y))
    }
    fn bounce(&mut self, ground: f32) -> bool {
        use __rt::methods::*;
        const _: () = {
            impl __rt::Changes<5982753158361717149> for Body {}
            impl __rt::OneFuncOfAName<5982753158361717149> for Body {
                fn callee() -> __rt::Callee {
                    __rt::method_callee::<5982753158361717149, Self>()
                }
            }
        };
        let below = (self.pos.y < ground);
        if below {
            self.vel.y = (-self.vel.y);
        }
        below
    }
}
fn fall(
    bodies: &mut impl ::swathe::ArgumentMut<Field<Body>>,
    energy: &mut impl ::swathe::ArgumentMut<Field<f32>>,
    dt: f32,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    trait __no__func_bounce {
        fn __func_bounce(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_bounce for __T {
        fn __func_bounce(&self) {}
    }
    trait __no__func_energy {
        fn __func_energy(&self);
    }
    impl<__T: __rt::NoMethod + ?core::marker::Sized> __no__func_energy for __T {
        fn __func_energy(&self) {}
    }
    const _: () = {
        impl __rt::FuncDef for fall {}
    };
    let mut __launch = __rt::Launch::new(<fall as __rt::KernelDef>::info());
    __rt::Launch::argument(
        &mut __launch,
        "bodies",
        __rt::place_of::<Field<Body>, _>(&*bodies),
    )?;
    __rt::Launch::argument(
        &mut __launch,
        "energy",
        __rt::place_of::<Field<f32>, _>(&*energy),
    )?;
    __rt::prepare::<Field<Body>, _>(&mut *bodies)?;
    __rt::prepare::<Field<f32>, _>(&mut *energy)?;
    if __rt::Launch::is_remote(&__launch) {
        let __value2 = __rt::DeviceValue::new(&dt);
        return unsafe {
            __launch
                .run_remote::<
                    fall,
                >(
                    &[
                        __rt::launch_arg_mut::<Field<Body>, _>(&mut *bodies),
                        __rt::launch_arg_mut::<Field<f32>, _>(&mut *energy),
                        __rt::DeviceValue::arg(&__value2),
                    ],
                )
        };
    }
    __launch
        .run(
            &mut |__launch| -> core::result::Result<(), __rt::Failed> {
                let __field0 = __rt::access_mut::<Field<Body>, _>(&mut *bodies);
                let bodies = __field0;
                let __field1 = __rt::access_mut::<Field<f32>, _>(&mut *energy);
                let energy = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
                {
                    let __shape = bodies.shape();
                    let __n = bodies.len();
                    if __rt::covers(__field1.shape(), __field0.shape()) {
                        __rt::for_each_in_versions::<
                            { core::cfg!(not(debug_assertions)) },
                            _,
                            _,
                        >(
                            __n,
                            core::option::Option::Some(45u32),
                            __rt::Version::for_elements(
                                (core::cfg!(not(debug_assertions))
                                    && __rt::stage::pays(
                                        __rt::Target::Fused,
                                        11usize,
                                        [__field0.staged(false), __field1.staged(false)],
                                    )),
                                [__field0.scalars(), __field1.scalars()],
                            ),
                            __rt::Begins::NONE,
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let bodies = bodies;
                                let energy = energy;
                                let dt = dt;
                                let __shape = __shape;
                                unsafe {
                                    core::hint::assert_unchecked(
                                        __rt::covers(energy.shape(), bodies.shape()),
                                    )
                                };
                                #[cfg(not(debug_assertions))]
                                let __streaming = __rt::stage::Streaming(
                                    __rt::stage::streams(
                                        __target,
                                        [__field0.staged(false), __field1.staged(false)],
                                        [bodies.bytes(), energy.bytes()],
                                    ),
                                );
                                let mut __k = __range.start;
                                #[cfg(debug_assertions)]
                                let mut __until = __range.end;
                                #[cfg(not(debug_assertions))]
                                let mut __until = if __field0.fits_a_block()
                                    && __field1.fits_a_block()
                                    && ((core::cfg!(not(debug_assertions))
                                        && __rt::stage::pays(
                                            __target,
                                            11usize,
                                            [__field0.staged(false), __field1.staged(false)],
                                        )) || __streaming.0) && __k < __range.end
                                {
                                    core::cmp::min(
                                        __range.end,
                                        if __streaming.0 {
                                            __k
                                                + {
                                                    let i = __rt::position(__shape, __k);
                                                    energy.head(i)
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
                                        let i = __rt::position(__shape, __k);
                                        let __iteration = __rt::Iteration(__k);
                                        let mut body = __rt::peek(
                                                &{
                                                    let __p = {
                                                        let __i = __rt::axes(__rank0, i);
                                                        unsafe { bodies.unchecked(__i) }
                                                    };
                                                    unsafe { __rt::Pointer::read(__p) }
                                                },
                                            )
                                            .0;
                                        {
                                            let __left_factor = body.vel;
                                            let __right_factor = dt;
                                            let __product = ((__left_factor,).0 * (__right_factor,).0);
                                            let __place = &mut body.pos;
                                            if !__rt::contract::add(
                                                __target,
                                                __place,
                                                __left_factor,
                                                __right_factor,
                                            ) {
                                                (*(__place)) += (__product,).0;
                                            }
                                        };
                                        if body.__func_bounce(0.0) {
                                            body.vel *= __rt::number(0.9);
                                        }
                                        {
                                            let __v = body.__func_energy(9.81);
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank1, i);
                                                    unsafe { energy.unchecked(__i) }
                                                };
                                                let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                let __value = &mut __copy;
                                                (*(__value)) = (__v,).0;
                                                unsafe { __rt::Pointer::write(__p, __copy) }
                                            }
                                        };
                                        {
                                            let __v = body;
                                            {
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { bodies.unchecked(__i) }
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
                                    if __field0.fits_a_block() && __field1.fits_a_block() {
                                        while __range.end.saturating_sub(__k) >= __rt::stage::BLOCK
                                        {
                                            let __block = __rt::BlockAt::printing(__k);
                                            let i = __rt::position(__shape, __k);
                                            let mut __stage0 = __rt::Stage::new();
                                            let mut __stage1 = __rt::Stage::new();
                                            unsafe { __rt::Stage::fill(&mut __stage0, bodies, i) };
                                            {
                                                let bodies = unsafe {
                                                    __rt::Stage::view(&mut __stage0, bodies, i)
                                                };
                                                let energy = unsafe {
                                                    __rt::Stage::view(&mut __stage1, energy, i)
                                                };
                                                for __l in 0..__rt::stage::BLOCK {
                                                    let i = __rt::position(__shape, (__k + __l));
                                                    let mut body = __rt::peek(
                                                            &{
                                                                let __p = {
                                                                    let __i = __rt::axes(__rank0, i);
                                                                    unsafe { bodies.unchecked(__i) }
                                                                };
                                                                unsafe { __rt::Pointer::read(__p) }
                                                            },
                                                        )
                                                        .0;
                                                    {
                                                        let __left_factor = body.vel;
                                                        let __right_factor = dt;
                                                        let __product = ((__left_factor,).0 * (__right_factor,).0);
                                                        let __place = &mut body.pos;
                                                        if !__rt::contract::add(
                                                            __target,
                                                            __place,
                                                            __left_factor,
                                                            __right_factor,
                                                        ) {
                                                            (*(__place)) += (__product,).0;
                                                        }
                                                    };
                                                    if body.__func_bounce(0.0) {
                                                        body.vel *= __rt::number(0.9);
                                                    }
                                                    {
                                                        let __v = body.__func_energy(9.81);
                                                        {
                                                            let __p = {
                                                                let __i = __rt::axes(__rank1, i);
                                                                unsafe { energy.unchecked(__i) }
                                                            };
                                                            let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                            let __value = &mut __copy;
                                                            (*(__value)) = (__v,).0;
                                                            unsafe { __rt::Pointer::write(__p, __copy) }
                                                        }
                                                    };
                                                    {
                                                        let __v = body;
                                                        {
                                                            let __p = {
                                                                let __i = __rt::axes(__rank0, i);
                                                                unsafe { bodies.unchecked(__i) }
                                                            };
                                                            let mut __copy = unsafe { __rt::Pointer::read(__p) };
                                                            let __value = &mut __copy;
                                                            (*(__value)) = (__v,).0;
                                                            unsafe { __rt::Pointer::write(__p, __copy) }
                                                        }
                                                    };
                                                }
                                            }
                                            unsafe { __rt::Stage::flush(&__stage0, bodies, i, false) };
                                            unsafe {
                                                __rt::Stage::flush(&__stage1, energy, i, __streaming.0)
                                            };
                                            core::mem::forget(__block);
                                            __k += __rt::stage::BLOCK;
                                        }
                                    }
                                    __until = __range.end;
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
                            core::option::Option::Some(45u32),
                            __rt::Version::for_elements(
                                false,
                                [__field0.scalars(), __field1.scalars()],
                            ),
                            __rt::Begins::NONE,
                            |
                                __target: __rt::Target,
                                __begins: __rt::Begins<'_, _, _>,
                                __range: core::ops::Range<usize>|
                            {
                                let bodies = bodies;
                                let energy = energy;
                                let dt = dt;
                                let __shape = __shape;
                                let mut __k = __range.start;
                                '__l0: for __k in __k..__range.end {
                                    let i = __rt::position(__shape, __k);
                                    let __iteration = __rt::Iteration(__k);
                                    let mut body = __rt::peek(
                                            &{
                                                let __p = {
                                                    let __i = __rt::axes(__rank0, i);
                                                    unsafe { bodies.unchecked(__i) }
                                                };
                                                unsafe { __rt::Pointer::read(__p) }
                                            },
                                        )
                                        .0;
                                    body.pos += (body.vel * dt);
                                    if body.__func_bounce(0.0) {
                                        body.vel *= __rt::number(0.9);
                                    }
                                    {
                                        let __v = body.__func_energy(9.81);
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank1, i);
                                                match energy.checked(__i) {
                                                    core::option::Option::Some(__p) => __p,
                                                    core::option::Option::None => {
                                                        energy.fail(__launch, 1u32, __i);
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
                                    {
                                        let __v = body;
                                        {
                                            let __p = {
                                                let __i = __rt::axes(__rank0, i);
                                                unsafe { bodies.unchecked(__i) }
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
fn slope(
    u: impl __rt::FieldArgument<Field<f32, 2>>,
    i: usize,
    place: [usize; 2],
) -> f32 {
    use __rt::methods::*;
    const _: () = {
        impl slope {
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
                let mut __size = 22u32;
                __size = __size
                    .saturating_add(
                        u32::saturating_mul(
                            match {
                                use __rt::no_lanes::*;
                                {
                                    use at as __callee;
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
        impl slope {
            pub const __ASKED: u64 = {
                5u64
                    .saturating_add(
                        if ({
                            use __rt::no_lanes::*;
                            {
                                use at as __callee;
                                __callee::__NEEDS
                            }
                        }) & 9223372036854775808u64 == 0
                        {
                            {
                                use __rt::no_lanes::*;
                                {
                                    use at as __callee;
                                    __callee::__ASKED
                                }
                            }
                        } else {
                            0
                        },
                    )
            };
            pub const __NEEDS: u64 = {
                if Self::__ASKED > 96u64 {
                    9223372036854775808u64
                } else {
                    6u64
                        | {
                            let __needs = ({
                                use __rt::no_lanes::*;
                                {
                                    use at as __callee;
                                    __callee::__NEEDS
                                }
                            });
                            if __needs & 9223372036854775808u64 == 0 {
                                0 | if __needs & 1u64 != 0 { 0u64 } else { 0 }
                                    | if __needs & 2u64 != 0 { 2u64 } else { 0 }
                                    | if __needs & 4u64 != 0 { 0u64 } else { 0 }
                            } else {
                                0
                            }
                        }
                }
            };
            pub fn __within<const __OPEN: u64>(
                __inside: &mut __rt::Inside,
                __shapes: &[&[usize]],
                __lines: &[&[__rt::Line]],
            ) {
                if const { Self::__NEEDS & __OPEN == 0 } {
                    {
                        let __line = __rt::Inside::moved(
                            __inside,
                            __lines,
                            core::option::Option::Some((1usize, 0usize)),
                            1i64,
                        );
                        __rt::Inside::reach(__inside, __line, __shapes, 0usize, 0usize);
                    }
                    {
                        let __line = __rt::Inside::moved(
                            __inside,
                            __lines,
                            core::option::Option::Some((2usize, 0usize)),
                            0i64,
                        );
                        __rt::Inside::reach(__inside, __line, __shapes, 0usize, 1usize);
                    }
                    {
                        let __line = __rt::Inside::moved(
                            __inside,
                            __lines,
                            core::option::Option::Some((1usize, 0usize)),
                            -1i64,
                        );
                        __rt::Inside::reach(__inside, __line, __shapes, 0usize, 0usize);
                    }
                    {
                        let __line = __rt::Inside::moved(
                            __inside,
                            __lines,
                            core::option::Option::None,
                            0i64,
                        );
                        __rt::Inside::reach(__inside, __line, __shapes, 0usize, 1usize);
                    }
                    __rt::Inside::reach_whole(
                        __inside,
                        __lines,
                        2usize,
                        __shapes,
                        0usize,
                    );
                    {
                        let (__shapes, __lines): (&[&[usize]], &[&[__rt::Line]]) = (
                            &[__shapes.get(0usize).copied().unwrap_or_default()],
                            &[
                                &[],
                                &[
                                    __rt::Inside::moved(
                                        __inside,
                                        __lines,
                                        core::option::Option::Some((1usize, 0usize)),
                                        0i64,
                                    ),
                                ],
                                &[
                                    __rt::Inside::moved(
                                        __inside,
                                        __lines,
                                        core::option::Option::None,
                                        2i64,
                                    ),
                                ],
                            ],
                        );
                        {
                            use __rt::no_lanes::*;
                            {
                                use at as __callee;
                                __callee::__within::<
                                    9223372036854775808u64,
                                >(__inside, __shapes, __lines);
                            }
                        }
                    }
                }
            }
        }
        impl slope {
            pub fn __given(
                __inside: &mut __rt::Inside,
                _: &[__rt::Line],
            ) -> __rt::Given {
                __rt::Inside::untold(__inside)
            }
        }
        impl __rt::FuncDef for slope {}
    };
    let __given0 = u;
    let __inside0 = __rt::is_inside::<Field<f32, 2>, _>(&__given0);
    let u = __rt::lent::<Field<f32, 2>, _>(&__given0);
    let __rank0 = u.rank();
    __rt::is_index(&i);
    __rt::is_position(&place);
    let before = (i - __rt::number(1));
    ((__rt::peek(
            &{
                let __p = {
                    let __i = __rt::axes(__rank0, [(i + __rt::number(1)), place[0]]);
                    if __inside0 {
                        unsafe { u.unchecked(__i) }
                    } else {
                        match u.checked(__i) {
                            core::option::Option::Some(__p) => __p,
                            core::option::Option::None => {
                                __rt::function_out_of_bounds(
                                    "<parsed string 2>",
                                    44u32,
                                    5u32,
                                    "u",
                                    __i,
                                    u.shape(),
                                )
                            }
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
                        let __i = __rt::axes(__rank0, [before, 0]);
                        if __inside0 {
                            unsafe { u.unchecked(__i) }
                        } else {
                            match u.checked(__i) {
                                core::option::Option::Some(__p) => __p,
                                core::option::Option::None => {
                                    __rt::function_out_of_bounds(
                                        "<parsed string 2>",
                                        44u32,
                                        28u32,
                                        "u",
                                        __i,
                                        u.shape(),
                                    )
                                }
                            }
                        }
                    };
                    unsafe { __rt::Pointer::read(__p) }
                },
            )
            .0)
        + (__rt::peek(
                &{
                    let __p = {
                        let __i = __rt::axes(__rank0, place);
                        if __inside0 {
                            unsafe { u.unchecked(__i) }
                        } else {
                            match u.checked(__i) {
                                core::option::Option::Some(__p) => __p,
                                core::option::Option::None => {
                                    __rt::function_out_of_bounds(
                                        "<parsed string 2>",
                                        44u32,
                                        45u32,
                                        "u",
                                        __i,
                                        u.shape(),
                                    )
                                }
                            }
                        }
                    };
                    unsafe { __rt::Pointer::read(__p) }
                },
            )
            .0
            * {
                use __rt::not_func::args3::*;
                {
                    use at as __callee;
                    __callee::__of(&__rt::FuncSlot::NEW)
                        .__call(
                            __rt::lend(
                                __rt::lend_on::<
                                    {
                                        ({
                                            use __rt::no_lanes::*;
                                            {
                                                use at as __callee;
                                                __callee::__NEEDS
                                            }
                                        }) & 9223372036854775808u64 == 0
                                    },
                                    Field<f32, 2>,
                                    _,
                                >(&__given0),
                            ),
                            i,
                            2,
                        )
                }
            }))
}
fn at(u: impl __rt::FieldArgument<Field<f32, 2>>, i: usize, k: usize) -> f32 {
    use __rt::methods::*;
    const _: () = {
        impl at {
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
                let mut __size = 9u32;
                __size
            };
        }
        impl at {
            pub const __ASKED: u64 = { 2u64 };
            pub const __NEEDS: u64 = {
                if Self::__ASKED > 96u64 { 9223372036854775808u64 } else { 4u64 }
            };
            pub fn __within<const __OPEN: u64>(
                __inside: &mut __rt::Inside,
                __shapes: &[&[usize]],
                __lines: &[&[__rt::Line]],
            ) {
                if const { Self::__NEEDS & __OPEN == 0 } {
                    {
                        let __line = __rt::Inside::moved(
                            __inside,
                            __lines,
                            core::option::Option::None,
                            3i64,
                        );
                        __rt::Inside::reach(__inside, __line, __shapes, 0usize, 0usize);
                    }
                    {
                        let __line = __rt::Inside::moved(
                            __inside,
                            __lines,
                            core::option::Option::Some((2usize, 0usize)),
                            0i64,
                        );
                        __rt::Inside::reach(__inside, __line, __shapes, 0usize, 1usize);
                    }
                }
            }
        }
        impl at {
            pub fn __given(
                __inside: &mut __rt::Inside,
                _: &[__rt::Line],
            ) -> __rt::Given {
                __rt::Inside::untold(__inside)
            }
        }
        impl __rt::FuncDef for at {}
    };
    let __given0 = u;
    let __inside0 = __rt::is_inside::<Field<f32, 2>, _>(&__given0);
    let u = __rt::lent::<Field<f32, 2>, _>(&__given0);
    let __rank0 = u.rank();
    __rt::is_index(&k);
    (__rt::peek(
            &{
                let __p = {
                    let __i = __rt::axes(__rank0, [i, (k % __rt::number(7))]);
                    match u.checked(__i) {
                        core::option::Option::Some(__p) => __p,
                        core::option::Option::None => {
                            __rt::function_out_of_bounds(
                                "<parsed string 2>",
                                49u32,
                                5u32,
                                "u",
                                __i,
                                u.shape(),
                            )
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
                        let __i = __rt::axes(__rank0, [3, k]);
                        if __inside0 {
                            unsafe { u.unchecked(__i) }
                        } else {
                            match u.checked(__i) {
                                core::option::Option::Some(__p) => __p,
                                core::option::Option::None => {
                                    __rt::function_out_of_bounds(
                                        "<parsed string 2>",
                                        49u32,
                                        21u32,
                                        "u",
                                        __i,
                                        u.shape(),
                                    )
                                }
                            }
                        }
                    };
                    unsafe { __rt::Pointer::read(__p) }
                },
            )
            .0)
}
fn slopes(
    u: &impl ::swathe::Argument<Field<f32, 2>>,
    out: &mut impl ::swathe::ArgumentMut<Field<f32, 2>>,
    k: f32,
) -> ::swathe::Result<()> {
    use __rt::methods::*;
    const _: () = {
        impl __rt::FuncDef for slopes {}
    };
    let mut __launch = __rt::Launch::new(<slopes as __rt::KernelDef>::info());
    __rt::Launch::argument(&mut __launch, "u", __rt::place_of::<Field<f32, 2>, _>(&*u))?;
    __rt::Launch::argument(
        &mut __launch,
        "out",
        __rt::place_of::<Field<f32, 2>, _>(&*out),
    )?;
    __rt::prepare::<Field<f32, 2>, _>(&mut *out)?;
    if __rt::Launch::is_remote(&__launch) {
        let __value2 = __rt::DeviceValue::new(&k);
        return unsafe {
            __launch
                .run_remote::<
                    slopes,
                >(
                    &[
                        __rt::launch_arg::<Field<f32, 2>, _>(&*u),
                        __rt::launch_arg_mut::<Field<f32, 2>, _>(&mut *out),
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
                let __field1 = __rt::access_mut::<Field<f32, 2>, _>(&mut *out);
                let out = __field1;
                let __rank0 = __field0.rank();
                let __rank1 = __field1.rank();
                let __shared0 = false;
                let __shared1 = false;
                let __shared2 = false;
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
                        __rt::Version::for_elements(false, [__field1.scalars()]),
                        __rt::Begins::new([__field0.begin()], [__field1.begin_mut()]),
                        |
                            __target: __rt::Target,
                            __begins: __rt::Begins<'_, _, _>,
                            __range: core::ops::Range<usize>|
                        {
                            let u = unsafe { u.beginning_at(__begins.read[0usize]) };
                            let out = unsafe {
                                out.beginning_at_mut(__begins.written[0usize])
                            };
                            let k = k;
                            let __shape = __shape;
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
                                let (__inside,) = {
                                    let mut __inside = __rt::Inside::of(
                                        __along0,
                                        &__whole,
                                        24usize,
                                    );
                                    {
                                        let __k = 0usize;
                                        __rt::Inside::typed::<usize, _>(&mut __inside, &__k);
                                    }
                                    {
                                        let __lines1 = if const {
                                            ({
                                                use __rt::no_lanes::*;
                                                {
                                                    use slope as __callee;
                                                    __callee::__NEEDS
                                                }
                                            }) & 2u64 != 0
                                        } {
                                            let __line0 = __rt::Inside::position::<
                                                usize,
                                                _,
                                            >(&mut __inside, |__k: usize| __k);
                                            [__line0]
                                        } else {
                                            [__rt::Line::ZERO; 1usize]
                                        };
                                        let __lines2 = if const {
                                            ({
                                                use __rt::no_lanes::*;
                                                {
                                                    use slope as __callee;
                                                    __callee::__NEEDS
                                                }
                                            }) & 4u64 != 0
                                        } {
                                            __rt::Inside::typed::<usize, _>(&mut __inside, &i);
                                            let __line1 = __rt::Inside::value::<
                                                usize,
                                                _,
                                            >(&mut __inside, i);
                                            let __line2 = __rt::Inside::position::<
                                                usize,
                                                _,
                                            >(&mut __inside, |__k: usize| __k);
                                            [__line1, __line2]
                                        } else {
                                            [__rt::Line::ZERO; 2usize]
                                        };
                                        {
                                            use __rt::no_lanes::*;
                                            {
                                                use slope as __callee;
                                                __callee::__within::<
                                                    9223372036854775808u64,
                                                >(
                                                    &mut __inside,
                                                    &[&u.shape()],
                                                    &[&[], &__lines1, &__lines2],
                                                )
                                            }
                                        }
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
                                                        let __v = ({
                                                            use __rt::not_func::args3::*;
                                                            {
                                                                use slope as __callee;
                                                                __callee::__of(&__rt::FuncSlot::at(__target))
                                                                    .__call(
                                                                        __rt::lend(unsafe {
                                                                            __rt::lend_inside::<
                                                                                {
                                                                                    ({
                                                                                        use __rt::no_lanes::*;
                                                                                        {
                                                                                            use slope as __callee;
                                                                                            __callee::__NEEDS
                                                                                        }
                                                                                    }) & 9223372036854775808u64 == 0
                                                                                },
                                                                                _,
                                                                                _,
                                                                                _,
                                                                            >(u)
                                                                        }),
                                                                        j,
                                                                        [i, j],
                                                                    )
                                                            }
                                                        } * k);
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
                                                        let __block = __rt::BlockAt::printing(
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
                                                                    let __v = ({
                                                                        use __rt::not_func::args3::*;
                                                                        {
                                                                            use slope as __callee;
                                                                            __callee::__of(&__rt::FuncSlot::at(__target))
                                                                                .__call(
                                                                                    __rt::lend(unsafe {
                                                                                        __rt::lend_inside::<
                                                                                            {
                                                                                                ({
                                                                                                    use __rt::no_lanes::*;
                                                                                                    {
                                                                                                        use slope as __callee;
                                                                                                        __callee::__NEEDS
                                                                                                    }
                                                                                                }) & 9223372036854775808u64 == 0
                                                                                            },
                                                                                            _,
                                                                                            _,
                                                                                            _,
                                                                                        >(u)
                                                                                    }),
                                                                                    j,
                                                                                    [i, j],
                                                                                )
                                                                        }
                                                                    } * k);
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
                                                let __v = ({
                                                    use __rt::not_func::args3::*;
                                                    {
                                                        use slope as __callee;
                                                        __callee::__of(&__rt::FuncSlot::at(__target))
                                                            .__call(__rt::lend(u), j, [i, j])
                                                    }
                                                } * k);
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
                }
                core::result::Result::Ok(())
            },
        )
}
