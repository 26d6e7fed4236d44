//! The quaternion type.

use super::Component;
use crate::Element;
use crate::element::external::{Axes, External};

/// A quaternion `w + x i + y j + z k`, with Hamilton's product; those of length 1 are rotations of space.
///
/// A field of quaternions is exchanged with an array of one more axis of length 4, in the order x, y, z, w, as a field of
/// [`Vec4`](crate::Vec4) is. [`Default`] gives the identity; a field of zeros holds zeros.
/// The methods below work on the host and in kernels.
///
/// ```
/// use swathe::prelude::*;
///
/// #[derive(Element, Clone, Copy)]
/// struct Body {
///     orientation: Quat,
///     spin: Vec3,
/// }
///
/// #[kernel]
/// fn turn(bodies: &mut Field<Body>, dt: f32) {
///     for i in bodies.indices() {
///         let by = Quat::from_rotation_vector(bodies[i].spin * dt);
///         bodies[i].orientation = (by * bodies[i].orientation).normalized();
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let body = Body { orientation: Quat::IDENTITY, spin: Vec3::Z };
/// let mut bodies = Field::full(&Device::cpu(), 5, body)?;
/// turn(&mut bodies, std::f32::consts::FRAC_PI_2)?;
/// let turned = bodies.get(4)?.orientation * Vec3::X;
/// assert!((turned - Vec3::Y).norm() < 1e-6);
/// # Ok(())
/// # }
/// ```
#[repr(C)]
#[derive(Element, Clone, Copy, Debug)]
#[element(PartialEq)]
pub struct Quaternion<T> {
    /// The part along i.
    pub x: T,
    /// The part along j.
    pub y: T,
    /// The part along k.
    pub z: T,
    /// The real part.
    pub w: T,
}

// SAFETY: four scalars of one type in order, without padding.
unsafe impl<T: Component> External for Quaternion<T> {
    type Scalar = T;
    type Dim<E: ndarray::Dimension> = E::Larger;
    type Rest<E: ndarray::Dimension> = E::Smaller;
    const AXES: Axes = Axes::NONE.after(4);
}

impl<T> From<[T; 4]> for Quaternion<T> {
    /// In the order x, y, z, w.
    #[inline(always)]
    fn from([x, y, z, w]: [T; 4]) -> Self {
        Quaternion { x, y, z, w }
    }
}

impl<T> From<Quaternion<T>> for [T; 4] {
    /// In the order x, y, z, w.
    #[inline(always)]
    fn from(q: Quaternion<T>) -> Self {
        [q.x, q.y, q.z, q.w]
    }
}
