//! What a field does by itself.

use ndarray::s;
use swathe::{
    Aos, Device, Element, Error, Field, FieldLayout, FieldView, KernelType, Layout, Matrix, Result, Soa, Vec2, Vec3,
    copies_on_write,
};

#[test]
fn made_and_read() -> Result<()> {
    let device = Device::default();
    assert!(Device::all().contains(&device));
    for n in [0, 1, 3, 17, 1000] {
        let zeros = Field::<u32>::zeros(&device, n)?;
        assert_eq!((zeros.len(), zeros.is_empty(), zeros.shape()), (n, n == 0, [n]));
        assert_eq!(zeros.to_vec()?, vec![0; n]);
        let full = Field::full(&device, [n, 3], -1.5_f64)?;
        assert_eq!((full.len(), full.shape()), (3 * n, [n, 3]));
        assert_eq!(full.to_vec()?, vec![-1.5; 3 * n]);
        let values: Vec<i16> = (0..n as i16).map(|k| k * 3 - 50).collect();
        assert_eq!(Field::from_slice(&device, &values)?.to_vec()?, values);
        let counted = Field::from_fn(&device, [2, n, 5], |[i, j, k]| ((i * n + j) * 5 + k) as u64)?;
        assert!(counted.to_vec()?.into_iter().eq(0..10 * n as u64));
        assert_eq!(Field::from_vec(&device, values.clone())?.try_clone()?.to_vec()?, values);
    }
    Ok(())
}

#[test]
fn large_fills_and_copies() -> Result<()> {
    let device = Device::cpu();
    for n in [16_383, 16_384, 16_385, 1_000_003] {
        let mut field = Field::full(&device, n, 7_u32)?;
        assert!(field.to_vec()?.iter().all(|v| *v == 7));
        field.copy_from(&Field::from_fn(&device, n, |[i]| i as u32)?)?;
        assert!(field.to_vec()?.into_iter().eq(0..n as u32));
        assert_eq!(field.access().checked(0).map(|p| p.addr() % 64), Some(0));
    }
    Ok(())
}

#[test]
fn bounds() -> Result<()> {
    let mut field = Field::<f32, 2>::zeros(&Device::cpu(), [2, 3])?;
    field.set([1, 2], 6.5)?;
    assert_eq!(field.get([1, 2])?, 6.5);
    assert_eq!(field.to_vec()?, [0.0, 0.0, 0.0, 0.0, 0.0, 6.5]);
    for index in [[2, 0], [0, 3], [usize::MAX, 0], [0, usize::MAX]] {
        // What arithmetic took below zero.
        let shown = index.map(usize::cast_signed);
        let expected = format!("no element at {shown:?} in a field of shape [2, 3]");
        assert_eq!(field.get(index).unwrap_err().to_string(), expected);
        assert_eq!(field.set(index, 1.0).unwrap_err().to_string(), expected);
    }
    let empty = Field::<f32>::zeros(&Device::cpu(), 0)?;
    assert_eq!(
        empty.get(0).unwrap_err(),
        Error::Index {
            index: vec![0],
            shape: vec![0]
        }
    );
    Ok(())
}

#[test]
fn too_large() {
    let device = Device::cpu();
    let n = usize::MAX / 16;
    let error = Field::<f32>::zeros(&device, n).unwrap_err();
    assert_eq!(error.to_string(), format!("out of memory: {} bytes on cpu", n * 4));
    assert!(matches!(
        Field::full(&device, usize::MAX / 32, 1_u8),
        Err(Error::OutOfMemory { .. })
    ));
    let error = Field::<f64, 2>::zeros(&device, [n * 8, 3]).unwrap_err();
    let expected = format!(
        "shape [{}, 3] with elements of 8 bytes is larger than memory can be",
        n * 8
    );
    assert_eq!(error.to_string(), expected);
    let overflow = |shape: [usize; 3]| {
        matches!(
            Field::<u16, 3>::zeros(&device, shape),
            Err(Error::SizeOverflow { element_size: 2, .. })
        )
    };
    assert!(overflow([1 << 32, 1 << 31, 1]));
    assert!(overflow([1 << 31, 1 << 31, 1]));
    assert!(overflow([usize::MAX, 0, usize::MAX]));
    assert!(overflow([usize::MAX, 1, 1]));
    assert!(!overflow([1000, 0, 1 << 40]));
}

#[test]
fn mismatches() -> Result<()> {
    let device = Device::cpu();
    let mut field = Field::<i32, 2>::full(&device, [4, 3], 1)?;
    let other = Field::<i32, 2>::full(&device, [3, 4], 2)?;
    assert_eq!(
        field.copy_from(&other).unwrap_err().to_string(),
        "copying from another field: expected shape [4, 3], got [3, 4]"
    );
    assert_eq!(
        field.copy_from_slice(&[5; 11]).unwrap_err().to_string(),
        "copying a slice into Field<i32, 2> { shape: [4, 3], device: cpu }: expected shape [12], got [11]"
    );
    let mut slice = [9; 13];
    assert!(field.copy_to_slice(&mut slice).is_err());
    assert_eq!((slice, field.to_vec()?), ([9; 13], vec![1; 12]));
    field.copy_to_slice(&mut slice[1..])?;
    assert_eq!(slice[..2], [9, 1]);
    field.fill(3)?;
    field.copy_from_slice(&std::array::from_fn::<_, 12, _>(|k| k as i32))?;
    assert_eq!(field.get([3, 1])?, 10);
    Ok(())
}

#[test]
fn sent_between_threads() -> Result<()> {
    fn send_and_sync<T: Send + Sync>() {}
    send_and_sync::<Field<f32, 3>>();
    send_and_sync::<swathe::MemberMut<'static, f32, 3>>();
    send_and_sync::<Error>();
    let field = Field::from_slice(&Device::cpu(), &[1, 2, 3])?;
    let got = std::thread::scope(|scope| scope.spawn(|| field.get(2)).join().unwrap())?;
    assert_eq!(got, 3);
    assert_eq!(format!("{field:?}"), "[1, 2, 3], shape=[3], on cpu");
    assert_eq!(format!("{0:?} {0}", field.device()), "Device(cpu) cpu");
    Ok(())
}

#[test]
fn texts_and_equality() -> Result<()> {
    let device = Device::cpu();
    let u = Field::from_fn(&device, [2, 1, 3], |[i, _, k]| Vec2::new(i as f32, k as f32 + 0.25))?;
    let text = "[[[Vector([0.0, 0.2]), Vector([0.0, 1.2]), Vector([0.0, 2.2])]],\n\n [[Vector([1.0, 0.2]), Vector([1.0, 1.2]), \
                Vector([1.0, 2.2])]]], shape=[2, 1, 3], on cpu";
    assert_eq!(format!("{u:.1?}"), text);
    let planes = u.with_layout(Soa)?;
    assert_eq!(planes, u);
    assert_eq!(format!("{planes:.1?}"), text);
    assert_eq!(
        planes.describe(),
        "Field<Vector<f32, 2>, 3, Soa> { shape: [2, 1, 3], device: cpu }"
    );
    let mut other = u.try_clone()?;
    other.set([1, 0, 2], Vec2::new(1.0, 2.5))?;
    assert_ne!(planes, other);
    assert_ne!(Field::<u8>::zeros(&device, 3)?, Field::<u8>::zeros(&device, 4)?);
    assert_eq!(
        format!("{:?}", Field::<u8, 2>::zeros(&device, [2, 0])?),
        "[[],\n []], shape=[2, 0], on cpu"
    );
    assert_eq!(format!("{:?}", Field::full(&device, [], 7)?), "7, shape=[], on cpu");

    let large = Field::from_fn(&device, 998, |[i]| i as u32)?;
    assert_eq!(
        format!("{large:?}"),
        "[0, 1, 2, ..., 995, 996, 997], shape=[998], on cpu"
    );
    let wide = Field::<u16, 2>::from_fn(&device, [100, 8], |[i, j]| (10 * i + j) as u16)?;
    let row = |i: u16| {
        format!(
            "[{}, {}, {}, ..., {}, {}, {}]",
            10 * i,
            10 * i + 1,
            10 * i + 2,
            10 * i + 5,
            10 * i + 6,
            10 * i + 7
        )
    };
    let rows = [row(0), row(1), row(2), "...".to_owned(), row(97), row(98), row(99)].join(",\n ");
    assert_eq!(format!("{wide:?}"), format!("[{rows}], shape=[100, 8], on cpu"));
    assert_eq!(
        format!("{:?}", wide.slice(ndarray::s![1, ..3])?),
        "[10, 11, 12], shape=[3], on cpu"
    );
    Ok(())
}

#[test]
fn texts_of_huge_fields() -> Result<()> {
    let device = Device::cpu();
    // Elements without size, as many as there may be.
    let many = Field::<[u8; 0]>::zeros(&device, 1 << 52)?;
    assert_eq!(
        format!("{many:?}"),
        format!("[[], [], [], ..., [], [], []], shape=[{}], on cpu", 1_u64 << 52)
    );
    assert_eq!(format!("{:?}", many.view()), format!("{many:?}"));
    // No elements, but many rows of none.
    let rows = Field::<u8, 2>::zeros(&device, [1 << 40, 0])?;
    let text = format!(
        "[[],\n [],\n [],\n ...,\n [],\n [],\n []], shape=[{}, 0], on cpu",
        1_u64 << 40
    );
    assert_eq!(format!("{rows:?}"), text);
    let one = Field::<u8, 3>::zeros(&device, [0, 1 << 40, 2])?;
    assert_eq!(format!("{one:?}"), format!("[], shape=[0, {}, 2], on cpu", 1_u64 << 40));
    Ok(())
}

/// With space behind the first member, of 24 bytes.
#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Grain {
    kind: u8,
    mass: f64,
    spin: [i16; 3],
}

/// Of 20 bytes.
#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Node {
    pos: Vec3,
    id: [i32; 2],
}

/// An element for each number.
trait Counted: Element + PartialEq + std::fmt::Debug {
    fn of(k: usize) -> Self;
}

impl Counted for u8 {
    fn of(k: usize) -> Self {
        (k * 7 + k / 256) as u8
    }
}

impl Counted for f32 {
    fn of(k: usize) -> Self {
        k as f32 + 0.5
    }
}

impl Counted for f64 {
    fn of(k: usize) -> Self {
        -(k as f64)
    }
}

impl Counted for Vec3 {
    fn of(k: usize) -> Self {
        Vec3::new(k as f32, -(k as f32), k as f32 + 0.25)
    }
}

impl Counted for Matrix<f32, 3, 3> {
    fn of(k: usize) -> Self {
        Matrix::from_array([0, 1, 2].map(|r| [0, 1, 2].map(|c| (9 * k + 3 * r + c) as f32)))
    }
}

impl Counted for Grain {
    fn of(k: usize) -> Self {
        Grain {
            kind: k as u8,
            mass: k as f64 * 1.5,
            spin: [k as i16, !(k as i16), 3],
        }
    }
}

impl Counted for Node {
    fn of(k: usize) -> Self {
        Node {
            pos: Vec3::of(k),
            id: [k as i32, !(k as i32)],
        }
    }
}

fn counted<T: Counted, const D: usize, L: FieldLayout>(shape: [usize; D], from: usize, layout: L) -> Field<T, D, L> {
    let number = |at: [usize; D]| at.iter().zip(shape).fold(0, |sum, (i, n)| sum * n + i);
    let field = Field::from_fn(&Device::cpu(), shape, |at| T::of(from + number(at))).unwrap();
    field.with_layout(layout).unwrap()
}

/// Copies slices whose axes are exchanged, and compares with loops over all positions.
fn copied_views<T: Counted, L: FieldLayout, K: FieldLayout>(lengths: [usize; 4], to_layout: L, from_layout: K) {
    const ORDERS: [[usize; 4]; 8] = [
        [0, 1, 2, 3],
        [3, 2, 1, 0],
        [0, 1, 3, 2],
        [1, 0, 2, 3],
        [2, 3, 0, 1],
        [3, 0, 1, 2],
        [1, 2, 3, 0],
        [0, 3, 1, 2],
    ];
    let number = |at: [usize; 4], shape: [usize; 4]| at.iter().zip(shape).fold(0, |sum, (i, n)| sum * n + i);
    let all = || {
        let [a, b, c, d] = lengths;
        (0..a * b * c * d).map(move |k| [k / d / c / b, k / d / c % b, k / d % c, k % d])
    };
    for (turn, order) in ORDERS.into_iter().enumerate() {
        let other = ORDERS[turn * 3 % 8];
        // Axis `k` of the parts is `order[k]` of the one field, and `other[k]` of the other.
        let place = |order: [usize; 4], numbers: [usize; 4]| {
            let mut placed = [0; 4];
            (0..4).for_each(|k| placed[order[k]] = numbers[k]);
            placed
        };
        let (from_lengths, to_lengths) = (place(order, lengths), place(other, lengths));
        // Every second position of axis 1, from one side and from the other; axis 3 backwards or not.
        let wide = |lengths: [usize; 4]| [lengths[0], 2 * lengths[1], lengths[2], lengths[3]];
        let from: Field<T, 4, K> = counted(wide(from_lengths), 0, from_layout);
        let mut to: Field<T, 4, L> = counted(wide(to_lengths), 5, to_layout);
        let mut expected: Vec<T> = (0..to.len()).map(|k| T::of(k + 5)).collect();
        let mut list = Vec::new();
        for at in all() {
            let [i, j, k, l] = place(order, at);
            let element = T::of(number([i, 2 * j, k, from_lengths[3] - 1 - l], from.shape()));
            list.push(element);
            let [i, j, k, l] = place(other, at);
            expected[number(
                [to_lengths[0] - 1 - i, 2 * (to_lengths[1] - 1 - j) + 1, k, l],
                to.shape(),
            )] = element;
        }
        let part = from
            .slice(s![.., ..;2, .., ..;-1])
            .unwrap()
            .permuted_axes(order)
            .unwrap();
        assert_eq!(part.shape(), lengths);
        assert_eq!(part.to_vec().unwrap(), list, "{lengths:?} {order:?}");
        let target = to.slice_mut(s![..;-1, ..;-2, .., ..]).unwrap();
        target.permuted_axes(other).unwrap().copy_from(&part).unwrap();
        assert_eq!(to.to_vec().unwrap(), expected, "{lengths:?} {order:?} {other:?}");
    }
}

#[test]
fn views_copied_in_any_order() {
    fn in_layouts<T: Counted>() {
        for lengths in [
            [1, 3, 17, 2],
            [0, 3, 1, 17],
            [17, 33, 1, 35],
            [1, 1, 1000, 1],
            [18, 2, 3, 66],
        ] {
            copied_views::<T, _, _>(lengths, Aos, Aos);
            copied_views::<T, _, _>(lengths, Aos, Soa);
            copied_views::<T, _, _>(lengths, Soa, Aos);
            copied_views::<T, _, _>(lengths, Soa, Soa);
        }
    }
    in_layouts::<u8>();
    in_layouts::<f64>();
    in_layouts::<Vec3>();
    in_layouts::<Matrix<f32, 3, 3>>();
    in_layouts::<Grain>();
    in_layouts::<Node>();
}

/// Where stores go past the caches.
#[test]
fn large_views_copied() -> Result<()> {
    fn check<T: Counted>(shape: [usize; 2]) -> Result<()> {
        let [h, w] = shape;
        let from: Field<T, 2> = counted([h, w], 0, Aos);
        let mut turned = Field::<T, 2>::full(&Device::cpu(), [w, h], T::of(0))?;
        turned.view_mut()?.copy_from(&from.t())?;
        assert_eq!(turned.view_mut()?.to_vec()?, from.t().to_vec()?);
        let expected: Vec<T> = (0..w * h).map(|k| T::of(k % h * w + k / h)).collect();
        assert!(turned.to_vec()? == expected && from.t().to_vec()? == expected);
        let mut back = Field::<T, 2>::full(&Device::cpu(), [h, w], T::of(0))?;
        back.slice_mut(s![..;-1, ..])?.t().copy_from(&turned.view())?;
        let expected: Vec<T> = (0..w * h).map(|k| T::of((h - 1 - k / w) * w + k % w)).collect();
        assert!(back.to_vec()? == expected);
        back.view_mut()?.copy_from(&from.slice(s![..;-1, ..;-1])?)?;
        assert!(back.to_vec()?.into_iter().eq((0..w * h).rev().map(T::of)));
        let part = back.slice(s![1.., ..;3])?;
        let expected = (1..h).flat_map(|i| (0..w).step_by(3).map(move |j| T::of(w * h - 1 - i * w - j)));
        assert!(part.to_vec()?.into_iter().eq(expected));
        Ok(())
    }
    check::<f32>([1503, 1501])?;
    check::<f64>([3, 400_001])?;
    check::<Vec3>([801, 903])?;
    check::<Grain>([17, 21_000])?;
    check::<Node>([701, 701])
}

#[test]
fn equal_where_they_are() -> Result<()> {
    fn check<T: Counted>(n: usize) -> Result<()> {
        let here: Field<T> = counted([n], 0, Aos);
        let planes: Field<T, 1, Soa> = counted([n], 0, Soa);
        assert!(here == here.try_clone()? && planes == planes.try_clone()?);
        assert_eq!([here == planes, planes == here], [true; 2]);
        for k in [0, 1, n / 2, n.saturating_sub(1)] {
            if k < n {
                let mut other = here.try_clone()?;
                other.set(k, T::of(n + 1))?;
                assert_eq!([here == other, planes == other, other == planes], [false; 3], "{n} {k}");
            }
        }
        Ok(())
    }
    for n in [0, 1, 3, 17, 255, 257, 1000, 100_003] {
        check::<f32>(n)?;
        check::<Vec3>(n)?;
        check::<Grain>(n)?;
    }
    let device = Device::cpu();
    for k in [0, 299, 999] {
        let of = |value: f64| Field::from_fn(&device, 1000, |[i]| if i == k { value } else { i as f64 });
        assert!(of(0.0)? == of(-0.0)? && of(f64::NAN)? != of(f64::NAN)?);
        let nan = of(f64::NAN)?;
        assert!(nan != nan.try_clone()? && nan != nan.with_layout(Soa)?);
    }
    Ok(())
}

#[test]
fn vectors_become_fields() -> Result<()> {
    let device = Device::cpu();
    for n in [0, 1, 3, 17, 1000, 16_385, 300_007] {
        let values: Vec<f32> = (0..n).map(|k| k as f32 - 0.5).collect();
        let mut roomy = Vec::with_capacity(3 * n + 8);
        roomy.extend_from_slice(&values);
        let at = values.as_ptr().addr();
        let mut field = Field::from_vec(&device, values.clone())?;
        assert_eq!(field.to_vec()?, values);
        assert_eq!(Field::from_vec(&device, roomy)?.to_vec()?, values);
        let adopted = Field::from_vec(&device, values)?;
        let first = adopted.access().checked(0).map(|first| first.addr());
        assert!(n < 16_385 || first == Some(at));
        assert!(adopted == field);
        if n > 0 {
            // Nobody else has the memory, so that clones share it.
            let copies = copies_on_write();
            let clone = field.try_clone()?;
            field.set(n - 1, 7.0)?;
            assert!(copies_on_write() > copies);
            assert_eq!((field.get(n - 1)?, clone.get(n - 1)?), (7.0, n as f32 - 1.5));
            assert!(adopted == clone && adopted != field);
        }
    }
    assert!(Field::<u8>::from_vec(&device, Vec::new())?.is_empty());
    Ok(())
}

/// Every shape of as many elements, of views of all kinds, beside strides that are looked for one by one.
#[test]
fn reshaped_without_a_copy() -> Result<()> {
    fn check<const D: usize, const E: usize, L: Layout>(view: FieldView<'_, i32, D, L>, shape: [usize; E]) {
        let values = view.to_vec().unwrap();
        let number = |at: [usize; E]| at.iter().zip(shape).fold(0, |sum, (i, n)| sum * n + i);
        let places: Vec<[usize; E]> = (0..values.len())
            .map(|k| {
                let mut left = k;
                let mut at = [0; E];
                for axis in (0..E).rev() {
                    (at[axis], left) = (left % shape[axis], left / shape[axis]);
                }
                at
            })
            .collect();
        // Values are places in memory: as strides say them, if these are along each axis what its second position has.
        let stride = |axis: usize| {
            let mut second = [0; E];
            second[axis] = 1;
            if shape[axis] > 1 {
                values[number(second)] - values[0]
            } else {
                0
            }
        };
        let strides: Vec<i32> = (0..E)
            .map(|axis| if values.is_empty() { 0 } else { stride(axis) })
            .collect();
        let fits = places.iter().zip(&values).all(|(at, value)| {
            let distance: i32 = at.iter().zip(&strides).map(|(i, stride)| *i as i32 * stride).sum();
            *value == values[0] + distance
        });
        let what = format!("{:?} of {values:?} as {shape:?}", view.shape());
        match view.reshape(shape) {
            Ok(new) => {
                assert!(fits && new.shape() == shape, "{what}");
                assert_eq!(new.to_vec().unwrap(), values, "{what}");
            }
            Err(Error::Strides { .. }) => assert!(!fits, "{what}"),
            Err(error) => panic!("{what}: {error}"),
        }
    }
    fn in_shapes<const D: usize, L: Layout>(view: FieldView<'_, i32, D, L>) {
        let len = view.len();
        check(view, [len]);
        check(view, [1, len, 1]);
        let factors = |n: usize| (1..=n.max(1)).filter(move |k| n.is_multiple_of(*k));
        for a in factors(len) {
            check(view, [a, len / a]);
            for b in factors(len / a) {
                check(view, [a, b, len / a / b]);
                check(view, [1, a, 1, b, len / a / b]);
            }
        }
    }
    fn of_layout<L: FieldLayout>(layout: L) -> Result<()> {
        let device = Device::cpu();
        for [a, b, c] in [[2, 3, 4], [4, 1, 6], [1, 1, 1], [3, 0, 2], [6, 2, 2]] {
            let field = Field::<i32, 3>::from_fn(&device, [a, b, c], |[i, j, k]| ((i * b + j) * c + k) as i32)?;
            let field = field.with_layout(layout)?;
            in_shapes(field.view());
            in_shapes(field.t());
            for axes in [[0, 2, 1], [1, 0, 2], [2, 0, 1], [1, 2, 0]] {
                in_shapes(field.permuted_axes(axes)?);
            }
            in_shapes(field.view().invert_axis(0)?);
            in_shapes(field.view().invert_axis(2)?.invert_axis(1)?.invert_axis(0)?);
            in_shapes(field.slice(s![..;2, .., ..])?);
            in_shapes(field.slice(s![.., .., ..;2])?);
            in_shapes(field.slice(s![.., .., ..;-1])?);
            in_shapes(field.slice(s![.., .., c / 2..])?);
        }
        Ok(())
    }
    of_layout(Aos)?;
    of_layout(Soa)?;

    let device = Device::cpu();
    let mut field = Field::<Node, 2>::from_fn(&device, [3, 4], |[i, j]| Node::of(4 * i + j))?;
    let ids = field.member::<[i32; 2]>("id")?.view().reshape([2, 6])?.to_vec()?;
    assert_eq!(ids, (0..12).map(|k| [k, !k]).collect::<Vec<_>>());
    field.reshape_mut(12)?.set(7, Node::of(70))?;
    field.view_mut()?.invert_axis(1)?.flatten().unwrap_err();
    field
        .view_mut()?
        .invert_axis(0)?
        .invert_axis(1)?
        .flatten()?
        .set(0, Node::of(80))?;
    let expected = |k: usize| {
        Node::of(
            *[k, 70, 80]
                .get((k == 7) as usize + 2 * (k == 11) as usize)
                .unwrap_or(&k),
        )
    };
    assert_eq!(field.to_vec()?, (0..12).map(expected).collect::<Vec<_>>());
    let id = field.id();
    let field = field.into_shape([2, 3, 2])?;
    assert_eq!(
        (field.get([1, 0, 1])?, field.id(), field.nbytes()),
        (Node::of(70), id, 240)
    );
    assert_eq!(
        field.reshape([5, 2]).unwrap_err().to_string(),
        format!(
            "reshaping FieldView<{}, 3> {{ shape: [2, 3, 2], device: cpu }}: expected shape of 12 elements, got [5, 2]",
            Node::ty()
        )
    );
    assert!(matches!(
        field.into_shape([usize::MAX, 2]),
        Err(Error::SizeOverflow { .. })
    ));
    // As when a field is made, an axis of length 0 does not excuse the others.
    let empty = Field::<f32>::zeros(&device, 0)?;
    assert!(matches!(
        empty.reshape([0, usize::MAX, 2]),
        Err(Error::SizeOverflow { .. })
    ));
    assert!(matches!(empty.reshape([1, 2]), Err(Error::Shape { .. })));
    assert_eq!(empty.into_shape([3, 0])?.shape(), [3, 0]);
    Ok(())
}

#[test]
fn broadcast_without_a_copy() -> Result<()> {
    fn check<const D: usize, const E: usize, L: FieldLayout>(
        layout: L,
        from: [usize; D],
        to: [usize; E],
    ) -> Result<()> {
        let field = counted::<f32, D, L>(from, 0, layout);
        let array = ndarray::ArrayD::from_shape_vec(ndarray::IxDyn(&from), field.to_vec()?).unwrap();
        match (array.broadcast(ndarray::IxDyn(&to)), field.broadcast(to)) {
            (Some(expected), Ok(view)) => {
                assert_eq!(view.shape(), to);
                assert!(view.to_vec()?.iter().eq(&expected));
                assert_eq!(view.try_clone()?.to_vec()?, view.to_vec()?);
                assert!(view.t().to_vec()?.iter().eq(expected.t()));
            }
            (None, Err(Error::Shape { .. })) => {}
            (expected, got) => panic!("{from:?} as {to:?}: {} {}", expected.is_some(), got.is_ok()),
        }
        Ok(())
    }
    fn in_layout<L: FieldLayout>(layout: L) -> Result<()> {
        for to in [[3, 4], [1, 4], [4, 3], [0, 4], [17, 33]] {
            check(layout, [4], to)?;
            check(layout, [1], to)?;
            check(layout, [], to)?;
            check(layout, [1, 4], to)?;
            check(layout, [3, 1], to)?;
            check(layout, [3, 4], to)?;
            check(layout, [0, 1], to)?;
            check(layout, [1, 3, 4], to)?;
            check(layout, [17, 1], [2, to[0], to[1]])?;
        }
        check(layout, [], [])?;
        check(layout, [2, 1, 3], [5, 1, 2, 7, 3])
    }
    in_layout(Aos)?;
    in_layout(Soa)?;
    let field = counted::<f32, 1, Aos>([1], 0, Aos);
    // Too many to count, and as many as may be.
    assert!(matches!(
        field.broadcast([usize::MAX, 2]),
        Err(Error::SizeOverflow { .. })
    ));
    assert!(matches!(
        field.broadcast([0, usize::MAX, 2]),
        Err(Error::SizeOverflow { .. })
    ));
    let sentence = |error: Error| error.to_string();
    let too_large = "shape [18446744073709551615, 2] with elements of 4 bytes is larger than memory can be";
    assert_eq!(
        field.broadcast([usize::MAX, 2]).map_err(sentence).err().unwrap(),
        too_large
    );
    assert_eq!(
        field.reshape([usize::MAX, 2]).map_err(sentence).err().unwrap(),
        too_large
    );
    assert_eq!(field.broadcast([1 << 30, 1 << 30])?.get([1 << 29, 77])?, 0.5);
    // Elements that can be counted, of more scalars than that.
    let vectors = Field::<Vec3>::full(&Device::cpu(), 1, Vec3::splat(1.0))?;
    let many = vectors.broadcast([usize::MAX / 3 + 1])?;
    assert!(matches!(many.to_ndarray(), Err(Error::SizeOverflow { .. })));
    let lists = Field::<[u8; 4]>::full(&Device::cpu(), 1, [1; 4])?.with_layout(Soa)?;
    let many = lists.broadcast([1 << 31, 1 << 31])?;
    assert!(matches!(many.to_ndarray(), Err(Error::SizeOverflow { .. })));
    assert!(matches!(many.to_vec(), Err(Error::OutOfMemory { .. })));
    Ok(())
}

/// What has no elements to move asks for no memory, and ends at once.
#[test]
fn nothing_is_moved_for_nothing() -> Result<()> {
    let device = Device::cpu();
    let none = Field::<u32>::zeros(&device, 0)?;
    let one = Field::<u32>::from_slice(&device, &[1])?;
    let wide = Field::<i32, 2>::zeros(&device, [1 << 40, 0])?;
    assert_eq!(wide.select(0, &none)?.shape(), [0, 0]);
    assert_eq!(wide.select(0, &one)?.shape(), [1, 0]);
    assert!(matches!(
        Field::<i32, 2>::zeros(&device, [3, 0])?.select(1, &one),
        Err(Error::Position {
            position: 1,
            length: 0,
            ..
        })
    ));
    let empty = Field::<[f32; 0]>::zeros(&device, 1 << 40)?;
    assert_eq!(empty.take(&one)?.shape(), [1]);
    assert!(matches!(
        Field::<[f32; 0]>::zeros(&device, 1)?.take(&one),
        Err(Error::Position { .. })
    ));
    assert_eq!(
        Field::<[f32; 0]>::zeros(&device, 1 << 52)?.with_layout(Soa)?.shape(),
        [1 << 52]
    );
    Ok(())
}

#[test]
fn elements_where_they_are() -> Result<()> {
    let device = Device::cpu();
    for n in [0, 1, 3, 17, 1000] {
        let mut field = counted::<Node, 1, Aos>([n], 0, Aos);
        assert_eq!(field.as_slice()?, field.to_vec()?);
        let clone = field.try_clone()?;
        let address = field.as_slice()?.as_ptr();
        for (k, node) in field.as_mut_slice()?.iter_mut().enumerate() {
            *node = Node::of(2 * k + 1);
        }
        // The clone keeps what it had.
        assert!(n == 0 || field.as_slice()?.as_ptr() != address);
        assert!(field.to_vec()?.into_iter().eq((0..n).map(|k| Node::of(2 * k + 1))));
        assert!(clone.as_slice()?.iter().copied().eq((0..n).map(Node::of)));
    }
    let mut field = Field::<i32, 3>::from_fn(&device, [2, 1, 3], |[i, _, k]| (10 * i + k) as i32)?;
    assert_eq!(field.as_ndarray()?, ndarray::array![[[0, 1, 2]], [[10, 11, 12]]]);
    field.as_ndarray_mut()?.invert_axis(ndarray::Axis(2));
    field.as_ndarray_mut()?[[1, 0, 2]] = 7;
    assert_eq!(field.to_vec()?, [0, 1, 2, 10, 11, 7]);
    assert_eq!(
        Field::<f64, 0>::full(&device, [], 2.5)?.as_ndarray()?.into_scalar(),
        &2.5
    );
    Ok(())
}

#[test]
fn elements_without_size_are_equal_at_once() {
    let many = Field::<[f32; 0]>::zeros(&Device::cpu(), 1 << 52).unwrap();
    assert!(many == many.try_clone().unwrap());
    let few = Field::<[f32; 0]>::zeros(&Device::cpu(), 3).unwrap();
    assert!(few != many && few == Field::zeros(&Device::cpu(), 3).unwrap());
}

/// Nothing is moved, and positions have to be right all the same.
#[test]
fn elements_without_size_are_written_at_once() -> Result<()> {
    let device = Device::cpu();
    let mut many = Field::<[f32; 0]>::zeros(&device, 1 << 40)?;
    many.view_mut()?.fill([])?;
    many.slice_mut(s![7..;3])?.fill([])?;
    let values = Field::zeros(&device, 2)?;
    many.put(&Field::from_slice(&device, &[5_u64, (1 << 40) - 1])?, &values)?;
    let error = many
        .put(&Field::from_slice(&device, &[5_u64, 1 << 40])?, &values)
        .unwrap_err();
    assert!(
        matches!(error, Error::Position { ref at, position: 0x100_0000_0000, .. } if at[..] == [1]),
        "{error}"
    );
    Ok(())
}

#[test]
fn a_member_of_another_type_of_the_same_name() {
    mod other {
        use swathe::prelude::*;

        #[derive(Element, Clone, Copy, Debug, Default)]
        pub struct Inner {
            pub x: f32,
        }
    }
    #[derive(Element, Clone, Copy, Debug, Default)]
    struct Inner {
        x: f32,
    }
    #[derive(Element, Clone, Copy, Debug, Default)]
    struct Outer {
        inner: Inner,
    }
    let field = Field::<Outer>::zeros(&Device::cpu(), 1).unwrap();
    assert_eq!(field.member::<f32>("inner.x").unwrap().get(0).unwrap(), 0.0);
    let error = field
        .member::<other::Inner>("inner")
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("::Inner`, not `") && error.contains("::other::Inner`"),
        "{error}"
    );
}
