//! `bytemuck`, `glam`, `nalgebra` and `serde`.

use serde::de::DeserializeSeed;
use serde::{Deserialize, Serialize};
use swathe::prelude::*;
use swathe::{DMat3, DVec4, FieldSeed, IVec3, Mat2, Mat3, Mat4};

#[path = "devices/mod.rs"]
mod devices;
use devices::devices;

#[test]
fn slices_of_bytes() -> swathe::Result<()> {
    let numbers: Vec<f32> = (0..51).map(|k| k as f32 - 0.5).collect();
    let vectors: &[Vec3] = bytemuck::cast_slice(&numbers);
    assert_eq!(vectors[16], Vec3::new(47.5, 48.5, 49.5));
    for device in devices() {
        let field = Field::from_slice(&device, vectors)?;
        assert_eq!(bytemuck::cast_slice::<Vec3, f32>(&field.to_vec()?), numbers);
        let matrices = Field::<Matrix<i16, 2, 3>>::from_slice(&device, bytemuck::cast_slice(&[1_i16, 2, 3, 4, 5, 6]))?;
        assert_eq!(matrices.get(0)?.to_array(), [[1, 2, 3], [4, 5, 6]]);
    }
    assert_eq!(
        <Matrix<f64, 3, 2> as bytemuck::Zeroable>::zeroed(),
        Matrix::<f64, 3, 2>::from_array([[0.0; 2]; 3])
    );
    Ok(())
}

#[test]
fn glam_types() {
    let v = Vec3::from(glam::Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(v, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(glam::Vec3A::from(v), glam::Vec3A::new(1.0, 2.0, 3.0));
    assert_eq!(glam::IVec3::from(IVec3::new(4, 5, 6)), glam::IVec3::new(4, 5, 6));
    assert_eq!(
        DVec4::from(glam::DVec4::new(1.0, 2.0, 3.0, 4.0)).to_array(),
        [1.0, 2.0, 3.0, 4.0]
    );
    assert_eq!(Vector::from(glam::U64Vec2::new(u64::MAX, 1)).to_array(), [u64::MAX, 1]);

    // The matrix that maps x to y, and y to -x.
    let turn = glam::Mat2::from_angle(std::f32::consts::FRAC_PI_2);
    let ours = Mat2::from(turn);
    assert!((ours[[1, 0]] - 1.0).abs() < 1e-6 && (ours[[0, 1]] + 1.0).abs() < 1e-6);
    let m = Mat3::from_array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]]);
    let x = Vec3::new(1.0, -2.0, 0.5);
    assert_eq!(Vec3::from(glam::Mat3::from(m) * glam::Vec3::from(x)), m * x);
    assert_eq!(Mat3::from(glam::Mat3A::from(m)), m);
    let m = Mat4::from_array([0, 1, 2, 3].map(|r| [0, 1, 2, 3].map(|c| (r * 4 + c) as f32)));
    assert_eq!(glam::Mat4::from(m).row(1), glam::Vec4::new(4.0, 5.0, 6.0, 7.0));
    assert_eq!(Mat4::from(glam::Mat4::from(m)), m);
}

#[test]
fn nalgebra_types() {
    let m = DMat3::from_array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]]);
    let theirs = nalgebra::Matrix3::from(m);
    assert_eq!(theirs[(0, 2)], 3.0);
    assert_eq!(DMat3::from(theirs), m);
    let long = Vector::<i32, 7>::from_array([1, 2, 3, 4, 5, 6, 7]);
    let theirs = nalgebra::SVector::from(long);
    assert_eq!(theirs[6], 7);
    assert_eq!(Vector::from(theirs), long);
    let wide = nalgebra::Matrix2x3::new(1_u8, 2, 3, 4, 5, 6);
    assert_eq!(Matrix::<u8, 2, 3>::from(wide).to_array(), [[1, 2, 3], [4, 5, 6]]);
}

#[derive(Element, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Particle {
    pos: Vec2,
    spin: Matrix<f64, 1, 2>,
    id: u64,
}

#[derive(Serialize, Deserialize)]
struct World {
    step: u32,
    particles: Field<Particle>,
    height: Field<f32, 2>,
}

#[test]
fn serde_of_fields() -> swathe::Result<()> {
    for device in devices() {
        let world = World {
            step: 3,
            particles: Field::from_fn(&device, 2, |[k]| Particle {
                pos: Vec2::new(k as f32, -0.5),
                spin: Matrix::from_array([[k as f64, 2.0]]),
                id: u64::MAX - k as u64,
            })?,
            height: Field::from_fn(&device, [2, 1], |[i, _]| i as f32)?,
        };
        let text = serde_json::to_string(&world).unwrap();
        assert_eq!(
            text,
            concat!(
                r#"{"step":3,"particles":{"shape":[2],"elements":["#,
                r#"{"pos":[0.0,-0.5],"spin":[[0.0,2.0]],"id":18446744073709551615},"#,
                r#"{"pos":[1.0,-0.5],"spin":[[1.0,2.0]],"id":18446744073709551614}]},"#,
                r#""height":{"shape":[2,1],"elements":[0.0,1.0]}}"#
            )
        );
        let back: World = serde_json::from_str(&text).unwrap();
        assert_eq!((back.step, back.height.shape()), (3, [2, 1]));
        assert_eq!(back.particles.device(), &Device::default());
        assert_eq!(back.particles.to_vec()?, world.particles.to_vec()?);
        assert_eq!(back.height.to_vec()?, [0.0, 1.0]);

        let read =
            |text: &str| FieldSeed::<f32, 2>::new(&device).deserialize(&mut serde_json::Deserializer::from_str(text));
        let field = read(r#"{"shape": [1, 3], "elements": [1, 2.5, -3]}"#).unwrap();
        assert_eq!((field.device(), field.to_vec()?), (&device, vec![1.0, 2.5, -3.0]));
        let empty = read(r#"{"shape": [0, 3], "elements": []}"#).unwrap();
        assert_eq!((empty.shape(), empty.len()), ([0, 3], 0));
        for (text, error) in [
            (
                r#"{"shape": [3], "elements": [1, 2, 3]}"#,
                "expected a shape of 2 axes, got [3]",
            ),
            (
                r#"{"shape": [2, 2], "elements": [1, 2, 3]}"#,
                "a field of shape [2, 2] has not 3 elements",
            ),
            (
                r#"{"shape": [4294967296, 4294967296], "elements": []}"#,
                "a field of shape [4294967296, 4294967296] has not 0 elements",
            ),
        ] {
            let got = read(text).unwrap_err().to_string();
            assert!(got.starts_with(error), "{got}");
        }
    }
    let error = serde_json::from_str::<Vec3>("[1, 2]").unwrap_err().to_string();
    assert!(
        error.starts_with("invalid length 2, expected an array of 3 elements"),
        "{error}"
    );
    Ok(())
}

#[test]
fn quaternions() -> Result<(), Box<dyn std::error::Error>> {
    // A third of a turn about z: the same rotation for all.
    let (axis, angle) = (Vec3::Z, std::f32::consts::TAU / 3.0);
    let ours = Quat::from_axis_angle(axis, angle);
    let theirs = glam::Quat::from_axis_angle(axis.into(), angle);
    assert!((Quat::from(theirs) - ours).norm() < 1e-6);
    assert_eq!(glam::Quat::from(Quat::from(theirs)), theirs);
    let ours = DQuat::new(0.5, -1.5, 2.5, 4.0);
    let theirs = nalgebra::Quaternion::from(ours);
    assert_eq!((theirs.w, theirs.i, theirs.j, theirs.k), (4.0, 0.5, -1.5, 2.5));
    assert_eq!(DQuat::from(theirs), ours);
    assert_eq!(bytemuck::cast::<DQuat, [f64; 4]>(ours), [0.5, -1.5, 2.5, 4.0]);
    let text = serde_json::to_string(&ours)?;
    assert_eq!(text, "[0.5,-1.5,2.5,4.0]");
    assert_eq!(serde_json::from_str::<DQuat>(&text)?, ours);
    assert!(serde_json::from_str::<DQuat>("[1.0, 2.0, 3.0]").is_err());
    Ok(())
}
