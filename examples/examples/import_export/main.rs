//! Every way for data into fields and out of them, on a landscape and stones that roll on it.

mod stones;

use std::process::ExitCode;

use clap::Parser;
use ndarray::{Array1, Array2, Array3, Array4, Ix1, Ix2, s};
use swathe::dlpack::Tensor;
use swathe::prelude::*;
use swathe::{AnyArray, Arrays, elements_mut};
use swathe_examples::{Color, ColorMap, Common, Defaults, Failure, Image, Output, cli};

use stones::{Body, Stone, gradient, relief, roll};

/// How fields and arrays exchange data, rule by rule.
#[derive(Parser)]
struct Args {
    /// Points of the landscape along each side
    #[arg(long, value_name = "N", default_value_t = 240)]
    #[arg(value_parser = clap::value_parser!(u32).range(16..=2048))]
    points: u32,

    /// Number of stones along each side
    #[arg(long, value_name = "N", default_value_t = 40)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=512))]
    stones: u32,

    #[command(flatten)]
    common: Common,
}

/// Pixels of the picture for each point, along each axis.
const SCALE: usize = 3;

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 1,
        out: "out/import_export",
    });
    let device = args.common.device.open()?;
    let n = args.points as usize;

    let heights = Array2::from_shape_fn((n, n), |(i, j)| height(i as f32 / n as f32, j as f32 / n as f32));
    let land = scalars(&device, &heights)?;
    let slope = vectors(&device, &land)?;
    matrices(&device)?;
    let mut stones = structs(&device, args.stones as usize)?;
    members(&mut stones)?;
    slices(&land)?;
    origins(&land)?;
    casts(&device)?;

    let side = SCALE * n;
    let mut traces = Field::<f32, 2>::zeros(&device, [side, side])?;
    let mut output = Output::new(&args.common)?;
    for _ in 0..args.common.frames {
        for _ in 0..400 {
            roll(&slope, &mut stones, &mut traces, 0.01)?;
        }
        let pixels = arrays(&land, &slope)?;
        if !output.frame(&picture(&pixels, &traces.to_ndarray()?, &stones.to_arrays()?)?)? {
            break;
        }
    }
    files(&device, &stones, &args.common.out.join("stones.npz"))?;
    shared(land, &heights)?;
    println!("{}", output.finish()?);
    Ok(())
}

/// Hills and a valley; x and y from 0 to 1.
fn height(y: f32, x: f32) -> f32 {
    let hill = |cx: f32, cy: f32, r: f32| (-((x - cx).powi(2) + (y - cy).powi(2)) / (r * r)).exp();
    0.8 * hill(0.3, 0.3, 0.16) + 0.55 * hill(0.72, 0.62, 0.2) + 0.35 * hill(0.25, 0.8, 0.12) - 0.3 * hill(0.7, 0.2, 0.2)
}

/// A scalar field is an array of the same shape.
fn scalars(device: &Device, heights: &Array2<f32>) -> Result<Field<f32, 2>, Failure> {
    let land = Field::<f32, 2>::from_ndarray(device, heights)?;
    assert_eq!(land.to_ndarray()?, heights);
    // Views with any strides: the transpose, every second row from the last one on.
    let mirrored = Field::<f32, 2>::from_ndarray(device, &heights.slice(s![..;-2, ..]).t())?;
    let [columns, rows] = mirrored.shape();
    assert_eq!(mirrored.get([5, 0])?, heights[[heights.nrows() - 1, 5]]);
    // And into a part of an array that is there.
    let mut wide = Array2::from_elem((columns, 2 * rows), f32::NAN);
    mirrored.copy_to_ndarray(&mut wide.slice_mut(s![.., 1..;2]))?;
    assert!(wide.column(0).iter().all(|x| x.is_nan()) && wide.column(1).iter().all(|x| x.is_finite()));
    // Rank 0: one number.
    let sum = Field::<f64, 0>::full(device, [], 2.5)?;
    assert_eq!(sum.to_ndarray()?.into_scalar(), 2.5);
    println!("scalar field  {:?} <-> array {:?}", land.shape(), heights.shape());
    Ok(land)
}

/// The components of a vector are one more axis, after those of the field.
fn vectors(device: &Device, land: &Field<f32, 2>) -> Result<Field<Vec2, 2>, Failure> {
    let mut slope = Field::<Vec2, 2>::zeros(device, land.shape())?;
    gradient(land, &mut slope)?;
    let array: Array3<f32> = slope.to_ndarray()?;
    println!("vector field  {:?} <-> array {:?}", slope.shape(), array.shape());
    // Components first, as other programs have them: a permuted view.
    let planes = Array3::from_shape_fn((2, array.dim().0, array.dim().1), |(k, i, j)| array[[i, j, k]]);
    slope.copy_from_ndarray(&planes.view().permuted_axes([1, 2, 0]))?;
    assert_eq!(slope.to_ndarray()?, array);
    Ok(slope)
}

/// Rows and columns of a matrix are two more axes.
fn matrices(device: &Device) -> Result<(), Failure> {
    let array = Array4::from_shape_fn((4, 7, 3, 4), |(i, j, r, c)| {
        (i * 7 + j) as f64 + 0.1 * r as f64 + 0.01 * c as f64
    });
    let field = Field::<Matrix<f64, 3, 4>, 2>::from_ndarray(device, &array)?;
    assert_eq!(field.get([3, 6])?[[2, 1]], array[[3, 6, 2, 1]]);
    println!(
        "matrix field  {:?} <-> array {:?}",
        field.shape(),
        field.to_ndarray()?.shape()
    );
    Ok(())
}

/// A field of structs is a dictionary with an array for each member, each by the rule of its type.
fn structs(device: &Device, side: usize) -> Result<Field<Stone>, Failure> {
    let count = side * side;
    let at = |k: usize| (k as f32 + 0.5) / side as f32;
    let pos = Array2::from_shape_fn((count, 2), |(k, c)| if c == 0 { at(k % side) } else { at(k / side) });
    let body = Arrays::new()
        .with("mass", Array1::from_shape_fn(count, |k| 1.0 + (k % 7) as f32))
        .with("fixed", Array1::from_shape_fn(count, |k| k % 11 == 0));
    // Borrowed arrays are not copied on the way.
    let arrays = Arrays::new()
        .with("pos", &pos)
        .with("vel", Array2::<f32>::zeros((count, 2)))
        .with("body", body);
    let stones = Field::<Stone>::from_arrays(device, &arrays)?;
    let out = stones.to_arrays()?;
    assert_eq!(out.array::<f32, Ix2>("pos")?, pos);
    for (path, array) in out.flat() {
        println!(
            "struct field  {:?} <-> `{path}`: {} {:?}",
            stones.shape(),
            array.dtype(),
            array.shape()
        );
    }

    // All that does not fit is said at once, and nothing is written.
    let wrong = Arrays::new()
        .with("pos", pos.t())
        .with("colour", Array1::<u8>::zeros(count));
    let mut untouched = stones.try_clone()?;
    if let Err(error) = untouched.copy_from_arrays(&wrong) {
        println!("refused       {error}");
    }
    assert_eq!(untouched.to_arrays()?, out);
    Ok(stones)
}

/// A member alone is read and written like a field.
fn members(stones: &mut Field<Stone>) -> Result<(), Failure> {
    let masses = stones.member::<f32>("body.mass")?.to_ndarray()?;
    stones
        .member_mut::<f32>("body.mass")?
        .copy_from_ndarray(&masses.slice(s![..;-1]))?;
    stones.member_mut::<Vec2>("vel")?.fill(Vec2::new(0.05, 0.0))?;
    let body = stones.member::<Body>("body")?.to_arrays()?;
    assert_eq!(body.array::<f32, Ix1>("mass")?[0], masses[masses.len() - 1]);
    Ok(())
}

/// Kernels take parts of fields for whole ones: here a transpose and every second point of it.
fn slices(land: &Field<f32, 2>) -> Result<(), Failure> {
    let part = land.t().slice(s![..;2, ..;2])?;
    let mut slope = Field::<Vec2, 2>::zeros(land.device(), part.shape())?;
    gradient(&part, &mut slope)?;
    println!("slice         {:?} of a field {:?}", part.shape(), land.shape());
    Ok(())
}

/// Positions that start elsewhere: the landscape in a frame of one point, which is at -1. Arrays count from 0.
fn origins(land: &Field<f32, 2>) -> Result<(), Failure> {
    let [h, w] = land.shape();
    let mut framed = Field::<f32, 2>::zeros(land.device(), [h + 2, w + 2])?.with_origin([-1, -1])?;
    let mut inner = framed.field_mut().slice_mut(s![1..=h, 1..=w])?;
    inner.copy_from(&land.view())?;
    assert_eq!(framed.get([0, 2])?, land.get([0, 2])?);
    assert_eq!(framed.field().to_ndarray()?[[1, 3]], framed.get([0, 2])?);
    println!("offset field  of positions {:?}", framed.ranges());
    Ok(())
}

/// Kernels take arrays for fields, here one whose last axis is seen as the components of vectors.
fn arrays(land: &Field<f32, 2>, slope: &Field<Vec2, 2>) -> Result<Array3<f32>, Failure> {
    let [h, w] = land.shape();
    let mut pixels = Array3::zeros((SCALE * h, SCALE * w, 3));
    relief(land, slope, &mut elements_mut::<Vec3, _>(&mut pixels)?)?;
    println!("argument      array {:?} as one of Vec3", pixels.shape());
    Ok(pixels)
}

/// Scalars of other types are refused, unless the import says that it converts.
fn casts(device: &Device) -> Result<(), Failure> {
    let mut field = Field::<u8>::zeros(device, 4)?;
    let numbers = AnyArray::from(ndarray::array![-1.5, 0.5, 41.9, 1e9]);
    if let Err(error) = field.copy_from_any(&numbers) {
        println!("refused       {error}");
    }
    field.copy_from_any_cast(&numbers)?;
    assert_eq!(field.to_vec()?, [0, 0, 41, 255]);
    Ok(())
}

/// NumPy's files: `numpy.load("stones.npz")["body.mass"]`.
fn files(device: &Device, stones: &Field<Stone>, path: &std::path::Path) -> Result<(), Failure> {
    stones.write_npz(path)?;
    let again = Field::<Stone>::read_npz(device, path)?;
    assert_eq!(again.to_arrays()?, stones.to_arrays()?);
    println!("file          {}", path.display());
    Ok(())
}

/// Memory that other libraries use too, by DLPack.
fn shared(land: Field<f32, 2>, heights: &Array2<f32>) -> Result<(), Failure> {
    let tensor: Tensor = land.into_dlpack()?;
    println!("tensor        {:?} with strides {:?}", tensor.shape(), tensor.strides());
    assert_eq!(Field::<f32, 2>::from_dlpack(tensor)?.to_ndarray()?, heights);
    Ok(())
}

/// The landscape from above with its contour lines, the ways of the stones, and the stones in the colour of their mass.
fn picture(pixels: &Array3<f32>, traces: &Array2<f32>, stones: &Arrays<'_>) -> Result<Image, Failure> {
    let (pos, mass) = (stones.array::<f32, Ix2>("pos")?, stones.array::<f32, Ix1>("body.mass")?);
    let (rows, columns) = traces.dim();
    let ground = ColorMap::new(&[0x14283c, 0x2b5a5e, 0x5f8a5a, 0xb9a86a, 0xe9dcc0]);
    let mut dots = Array2::from_elem((rows, columns), 0.0_f32);
    for (pos, mass) in pos.rows().into_iter().zip(mass) {
        let [x, y] = [(0, columns), (1, rows)].map(|(k, n)| (pos[k] * n as f32) as usize);
        for (dy, dx) in (0..9).map(|k| (k / 3, k % 3)) {
            if let Some(dot) = dots.get_mut([y + dy, x + dx]) {
                *dot = *mass;
            }
        }
    }
    Ok(Image::from_fn(columns, rows, |x, y| {
        let [height, light, ink] = [0, 1, 2].map(|k| pixels[[y, x, k]]);
        let color = ground.color((height + 0.35) / 1.2);
        let color = Color::BLACK.mix(color, 0.25 + 1.1 * light).mix(Color::BLACK, 0.3 * ink);
        let color = color.mix(Color::hex(0xffe9b8), 0.55 * (1.0 - (-0.25 * traces[[y, x]]).exp()));
        match dots[[y, x]] {
            0.0 => color.to_srgb(),
            mass => Color::hex(0xfff3d6)
                .mix(Color::hex(0xd03a1c), (mass - 1.0) / 6.0)
                .to_srgb(),
        }
    }))
}
