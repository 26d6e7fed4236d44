//! Fields from and to NumPy's files.

use std::marker::PhantomData;

use ndarray::{Array2, Array3, ArrayD, IxDyn};
use swathe::prelude::*;
use swathe::{AnyArray, ArrayScalar, Arrays, Cast, Complex, DType, Error, External, bf16, f16};
use swathe_tests::python;

#[path = "devices/mod.rs"]
mod devices;
use devices::devices;

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Body {
    mass: f64,
    fixed: bool,
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Particle {
    pos: Vec3,
    id: u64,
    body: Body,
}

fn particle(k: usize) -> Particle {
    Particle {
        pos: Vec3::new(k as f32, k as f32 + 0.25, -(k as f32)),
        id: u64::MAX - k as u64,
        body: Body {
            mass: k as f64 * 1e100,
            fixed: k % 3 == 1,
        },
    }
}

/// Calls a macro's body for each scalar type.
macro_rules! each_scalar {
    ($check:ident) => {
        $check!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64)
    };
}

fn numbered<T: ArrayScalar>(shape: &[usize]) -> ArrayD<T>
where
    u64: Cast<T>,
{
    let mut k = 0_u64;
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        k += 1;
        // For booleans, neither constant nor alternating.
        let value = if T::DTYPE == DType::Bool {
            u64::from(k % 3 == 2)
        } else {
            k - 1
        };
        value.cast()
    })
}

fn round_trip<T: ArrayScalar + External<Scalar = T>, const D: usize>(
    device: &Device,
    shape: [usize; D],
) -> swathe::Result<()>
where
    u64: Cast<T>,
    ndarray::Dim<[usize; D]>: ndarray::Dimension,
{
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("array.npy");
    let array = numbered::<T>(&shape);
    let field = Field::<T, D>::from_any(device, &AnyArray::from(&array))?;
    field.write_npy(&path)?;
    assert_eq!(AnyArray::read_npy(&path)?, AnyArray::from(&array));
    let back = Field::<T, D>::read_npy(device, &path)?;
    assert_eq!(back.to_ndarray()?.into_dyn(), array);
    Ok(())
}

#[test]
fn npy_of_every_type_and_rank() -> swathe::Result<()> {
    for device in &devices() {
        macro_rules! check {
            ($($t:ident)*) => {$(
                round_trip::<$t, 0>(device, [])?;
                round_trip::<$t, 1>(device, [17])?;
                round_trip::<$t, 2>(device, [3, 0])?;
                round_trip::<$t, 3>(device, [2, 3, 5])?;
                round_trip::<$t, 4>(device, [3, 1, 2, 3])?;
            )*};
        }
        each_scalar!(check);
    }
    Ok(())
}

#[test]
fn npz_of_structs() -> swathe::Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("particles.npz");
    for device in devices() {
        let field = Field::from_fn(&device, [7, 3], |[i, j]| particle(i * 3 + j))?;
        field.write_npz(&path)?;
        let arrays = Arrays::read_npz(&path)?;
        let paths: Vec<String> = arrays.flat().into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["pos", "id", "body.mass", "body.fixed"]);
        assert_eq!(arrays, field.to_arrays()?);
        let back = Field::<Particle, 2>::read_npz(&device, &path)?;
        assert_eq!(back.to_vec()?, field.to_vec()?);
        arrays.write_npz_compressed(&path)?;
        assert_eq!(
            Field::<Particle, 2>::read_npz(&device, &path)?.to_vec()?,
            field.to_vec()?
        );
    }
    Ok(())
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Metre;

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Length {
    value: f64,
    unit: PhantomData<Metre>,
    none: Metre,
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Way(Length, [Metre; 3], u16);

#[test]
fn members_without_numbers_have_no_arrays() -> swathe::Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ways.npz");
    let way = |[k]: [usize; 1]| {
        let value = 0.5 + k as f64;
        let length = Length {
            value,
            unit: PhantomData,
            none: Metre,
        };
        Way(length, [Metre; 3], k as u16)
    };
    for device in devices() {
        let field = Field::from_fn(&device, 17, way)?;
        assert_eq!(Field::<Way>::from_arrays(&device, &field.to_arrays()?)?, field);
        field.write_npz(&path)?;
        let paths: Vec<String> = Arrays::read_npz(&path)?
            .flat()
            .into_iter()
            .map(|(path, _)| path)
            .collect();
        assert_eq!(paths, ["0.value", "2"]);
        assert_eq!(Field::<Way>::read_npz(&device, &path)?, field);
        let none = Field::full(&device, 3, Metre)?;
        let made = Field::<Metre>::from_arrays(&device, &none.to_arrays()?);
        assert_eq!(
            made.unwrap_err().to_string(),
            "making a Field<Metre, 1> of arrays: no member has numbers, so the arrays do not tell the field's shape; make the field, and \
             use `copy_from_arrays`"
        );
    }
    Ok(())
}

#[test]
fn failures() {
    let folder = tempfile::tempdir().unwrap();
    let text = |result: Result<AnyArray<'static>, Error>| result.unwrap_err().to_string();
    let none = folder.path().join("none.npy");
    let reading = |path: &std::path::Path| format!("reading {}: ", path.display());
    assert_eq!(
        text(AnyArray::read_npy(&none)),
        reading(&none) + "No such file or directory (os error 2)"
    );
    let short = folder.path().join("short.npy");
    AnyArray::from(Array2::<f64>::ones((3, 5))).write_npy(&short).unwrap();
    let bytes = std::fs::read(&short).unwrap();
    std::fs::write(&short, &bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(
        text(AnyArray::read_npy(&short)),
        reading(&short) + "reached EOF before reading all data"
    );
    // More than there is memory for, and more than there are numbers for.
    for (shape, expected) in [
        ("(1152921504606846976,)", "reached EOF before reading all data"),
        ("(4611686018427387904, 0, 8)", "overflow"),
        ("(0, 18446744073709551615)", "overflow"),
    ] {
        let dict = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
        let dict = format!("{dict:<117}\n");
        let file = [b"\x93NUMPY\x01\x00".as_slice(), &[118, 0], dict.as_bytes(), &[0; 16]].concat();
        std::fs::write(&short, file).unwrap();
        let text = text(AnyArray::read_npy(&short));
        assert!(text.starts_with(&reading(&short)) && text.contains(expected), "{text}");
    }
    std::fs::write(&short, [bytes.as_slice(), &[0]].concat()).unwrap();
    assert_eq!(
        text(AnyArray::read_npy(&short)),
        reading(&short) + "file had 1 extra bytes before EOF"
    );

    // NumPy has no such type.
    let path = folder.path().join("bf16.npy");
    let error = AnyArray::from(Array2::<bf16>::zeros((1, 1)))
        .write_npy(&path)
        .unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("NumPy has no `bf16`: write the array as `f32`"),
        "{error}"
    );
    assert!(!path.exists());

    // What was there stays if the writing fails.
    let folder_path = folder.path().join("nowhere").join("a.npy");
    let error = AnyArray::from(Array2::<u8>::zeros((1, 1)))
        .write_npy(&folder_path)
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with(&format!("writing {}: No such file", folder_path.display())),
        "{error}"
    );

    let device = Device::cpu();
    let path = folder.path().join("wrong.npy");
    AnyArray::from(Array2::<i32>::ones((3, 5))).write_npy(&path).unwrap();
    assert_eq!(
        Field::<f32, 2>::read_npy(&device, &path).unwrap_err().to_string(),
        format!(
            "making a Field<f32, 2> of an array in {}: expected scalars of type f32, got i32",
            path.display()
        )
    );
    assert_eq!(
        Field::<i32, 1>::read_npy(&device, &path).unwrap_err().to_string(),
        format!(
            "making a Field<i32, 1> of an array in {}: expected shape [_], got [3, 5]",
            path.display()
        )
    );
    // An archive whose entry claims more than it holds.
    let path = folder.path().join("claims.npz");
    let arrays = Arrays::new().with("a", Array2::<f32>::zeros((100, 200)));
    arrays.write_npz(&path).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let (told, claim) = (b"(100, 200)}             ", b"(115292150460684, 200)} ");
    let at = bytes.windows(told.len()).position(|part| part == told).unwrap();
    bytes[at..at + told.len()].copy_from_slice(claim);
    std::fs::write(&path, bytes).unwrap();
    let text = Arrays::read_npz(&path).unwrap_err().to_string();
    assert!(
        text.contains("`a.npy`: ") && text.ends_with("reached EOF before reading all data"),
        "{text}"
    );
    let path = folder.path().join("two.npz");
    let mut arrays = Arrays::new().with("a", Array2::<u8>::zeros((1, 1)));
    arrays.insert("a|b", Array2::<u8>::zeros((1, 1)));
    arrays.write_npz(&path).unwrap();
    // As others may name it.
    let mut bytes = std::fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        if bytes[at..].starts_with(b"a|b.npy") {
            bytes[at + 1] = b'.';
        }
    }
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(
        Arrays::read_npz(&path).unwrap_err().to_string(),
        reading(&path) + "`a.b` would lie inside of another array, or around one, or too deep"
    );
}

/// A file whose header is the text, with sixteen bytes of data.
fn with_header(text: &str) -> Vec<u8> {
    let length = u32::try_from(text.len() + 1).unwrap().to_le_bytes();
    [
        b"\x93NUMPY\x02\x00".as_slice(),
        &length,
        text.as_bytes(),
        b"\n",
        &[0; 16],
    ]
    .concat()
}

#[test]
fn headers_that_lie() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lie.npy");
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let text = AnyArray::read_npy(&path).map(|array| (array.dtype(), array.shape().to_vec()));
        text.map_err(|error| error.to_string())
    };
    let of = |shape: &str| format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    let refused = |text: &str, expected: &str| {
        let error = read(&with_header(text)).unwrap_err();
        assert!(error.contains(expected), "{:.200}: {error}", text);
    };
    // Spellings that NumPy does not write, but that mean the same.
    let four = Ok((DType::F32, vec![4]));
    for text in [
        of("(4,)"),
        of("( 4 , )"),
        "{\"shape\":(4,),'fortran_order':True,\"descr\":\"<f4\"}".to_owned(),
        "  { 'shape' :\t(4,) , 'descr' : '<f4' , 'fortran_order' : False }  ".to_owned(),
    ] {
        assert_eq!(read(&with_header(&text)), four, "{text}");
    }
    assert_eq!(
        read(&with_header(
            &of("(2, 2)").replace("<f4", "|u1").replace("(2, 2)", "(4, 4)")
        )),
        Ok((DType::U8, vec![4, 4]))
    );
    let most = format!("({}4,)", "1,".repeat(63));
    assert_eq!(read(&with_header(&of(&most))).map(|(_, shape)| shape.len()), Ok(64));
    refused(&of(&format!("({})", "1,".repeat(65))), "more than 64 axes");
    refused(&of(&format!("({})", "1,".repeat(30_000))), "more than 64 axes");
    // More than the file holds.
    let end = "reached EOF before reading all data";
    refused(&of("(17592186044416,)"), end);
    refused(&of("(5,)"), end);
    refused(&of("(17592186044416,)").replace("'shape'", "\"shape\""), end);
    refused(&of("(17592186044416,)").replace("'shape':", "'shape' :"), end);
    refused(&of("(2305843009213693951,)").replace("<f4", "<f8"), end);
    refused(&of("(2305843009213693952,)").replace("<f4", "<f8"), end);
    refused(&of("(18446744073709551616,)"), "overflow");
    refused(&of("(4294967296, 4294967296)"), "overflow");
    // Forms that NumPy does not write.
    let form = "its header is none that NumPy writes: ";
    refused(&of("(17592186044416,)").replace("shape", "sh\\x61pe"), form);
    refused(&of("(1,), 'shape': (17592186044416,)"), "`shape` is there twice");
    for number in [
        "0x100000000000",
        "0o777777777777777",
        "17_592_186_044_416",
        "01",
        "-1",
        "+1",
        "1.0",
        "4L",
        "",
    ] {
        refused(&of(&format!("({number},)")), form);
    }
    for shape in [
        "((17592186044416),)",
        "[4]",
        "(4)",
        "4",
        "(4,,)",
        "(4",
        "(4,) 'x'",
        "(4,)}}",
        "None",
    ] {
        refused(&of(shape), form);
    }
    refused(&of("(17592186044416,)").replace("'<f4'", "\"'shape': (1,)\""), form);
    refused(&of("(4,)").replace("False", "0"), form);
    refused(&of("(4,)").replace("fortran_order", "fortran"), form);
    refused("{'descr': '<f4', 'shape': (4,)}", "`fortran_order` is missing");
    refused("", form);
    refused(
        &of("(4,)").replace("'<f4'", "[('a', '<f4')]"),
        "scalars of a type with members are none of bool, ",
    );
    refused(
        &of("(4,)").replace("<f4", "|O"),
        "scalars of type '|O' are none of bool, ",
    );
    refused(
        &of("(4,)").replace("<f4", "=f4"),
        "scalars of type '=f4' are none of bool, ",
    );
    // Nothing that recurses, or that takes longer than its length.
    refused(&("[".repeat(30) + &"]".repeat(30)), form);
    refused(&of(&("(".repeat(30_000) + &")".repeat(30_000))), form);
    refused(
        &of("(4,)").replace("'<f4'", &"[".repeat(60_000)),
        "scalars of a type with members",
    );
    let long = "a header of 70";
    refused(&(" ".repeat(70_000) + &of("(17592186044416,)")), long);
    let claims = [b"\x93NUMPY\x02\x00".as_slice(), &u32::MAX.to_le_bytes(), b"{}"].concat();
    assert!(read(&claims).unwrap_err().contains("a header of 4294967295 bytes"));
    // What is no header at all.
    assert!(read(b"").unwrap_err().ends_with("the file ends within its header"));
    assert!(
        read(b"\x93NUMPY\x01\x00\x76\x00{")
            .unwrap_err()
            .ends_with("the file ends within its header")
    );
    assert!(
        read(b"\x93NUMPX\x01\x00\x76\x00{")
            .unwrap_err()
            .ends_with("it is no `.npy` file")
    );
    assert!(
        read(b"\x93NUMPY\x09\x00\x76\x00{")
            .unwrap_err()
            .ends_with("version 9.0 of the format is not known")
    );
    let mut open = with_header(&of("(4,)"));
    let newline = open.len() - 17;
    open[newline] = b' ';
    assert!(read(&open).unwrap_err().contains("its last character is no newline"));
}

#[test]
fn headers_that_lie_in_archives() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lie.npz");
    let arrays = Arrays::new().with("a", Array2::<f32>::zeros((100, 200)));
    for lie in [
        "'shape' :(115292150460684, 200)}",
        "\"shape\":(115292150460684, 200)}",
        "'shape': (0x1000000000000, 9)}",
    ] {
        arrays.write_npz(&path).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        let told = b"'shape': (100, 200)}";
        let at = bytes.windows(told.len()).position(|part| part == told).unwrap();
        assert!(bytes[at + told.len()..at + lie.len()].iter().all(|byte| *byte == b' '));
        bytes[at..at + lie.len()].copy_from_slice(lie.as_bytes());
        std::fs::write(&path, bytes).unwrap();
        let text = Arrays::read_npz(&path).unwrap_err().to_string();
        assert!(text.contains("`a.npy`: "), "{text}");
    }
}

const NUMPY: &str = r#"
import sys, pathlib, numpy as np
folder = pathlib.Path(sys.argv[1])
names = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()

def numbered(shape, dtype):
    k = np.arange(int(np.prod(shape))).reshape(shape)
    return k % 3 == 1 if dtype == np.bool_ else k.astype(dtype)

# What swathe wrote.
for name in names:
    for shape in [(), (17,), (3, 5)]:
        a = np.load(folder / f"swathe-{name}-{len(shape)}.npy")
        assert a.dtype == np.dtype(name) and a.shape == shape and a.flags.c_contiguous, (name, a)
        assert (a == numbered(shape, a.dtype)).all(), (name, a)
z = np.arange(15).reshape(3, 5) * (1 - 0.5j)
for name, size in [("complex64", 8), ("complex128", 16)]:
    a = np.load(folder / f"swathe-{name}.npy")
    assert a.dtype == np.dtype(name) and a.itemsize == size and a.shape == (3, 5) and (a == z).all(), (name, a)
    np.save(folder / f"numpy-{name}.npy", np.asfortranarray(z.astype(np.dtype(name).newbyteorder(">"))))
t = np.load(folder / "swathe-truths.npy")
assert t.dtype == np.bool_ and (t == (np.arange(12).reshape(4, 3) % 3 == 1)).all(), t
np.save(folder / "numpy-truths.npy", np.asfortranarray(~t))
v = np.load(folder / "swathe-vec3.npy")
assert v.shape == (4, 5, 3) and v[3, 2, 1] == 3 * 15 + 2 * 3 + 1, v
z = np.load(folder / "swathe.npz")
assert list(z) == ["pos", "id", "body.mass", "body.fixed"], list(z)
assert z["pos"].shape == (7, 3) and z["pos"].dtype == np.float32
assert [int(x) for x in z["id"]] == [2**64 - 1 - k for k in range(7)]
assert list(z["body.mass"]) == [k * 1e100 for k in range(7)]
assert list(z["body.fixed"]) == [k % 3 == 1 for k in range(7)]

# What swathe reads.
for name in names:
    for order in "CF":
        for end in "<>":
            dtype = np.dtype(name).newbyteorder(end)
            a = np.array(numbered((3, 5), np.dtype(name)).astype(dtype), order=order)
            np.save(folder / f"numpy-{name}-{order}-{'little' if end == '<' else 'big'}.npy", a)
np.save(folder / "numpy-text.npy", np.zeros(3, "S4"))
k = np.arange(7)
for save, file in [(np.savez, "numpy.npz"), (np.savez_compressed, "numpy-compressed.npz")]:
    save(folder / file, **{
        "body.mass": k * 1e100, "body.fixed": k % 3 == 1, "id": np.uint64(2**64 - 1) - k.astype(np.uint64),
        "pos": np.asfortranarray(np.stack([k, k + 0.25, -k], axis=1).astype(">f4")),
    })
"#;

#[test]
fn numpy_reads_and_writes_the_same() -> swathe::Result<()> {
    let Some(python) = python::with("numpy", "SWATHE_REQUIRE_NUMPY") else {
        return Ok(());
    };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let device = Device::cpu();
    let name = |dtype: DType| {
        let name = dtype.name();
        match name.split_at(1) {
            ("i", bits) => format!("int{bits}"),
            ("u", bits) => format!("uint{bits}"),
            ("f", bits) => format!("float{bits}"),
            _ => name.to_owned(),
        }
    };
    macro_rules! write {
        ($($t:ident)*) => {$(
            let numpy = name(<$t as ArrayScalar>::DTYPE);
            let path = |rank| at(&format!("swathe-{numpy}-{rank}.npy"));
            Field::<$t, 0>::from_any(&device, &numbered::<$t>(&[]).into())?.write_npy(path(0))?;
            Field::<$t, 1>::from_any(&device, &numbered::<$t>(&[17]).into())?.write_npy(path(1))?;
            Field::<$t, 2>::from_any(&device, &numbered::<$t>(&[3, 5]).into())?.write_npy(path(2))?;
        )*};
    }
    each_scalar!(write);
    let array = Array3::from_shape_fn((4, 5, 3), |(i, j, k)| (i * 15 + j * 3 + k) as f32);
    Field::<Vec3, 2>::from_ndarray(&device, &array)?.write_npy(at("swathe-vec3.npy"))?;
    let particles = Field::from_fn(&device, 7, |[k]| particle(k))?;
    particles.write_npz(at("swathe.npz"))?;

    let complex = Array2::from_shape_fn((3, 5), |(i, j)| Complex::new(1.0, -0.5) * (i * 5 + j) as f64);
    let single = complex.mapv(|z| Complex::new(z.re as f32, z.im as f32));
    Field::<Complex<f32>, 2>::from_ndarray(&device, &single)?.write_npy(at("swathe-complex64.npy"))?;
    Field::<Complex<f64>, 2>::from_ndarray(&device, &complex)?.write_npy(at("swathe-complex128.npy"))?;
    let truths = Array2::from_shape_fn((4, 3), |(i, j)| (i * 3 + j) % 3 == 1);
    Field::<Vector<bool, 3>>::from_ndarray(&device, &truths)?.write_npy(at("swathe-truths.npy"))?;

    python::run(python, NUMPY, &[folder.path()]);

    let read = Field::<Complex<f32>, 2>::read_npy(&device, at("numpy-complex64.npy"))?;
    assert_eq!(read.to_ndarray()?, single);
    let read = Field::<Complex<f64>, 2>::read_npy(&device, at("numpy-complex128.npy"))?;
    assert_eq!(read.to_ndarray()?, complex);
    let read = Field::<Vector<bool, 3>>::read_npy(&device, at("numpy-truths.npy"))?;
    assert_eq!(read.to_ndarray()?, truths.mapv(|t| !t));

    macro_rules! read {
        ($($t:ident)*) => {$(
            let numpy = name(<$t as ArrayScalar>::DTYPE);
            for order in ["C", "F"] {
                for end in ["little", "big"] {
                    let path = at(&format!("numpy-{numpy}-{order}-{end}.npy"));
                    let field = Field::<$t, 2>::read_npy(&device, &path)?;
                    assert_eq!(field.to_ndarray()?.into_dyn(), numbered::<$t>(&[3, 5]), "{path:?}");
                }
            }
        )*};
    }
    each_scalar!(read);
    for file in ["numpy.npz", "numpy-compressed.npz"] {
        assert_eq!(
            Field::<Particle>::read_npz(&device, at(file))?.to_vec()?,
            particles.to_vec()?
        );
    }
    let path = at("numpy-text.npy");
    assert_eq!(
        AnyArray::read_npy(&path).unwrap_err().to_string(),
        format!(
            "reading {}: scalars of type '|S4' are none of bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, Complex<f32>, Complex<f64>",
            path.display()
        )
    );
    Ok(())
}

/// Dictionaries in one another end where paths do.
#[test]
fn dictionaries_are_as_deep_as_paths() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep.npz");
    let wrapped = |levels: usize| {
        let innermost = Arrays::new().with("x", AnyArray::from(ndarray::arr1(&[1_f32])));
        (1..levels).fold(innermost, |arrays, _| Arrays::new().with("x", arrays))
    };
    let deepest = wrapped(64);
    deepest.write_npz(&path).unwrap();
    assert_eq!(Arrays::read_npz(&path).unwrap(), deepest);
    let panic = std::panic::catch_unwind(|| wrapped(65)).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert_eq!(text, "dictionaries of arrays are more than 64 deep in one another");
    // Into the place of another entry, too, which stays.
    let mut arrays = Arrays::new().with("x", Arrays::new());
    let put = std::panic::AssertUnwindSafe(|| arrays.insert("x", deepest.clone()));
    std::panic::catch_unwind(put).unwrap_err();
    assert_eq!(arrays, Arrays::new().with("x", Arrays::new()));
    arrays.insert("x", wrapped(63));
    assert_eq!(arrays, deepest);
}

/// Names that go too deep, through one another, beyond what an archive holds, or to another name.
#[test]
fn names_of_archives() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("names.npz");
    let one = || AnyArray::from(ndarray::arr1(&[1_f32]));
    let mut arrays = Arrays::new();
    let deep = |n: usize| vec!["a"; n].join(".");
    arrays.insert_path(&deep(64), one()).unwrap();
    for wrong in [deep(65), deep(100_000), "a".to_owned(), deep(3)] {
        let error = arrays.insert_path(&wrong, one()).unwrap_err();
        assert!(matches!(error, Error::ArrayPath { .. }), "{error}");
    }
    assert_eq!(arrays.flat().len(), 1);
    arrays.write_npz(&path).unwrap();
    assert_eq!(Arrays::read_npz(&path).unwrap().flat()[0].0, deep(64));

    // Each written as one name, which would be read as a path: nothing is written.
    let before = std::fs::read(&path).unwrap();
    for (names, shown) in [
        (vec![deep(32_000)], "too deep"),
        (vec![deep(65)], "too deep"),
        (
            vec!["a.b".to_owned(), "a".to_owned()],
            "`a.b` would be read as an array inside of the array `a`",
        ),
        (
            vec!["x".to_owned(), "a".to_owned(), "a-b".to_owned(), "a.b.c".to_owned()],
            "`a.b.c` would be read as an array inside of the array `a`",
        ),
    ] {
        let flat: Arrays = names.iter().map(|name| (name.as_str(), one())).collect();
        for error in [flat.write_npz(&path), flat.write_npz_compressed(&path)].map(Result::unwrap_err) {
            assert!(matches!(error, Error::File { action: "writing", .. }), "{error}");
            let text = error.to_string();
            assert!(text.contains(shown) && text.len() < 500, "{text}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), before);

        // What others have written is not read either.
        let with_bars = |name: &str| name.replace('.', "|");
        let other: Arrays = names.iter().map(|name| (with_bars(name), one())).collect();
        let foreign = folder.path().join("foreign.npz");
        other.write_npz(&foreign).unwrap();
        let mut bytes = std::fs::read(&foreign).unwrap();
        for name in &names {
            let written = with_bars(name).into_bytes();
            let mut at = 0;
            while at + written.len() <= bytes.len() {
                if bytes[at..].starts_with(&written) {
                    bytes[at..at + written.len()].copy_from_slice(name.as_bytes());
                }
                at += 1;
            }
        }
        std::fs::write(&foreign, bytes).unwrap();
        let error = Arrays::read_npz(&foreign).unwrap_err();
        assert!(matches!(error, Error::File { action: "reading", .. }), "{error}");
        assert!(error.to_string().len() < 500, "{error}");
    }
    // The same path by a name and through a dictionary.
    let mut twice = Arrays::new().with("a", Arrays::new().with("b", one()));
    twice.insert("a.b", one());
    let error = twice.write_npz(&path).unwrap_err();
    assert!(error.to_string().ends_with("two arrays `a.b`"), "{error}");
    // What is written is read.
    let dots: Arrays = ["a.b", "a.c", "ab", "a-", "b"]
        .map(|name| (name, one()))
        .into_iter()
        .collect();
    dots.write_npz(&path).unwrap();
    let read = Arrays::read_npz(&path).unwrap();
    let paths: Vec<String> = read.flat().into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["a.b", "a.c", "ab", "a-", "b"]);
    // What fails names the entry, as far as there is room.
    for (name, shown) in [
        ("../../etc/x".to_owned(), "`../../etc/x.npy`: ".to_owned()),
        ("x".repeat(40_000), format!("`{}..`: ", "x".repeat(100))),
    ] {
        Arrays::new().with(name, one()).write_npz(&path).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        let at = bytes.windows(6).position(|part| part == b"NUMPY\x01").unwrap();
        bytes[at] = b'M';
        std::fs::write(&path, bytes).unwrap();
        let text = Arrays::read_npz(&path).unwrap_err().to_string();
        assert!(text.contains(&shown) && text.len() < 500, "{text}");
    }
    Arrays::new().with("y".repeat(40_000), one()).write_npz(&path).unwrap();
    let text = Field::<Particle>::read_npz(&Device::cpu(), &path)
        .unwrap_err()
        .to_string();
    assert!(text.contains("yyyy..") && text.len() < 1000, "{text}");
    for (name, fits) in [
        ("x".repeat(65_531), true),
        ("x".repeat(65_532), false),
        ("a.npy".to_owned(), false),
    ] {
        let arrays = Arrays::new().with(name.clone(), one());
        for result in [arrays.write_npz(&path), arrays.write_npz_compressed(&path)] {
            assert_eq!(result.is_ok(), fits, "{:.20}: {result:?}", name);
        }
    }
}
