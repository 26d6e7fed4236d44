//! Where a picture of the space is taken from.

use swathe::Vec3;

use super::kernels::Lens;

/// A viewpoint in space.
///
/// ```
/// use swathe_view::Camera;
///
/// let camera = Camera::new([3.0, 2.0, 4.0], [0.0, 0.5, 0.0]).field_of_view(50.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    eye: Vec3,
    target: Vec3,
    up: Vec3,
    /// Degrees from the bottom of the picture to its top.
    angle: f32,
}

impl Camera {
    /// A camera at `eye` that looks at `target`; y is up, and the picture spans 45 degrees from bottom to top.
    #[must_use]
    pub fn new(eye: [f32; 3], target: [f32; 3]) -> Camera {
        Camera {
            eye: eye.into(),
            target: target.into(),
            up: Vec3::new(0.0, 1.0, 0.0),
            angle: 45.0,
        }
    }

    /// The direction that is up in the picture.
    #[must_use]
    pub fn up(self, up: [f32; 3]) -> Camera {
        Camera { up: up.into(), ..self }
    }

    /// Degrees from the bottom of the picture to its top, of 1 to 170.
    #[must_use]
    pub fn field_of_view(self, degrees: f32) -> Camera {
        Camera { angle: degrees, ..self }
    }

    /// Turned around its target: `right` degrees about the upward axis, `up` degrees towards it, never beyond the poles.
    #[must_use]
    pub fn orbit(self, right: f32, up: f32) -> Camera {
        let axis = self.up.normalized();
        let from = self.eye - self.target;
        let distance = from.norm();
        let height = (from.dot(axis) / distance).clamp(-1.0, 1.0).asin();
        let flat = from - axis * from.dot(axis);
        if flat.norm() <= 0.0 {
            return self;
        }
        let ahead = flat.normalized();
        let side = axis.cross(ahead);
        let (sin, cos) = right.to_radians().sin_cos();
        let (rise, run) = (height + up.to_radians()).clamp(-1.55, 1.55).sin_cos();
        let eye = self.target + (ahead * cos + side * sin) * (distance * run) + axis * (distance * rise);
        Camera { eye, ..self }
    }

    /// What kernels project by, for a picture of this width and height.
    pub(super) fn lens(&self, [width, height]: [usize; 2]) -> Lens {
        let forward = direction(self.target - self.eye, Vec3::new(0.0, 0.0, -1.0));
        let across = forward.cross(self.up);
        let right = direction(
            across,
            direction(forward.cross(Vec3::new(0.6, 0.0, 0.8)), Vec3::new(1.0, 0.0, 0.0)),
        );
        Lens {
            eye: self.eye,
            right,
            up: right.cross(forward),
            forward,
            middle: [0.5 * width as f32, 0.5 * height as f32].into(),
            focal: 0.5 * height as f32 / (0.5 * self.angle.clamp(1.0, 170.0).to_radians()).tan(),
        }
    }
}

/// `v` as a direction, or `other` where it has none.
fn direction(v: Vec3, other: Vec3) -> Vec3 {
    let length = v.norm();
    if length > 1.0e-12 { v / length } else { other }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_are_right_handed_and_upright() {
        let lens = Camera::new([0.0, 0.0, 5.0], [0.0; 3]).lens([200, 100]);
        assert_eq!(lens.right, Vec3::new(1.0, 0.0, 0.0));
        assert_eq!(lens.up, Vec3::new(0.0, 1.0, 0.0));
        assert_eq!(lens.forward, Vec3::new(0.0, 0.0, -1.0));
        // 50 pixels are 22.5 degrees.
        assert!((lens.focal - 50.0 / 22.5_f32.to_radians().tan()).abs() < 1e-3);
    }

    #[test]
    fn looking_straight_down_has_axes_too() {
        for eye in [[0.0, 3.0, 0.0], [0.0, -3.0, 0.0], [0.0; 3]] {
            let lens = Camera::new(eye, [0.0; 3]).lens([3, 3]);
            for axis in [lens.right, lens.up, lens.forward] {
                assert!((axis.norm() - 1.0).abs() < 1e-5, "{lens:?}");
            }
        }
    }

    #[test]
    fn an_orbit_keeps_the_distance() {
        let mut camera = Camera::new([3.0, 1.0, 2.0], [1.0, 0.0, 0.0]);
        for _ in 0..40 {
            camera = camera.orbit(17.0, 9.0);
            assert!(((camera.eye - camera.target).norm() - 3.0).abs() < 1e-3);
        }
        assert!(camera.eye.y < 3.0 && camera.eye.y > 2.9);
        let whole = Camera::new([2.0, 1.0, 0.5], [0.0; 3]);
        assert!((whole.orbit(360.0, 0.0).eye - whole.eye).norm() < 1e-4);
    }
}
