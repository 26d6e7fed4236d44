//! Fields of structs and dictionaries of arrays.

use ndarray::{
    Array, Array0, Array1, Array2, Array3, Array4, ArrayD, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, IxDyn, array, s,
};
use swathe::prelude::*;
use swathe::{AnyArray, Arrays, DType, Entry, Error, Soa};

#[path = "devices/mod.rs"]
mod devices;
use devices::devices;

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Cell {
    a: i32,
    b: Vec3,
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Body {
    mass: f64,
    fixed: bool,
    charge: i16,
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Spring {
    rest: f32,
    ends: [u16; 2],
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Inner {
    body: Body,
    springs: [Spring; 3],
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Atom {
    kind: u8,
    inner: Inner,
    stress: Matrix<f64, 3, 4>,
    id: u64,
}

fn atom(k: usize) -> Atom {
    let spring = |n: usize| Spring {
        rest: (k * 3 + n) as f32 + 0.25,
        ends: [(k * 6 + 2 * n) as u16, (k * 6 + 2 * n + 1) as u16],
    };
    Atom {
        kind: (k % 251) as u8,
        inner: Inner {
            body: Body {
                mass: k as f64 * 1e100,
                fixed: k % 3 == 1,
                charge: -(k as i16),
            },
            springs: [spring(0), spring(1), spring(2)],
        },
        stress: Matrix::from_array([0, 1, 2].map(|r| [0, 1, 2, 3].map(|c| ((k * 3 + r) * 4 + c) as f64 - 7.5))),
        id: u64::MAX - k as u64,
    }
}

/// The arrays that a field of `atom`s of this shape is, with the element's number computed from the position.
fn atoms(shape: &[usize]) -> Arrays<'static> {
    let number = |position: &[usize]| position.iter().zip(shape).fold(0, |k, (i, n)| k * n + i);
    let rank = shape.len();
    let with = |axes: &[usize]| IxDyn(&[shape, axes].concat());
    let body = Arrays::new()
        .with(
            "mass",
            ArrayD::from_shape_fn(with(&[]), |p| number(p.slice()) as f64 * 1e100),
        )
        .with(
            "fixed",
            ArrayD::from_shape_fn(with(&[]), |p| number(p.slice()) % 3 == 1),
        )
        .with(
            "charge",
            ArrayD::from_shape_fn(with(&[]), |p| -(number(p.slice()) as i16)),
        );
    let springs = Arrays::new()
        .with(
            "rest",
            ArrayD::from_shape_fn(with(&[3]), |p| {
                let p = p.slice().to_vec();
                (number(&p[..rank]) * 3 + p[rank]) as f32 + 0.25
            }),
        )
        .with(
            "ends",
            ArrayD::from_shape_fn(with(&[3, 2]), |p| {
                let p = p.slice().to_vec();
                (number(&p[..rank]) * 6 + p[rank] * 2 + p[rank + 1]) as u16
            }),
        );
    Arrays::new()
        .with(
            "kind",
            ArrayD::from_shape_fn(with(&[]), |p| (number(p.slice()) % 251) as u8),
        )
        .with("inner", Arrays::new().with("body", body).with("springs", springs))
        .with(
            "stress",
            ArrayD::from_shape_fn(with(&[3, 4]), |p| {
                let p = p.slice().to_vec();
                ((number(&p[..rank]) * 3 + p[rank]) * 4 + p[rank + 1]) as f64 - 7.5
            }),
        )
        .with(
            "id",
            ArrayD::from_shape_fn(with(&[]), |p| u64::MAX - number(p.slice()) as u64),
        )
}

fn round_trip<const D: usize>(device: &Device, shape: [usize; D]) -> swathe::Result<()> {
    let mut k = 0;
    let field = Field::<Atom, D>::from_fn(device, shape, |_| {
        k += 1;
        atom(k - 1)
    })?;
    let expected = atoms(&shape);
    assert_eq!(field.to_arrays()?, expected);
    let back = Field::<Atom, D>::from_arrays(device, &expected)?;
    assert_eq!(back.shape(), shape);
    assert_eq!(back.to_vec()?, field.to_vec()?);

    // The same arrays in other memory orders: axes reversed, every second element, backwards.
    let mut turned = Arrays::new();
    for (path, array) in expected.flat() {
        turned.insert_path(&path, twisted(array))?;
    }
    let mut again = Field::<Atom, D>::full(device, shape, atom(77))?;
    again.copy_from_arrays(&turned)?;
    assert_eq!(again.to_vec()?, field.to_vec()?);
    Ok(())
}

/// An equal array whose memory is in another order.
fn twisted(array: &AnyArray<'_>) -> AnyArray<'static> {
    fn twist<T: swathe::ArrayScalar>(array: &AnyArray<'_>) -> AnyArray<'static> {
        let array = array.view::<T, IxDyn>().unwrap();
        let mut copy: ArrayD<T> =
            Array::from_shape_vec(array.t().raw_dim(), array.t().iter().copied().collect()).unwrap();
        copy = copy.reversed_axes();
        for axis in 0..copy.ndim() {
            let mut reversed = copy.clone();
            reversed.invert_axis(ndarray::Axis(axis));
            copy = reversed.as_standard_layout().into_owned();
            copy.invert_axis(ndarray::Axis(axis));
        }
        assert_eq!(copy, array);
        copy.into()
    }
    match array.dtype() {
        DType::U8 => twist::<u8>(array),
        DType::U16 => twist::<u16>(array),
        DType::I16 => twist::<i16>(array),
        DType::Bool => twist::<bool>(array),
        DType::U64 => twist::<u64>(array),
        DType::F32 => twist::<f32>(array),
        DType::F64 => twist::<f64>(array),
        other => panic!("{other}"),
    }
}

#[test]
fn nested_structs_of_every_rank() -> swathe::Result<()> {
    for device in devices() {
        round_trip(&device, [])?;
        for n in [0, 1, 3, 17, 1000] {
            round_trip(&device, [n])?;
            round_trip(&device, [n, 3])?;
        }
        round_trip(&device, [5, 1, 7])?;
        round_trip(&device, [2, 3, 5, 3])?;
    }
    Ok(())
}

#[test]
fn a_large_field() -> swathe::Result<()> {
    for device in devices() {
        let (h, w) = (256, 512);
        let a = Array2::from_shape_fn((h, w), |(i, j)| (i * w + j) as i32 - 9);
        let b = Array3::from_shape_fn((h, w, 3), |(i, j, k)| ((i * w + j) * 3 + k) as f32);
        let mut field = Field::<Cell, 2>::from_arrays(&device, &Arrays::new().with("b", &b).with("a", &a))?;
        let cell = field.get([100, 333])?;
        let k = (100 * w + 333) as f32;
        assert_eq!(
            (cell.a, cell.b),
            (k as i32 - 9, Vec3::new(3.0 * k, 3.0 * k + 1.0, 3.0 * k + 2.0))
        );
        let out = field.to_arrays()?;
        assert_eq!(out.names().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(out.array::<i32, Ix2>("a")?, a);
        assert_eq!(out.array::<f32, Ix3>("b")?, b);
        assert!(out.array::<f32, Ix3>("b")?.is_standard_layout());

        // Views: a column of a wider array, the planes of one that has components first, and a transpose.
        let wide = Array2::from_shape_fn((h, 3 * w), |(i, j)| (i * 3 * w + j) as i32);
        let planes = Array3::from_shape_fn((3, w, h), |(k, j, i)| ((k * w + j) * h + i) as f32);
        let arrays = Arrays::new()
            .with("a", wide.slice(s![..;-1, 1..;3]))
            .with("b", planes.view().permuted_axes([2, 1, 0]));
        field.copy_from_arrays(&arrays)?;
        for [i, j] in [[0, 0], [255, 511], [17, 400]] {
            let cell = field.get([i, j])?;
            assert_eq!(cell.a as usize, (255 - i) * 3 * w + 1 + 3 * j);
            assert_eq!(cell.b.to_array(), [0, 1, 2].map(|k| ((k * w + j) * h + i) as f32));
        }
    }
    Ok(())
}

#[test]
fn members_that_are_structs() -> swathe::Result<()> {
    for device in devices() {
        let mut field = Field::from_fn(&device, 17, |[k]| atom(k))?;
        let out = field.member::<Body>("inner.body")?.to_arrays()?;
        assert_eq!(
            out.array::<i16, Ix1>("charge")?,
            Array1::from_shape_fn(17, |k| -(k as i16))
        );
        let inner = field.member::<Inner>("inner")?.to_arrays()?;
        assert_eq!(inner.array::<u16, Ix3>("springs.ends")?[[16, 2, 1]], 16 * 6 + 5);
        let springs = field.member::<[Spring; 3]>("inner.springs")?.to_arrays()?;
        assert_eq!(springs.array::<f32, Ix2>("rest")?.shape(), [17, 3]);

        let body = Arrays::new()
            .with("charge", Array1::from_shape_fn(17, |k| k as i16 * 3))
            .with("mass", Array1::from_shape_fn(17, |k| k as f64 + 0.5))
            .with("fixed", Array1::from_shape_fn(17, |k| k % 2 == 0));
        field.member_mut::<Body>("inner.body")?.copy_from_arrays(&body)?;
        for k in 0..17 {
            let mut expected = atom(k);
            expected.inner.body = Body {
                mass: k as f64 + 0.5,
                fixed: k % 2 == 0,
                charge: k as i16 * 3,
            };
            assert_eq!(field.get(k)?, expected);
        }
        let short = body.with("mass", Array1::<f64>::zeros(16));
        let error = field
            .member_mut::<Body>("inner.body")?
            .copy_from_arrays(&short)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "copying arrays into a member of type Body, in a field of shape [17]: `mass`: expected shape [17], got [16]"
        );
        assert_eq!(field.get(16)?.inner.body.mass, 16.5);
    }
    Ok(())
}

#[test]
fn all_faults_at_once() -> swathe::Result<()> {
    for device in devices() {
        let mut field = Field::<Atom, 2>::from_fn(&device, [2, 3], |[i, j]| atom(i * 3 + j))?;
        let before = field.to_vec()?;
        let body = Arrays::new()
            .with("mass", Array2::<f32>::zeros((2, 3)))
            .with("charge", Array1::<i64>::zeros(6))
            .with("colour", Array2::<u8>::zeros((2, 3)));
        let wrong = Arrays::new()
            .with("kind", Arrays::new())
            .with(
                "inner",
                Arrays::new()
                    .with("body", body)
                    .with("springs", Array2::<u8>::zeros((2, 3))),
            )
            .with("stress", Array4::<f64>::zeros((2, 3, 4, 3)))
            .with("temperature", Arrays::new().with("kelvin", Array0::<f32>::zeros(())));
        let text = "`kind`: expected one array, got the arrays of a struct; \
            `inner.body.mass`: expected scalars of type f64, got f32; \
            `inner.body.fixed` is missing; \
            `inner.body.charge`: expected shape [2, 3], got [6]; \
            `inner.body.charge`: expected scalars of type i16, got i64; \
            `inner.body.colour` is not a member; \
            `inner.springs`: expected the arrays of a struct, got one array; \
            `stress`: expected shape [2, 3, 3, 4], got [2, 3, 4, 3]; \
            `id` is missing; \
            `temperature` is not a member";
        let error = field.copy_from_arrays(&wrong).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("copying arrays into {}: {text}", field.describe())
        );
        let Error::Arrays { faults, .. } = error else {
            panic!("{error:?}")
        };
        assert_eq!(faults.len(), 10);
        assert_eq!(field.to_vec()?, before);

        let error = Field::<Atom, 2>::from_arrays(&device, &wrong).unwrap_err().to_string();
        let unknown = text
            .replace("[2, 3], got", "[_, _], got")
            .replace("[2, 3, 3, 4], got", "[_, _, 3, 4], got");
        // The first array whose shape is possible gives the shape; here it is that of the mass.
        assert_ne!(unknown, text);
        assert_eq!(error, format!("making a Field<Atom, 2> of arrays: {text}"));

        let error = Field::<Cell, 2>::from_arrays(&device, &Arrays::new().with("a", array![1, 2]));
        assert_eq!(
            error.unwrap_err().to_string(),
            "making a Field<Cell, 2> of arrays: `a`: expected shape [_, _], got [2]; `b` is missing"
        );
        let error = Field::<Cell, 1>::from_arrays(
            &device,
            &Arrays::new()
                .with("a", array![1, 2])
                .with("b", Array2::<f32>::zeros((3, 3))),
        );
        assert_eq!(
            error.unwrap_err().to_string(),
            "making a Field<Cell, 1> of arrays: `b`: expected shape [2, 3], got [3, 3]"
        );
        let scalars = Field::<f32>::zeros(&device, 3)?;
        assert_eq!(
            scalars.to_arrays().unwrap_err().to_string(),
            "`f32` has no members to exchange with a dictionary of arrays; use `to_ndarray`"
        );
    }
    Ok(())
}

#[test]
fn dictionaries() -> swathe::Result<()> {
    let owner = array![[1.0_f64, 2.0], [3.0, 4.0]];
    let mut arrays = Arrays::new()
        .with("x", &owner)
        .with("y", owner.column(1))
        .with("z", array![true]);
    arrays.insert_path("body.spin.axis", Array0::from_elem((), 7_u8))?;
    assert_eq!(arrays.array::<f64, Ix2>("x")?.as_ptr(), owner.as_ptr());
    assert_eq!(arrays.array::<f64, Ix1>("y")?.as_ptr(), &raw const owner[[0, 1]]);
    assert_eq!(arrays.array::<u8, Ix0>("body.spin.axis")?.into_scalar(), &7);
    let paths: Vec<String> = arrays.flat().into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["x", "y", "z", "body.spin.axis"]);
    assert!(matches!(arrays.get("body.spin"), Some(Entry::Arrays(inner)) if inner.len() == 1));
    assert_eq!(arrays.get("x.y"), None);

    let text = |result: swathe::Result<()>| result.unwrap_err().to_string();
    assert_eq!(
        text(arrays.array::<f32, Ix2>("x").map(drop)),
        "reading an array of shape [2, 2]: expected scalars of type f32, got f64"
    );
    assert_eq!(
        text(arrays.array::<f64, Ix1>("x").map(drop)),
        "expected an array of 1 axis, got shape [2, 2]"
    );
    let missing = "there is no array `w`; there are `x`, `y`, `z`, `body.spin.axis`";
    assert_eq!(text(arrays.array::<f64, Ix4>("w").map(drop)), missing);
    assert_eq!(
        text(arrays.insert_path("x.y", array![1_u8])),
        "no array can be put at `x.y`: there is an array at `x`"
    );
    assert_eq!(
        text(arrays.insert_path("body.spin.axis.x.y", array![1_u8])),
        "no array can be put at `body.spin.axis.x.y`: there is an array at `body.spin.axis`"
    );
    assert_eq!(
        text(arrays.insert_path("body.spin", array![1_u8])),
        "no array can be put at `body.spin`: there is a dictionary of arrays"
    );
    assert_eq!(
        text(Arrays::new().insert_path(&"a.".repeat(64), array![1_u8])),
        // A long name is cut.
        format!(
            "no array can be put at `{}a...`: that has more than 64 names",
            "a.".repeat(49)
        )
    );
    assert_eq!(
        text(arrays.take::<i8, Ix1>("z").map(drop)),
        "reading an array of shape [1]: expected scalars of type i8, got bool"
    );
    assert_eq!(arrays.take::<bool, Ix1>("z")?, array![true]);
    assert_eq!(arrays.names().collect::<Vec<_>>(), ["x", "y", "body"]);
    assert_eq!(arrays.insert("x", array![5_i8]), Some(Entry::from(&owner)));
    Ok(())
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
#[repr(i16)]
enum Phase {
    Gas = -1,
    Liquid = 0,
    Solid = 300,
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
enum Other {
    A,
    B,
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Grain {
    mass: f64,
    phase: Phase,
    sides: [Other; 3],
}

fn grain(k: usize) -> Grain {
    let side = |n: usize| if (k + n).is_multiple_of(3) { Other::B } else { Other::A };
    Grain {
        mass: k as f64 + 0.5,
        phase: [Phase::Solid, Phase::Gas, Phase::Liquid][k % 3],
        sides: [side(0), side(1), side(5)],
    }
}

/// Members that are enums are integers in arrays, of which not every one is a value.
#[test]
fn enums_are_looked_at() -> swathe::Result<()> {
    for device in devices() {
        for n in [0, 1, 3, 17, 1000] {
            let values: Vec<Grain> = (0..n).map(grain).collect();
            let grains = Field::from_slice(&device, &values)?;
            let arrays = grains.to_arrays()?;
            let phases: Vec<i16> = (0..n).map(|k| [300, -1, 0][k % 3]).collect();
            assert_eq!(arrays.array::<i16, Ix1>("phase")?.to_vec(), phases);
            let sides = arrays.array::<u8, Ix2>("sides")?;
            let expected = Array2::from_shape_fn((n, 3), |(k, n)| u8::from((k + [0, 1, 5][n]).is_multiple_of(3)));
            assert_eq!(sides, expected);
            assert_eq!(Field::<Grain>::from_arrays(&device, &arrays)?.to_vec()?, values);
            let mut planes = Field::<Grain>::zeros(&device, n)?.with_layout(swathe::Soa)?;
            planes.copy_from_arrays(&arrays)?;
            assert_eq!(planes.to_vec()?, values);
            assert_eq!(planes.to_arrays()?, arrays);
        }

        let mut grains = Field::from_slice(&device, &(0..17).map(grain).collect::<Vec<_>>())?;
        let with = |phase: i16, side: u8| {
            let mut arrays = Arrays::new();
            let mut sides = Array2::zeros((17, 3));
            sides[[16, 2]] = side;
            let mut phases = Array1::zeros(17);
            phases[11] = phase;
            arrays.insert("mass", Array1::<f64>::zeros(17));
            arrays.insert("phase", phases);
            arrays.insert("sides", sides);
            arrays
        };
        let error = grains.copy_from_arrays(&with(1, 2)).unwrap_err().to_string();
        let faults = "`phase`: 1 is no value of the enum `Phase`; `sides`: 2 is no value of the enum `Other`";
        assert!(error.ends_with(faults), "{error}");
        let error = Field::<Grain>::from_arrays(&device, &with(44, 1))
            .unwrap_err()
            .to_string();
        assert!(
            error.ends_with("`phase`: 44 is no value of the enum `Phase`"),
            "{error}"
        );
        assert_eq!(grains.get(11)?, grain(11));
        grains.copy_from_arrays(&with(-1, 1))?;
        assert_eq!(
            (grains.get(11)?.phase, grains.get(16)?.sides[2]),
            (Phase::Gas, Other::B)
        );

        // It is no integer: a member of that type could be set to any.
        let error = grains.member_mut::<i16>("phase").map(drop).unwrap_err();
        assert_eq!(
            error.to_string(),
            "member `phase` of `Grain` is of type `Phase`, not `i16`"
        );
        assert!(grains.member::<Other>("phase").is_err());
        grains.member_mut::<Phase>("phase")?.fill(Phase::Solid)?;
        assert_eq!(grains.member::<Phase>("phase")?.get(3)?, Phase::Solid);
        assert!(grains.member::<u8>("phase.0").is_err());
    }
    Ok(())
}

/// Of elements without numbers: the lengths of arrays in them are not multiplied.
#[test]
fn elements_of_no_numbers_are_read() -> swathe::Result<()> {
    type Nothing = [[[f32; 0]; 1 << 40]; 1 << 40];
    let mut field = Field::<Nothing>::zeros_in(&Device::cpu(), 3, Soa)?;
    let nothing = field.get(1)?;
    assert_eq!(nothing.len(), 1 << 40);
    field.set(2, nothing)?;
    assert!(field.get(3).is_err());
    Ok(())
}
