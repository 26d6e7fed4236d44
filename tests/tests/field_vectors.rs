//! Fields of vectors, matrices and arrays as `ndarray` arrays of their scalars.

use ndarray::{Array1, Array2, Array3, Array4, ArrayD, IxDyn, array, s};
use swathe::{DVec2, Device, Error, External, Field, IVec4, Matrix, Result, Vec3, Vector};

#[test]
fn vectors() -> Result<()> {
    let device = Device::cpu();
    for n in [0, 1, 3, 17, 1000] {
        let array = Array2::from_shape_fn((n, 3), |(i, k)| (i * 3 + k) as f32 - 0.25);
        let field = Field::<Vec3>::from_ndarray(&device, &array)?;
        assert_eq!(field.shape(), [n]);
        let back: Array2<f32> = field.to_ndarray()?;
        assert_eq!(back, array);
        for i in [0, n / 2, n.saturating_sub(1)].into_iter().filter(|i| *i < n) {
            let v = field.get(i)?;
            assert_eq!([v.x, v.y, v.z], [0, 1, 2].map(|k| array[[i, k]]));
        }
        // One column each for x, y and z: the component is the slow axis in memory.
        let columns = Array2::from_shape_fn((3, n), |(k, i)| array[[i, k]]);
        assert_eq!(
            Field::<Vec3>::from_ndarray(&device, &columns.t())?.to_vec()?,
            field.to_vec()?
        );
        let mut reversed = Array2::zeros((n, 3));
        field.copy_to_ndarray(&mut reversed.slice_mut(s![..;-1, ..;-1]))?;
        assert_eq!(reversed.slice(s![..;-1, ..;-1]), array);
    }
    Ok(())
}

fn blocks<T: External<Scalar = i64>, const D: usize>(shape: [usize; D], block: &[usize]) -> Result<()>
where
    ndarray::Dim<[usize; D]>: ndarray::Dimension,
{
    let whole = [&shape, block].concat();
    let mut k = 0;
    let array = ArrayD::from_shape_simple_fn(IxDyn(&whole), || {
        k += 1;
        k
    });
    let field = Field::<T, D>::from_ndarray(&Device::cpu(), &array)?;
    assert_eq!(field.shape(), shape);
    assert_eq!(field.to_ndarray()?.into_dyn(), array);
    let turned = Field::<T, D>::from_ndarray(&Device::cpu(), &array.t().as_standard_layout().t())?;
    let mut back = ArrayD::zeros(IxDyn(&whole));
    turned.copy_to_ndarray(&mut back)?;
    assert_eq!(back, array);
    Ok(())
}

#[test]
fn blocks_of_every_kind() -> Result<()> {
    blocks::<Vector<i64, 1>, 1>([4], &[1])?;
    blocks::<Vector<i64, 5>, 2>([3, 4], &[5])?;
    blocks::<Vector<i64, 2>, 0>([], &[2])?;
    blocks::<Matrix<i64, 2, 3>, 0>([], &[2, 3])?;
    blocks::<Matrix<i64, 3, 2>, 3>([2, 5, 3], &[3, 2])?;
    blocks::<[i64; 7], 2>([2, 5], &[7])?;
    blocks::<[[i64; 2]; 3], 1>([6], &[3, 2])?;
    blocks::<[Matrix<i64, 2, 2>; 3], 2>([6, 2], &[3, 2, 2])?;
    blocks::<Matrix<i64, 2, 2>, 6>([2, 1, 3, 1, 2, 2], &[2, 2])
}

#[test]
fn ranks_are_static() -> Result<()> {
    let device = Device::cpu();
    let _: Array1<f32> = Field::<f32>::zeros(&device, 2)?.to_ndarray()?;
    let _: Array3<f64> = Field::<DVec2, 2>::zeros(&device, [2, 3])?.to_ndarray()?;
    let _: Array4<i8> = Field::<[[i8; 3]; 2], 2>::zeros(&device, [2, 3])?.to_ndarray()?;
    let m: Array2<f32> = Field::full(&device, [], Matrix::from_array([[1.0, 2.0], [3.0, 4.0]]))?.to_ndarray()?;
    assert_eq!(m, array![[1.0, 2.0], [3.0, 4.0]]);
    Ok(())
}

#[test]
fn wrong_components() -> Result<()> {
    let device = Device::cpu();
    let error = Field::<Vec3>::from_ndarray(&device, &Array2::zeros((4, 2))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "making a Field<Vector<f32, 3>, 1> of an array: expected shape [_, 3], got [4, 2]"
    );
    assert!(Field::<Vec3>::from_ndarray(&device, &Array1::zeros(3)).is_err());
    assert!(Field::<Vec3>::from_ndarray(&device, &Array3::zeros((3, 3, 3))).is_err());
    let mut field = Field::full(&device, [2, 2], IVec4::splat(7))?;
    assert!(matches!(
        field.copy_from_ndarray(&Array3::zeros((2, 2, 3))),
        Err(Error::Shape { .. })
    ));
    assert_eq!(field.to_vec()?, [IVec4::splat(7); 4]);
    Ok(())
}
