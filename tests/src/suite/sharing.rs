//! Clones of fields, which share memory until one of them is written.
// `ndarray` counts negative positions from the end.
#![allow(clippy::reversed_empty_ranges)]

use ndarray::{Array1, ArrayView1, s};
use swathe::prelude::*;
use swathe::{FieldLayout, Soa, Tolerance, copies_on_write};

use super::support::{SIZES, sources};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Body {
    tag: i16,
    pos: Vec3,
    mass: f64,
}

fn body(i: usize) -> Body {
    Body {
        tag: i as i16 - 7,
        pos: Vec3::new(i as f32, 0.5, -2.0 * i as f32),
        mass: 1.0 / (i + 1) as f64,
    }
}

fn number(i: usize) -> i32 {
    31 * i as i32 - 100
}

#[kernel]
fn step(x: &mut Field<i32>, by: i32) {
    for i in x.indices() {
        x[i] = 3 * x[i] + by;
    }
}

#[kernel]
fn append(x: &Field<i32>, y: &mut Field<i32>) {
    for i in y.indices() {
        y[i] = 5 * y[i] + x[i];
    }
}

#[kernel]
fn part(x: &mut Field<i32>, y: &mut Field<i32>) {
    for i in x.indices() {
        x[i] += 1;
        y[i] -= 1;
    }
}

#[kernel]
fn count(x: &mut Field<i32>, times: usize) {
    for i in 0..times {
        x[i % 2].atomic_add(10);
    }
}

#[kernel]
fn total(x: &Field<i32>) -> i32 {
    let mut sum = 0;
    for i in x.indices() {
        sum += x[i];
    }
    sum
}

#[kernel]
fn raise(u: &mut OffsetField<i32>) {
    for i in u.indices() {
        u[i] += i as i32;
    }
}

#[kernel]
fn weigh(bodies: &mut Field<Body>) {
    for i in bodies.indices() {
        bodies[i].mass += 1.5;
        bodies[i].pos.y *= 2.0;
    }
}

type Write = (&'static str, fn(&mut Field<i32>) -> swathe::Result<()>, fn(&mut [i32]));
type Read = (&'static str, fn(&Field<i32>) -> swathe::Result<()>);

/// What writes to a field, and the same on a slice. Each changes every element but where it says otherwise.
fn writes() -> Vec<Write> {
    fn array(n: usize) -> Array1<i32> {
        Array1::from_shape_fn(n, |i| 1000 - number(i))
    }
    fn other(x: &Field<i32>) -> swathe::Result<Field<i32>> {
        Field::from_ndarray(x.device(), &array(x.len()))
    }
    fn to_other(x: &mut [i32]) {
        x.copy_from_slice(array(x.len()).as_slice().unwrap());
    }
    vec![
        (
            "a kernel",
            |x| step(x, 4),
            |x| x.iter_mut().for_each(|x| *x = 3 * *x + 4),
        ),
        (
            "a kernel on a box",
            |x| {
                let mut there = Box::new(&mut *x);
                step(&mut there, 5)
            },
            |x| x.iter_mut().for_each(|x| *x = 3 * *x + 5),
        ),
        (
            "atomics",
            |x| if x.len() < 2 { step(x, 0) } else { count(x, 3) },
            |x| match x {
                [first, second, ..] => (*first, *second) = (*first + 20, *second + 10),
                _ => x.iter_mut().for_each(|x| *x *= 3),
            },
        ),
        ("fill", |x| x.fill(-5), |x| x.fill(-5)),
        ("copy_from", |x| x.copy_from(&other(x)?), to_other),
        (
            "copy_from another layout",
            |x| x.copy_from(&other(x)?.with_layout(Soa)?),
            to_other,
        ),
        (
            "copy_from_slice",
            |x| x.copy_from_slice(array(x.len()).as_slice().unwrap()),
            to_other,
        ),
        ("copy_from_ndarray", |x| x.copy_from_ndarray(&array(x.len())), to_other),
        (
            "copy_from_ndarray_cast",
            |x| x.copy_from_ndarray_cast(&array(x.len()).mapv(f64::from)),
            to_other,
        ),
        (
            "copy_from_cast",
            |x| {
                let from = Field::<i64>::from_ndarray(x.device(), &array(x.len()).mapv(i64::from))?;
                x.copy_from_cast(&from)
            },
            to_other,
        ),
        ("copy_from_any", |x| x.copy_from_any(&array(x.len()).into()), to_other),
        (
            "copy_from_any_cast",
            |x| x.copy_from_any_cast(&array(x.len()).mapv(f64::from).into()),
            to_other,
        ),
        (
            "copy_from_dlpack",
            |x| x.copy_from_dlpack(&other(x)?.into_dlpack()?),
            to_other,
        ),
        (
            "set",
            |x| match x.len() {
                0 => x.fill(0),
                n => x.set(n - 1, 77),
            },
            |x| x.last_mut().into_iter().for_each(|x| *x = 77),
        ),
        (
            "fill_sequence",
            |x| x.fill_sequence(9, 4),
            |x| x.iter_mut().enumerate().for_each(|(i, x)| *x = 9 + 4 * i as i32),
        ),
        (
            "put",
            |x| {
                let positions = Field::<u32>::from_fn(x.device(), x.len(), |[i]| i as u32)?;
                x.put(&positions, &other(x)?)
            },
            to_other,
        ),
        ("a view", |x| x.view_mut()?.fill(8), |x| x.fill(8)),
        (
            "a kernel on a slice",
            |x| step(&mut x.slice_mut(s![..;-2])?, 6),
            |x| {
                let n = x.len();
                (0..n).rev().step_by(2).for_each(|i| x[i] = 3 * x[i] + 6);
            },
        ),
        (
            "both parts of a split",
            |x| {
                let middle = x.len() / 2;
                let (mut first, mut second) = x.split_at_mut(0, middle)?;
                second.fill(2)?;
                first.fill(1)
            },
            |x| {
                let middle = x.len() / 2;
                x[..middle].fill(1);
                x[middle..].fill(2);
            },
        ),
        (
            "one element of an axis",
            |x| match x.len() {
                0 => x.fill(0),
                _ => x.index_axis_mut(0, 0)?.set([], 66),
            },
            |x| x.first_mut().into_iter().for_each(|x| *x = 66),
        ),
    ]
}

fn reads() -> Vec<Read> {
    vec![
        ("a kernel", |x| total(x).map(drop)),
        ("a kernel that writes another", |x| {
            append(x, &mut Field::zeros(x.device(), x.len())?)
        }),
        ("try_clone", |x| x.try_clone().map(drop)),
        ("with_layout", |x| x.with_layout(Soa).map(drop)),
        ("copy_from", |x| Field::zeros(x.device(), x.len())?.copy_from(x)),
        ("to_vec", |x| x.to_vec().map(drop)),
        ("to_ndarray", |x| x.to_ndarray().map(drop)),
        ("copy_to_slice", |x| x.copy_to_slice(&mut vec![0; x.len()])),
        ("copy_to_ndarray", |x| x.copy_to_ndarray(&mut Array1::zeros(x.len()))),
        ("get", |x| if x.is_empty() { Ok(()) } else { x.get(0).map(drop) }),
        ("sum", |x| x.sum().map(drop)),
        ("argmax", |x| x.argmax().map(drop)),
        ("scan", |x| x.cumsum().map(drop)),
        ("take", |x| x.take(&Field::<u32>::zeros(x.device(), x.len())?).map(drop)),
        ("view", |x| x.view().slice(s![..;2])?.to_vec().map(drop)),
        ("printing", |x| {
            assert!(!format!("{x:?}").is_empty());
            Ok(())
        }),
    ]
}

/// Whichever of the two is written, the other does not change.
fn written_and_kept(device: &Device) {
    for n in SIZES {
        let values: Vec<i32> = (0..n).map(number).collect();
        for (name, write, on_slice) in writes() {
            let mut expected = values.clone();
            on_slice(&mut expected);
            assert!(n == 0 || expected != values, "{name} changes nothing");
            for original_is_written in [true, false] {
                let what = format!("{name}, {n} elements, original: {original_is_written}");
                let mut first = Field::from_slice(device, &values).unwrap();
                let mut second = first.try_clone().unwrap();
                assert_ne!(first.id(), second.id());
                let (one, other) = match original_is_written {
                    true => (&mut first, &second),
                    false => (&mut second, &first),
                };
                let before = (one.id(), one.write_count(), other.id(), other.write_count());
                write(one).unwrap_or_else(|e| panic!("{what}: {e}"));
                assert_eq!(one.to_vec().unwrap(), expected, "{what}");
                assert_eq!(other.to_vec().unwrap(), values, "{what}");
                assert_eq!(
                    (one.id(), other.id(), other.write_count()),
                    (before.0, before.2, before.3),
                    "{what}"
                );
                assert!(n == 0 || one.write_count() > before.1, "{what}");
                // Again, when nothing is shared any more.
                let after = one.write_count();
                write(one).unwrap();
                assert!(n == 0 || one.write_count() > after, "{what}");
                assert_eq!(other.to_vec().unwrap(), values, "{what}");
            }
        }
        for (name, read) in reads() {
            let x = Field::from_slice(device, &values).unwrap();
            let clone = x.try_clone().unwrap();
            let before = (x.id(), x.write_count(), clone.write_count());
            read(&x).unwrap_or_else(|e| panic!("{name}, {n} elements: {e}"));
            assert_eq!(
                (x.id(), x.write_count(), clone.write_count()),
                before,
                "{name}, {n} elements"
            );
            assert_eq!(clone.to_vec().unwrap(), values, "{name}");
        }
    }
}

/// Both arguments of one launch share their memory.
fn arguments_of_one_launch(device: &Device) {
    for n in SIZES {
        let values: Vec<i32> = (0..n).map(number).collect();
        let x = Field::from_slice(device, &values).unwrap();
        let (mut y, mut z) = (x.try_clone().unwrap(), x.try_clone().unwrap());
        append(&x, &mut y).unwrap();
        part(&mut z, &mut x.try_clone().unwrap()).unwrap();
        let of = |f: fn(i32) -> i32| values.iter().copied().map(f).collect::<Vec<_>>();
        assert_eq!(y.to_vec().unwrap(), of(|v| 6 * v));
        assert_eq!(z.to_vec().unwrap(), of(|v| v + 1));
        assert_eq!(x.to_vec().unwrap(), values);
        // A chain of clones, of which the one in the middle goes first.
        let a = z.try_clone().unwrap();
        let mut b = a.try_clone().unwrap();
        drop(a);
        step(&mut b, 1).unwrap();
        drop(z);
        step(&mut b, 2).unwrap();
        assert_eq!(b.to_vec().unwrap(), of(|v| 9 * v + 14));
    }
}

/// Calls that are refused leave everything as it was.
fn refused(device: &Device) {
    let mut x = Field::from_slice(device, &[1, 2, 3]).unwrap();
    let clone = x.try_clone().unwrap();
    assert!(x.set(3, 9).is_err());
    assert!(x.copy_from_slice(&[1, 2]).is_err());
    assert!(x.copy_from(&Field::zeros(device, 4).unwrap()).is_err());
    assert!(x.slice_mut(s![..4]).is_err());
    assert_eq!(
        (x.to_vec().unwrap(), clone.to_vec().unwrap()),
        (vec![1, 2, 3], vec![1, 2, 3])
    );
}

fn structs<L: FieldLayout>(device: &Device, layout: L) {
    for n in SIZES {
        let values: Vec<Body> = (0..n).map(body).collect();
        let mut bodies = Field::from_slice(device, &values).unwrap().with_layout(layout).unwrap();
        let first = bodies.try_clone().unwrap();
        weigh(&mut bodies).unwrap();
        let second = bodies.try_clone().unwrap();
        let version = bodies.write_count();
        bodies.member_mut::<f64>("mass").unwrap().fill(4.0).unwrap();
        assert!(bodies.write_count() > version);
        let third = bodies.try_clone().unwrap();
        bodies
            .member_mut::<Vec3>("pos")
            .unwrap()
            .view_mut()
            .fill(Vec3::ZERO)
            .unwrap();
        let fourth = bodies.try_clone().unwrap();
        let arrays = first.to_arrays().unwrap();
        bodies.copy_from_arrays(&arrays).unwrap();
        let changed = |f: fn(&mut Body)| {
            let mut all = values.clone();
            all.iter_mut().for_each(f);
            all
        };
        assert_eq!(first.to_vec().unwrap(), values);
        let weighed = |b: &mut Body| (b.mass, b.pos.y) = (b.mass + 1.5, 2.0 * b.pos.y);
        assert_eq!(second.to_vec().unwrap(), changed(weighed));
        assert_eq!(
            third.to_vec().unwrap(),
            changed(|b| (b.mass, b.pos.y) = (4.0, 2.0 * b.pos.y))
        );
        assert_eq!(
            fourth.to_vec().unwrap(),
            changed(|b| (b.mass, b.pos) = (4.0, Vec3::ZERO))
        );
        assert_eq!(bodies.to_vec().unwrap(), values);
    }
}

/// Offset fields, fields without axes, and elements without size.
fn other_kinds(device: &Device) {
    let mut u = Field::from_slice(device, &[5, 6, 7]).unwrap().with_origin(-1).unwrap();
    let mut v = u.try_clone().unwrap();
    let ids = (u.field().id(), v.field().id());
    raise(&mut v).unwrap();
    u.field_mut().fill(1).unwrap();
    raise(&mut u.field_mut().slice_mut(s![1..]).unwrap().with_origin(10).unwrap()).unwrap();
    assert_eq!((u.origin(), u.field().to_vec().unwrap()), ([-1], vec![1, 11, 12]));
    assert_eq!((v.origin(), v.field().to_vec().unwrap()), ([-1], vec![4, 6, 8]));
    assert_eq!((u.field().id(), v.into_field().id()), ids);

    let mut a = Field::<f64, 0>::full(device, [], 2.5).unwrap();
    let b = a.try_clone().unwrap();
    a.set([], 3.5).unwrap();
    assert_eq!((a.get([]).unwrap(), b.get([]).unwrap()), (3.5, 2.5));

    let mut a = Field::<[i32; 0], 2>::zeros(device, [3, 5]).unwrap();
    let b = a.try_clone().unwrap();
    let version = a.write_count();
    a.fill([]).unwrap();
    assert!(a.write_count() > version);
    assert_eq!((a.len(), b.len(), a == b), (15, 15, true));
}

/// Memory that others have is copied at once: they may write to it when they have it back.
fn memory_of_others(device: &Device) {
    let values: Vec<i32> = (0..17).map(number).collect();
    let x = Field::from_slice(device, &values).unwrap();
    let kept = x.try_clone().unwrap();
    let mut y = Field::<i32>::from_dlpack(x.into_dlpack().unwrap()).unwrap();
    // The tensor's memory is its own: `kept` does not see what is done there.
    y.fill(1).unwrap();
    let clone = y.try_clone().unwrap();
    let mut z = Field::<i32>::from_dlpack(y.into_dlpack().unwrap()).unwrap();
    z.fill(2).unwrap();
    assert_eq!(kept.to_vec().unwrap(), values);
    assert_eq!(
        (clone.to_vec().unwrap(), z.to_vec().unwrap()),
        (vec![1; 17], vec![2; 17])
    );
}

/// What programs do that make no clones, or write only when these are gone.
fn ordinary(device: &Device) -> swathe::Result<()> {
    let n = 1001;
    let values: Vec<i32> = (0..n).map(number).collect();
    for (_, write, _) in writes() {
        write(&mut Field::from_slice(device, &values)?)?;
    }
    for (_, read) in reads() {
        read(&Field::from_slice(device, &values)?)?;
    }
    let mut x = Field::from_slice(device, &values)?;
    let mut y = Field::zeros(device, n)?;
    for k in 0..2 {
        step(&mut x, k)?;
        append(&x, &mut y)?;
        std::mem::swap(&mut x, &mut y);
        count(&mut x, 100)?;
        total(&x)?;
    }
    let array = x.to_ndarray()?;
    y.copy_from_ndarray(&array)?;
    assert!(y == x && y.max()? == x.max()?);
    let view: ArrayView1<'_, i32> = array.view();
    step(&mut Field::from_ndarray(device, &view.slice(s![..;-3]))?, 1)?;
    let mut bodies = Field::<Body>::from_fn(device, n, |[i]| body(i))?.with_layout(Soa)?;
    weigh(&mut bodies)?;
    bodies.member_mut::<f64>("mass")?.fill(0.5)?;
    let mut u = y.with_origin(-3)?;
    raise(&mut u)?;
    let mut reals = Field::<f32>::zeros(device, n)?;
    reals.fill_uniform(1, 0.0, 1.0)?;
    assert!(reals.all_close(&reals, Tolerance::default())?);
    // Clones that are gone, or that nobody writes beside.
    let clone = x.try_clone()?;
    assert_eq!(total(&clone)?, total(&x)?);
    drop(clone);
    step(&mut x, 1)?;
    let mut clone = x.try_clone()?;
    drop(x);
    step(&mut clone, 2)
}

/// Counts copies; nothing else may clone fields in the process meanwhile.
///
/// # Panics
/// If a count is wrong.
pub fn count_copies(device: &Device) {
    let start = copies_on_write();
    ordinary(device).unwrap();
    assert_eq!(copies_on_write() - start, 0, "of ordinary programs");

    let values: Vec<i32> = (0..17).map(number).collect();
    for (name, write, _) in writes() {
        let mut x = Field::from_slice(device, &values).unwrap();
        let start = copies_on_write();
        let clone = x.try_clone().unwrap();
        let third = clone.try_clone().unwrap();
        for (_, read) in reads() {
            read(&clone).unwrap();
        }
        assert_eq!(copies_on_write() - start, 0, "before {name}");
        write(&mut x).unwrap();
        assert_eq!(copies_on_write() - start, 1, "{name}");
        write(&mut x).unwrap();
        assert_eq!(copies_on_write() - start, 1, "{name}, again");
        drop(third);
        let mut clone = clone;
        write(&mut clone).unwrap();
        assert_eq!(copies_on_write() - start, 1, "{name}, on the one that kept the memory");
    }
    // Two that share, both written by one launch: the second one is alone by then.
    let mut x = Field::from_slice(device, &values).unwrap();
    let mut y = x.try_clone().unwrap();
    let start = copies_on_write();
    part(&mut x, &mut y).unwrap();
    assert_eq!(copies_on_write() - start, 1);
    let mut z = x.try_clone().unwrap();
    z.unshare().unwrap();
    let version = z.write_count();
    z.unshare().unwrap();
    assert_eq!((copies_on_write() - start, z.write_count()), (2, version));
    step(&mut x, 1).unwrap();
    assert_eq!(copies_on_write() - start, 2);
    // What has no bytes is not copied.
    let mut empty = Field::<i32>::zeros(device, 0).unwrap();
    let clone = empty.try_clone().unwrap();
    step(&mut empty, 1).unwrap();
    assert_eq!((copies_on_write() - start, clone.len()), (2, 0));
}

/// Runs all of this topic.
pub fn check(device: &Device) {
    written_and_kept(device);
    arguments_of_one_launch(device);
    refused(device);
    structs(device, swathe::Aos);
    structs(device, Soa);
    other_kinds(device);
    memory_of_others(device);
}

/// CUDA C of this topic's kernels.
pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![step, append, part, count, total, raise, weigh]
}
