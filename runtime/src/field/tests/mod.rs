//! Fields in the memory of a device that the host cannot address, and counts of allocations.

mod cow;
#[cfg(feature = "npy")]
mod files;
mod remote;

use ndarray::{Array2, Array3, Array4, Dimension, array, s};
use swathe_ir::{Member, Scalar, Struct, Type};

use crate::device::Device;
use crate::element::external::{Axes, External};
use crate::element::{Element, KernelType};
use crate::error::Error;
use crate::field::Field;
use crate::field::tests::remote::Remote;
use crate::kernel::KernelInfo;
use crate::launch::Launch;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Body {
    mass: f64,
    fixed: bool,
    charge: i16,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Atom {
    kind: u8,
    body: Body,
    force: f32,
}

fn structure(name: &str, size: usize, align: usize, members: Vec<(&str, Type, usize)>) -> Type {
    let member = |(name, ty, offset): (&str, Type, usize)| Member {
        name: name.to_owned(),
        ty,
        offset,
    };
    let members = members.into_iter().map(member).collect();
    Type::Struct(Box::new(Struct {
        name: name.to_owned(),
        path: format!("tests::{name}"),
        members,
        size,
        align,
    }))
}

// SAFETY: the offsets are those that rustc reports.
unsafe impl KernelType for Body {
    fn ty() -> Type {
        let members = vec![
            ("mass", f64::ty(), std::mem::offset_of!(Body, mass)),
            ("fixed", bool::ty(), std::mem::offset_of!(Body, fixed)),
            ("charge", i16::ty(), std::mem::offset_of!(Body, charge)),
        ];
        structure("Body", size_of::<Body>(), align_of::<Body>(), members)
    }
}

// SAFETY: as above.
unsafe impl KernelType for Atom {
    fn ty() -> Type {
        let members = vec![
            ("kind", u8::ty(), std::mem::offset_of!(Atom, kind)),
            ("body", Body::ty(), std::mem::offset_of!(Atom, body)),
            ("force", f32::ty(), std::mem::offset_of!(Atom, force)),
        ];
        structure("Atom", size_of::<Atom>(), align_of::<Atom>(), members)
    }
}

// SAFETY: numbers.
unsafe impl Element for Body {}
// SAFETY: numbers.
unsafe impl Element for Atom {}

fn atom(k: usize) -> Atom {
    let body = Body {
        mass: k as f64 + 0.5,
        fixed: k % 3 == 1,
        charge: -(k as i16),
    };
    Atom {
        kind: k as u8,
        body,
        force: 1.0 / (k as f32 + 1.0),
    }
}

fn devices() -> [Device; 2] {
    [Device::cpu(), Remote::device(usize::MAX).1]
}

#[test]
fn members() {
    for device in devices() {
        let [h, w] = [17, 3];
        let mut field = Field::from_fn(&device, [h, w], |[i, j]| atom(i * w + j)).unwrap();
        assert_eq!(field.get([2, 1]).unwrap(), atom(7));

        let masses = field.member::<f64>("body.mass").unwrap();
        assert_eq!(masses.shape(), [h, w]);
        assert_eq!(masses.get([16, 2]).unwrap(), 50.5);
        assert_eq!(
            masses.get([0, 3]).unwrap_err().to_string(),
            "no element at [0, 3] in a field of shape [17, 3]"
        );
        let expected = Array2::from_shape_fn([h, w], |(i, j)| (i * w + j) as f64 + 0.5);
        assert_eq!(masses.to_ndarray().unwrap(), expected);
        let mut transposed = Array2::zeros([w, h]);
        masses
            .copy_to_ndarray(&mut transposed.view_mut().reversed_axes())
            .unwrap();
        assert_eq!(transposed, expected.t());
        let text = masses.copy_to_ndarray(&mut transposed).unwrap_err().to_string();
        assert_eq!(
            text,
            "copying a member of type f64, in a field of shape [17, 3], into an array: expected shape [17, 3], got [3, 17]"
        );
        let fixed = field.member::<bool>("body.fixed").unwrap().to_ndarray().unwrap();
        assert_eq!(fixed, Array2::from_shape_fn([h, w], |(i, j)| (i * w + j) % 3 == 1));

        let mut charges = field.member_mut::<i16>("body.charge").unwrap();
        charges
            .copy_from_ndarray(&Array2::from_shape_fn([w, h], |(j, i)| (i * w + j) as i16 * 7).t())
            .unwrap();
        assert!(matches!(
            charges.copy_from_ndarray(&array![1, 2, 3]),
            Err(Error::Shape { .. })
        ));
        charges.set([0, 1], -99).unwrap();
        assert_eq!(charges.as_member().get([0, 1]).unwrap(), -99);
        field.member_mut::<f32>("force").unwrap().fill(0.25).unwrap();
        let body = Body {
            mass: -1.0,
            fixed: true,
            charge: 5,
        };
        field.member_mut::<Body>("body").unwrap().set([16, 2], body).unwrap();
        for (k, got) in field.to_vec().unwrap().into_iter().enumerate() {
            let mut expected = Atom { force: 0.25, ..atom(k) };
            expected.body.charge = if k == 1 { -99 } else { k as i16 * 7 };
            if k == h * w - 1 {
                expected.body = body;
            }
            assert_eq!(got, expected);
        }
    }
}

#[test]
fn wrong_members() {
    let field = Field::<Atom>::zeros(&Device::cpu(), 3).unwrap();
    let text = |e: Option<Error>| e.map_or_else(String::new, |e| e.to_string());
    assert_eq!(
        text(field.member::<f32>("mass").err()),
        "`Atom` has no member `mass`; it has `kind`, `body`, `force`"
    );
    assert_eq!(
        text(field.member::<f32>("body.weight").err()),
        "`Body` has no member `weight`; it has `mass`, `fixed`, `charge`"
    );
    assert_eq!(
        text(field.member::<f32>("force.x").err()),
        "`f32` has no member `x`; it has no members"
    );
    assert_eq!(
        text(field.member::<f32>("").err()),
        "`Atom` has no member ``; it has `kind`, `body`, `force`"
    );
    assert_eq!(
        text(field.member::<f32>("body.mass").err()),
        "member `body.mass` of `Atom` is of type `f64`, not `f32`"
    );
}

#[test]
fn of_a_member_alone_the_bytes_cross() {
    let (remote, device) = Remote::device(usize::MAX);
    let n = 1003;
    let mut field = Field::from_fn(&device, n, |[i]| atom(i)).unwrap();
    remote.forget();
    let masses = field.member::<f64>("body.mass").unwrap().to_ndarray().unwrap();
    assert!(masses.iter().enumerate().all(|(i, mass)| *mass == i as f64 + 0.5));
    let mut charges = field.member_mut::<i16>("body.charge").unwrap();
    charges
        .copy_from_ndarray(&ndarray::Array1::from_iter((0..1003).rev()))
        .unwrap();
    let mut forces = field.member_mut::<f32>("force").unwrap();
    forces
        .copy_from_ndarray_cast(&ndarray::Array1::from_iter(0..1003_i64).slice(s![..;-1]))
        .unwrap();
    assert_eq!(remote.largest(), n * 8);
    let expected: Vec<Atom> = (0..n)
        .map(|i| Atom {
            body: Body {
                charge: (n - 1 - i) as i16,
                ..atom(i).body
            },
            force: (n - 1 - i) as f32,
            ..atom(i)
        })
        .collect();
    assert_eq!(field.to_vec().unwrap(), expected);
    drop(field);
    assert_eq!(remote.live(), 0);
}

#[test]
fn freed_on_drop() {
    let (remote, device) = Remote::device(1000);
    let field = Field::<f32, 2>::zeros(&device, [10, 7]).unwrap();
    assert_eq!(remote.live(), 280);
    assert!(matches!(field.as_slice(), Err(Error::NotOnHost { .. })));
    let mut copy = field.try_clone().unwrap();
    assert_eq!(remote.live(), 280);
    copy.set([9, 6], 0.0).unwrap();
    assert_eq!(remote.live(), 560);
    assert!(Field::full(&device, 0, 1_u8).unwrap().is_empty());
    let error = Field::full(&device, 56, 1.0).unwrap_err();
    assert_eq!(error.to_string(), "out of memory: 448 bytes on remote");
    assert!(Field::<f32, 2>::from_ndarray(&device, &Array3::zeros([1, 2, 3])).is_err());
    drop(field);
    assert_eq!(remote.live(), 280);
    assert_eq!(copy.to_vec().unwrap(), vec![0.0; 70]);
    drop(copy);
    assert_eq!(remote.live(), 0);
}

#[test]
fn arguments_on_two_devices() {
    static INFO: KernelInfo = KernelInfo {
        name: "add",
        file: "a.rs",
        line: 1,
        arithmetic: crate::kernel::Arithmetic::Contracted,
        optimised: true,
        sites: &[],
        files: &[],
        loops: &[],
    };
    let (_, remote) = Remote::device(usize::MAX);
    let here = Field::<f32>::zeros(&Device::cpu(), 3).unwrap();
    let there = Field::<f64, 2>::zeros(&remote, [3, 3]).unwrap();
    let mut launch = Launch::new(&INFO);
    launch
        .argument("a", crate::parameter::place_of::<Field<f32>, _>(&here))
        .unwrap();
    launch
        .argument("b", crate::parameter::place_of::<Field<f32>, _>(&here))
        .unwrap();
    let error = launch
        .argument("c", crate::parameter::place_of::<Field<f64, 2>, _>(&there))
        .unwrap_err();
    assert_eq!(error.to_string(), "kernel `add`: `a` is on cpu, but `c` is on remote");
    assert!(launch.device().is_cpu());
}

#[test]
fn between_devices() {
    let (remote, first) = Remote::device(usize::MAX);
    let (_, second) = Remote::device(usize::MAX);
    assert_ne!(first, second);
    let n = 1_500_001;
    let source = Field::from_fn(&first, n, |[i]| i as f64).unwrap();
    for device in [&first, &second, &Device::cpu()] {
        let mut copy = Field::zeros(device, n).unwrap();
        copy.copy_from(&source).unwrap();
        assert!(
            copy.to_vec()
                .unwrap()
                .into_iter()
                .enumerate()
                .all(|(i, x)| x == i as f64)
        );
        let mut back = Field::zeros(&first, n).unwrap();
        back.copy_from(&copy).unwrap();
        assert_eq!(back.get(n - 1).unwrap(), (n - 1) as f64);
    }
    assert!(remote.largest() >= n * 8);
}

/// Arrays with other strides pass in blocks, not through a second whole copy.
#[test]
fn blocks_of_large_arrays() {
    let (remote, device) = Remote::device(usize::MAX);
    let shape = [3, 701, 1003];
    let value = |i: usize, j: usize, k: usize| ((i * 701 + j) * 1003 + k) as f32;
    let array = Array3::from_shape_fn((1003, 701, 3), |(k, j, i)| value(i, j, k));
    let field = Field::<f32, 3>::from_ndarray(&device, &array.view().reversed_axes()).unwrap();
    assert_eq!(field.shape(), shape);
    let mut back = Array3::zeros((1003, 701, 3));
    field.copy_to_ndarray(&mut back.view_mut().reversed_axes()).unwrap();
    assert_eq!(back, array);
    assert!(remote.largest() <= 4 << 20);
    let plain = field.to_ndarray().unwrap();
    assert_eq!(plain, array.view().reversed_axes());
    assert_eq!(plain[[2, 700, 1002]], value(2, 700, 1002));
    assert_eq!(plain.slice(s![.., 3, ..]).shape(), [3, 1003]);
}

/// Two rows of three numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Block([[f64; 3]; 2]);

// SAFETY: two rows of three numbers.
unsafe impl KernelType for Block {
    fn ty() -> Type {
        Type::Matrix(Scalar::F64, 2, 3)
    }
}

// SAFETY: numbers.
unsafe impl Element for Block {}

// SAFETY: six numbers in row-major order.
unsafe impl External for Block {
    type Scalar = f64;
    type Dim<E: Dimension> = <E::Larger as Dimension>::Larger;
    type Rest<E: Dimension> = <E::Smaller as Dimension>::Smaller;
    const AXES: Axes = Axes::NONE.after(3).after(2);
}

#[test]
fn elements_of_several_scalars() {
    for device in devices() {
        let value = |i, j, r, c| (((i * 7 + j) * 2 + r) * 3 + c) as f64;
        let array = Array4::from_shape_fn((5, 7, 2, 3), |(i, j, r, c)| value(i, j, r, c));
        let mut field = Field::<Block, 2>::from_ndarray(&device, &array).unwrap();
        assert_eq!(field.shape(), [5, 7]);
        let block = |i, j| Block([0, 1].map(|r| [0, 1, 2].map(|c| value(i, j, r, c))));
        assert_eq!(field.get([3, 6]).unwrap(), block(3, 6));
        assert_eq!(field.to_ndarray().unwrap(), array);

        // Axes of the element before those of the field in memory, and one of each reversed.
        let mut turned = Array4::zeros((3, 7, 2, 5));
        let mut view = turned.view_mut().permuted_axes([3, 1, 2, 0]);
        view.invert_axis(ndarray::Axis(1));
        view.invert_axis(ndarray::Axis(3));
        field.copy_to_ndarray(&mut view).unwrap();
        assert_eq!(view, array);
        field.fill(Block([[0.0; 3]; 2])).unwrap();
        field.copy_from_ndarray(&view).unwrap();
        assert_eq!(field.to_ndarray().unwrap(), array);
        assert_eq!(turned[[0, 2, 1, 4]], value(4, 4, 1, 2));

        let empty = Field::<Block>::from_ndarray(&device, &Array3::zeros((0, 2, 3))).unwrap();
        assert_eq!(empty.to_ndarray().unwrap().shape(), [0, 2, 3]);
        let error = Field::<Block>::from_ndarray(&device, &Array3::zeros((4, 3, 2)))
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "making a Field<Matrix<f64, 2, 3>, 1> of an array: expected shape [_, 2, 3], got [4, 3, 2]"
        );
        let error = field
            .copy_from_ndarray(&array.slice(s![.., .., .., ..2]))
            .unwrap_err()
            .to_string();
        assert!(
            error.ends_with("expected shape [5, 7, 2, 3], got [5, 7, 2, 2]"),
            "{error}"
        );
        assert_eq!(field.to_ndarray().unwrap(), array);
    }
}

/// Two lines of a cache.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(128))]
struct Lines([f64; 3]);

// SAFETY: three numbers, and space after them.
unsafe impl KernelType for Lines {
    fn ty() -> Type {
        Type::Array(Box::new(Type::Scalar(Scalar::F64)), 16)
    }
}

// SAFETY: numbers.
unsafe impl Element for Lines {}

#[test]
fn elements_are_no_more_aligned_than_memory() {
    for device in devices() {
        for result in [
            Field::<Lines>::zeros(&device, 3),
            Field::from_fn(&device, 0, |_| Lines([1.0; 3])),
        ] {
            let error = result.unwrap_err();
            assert!(matches!(&error, Error::Alignment { align: 128, .. }), "{error}");
            assert_eq!(
                error.to_string(),
                "`[f64; 16]` is aligned to 128 bytes; an element of a field is to 64 at most"
            );
        }
    }
}

#[test]
fn a_call_on_two_devices_holds_them_in_one_order() {
    let (remote, first) = Remote::device(usize::MAX);
    let (other, second) = Remote::device(usize::MAX);
    let [a, b] = [&first, &second].map(|device| Field::<i32>::zeros(device, 5).unwrap());
    assert!(a == b);
    assert_eq!([remote.held(), other.held()], [[[]], [[]]], "no graph refers to them");

    // To one of them.
    other.record();
    let mut order = [remote, other].map(|remote| std::ptr::from_ref(remote).addr());
    order.sort_unstable();
    for equal in [a == b, b == a] {
        assert!(equal);
    }
    for held in remote.held().into_iter().chain(other.held()) {
        assert_eq!(held[..2], order);
    }
}
