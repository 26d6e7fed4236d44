//! What `unsafe` blocks claim is verified on request: violations are reported with both places, sound kernels are not.

#![allow(missing_docs, unused_unsafe, clippy::undocumented_unsafe_blocks)]

mod devices;

use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ndarray::{Array1, s};
use swathe::codegen::{Variant, cuda_source};
use swathe::prelude::*;
use swathe::{AccessKind, Collision, Graph, Soa};
use swathe_nvidia_tools::nvrtc::Nvrtc;
use swathe_software_cuda::harness;

use AccessKind::{AtomicChange, AtomicLoad, Read, Write};

/// The line of this file that ends in a mark.
#[track_caller]
fn line(mark: &str) -> u32 {
    let mark = format!("// <{mark}>");
    let mut lines = include_str!("checked_unsafe.rs").lines();
    let found = lines.position(|line| line.ends_with(&mark));
    u32::try_from(found.unwrap_or_else(|| panic!("no line ends in {mark}"))).unwrap() + 1
}

/// Held while kernels run: what fails on a device is reported to whoever waits for it first, also to another test.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a kernel does on both devices, checked.
fn on_all(mut run: impl FnMut(&Device) -> swathe::Result<()>) -> [swathe::Result<()>; 2] {
    let _turn = turn();
    devices::devices().map(|device| {
        let device = device.checked();
        let done = run(&device).and_then(|()| device.synchronize());
        // It is usable afterwards.
        let field = Field::from_slice(&device, &[1, 2, 3]).unwrap();
        assert_eq!(field.to_vec().unwrap(), [1, 2, 3]);
        done
    })
}

/// Asserts that both devices find this collision: the field, the index, the marks and what is done there.
#[track_caller]
fn collides(
    field: &str,
    index: &[usize],
    accesses: [(&str, AccessKind); 2],
    run: impl FnMut(&Device) -> swathe::Result<()>,
) -> Collision {
    let expected = accesses.map(|(mark, kind)| (line(mark), kind));
    let [cpu, cuda] = on_all(run).map(|done| match done {
        Err(Error::Collision(found)) => {
            let got = [found.first, found.second].map(|access| (access.line, access.kind));
            assert_eq!((found.field, &*found.index, got), (field, index, expected), "{found}");
            assert_ne!(found.first.iteration, found.second.iteration);
            assert!(found.first.file.ends_with("checked_unsafe.rs") && found.first.column > 1);
            *found
        }
        other => panic!("no collision, but {other:?}"),
    });
    assert_eq!((cpu.kernel, cpu.first.column), (cuda.kernel, cuda.first.column));
    assert_eq!(cpu.second.column, cuda.second.column);
    cpu
}

/// The same, where the iterations too are the same on both devices.
#[track_caller]
fn collides_at(
    field: &str,
    index: &[usize],
    accesses: [(&str, AccessKind, usize); 2],
    mut run: impl FnMut(&Device) -> swathe::Result<()>,
) {
    let sides = accesses.map(|(mark, kind, _)| (mark, kind));
    let found = collides(field, index, sides, &mut run);
    assert_eq!(
        [found.first.iteration, found.second.iteration],
        accesses.map(|(_, _, k)| k)
    );
}

#[track_caller]
fn sound(run: impl FnMut(&Device) -> swathe::Result<()>) {
    for done in on_all(run) {
        done.unwrap_or_else(|error| panic!("a false alarm: {error}"));
    }
}

fn zeros<T: Element>(device: &Device, n: usize) -> Field<T> {
    Field::zeros(device, n).unwrap()
}

#[kernel]
fn two_writers(out: &mut Field<i32>) {
    for i in 0..out.len() {
        let k = if i == 11 { 4 } else { i };
        unsafe { out[k] = i as i32 }; // <two writers>
    }
}

#[kernel]
fn writer_and_reader(x: &mut Field<i32>, out: &mut Field<i32>, writer: usize, reader: usize) {
    for i in out.indices() {
        if i == writer {
            unsafe { x[6] = 7 }; // <writer>
        }
        if i == reader {
            out[i] = unsafe { x[6] }; // <reader>
        }
    }
}

#[kernel]
fn safe_beside_unsafe(x: &mut Field<f32>) {
    let n = x.len();
    for i in x.indices() {
        x[i] = 1.0; // <safe write>
        if i + 1 < n {
            x[i] += unsafe { x[i + 1] }; // <unsafe read>
        }
    }
}

#[test]
fn writes_and_reads() {
    collides_at(
        "out",
        &[4],
        [("two writers", Write, 4), ("two writers", Write, 11)],
        |device| two_writers(&mut zeros(device, 17)),
    );
    for (writer, reader) in [(3, 9), (9, 3), (0, 16)] {
        collides_at(
            "x",
            &[6],
            [("writer", Write, writer), ("reader", Read, reader)],
            |device| writer_and_reader(&mut zeros(device, 17), &mut zeros(device, 17), writer, reader),
        );
    }
    sound(|device| writer_and_reader(&mut zeros(device, 17), &mut zeros(device, 17), 5, 5));
    sound(|device| writer_and_reader(&mut zeros(device, 17), &mut zeros(device, 17), 99, 5));
    collides_at(
        "x",
        &[1],
        [("safe write", Write, 1), ("unsafe read", Read, 0)],
        |device| safe_beside_unsafe(&mut zeros(device, 17)),
    );
    sound(|device| safe_beside_unsafe(&mut zeros(device, 1)));
    sound(|device| two_writers(&mut zeros(device, 0)));
}

#[kernel]
fn unchecked_read(x: &Field<i32>, out: &mut Field<i32>, by: usize) {
    for i in out.indices() {
        out[i] = unsafe { *x.get_unchecked(i + by) }; // <read outside>
    }
}

#[kernel]
fn unchecked_write(out: &mut Field<i32, 2>, by: usize) {
    for [i, j] in out.indices() {
        unsafe { *out.get_unchecked_mut([i, j + by]) = 3 }; // <write outside>
    }
}

#[kernel]
fn unchecked_outside_of_loops(x: &Field<i32>, k: usize) -> i32 {
    let value = unsafe { *x.get_unchecked(k) }; // <read before>
    value + 1
}

#[test]
fn out_of_bounds() {
    #[track_caller]
    fn fails(mark: &str, at: (&str, &[usize]), run: impl FnMut(&Device) -> swathe::Result<()>) {
        for done in on_all(run) {
            match done {
                Err(Error::OutOfBounds {
                    line: found,
                    field,
                    index,
                    ..
                }) => {
                    assert_eq!((found, field, &*index), (line(mark), at.0, at.1));
                }
                other => panic!("expected an access out of bounds, got {other:?}"),
            }
        }
    }
    fails("read outside", ("x", &[17]), |device| {
        let mut out = Field::full(device, 17, -1)?;
        let x = Field::from_vec(device, (0..17).collect())?;
        let done = unchecked_read(&x, &mut out, 3).and_then(|()| device.synchronize());
        let expected = (0..17).map(|i| if i < 14 { i + 3 } else { -1 });
        assert_eq!(out.to_vec()?, expected.collect::<Vec<i32>>());
        done
    });
    fails("write outside", ("out", &[0, 5]), |device| {
        let mut out = Field::zeros(device, [3, 5])?;
        let done = unchecked_write(&mut out, 1).and_then(|()| device.synchronize());
        assert_eq!(out.to_vec()?, [0, 3, 3, 3, 3].repeat(3));
        done
    });
    fails("read before", ("x", &[3]), |device| {
        unchecked_outside_of_loops(&zeros(device, 3), 3).map(drop)
    });
    sound(|device| unchecked_read(&zeros(device, 20), &mut zeros(device, 17), 3));
    sound(|device| unchecked_outside_of_loops(&zeros(device, 3), 2).map(drop));
}

/// Beside `unsafe` stand accesses that one comparison in front of the loop covers where nothing is verified.
#[kernel]
fn covered_beside_unsafe(
    x: &mut Field<i32>,
    z: &Field<i32>,
    y: &mut Field<i32>,
    u: &Field<i32, 2>,
    v: &mut OffsetField<i32>,
    n: usize,
) -> i32 {
    for i in z.indices() {
        if i == 0 {
            unsafe { x[0] += 1 };
        }
        y[i] = z[i] + 1;
    }
    let mut sum = 0;
    for [i, j] in ndrange([n, 3]) {
        if i + j == 0 {
            unsafe { x[1] += 1 };
        }
        sum += u[[i, j]];
    }
    for i in v.indices() {
        if i == 0 {
            unsafe { x[2] += 1 };
        }
        v[i + 1] = 5;
    }
    sum
}

#[test]
fn what_is_safe_is_checked_beside_what_is_verified() {
    for (long, n) in [(0, 4), (1, 4), (10_000, 4), (0, 5), (0, 7000)] {
        let mut written = None;
        let results = on_all(|device| {
            let (mut x, z) = (zeros(device, 4), Field::full(device, 8 + long, 2)?);
            let (mut y, u) = (zeros::<i32>(device, 8), Field::full(device, [4, 3], 1)?);
            let mut v = zeros::<i32>(device, 5).with_origin(-2)?;
            let result = covered_beside_unsafe(&mut x, &z, &mut y, &u, &mut v, n);
            written = Some(y.to_vec().unwrap_or_default());
            result.map(|sum| assert_eq!(sum, 12))
        });
        for result in results {
            // The first place in the text of those that fail; `v` always does.
            let field = if long > 0 {
                "y"
            } else if n > 4 {
                "u"
            } else {
                "v"
            };
            match result {
                Err(Error::OutOfBounds { field: told, index, .. }) => {
                    assert_eq!((told, field == "y"), (field, *index == [8]), "{long}, {n}: {index:?}");
                }
                Err(Error::OffsetOutOfBounds { field: "v", .. }) if field == "v" => {}
                other => panic!("{long}, {n}: {other:?}"),
            }
        }
        assert_eq!(written.unwrap(), [3; 8]);
    }
}

#[func]
fn halved(i: usize) -> usize {
    i / 2
}

#[func]
fn difference(a: &f64, b: f64) -> f64 {
    *a - b
}

#[kernel]
fn through_functions(x: &mut Field<f64>) {
    for i in 0..x.len() {
        let d = unsafe { difference(&x[halved(i)], 0.5) }; // <argument>
        if i == 9 {
            unsafe { x[halved(i)] = d }; // <by function>
        }
    }
}

#[kernel]
fn nested(out: &mut Field<i32, 2>) {
    let [h, w] = out.shape();
    for i in 0..h {
        for k in 0..w {
            let mut n = 0;
            while n < 2 {
                unsafe { out[[i * k % h, k]] += 1 }; // <nested>
                n += 1;
            }
        }
    }
}

#[kernel]
fn in_conditions(x: &mut Field<i32>, out: &mut Field<i32>) {
    let n = x.len();
    for i in x.indices() {
        unsafe {
            let above = i > 0 && x[i - 1] > 100; // <condition>
            if above {
                out[i] = 1;
            }
            let y = if i == n { x[0] } else { 2 };
            out[i] += y;
            x[i] = i as i32; // <own>
        }
    }
}

#[test]
fn functions_and_nesting() {
    collides_at(
        "x",
        &[4],
        [("argument", Read, 8), ("by function", Write, 9)],
        |device| through_functions(&mut zeros(device, 10)),
    );
    // Iterations 0 and 1 add to row 0 at k = 0, where nobody else does.
    collides("out", &[0, 0], [("nested", Write), ("nested", Write)], |device| {
        nested(&mut Field::zeros(device, [5, 7]).unwrap())
    });
    collides_at("x", &[0], [("condition", Read, 1), ("own", Write, 0)], |device| {
        in_conditions(&mut zeros(device, 5), &mut zeros(device, 5))
    });
}

#[kernel]
fn numbered<T: Float>(x: &mut Field<T>, grid: &mut Field<T, 2>, on: u32, v: T) {
    for k in (-4..=8).step_by(3) {
        if on == 1 && (k == -1 || k == 5) {
            unsafe { x[2] = v }; // <stepped>
        }
    }
    for [a, _, b] in ndrange([2, 2, 2]) {
        if on == 3 && a == 1 && b == 1 {
            unsafe { x[3] -= v }; // <three axes>
        }
    }
    for p in ndrange([2, 2, 2, 2]) {
        if on == 4 && p[0] == 1 && p[3] == 1 && p[1] + p[2] == 1 {
            unsafe { x[4] = x[4] + v }; // <four axes>
        }
    }
    for p in grid.indices() {
        if on == 2 && (p[0] == 1 || p[1] == 4) {
            unsafe { grid[[1, 4]] = v }; // <whole position>
        }
    }
    for i in 3..9_usize {
        if on == 5 && (i == 4 || i == 7) {
            unsafe { x[5] = v }; // <from three>
        }
    }
}

#[test]
fn iterations_have_the_same_numbers() {
    let run = |on| {
        move |device: &Device| {
            let (mut x, mut grid) = (zeros::<f64>(device, 7), Field::zeros(device, [2, 5])?);
            numbered(&mut x, &mut grid, on, 0.5)
        }
    };
    sound(run(0));
    collides_at("x", &[2], [("stepped", Write, 1), ("stepped", Write, 3)], run(1));
    collides_at("x", &[3], [("three axes", Write, 5), ("three axes", Write, 7)], run(3));
    collides_at("x", &[4], [("four axes", Write, 11), ("four axes", Write, 13)], run(4));
    collides_at("x", &[5], [("from three", Write, 1), ("from three", Write, 4)], run(5));
    // Six iterations, of which the device may name any.
    collides(
        "grid",
        &[1, 4],
        [("whole position", Write), ("whole position", Write)],
        run(2),
    );
}

#[derive(Element, Clone, Copy, Default, Debug, PartialEq)]
struct Body {
    tag: u8,
    pos: DVec3,
    list: [f32; 3],
    vel: Vec2,
}

#[kernel]
fn members(p: &mut Field<Body>, meet: usize) {
    let n = p.len();
    for i in p.indices() {
        unsafe {
            p[i].pos = DVec3::splat(i as f64);
            p[n - 1 - i].vel.x += 1.5; // <velocity>
            p[0].list[i] = 2.5;
            p[1].list[(i + 1) % 3] += 3.5;
        }
        if i == meet {
            p[i].tag = unsafe { p[2].vel.y } as u8; // <component>
        }
    }
}

#[kernel]
fn whole_and_member(p: &mut Field<Body>, out: &mut Field<Body>) {
    for i in out.indices() {
        if i == 2 {
            out[i] = unsafe { p[5] }; // <whole>
        }
        if i == 4 {
            unsafe { p[5].list[2] = 1.0 }; // <member>
        }
    }
}

#[kernel]
fn list_elements(p: &mut Field<Body>, shift: usize) {
    for i in 0..3 {
        for j in 0..p.len() {
            unsafe { p[j].list[(i + shift * j) % 3] = i as f32 }; // <list>
            unsafe { p[j].list[i / 2] = 0.0 }; // <list again>
        }
    }
}

#[test]
fn members_and_layouts() {
    fn bodies<L: swathe::FieldLayout>(device: &Device, n: usize) -> Field<Body, 1, L> {
        Field::<Body>::zeros_in(device, n, L::default()).unwrap()
    }
    fn check<L: swathe::FieldLayout>() {
        sound(|device| {
            let mut p = bodies::<L>(device, 3);
            members(&mut p, 99)?;
            let got = p.to_vec()?;
            assert_eq!((got[2].pos, got[2].vel), (DVec3::splat(2.0), Vec2::new(1.5, 0.0)));
            assert_eq!([got[0].list, got[1].list, got[2].list], [[2.5; 3], [3.5; 3], [0.0; 3]]);
            Ok(())
        });
        // Components are one place.
        collides_at("p", &[2], [("velocity", Write, 0), ("component", Read, 1)], |device| {
            members(&mut bodies::<L>(device, 3), 1)
        });
        collides_at("p", &[5], [("whole", Read, 2), ("member", Write, 4)], |device| {
            whole_and_member(&mut bodies::<L>(device, 6), &mut bodies::<L>(device, 6))
        });
        collides_at("p", &[0], [("list", Write, 0), ("list again", Write, 1)], |device| {
            list_elements(&mut bodies::<L>(device, 3), 1)
        });
    }
    check::<swathe::Aos>();
    check::<Soa>();
}

#[kernel]
fn shifted(x: &mut Field<i32, 2>, by: usize) {
    let [h, w] = x.shape();
    for [i, j] in ndrange([h, w]) {
        unsafe { x[[i, (j + by) % (w - by)]] = (10 * i + j) as i32 }; // <shifted>
    }
}

#[kernel]
fn permuted(to: &Field<u32>, x: &Array1<f32>, out: &mut Array1<f32>) {
    for i in x.indices() {
        unsafe { out[to[i] as usize] = x[i] }; // <permuted>
    }
}

#[kernel]
fn positions(p: &mut Field<Vec2>, other: usize) {
    for i in p.indices() {
        unsafe { p[i ^ other] += Vec2::splat(1.0) }; // <positions>
    }
}

#[test]
fn views() {
    // Iterations (2, 0) and (2, 4) of the view write to its row 2, column 1.
    collides("x", &[0, 1], [("shifted", Write), ("shifted", Write)], |device| {
        let mut x = Field::zeros(device, [6, 9])?;
        shifted(&mut x.view_mut()?.slice_mut(s![..;-2, 1..;2])?, 1)
    });
    collides("x", &[0, 2], [("shifted", Write), ("shifted", Write)], |device| {
        shifted(&mut Field::zeros(device, [6, 9])?.view_mut()?.t(), 2)
    });
    sound(|device| {
        let mut x = Field::zeros(device, [6, 9])?;
        shifted(&mut x.view_mut()?.slice_mut(s![..;-2, 1..;2])?, 0)?;
        assert_eq!(x.to_vec()?[45..], [0, 0, 0, 1, 0, 2, 0, 3, 0]);
        Ok(())
    });
    // Two views of one field.
    sound(|device| {
        let mut x = Field::<i32, 2>::zeros(device, [2, 10])?;
        let (mut left, mut right) = x.view_mut()?.split_at(1, 5)?;
        shifted(&mut left, 0)?;
        shifted(&mut right, 0)
    });
    for layout in [false, true] {
        let run = |device: &Device, other: usize| {
            let p = Field::<Body>::zeros(device, 8)?;
            if layout {
                positions(&mut p.with_layout(Soa)?.member_mut::<Vec2>("vel")?, other)
            } else {
                positions(&mut { p }.member_mut::<Vec2>("vel")?, other)
            }
        };
        sound(|device| run(device, 5));
    }
    for twice in [false, true] {
        let run = |device: &Device| {
            let to = Field::from_slice(device, &[3, 0, 4, 1, if twice { 3 } else { 2 }])?;
            let x = Array1::from_vec(vec![0.5, 1.5, 2.5, 3.5, 4.5]);
            let mut out = Array1::zeros(5);
            let done = permuted(&to, &x, &mut out);
            if !twice {
                assert_eq!(out.to_vec(), [1.5, 3.5, 4.5, 0.5, 2.5]);
            }
            done
        };
        if twice {
            collides_at("out", &[3], [("permuted", Write, 0), ("permuted", Write, 4)], run);
        } else {
            sound(run);
        }
    }
}

#[kernel]
fn several_loops(x: &mut Field<i32>, from: usize) -> i32 {
    let n = x.len();
    for i in x.indices() {
        unsafe { x[n - 1 - i] = i as i32 };
    }
    for i in x.indices() {
        unsafe { x[i] += 1 };
    }
    let mut sum = 0;
    for i in from..n {
        let k = if i == 7 { 5 } else { i };
        sum += unsafe { x[k] }; // <summed>
        if i == 5 {
            unsafe { x[5] = 100 }; // <changed>
        }
    }
    for i in (0..n).step_by(2) {
        unsafe { x[i] = x[i + 1] };
    }
    sum
}

#[test]
fn loops() {
    collides_at("x", &[5], [("summed", Read, 3), ("changed", Write, 1)], |device| {
        several_loops(&mut zeros(device, 10), 4).map(drop)
    });
    sound(|device| {
        let mut x = zeros(device, 10);
        assert_eq!(several_loops(&mut x, 8)?, 2 + 1);
        assert_eq!(x.to_vec()?, [9, 9, 7, 7, 5, 5, 3, 3, 1, 1]);
        Ok(())
    });
}

#[kernel]
fn atomics(sums: &mut Field<i32>, out: &mut Field<i32>, way: i32) {
    for i in out.indices() {
        if way < 3 {
            sums[2].atomic_add(1); // <added>
        }
        if way == 1 && i == 4 {
            out[i] = unsafe { sums[2] }; // <plain read>
        }
        if way == 2 && i == 4 {
            unsafe { sums[2] = 5 }; // <plain write>
        }
        if way >= 3 {
            out[i] = sums[1].atomic_load() + unsafe { sums[1] }; // <loaded>
        }
        if way == 4 && i == 6 {
            unsafe { sums[1] = 8 }; // <stored>
        }
        if way == 5 {
            unsafe { sums[3] += out[i] };
        }
    }
}

#[test]
fn atomic_and_plain() {
    let run = |way| {
        move |device: &Device| {
            let (mut sums, mut out) = (zeros(device, 5), zeros(device, 9));
            atomics(&mut sums, &mut out, way)?;
            device.synchronize()?;
            assert_eq!(sums.get(2)?, if way < 3 { 9 } else { 0 });
            Ok(())
        }
    };
    sound(run(0));
    sound(run(3));
    collides("sums", &[2], [("added", AtomicChange), ("plain read", Read)], run(1));
    collides("sums", &[2], [("added", AtomicChange), ("plain write", Write)], run(2));
    // The load stands before the plain read of the same line.
    collides("sums", &[1], [("loaded", AtomicLoad), ("stored", Write)], run(4));
    let [cpu, _] = on_all(run(5));
    assert!(matches!(cpu, Err(Error::Collision(_))));
}

#[func]
fn positive(x: i32) -> i32 {
    assert!(x > 0, "{x} is not positive");
    x
}

#[kernel]
fn asserting(x: &mut Field<i32>, by: usize, divisor: i32) -> i32 {
    let n = x.len();
    let mut sum = 0;
    for i in 0..n {
        if i == 2 {
            continue;
        }
        assert!(i != 4, "iteration {i}"); // <asserted>
        unsafe { x[(i + by) % n] /= divisor };
        sum += positive(7 - i as i32);
    }
    sum
}

#[test]
fn failures_beside_checks() {
    for done in on_all(|device| {
        let mut x = Field::full(device, 10, 6)?;
        let done = asserting(&mut x, 3, 2).map(drop).and_then(|()| device.synchronize());
        let expected = (0..10).map(|k| if k == 5 || k == 7 { 6 } else { 3 });
        assert_eq!(x.to_vec()?, expected.collect::<Vec<_>>());
        done
    }) {
        match done {
            Err(Error::KernelFailure {
                line: found,
                message,
                count,
                ..
            }) => {
                assert_eq!((found, message.as_str(), count), (line("asserted"), "iteration 4", 4));
            }
            other => panic!("{other:?}"),
        }
    }
    sound(|device| {
        let mut x = Field::full(device, 4, 6)?;
        assert_eq!(asserting(&mut x, 1, 2)?, 7 + 6 + 4);
        Ok(())
    });
}

#[kernel]
fn odd_even(x: &mut Field<u32>, start: usize) {
    for i in 0..(x.len() - start) / 2 {
        let k = start + 2 * i;
        unsafe {
            if x[k] > x[k + 1] {
                let (low, high) = (x[k + 1], x[k]);
                *x.get_unchecked_mut(k) = low;
                *x.get_unchecked_mut(k + 1) = high;
            }
        }
    }
}

#[kernel]
fn red_black(u: &mut Field<f32, 2>, colour: usize) -> f32 {
    let [h, w] = u.shape();
    let mut change = 0.0_f32;
    let mut above = 0_u32;
    for p in ndrange([h, w]) {
        let [i, j] = p;
        if (i + j) % 2 == colour && i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            let mean = unsafe { 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]) };
            change = change.max((mean - u[p]).abs());
            if mean > 3.0 {
                above += 1;
            }
            u[p] = mean;
        }
    }
    change + above as f32
}

#[kernel]
fn halves(buffer: &mut Field<f32, 2>, from: usize) {
    let n = buffer.shape()[1];
    for i in 0..n {
        let old = unsafe { buffer[[from, (i + n - 1) % n]] + buffer[[from, (i + 1) % n]] };
        unsafe { buffer[[1 - from, i]] = 0.5 * old };
    }
}

#[test]
fn sound_kernels_give_what_they_give_without() {
    let _turn = turn();
    for device in devices::devices() {
        let checked = device.checked();
        let both = [&device, &checked].map(|device| {
            let mut x = Field::from_vec(device, (0..1000_u32).map(|k| k * 7919 % 1009).collect()).unwrap();
            for round in 0..50 {
                odd_even(&mut x, round % 2).unwrap();
            }
            let mut u = Field::from_fn(device, [31, 45], |[i, j]| (i * j % 17) as f32).unwrap();
            let changes: Vec<u32> = (0..6).map(|k| red_black(&mut u, k % 2).unwrap().to_bits()).collect();
            let mut b = Field::from_fn(device, [2, 77], |[i, j]| (i + j * j % 13) as f32).unwrap();
            for k in 0..4 {
                halves(&mut b, k % 2).unwrap();
            }
            device.synchronize().unwrap();
            (x.to_vec().unwrap(), changes, u.to_vec().unwrap(), b.to_vec().unwrap())
        });
        assert_eq!(both[0], both[1], "on {device}");
    }
}

#[test]
fn nothing_is_verified_unasked() {
    let _turn = turn();
    for device in devices::devices() {
        assert!(!device.is_checked() && device.checked().is_checked() && device == device.checked());
        two_writers(&mut zeros(&device, 17)).unwrap();
        device.synchronize().unwrap();
    }
}

#[test]
fn messages_name_both_places() {
    let device = Device::cpu().checked();
    let error = writer_and_reader(&mut zeros(&device, 17), &mut zeros(&device, 17), 3, 9).unwrap_err();
    let (writer, reader) = (line("writer"), line("reader"));
    let file = file!();
    assert_eq!(
        error.to_string(),
        format!(
            "{file}:{writer}:22: kernel `writer_and_reader`: iteration 3 of a parallel loop writes `x` at [6], which iteration 9 \
             reads at {file}:{reader}:31; an `unsafe` block says that they never meet"
        )
    );
}

/// What each iteration does, step by step.
#[kernel]
fn replayed(kinds: &Field<u32, 2>, places: &Field<u32, 2>, x: &mut Field<i32>, out: &mut Field<i32>) {
    let steps = kinds.shape()[1];
    for i in out.indices() {
        for step in 0..steps {
            let k = places[[i, step]] as usize;
            let kind = kinds[[i, step]];
            if kind == 0 {
                unsafe { x[k] = 1 }; // <replayed write>
            }
            if kind == 1 {
                out[i] += unsafe { x[k] }; // <replayed read>
            }
            if kind == 2 {
                x[k].atomic_max(1); // <replayed change>
            }
            if kind == 3 {
                out[i] += x[k].atomic_load(); // <replayed load>
            }
        }
    }
}

/// The first collision of a script, by the kinds of its accesses, then the place.
fn first_collision(script: &[Vec<(u32, u32)>]) -> Option<(u32, u32, u32)> {
    let mut first = None;
    for (i, left) in script.iter().enumerate() {
        for right in &script[i + 1..] {
            for (a, place) in left {
                for (b, other) in right {
                    let (a, b) = (*a.min(b), *a.max(b));
                    let collides = a == 0 || (a, b) == (1, 2);
                    if place == other && b < 4 && collides && first.is_none_or(|first| (a, b, *place) < first) {
                        first = Some((a, b, *place));
                    }
                }
            }
        }
    }
    first
}

#[test]
fn random_scripts() {
    let _turn = turn();
    let mut state = 17_u64;
    let mut random = |n: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let marks = ["replayed write", "replayed read", "replayed change", "replayed load"];
    let devices = devices::devices().map(|device| device.checked());
    let mut seen = [0; 2];
    for round in 0..60 {
        let (iterations, steps, places) = (2 + random(9), 1 + random(4), 1 + random(40));
        // Few kinds, so that not every script collides; 4 does nothing.
        let kinds = [random(5), random(5), 4];
        let step = |random: &mut dyn FnMut(u64) -> u64| (kinds[random(3) as usize] as u32, random(places) as u32);
        let script: Vec<Vec<(u32, u32)>> = (0..iterations)
            .map(|_| (0..steps).map(|_| step(&mut random)).collect())
            .collect();
        let expected = first_collision(&script);
        seen[usize::from(expected.is_some())] += 1;
        for device in &devices {
            let shape = [iterations as usize, steps as usize];
            let part =
                |pick: fn((u32, u32)) -> u32| Field::from_fn(device, shape, |[i, s]| pick(script[i][s])).unwrap();
            let mut x = zeros(device, places as usize);
            let done = replayed(&part(|s| s.0), &part(|s| s.1), &mut x, &mut zeros(device, shape[0]));
            let got = match done.and_then(|()| device.synchronize()) {
                Ok(()) => None,
                Err(Error::Collision(found)) => {
                    let sides = [found.first, found.second];
                    let kinds = sides.map(|side| side.kind as u32);
                    for side in sides {
                        assert_eq!(side.line, line(marks[side.kind as usize]));
                        let did = (side.kind as u32, found.index[0] as u32);
                        assert!(script[side.iteration].contains(&did), "{found}\n{script:?}");
                    }
                    assert_ne!(found.first.iteration, found.second.iteration);
                    Some((kinds[0], kinds[1], found.index[0] as u32))
                }
                Err(error) => panic!("{error}"),
            };
            assert_eq!(got, expected, "round {round} on {device}\n{script:?}");
        }
    }
    assert!(seen.iter().all(|n| *n > 10), "{seen:?}");
}

#[test]
fn graphs_take_no_checked_kernels() {
    let _turn = turn();
    let device = devices::devices()[1].checked();
    let mut x = zeros(&device, 17);
    let error = Graph::capture(&device, || two_writers(&mut x)).map(drop).unwrap_err();
    assert!(matches!(error, Error::NotCapturable { .. }), "{error}");
    // Without cells to keep, checks of bounds are as in every kernel.
    let y = zeros(&device, 17);
    Graph::capture(&device, || unchecked_read(&y, &mut x, 0))
        .unwrap()
        .launch()
        .unwrap();
    device.synchronize().unwrap();
}

/// Run by the test below.
#[test]
#[ignore = "a part of `the_environment_asks_for_it`"]
fn with_the_environment() {
    for device in devices::devices() {
        assert!(device.is_checked());
        let done = two_writers(&mut zeros(&device, 17)).and_then(|()| device.synchronize());
        assert!(matches!(done, Err(Error::Collision(_))), "{done:?}");
    }
}

#[test]
fn the_environment_asks_for_it() {
    alone("with_the_environment", |command| {
        command.env("SWATHE_CHECK", "1");
    });
}

/// Runs an ignored test in a process of its own.
fn alone(test: &str, set: impl Fn(&mut Command)) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]);
    set(&mut command);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    // By its name: a test that is not found is no failure.
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{}: {text}{errors}",
        output.status
    );
}

/// NVRTC crashes in a process that has loaded the software device's compiler, whose functions have the same names.
#[test]
fn compilers_take_the_checked_text() {
    alone("nvrtc_takes_the_checked_text", |command| {
        command.env_remove("LD_LIBRARY_PATH").env_remove(harness::FOLDER);
        if let Some(real) = std::env::var_os(harness::REAL_NVRTC) {
            command.env("SWATHE_NVRTC", real);
        }
    });
}

#[test]
#[ignore = "a part of `compilers_take_the_checked_text`"]
fn nvrtc_takes_the_checked_text() {
    let Some(nvrtc) = Nvrtc::get() else { return };
    macro_rules! compiled {
        ($($kernel:ident)*) => {$(
            let instance = <$kernel as swathe::__rt::FuncDef>::load();
            let mut planar = Variant::default().with_checks();
            planar.planar = planar.planar.with(0).unwrap();
            for variant in [Variant::default().with_checks(), planar] {
                let source = cuda_source(&instance, variant).unwrap();
                let compiled = nvrtc.compile(&source.text, "sm_75", &[]);
                assert!(compiled.cubin.is_ok() && compiled.log.is_empty(), "{}\n{}", compiled.log, source.text);
            }
        )*};
    }
    compiled! { two_writers unchecked_write nested in_conditions members whole_and_member list_elements several_loops atomics red_black }
}
