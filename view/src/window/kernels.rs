//! What draws, on the device of the window.

use swathe::prelude::*;

/// Where an image lies on the canvas: pixel `k` shows what is at `(k + 0.5 - start) * step`.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Fit {
    left: f32,
    top: f32,
    step: f32,
}

/// As large as it fits, undistorted and centred.
#[func]
fn fit(canvas: [usize; 2], image: [usize; 2]) -> Fit {
    let (h, w) = (canvas[0] as f32, canvas[1] as f32);
    let (height, width) = (image[0] as f32, image[1] as f32);
    let step = (width / w).max(height / h);
    Fit {
        left: 0.5 * (w - width / step),
        top: 0.5 * (h - height / step),
        step,
    }
}

/// Coordinates to pixels: `x * scale + shift.x`, and y the other way up.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
pub struct Map {
    pub scale: f32,
    pub shift: Vec2,
}

#[func]
impl Map {
    fn pixel(self, at: Vec2) -> Vec2 {
        Vec2::new(self.shift.x + self.scale * at.x, self.shift.y - self.scale * at.y)
    }
}

/// The position of an image that a pixel shows; beyond all extents where there is none.
#[func]
fn source(pixel: usize, start: f32, step: f32) -> usize {
    let at = ((pixel as f32 + 0.5 - start) * step).floor();
    if at >= 0.0 { at as usize } else { usize::MAX }
}

/// A signal of 0 to 1 to light. IEC 61966-2-1.
#[func]
fn decode(signal: f32) -> f32 {
    if signal <= 0.04045 {
        signal / 12.92
    } else {
        ((signal + 0.055) / 1.055).powf(2.4)
    }
}

/// Light to a signal of 0 to 255. IEC 61966-2-1.
#[func]
fn encode(light: f32) -> u32 {
    // Not-a-number is dark.
    let light = light.max(0.0).min(1.0);
    let signal = if light <= 0.0031308 {
        light * 12.92
    } else {
        1.055 * light.powf(1.0 / 2.4) - 0.055
    };
    (signal * 255.0 + 0.5) as u32
}

/// Light from 0xRRGGBB.
#[func]
fn unpack(rgb: u32) -> Vec3 {
    Vec3::new(
        decode((rgb >> 16 & 255) as f32 / 255.0),
        decode((rgb >> 8 & 255) as f32 / 255.0),
        decode((rgb & 255) as f32 / 255.0),
    )
}

/// 0xRRGGBB from light.
#[func]
fn pack(light: Vec3) -> u32 {
    encode(light.x) << 16 | encode(light.y) << 8 | encode(light.z)
}

/// Shows an image of light.
#[kernel]
pub fn show_light(light: &mut Field<Vec3, 2>, image: &Field<Vec3, 2>) {
    let [h, w] = image.shape();
    let fit = fit(light.shape(), image.shape());
    for [y, x] in light.indices() {
        let (i, j) = (source(y, fit.top, fit.step), source(x, fit.left, fit.step));
        if i < h && j < w {
            light[[y, x]] = image[[i, j]];
        }
    }
}

/// Shows an image of 0xRRGGBB.
#[kernel]
pub fn show_packed(light: &mut Field<Vec3, 2>, image: &Field<u32, 2>) {
    let [h, w] = image.shape();
    let fit = fit(light.shape(), image.shape());
    for [y, x] in light.indices() {
        let (i, j) = (source(y, fit.top, fit.step), source(x, fit.left, fit.step));
        if i < h && j < w {
            light[[y, x]] = unpack(image[[i, j]]);
        }
    }
}

/// Shows numbers by a table of colours: `lower` is its first one, `lower + 1 / scale` its last.
#[kernel]
pub fn show_values<T: Scalar>(
    light: &mut Field<Vec3, 2>,
    image: &Field<T, 2>,
    table: &Field<Vec3>,
    lower: f32,
    scale: f32,
) {
    let [h, w] = image.shape();
    let fit = fit(light.shape(), image.shape());
    let last = table.len() - 1;
    for [y, x] in light.indices() {
        let (i, j) = (source(y, fit.top, fit.step), source(x, fit.left, fit.step));
        if i < h && j < w {
            // Not-a-number has the first colour.
            let value = ((image[[i, j]].as_f32() - lower) * scale).max(0.0).min(1.0);
            light[[y, x]] = table[((value * last as f32 + 0.5) as usize).min(last)];
        }
    }
}

/// What a screen takes.
#[kernel]
pub fn encode_all(packed: &mut Field<u32, 2>, light: &Field<Vec3, 2>) {
    for at in packed.indices() {
        packed[at] = pack(light[at]);
    }
}

/// A mark on a pixel. Of several on one the largest stays: that which covers most of it, of those the one in front. So a picture does
/// not depend on the order in which threads draw.
#[func]
fn mark(cover: f32, front: u32, rgb: u32) -> u64 {
    ((cover * 255.0 + 0.5) as u64) << 56 | (front as u64) << 24 | rgb as u64
}

/// The first pixel that may be touched from `from` on, and the first one after `to`, of `n`.
#[func]
fn span(from: f32, to: f32, n: usize) -> (usize, usize) {
    // What is not a number, or too far out, is nowhere.
    if from.is_finite() && to.is_finite() {
        (from.floor().max(0.0) as usize, (to.ceil().max(0.0) as usize).min(n))
    } else {
        (0, 0)
    }
}

/// Discs with smooth edges, `radius` in pixels; later ones lie on earlier ones. Smaller than a pixel, they get fainter instead.
#[kernel]
pub fn mark_dots(marks: &mut Field<u64, 2>, points: &Field<Vec2>, colors: &Field<Vec3>, map: Map, radius: f32) {
    assert!(
        colors.len() == 1 || colors.len() == points.len(),
        "one colour for all, or one for each"
    );
    let [h, w] = marks.shape();
    let shown = radius.max(0.6);
    let strength = (radius / shown) * (radius / shown);
    let edge = (shown * shown - 1.0 / 12.0).sqrt() + 0.5;
    for k in points.indices() {
        let at = map.pixel(points[k]);
        let (top, bottom) = span(at.y - edge, at.y + edge, h);
        let (left, right) = span(at.x - edge, at.x + edge, w);
        // One colour serves all.
        let rgb = pack(colors[if colors.len() == 1 { 0 } else { k }]);
        for y in top..bottom {
            for x in left..right {
                let (dx, dy) = (x as f32 + 0.5 - at.x, y as f32 + 0.5 - at.y);
                let cover = strength * (edge - (dx * dx + dy * dy).sqrt()).max(0.0).min(1.0);
                if cover > 0.0 {
                    marks[[y, x]].atomic_max(mark(cover, k as u32, rgb));
                }
            }
        }
    }
}

/// Straight lines with smooth edges between points, `width` in pixels.
#[kernel]
pub fn mark_lines(
    marks: &mut Field<u64, 2>,
    points: &Field<Vec2>,
    lines: &Field<[u32; 2]>,
    colors: &Field<Vec3>,
    map: Map,
    width: f32,
) {
    assert!(
        colors.len() == 1 || colors.len() == lines.len(),
        "one colour for all, or one for each"
    );
    let [h, w] = marks.shape();
    let shown = width.max(1.0);
    let strength = width / shown;
    let half = 0.5 * shown + 0.5;
    for k in lines.indices() {
        let [first, second] = lines[k];
        let (a, b) = (map.pixel(points[first as usize]), map.pixel(points[second as usize]));
        let rgb = pack(colors[if colors.len() == 1 { 0 } else { k }]);
        let along = b - a;
        let length = along.norm().max(1.0e-6);
        let way = along / length;
        // Steps along the longer side; across it a few pixels.
        let steep = way.y.abs() > way.x.abs();
        let (major, minor) = if steep { (h, w) } else { (w, h) };
        let (from, to) = if steep { (a.y, b.y) } else { (a.x, b.x) };
        let slope = if steep { way.x / way.y } else { way.y / way.x };
        let start = if steep { a.x } else { a.y };
        let reach = half * 1.5;
        let finite = (length + a.x.abs() + a.y.abs()).is_finite();
        let (first, last) = span(from.min(to) - half, from.max(to) + half, major);
        for p in first..last {
            let middle = if along.norm() > 1.0e-6 {
                start + (p as f32 + 0.5 - from) * slope
            } else {
                start
            };
            let (low, high) = span(middle - reach, middle + reach, minor);
            for q in low..high {
                let (x, y) = if steep { (q, p) } else { (p, q) };
                let d = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) - a;
                let t = d.dot(way).max(0.0).min(length);
                let cover = strength * (half - (d - way * t).norm()).max(0.0).min(1.0);
                if finite && cover > 0.0 {
                    marks[[y, x]].atomic_max(mark(cover, k as u32, rgb));
                }
            }
        }
    }
}

/// A viewpoint, with its axes in the world; `focal` and `middle` in pixels.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
pub struct Lens {
    pub eye: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    pub forward: Vec3,
    pub middle: Vec2,
    pub focal: f32,
}

#[func]
impl Lens {
    /// Pixel and depth.
    fn project(self, at: Vec3) -> Vec3 {
        let d = at - self.eye;
        let z = d.dot(self.forward);
        let scale = self.focal / z;
        Vec3::new(
            self.middle.x + scale * d.dot(self.right),
            self.middle.y - scale * d.dot(self.up),
            z,
        )
    }
}

/// Nearer than this nothing is drawn.
const NEAR: f32 = 1.0e-3;

/// How much of its colour a surface has whose normal is `normal`: the light comes from above the eye, a little from the right.
#[func]
fn shade(normal: Vec3, lens: Lens) -> f32 {
    let light = (lens.up * 0.5 - lens.forward + lens.right * 0.3).normalized();
    0.25 + 0.75 * normal.dot(light).max(0.0)
}

/// In front is what is near: the bits of positive floats have their order.
#[func]
fn nearness(depth: f32) -> u32 {
    (1.0 / depth).to_bits()
}

/// Triangles of a surface, both sides of them.
#[kernel]
pub fn mark_triangles(
    marks: &mut Field<u64, 2>,
    points: &Field<Vec3>,
    triangles: &Field<[u32; 3]>,
    colors: &Field<Vec3>,
    lens: Lens,
) {
    assert!(
        colors.len() == 1 || colors.len() == triangles.len(),
        "one colour for all, or one for each"
    );
    let [h, w] = marks.shape();
    for k in triangles.indices() {
        let [i, j, l] = triangles[k];
        let (a, b, c) = (points[i as usize], points[j as usize], points[l as usize]);
        let (p, q, r) = (lens.project(a), lens.project(b), lens.project(c));
        let area = (q.x - p.x) * (r.y - p.y) - (r.x - p.x) * (q.y - p.y);
        if p.z > NEAR && q.z > NEAR && r.z > NEAR && area.abs() > 1.0e-6 {
            let normal = (b - a).cross(c - a).normalized();
            // The side that is seen.
            let normal = if normal.dot(a - lens.eye) > 0.0 {
                -normal
            } else {
                normal
            };
            let color = colors[if colors.len() == 1 { 0 } else { k }];
            let rgb = pack(color * shade(normal, lens));
            let (top, bottom) = span(p.y.min(q.y).min(r.y), p.y.max(q.y).max(r.y), h);
            let (left, right) = span(p.x.min(q.x).min(r.x), p.x.max(q.x).max(r.x), w);
            for y in top..bottom {
                for x in left..right {
                    let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
                    let u = ((q.x - px) * (r.y - py) - (r.x - px) * (q.y - py)) / area;
                    let v = ((r.x - px) * (p.y - py) - (p.x - px) * (r.y - py)) / area;
                    let t = 1.0 - u - v;
                    if u >= 0.0 && v >= 0.0 && t >= 0.0 {
                        // One over the depth is linear on the screen.
                        let depth = 1.0 / (u / p.z + v / q.z + t / r.z);
                        marks[[y, x]].atomic_max(mark(1.0, nearness(depth), rgb));
                    }
                }
            }
        }
    }
}

/// Balls, `radius` in units of the world.
#[kernel]
pub fn mark_balls(marks: &mut Field<u64, 2>, points: &Field<Vec3>, colors: &Field<Vec3>, lens: Lens, radius: f32) {
    assert!(
        colors.len() == 1 || colors.len() == points.len(),
        "one colour for all, or one for each"
    );
    let [h, w] = marks.shape();
    for k in points.indices() {
        let at = lens.project(points[k]);
        if at.z > NEAR + radius {
            let size = lens.focal * radius / at.z;
            let color = colors[if colors.len() == 1 { 0 } else { k }];
            let (top, bottom) = span(at.y - size - 0.5, at.y + size + 0.5, h);
            let (left, right) = span(at.x - size - 0.5, at.x + size + 0.5, w);
            for y in top..bottom {
                for x in left..right {
                    let (dx, dy) = ((x as f32 + 0.5 - at.x) / size, (at.y - y as f32 - 0.5) / size);
                    let d2 = dx * dx + dy * dy;
                    // A ball smaller than a pixel is a pixel.
                    if d2 <= 1.0 || (dx.abs() * size <= 0.5 && dy.abs() * size <= 0.5) {
                        let bulge = (1.0 - d2).max(0.0).sqrt();
                        let normal = lens.right * dx + lens.up * dy - lens.forward * bulge;
                        let rgb = pack(color * shade(normal, lens));
                        marks[[y, x]].atomic_max(mark(1.0, nearness(at.z - radius * bulge), rgb));
                    }
                }
            }
        }
    }
}

/// Puts the marks on the canvas, and clears them.
#[kernel]
pub fn blend(light: &mut Field<Vec3, 2>, marks: &mut Field<u64, 2>) {
    for at in light.indices() {
        let mark = marks[at];
        if mark != 0 {
            let cover = (mark >> 56) as f32 / 255.0;
            light[at] = light[at] * (1.0 - cover) + unpack((mark & 0xff_ffff) as u32) * cover;
            marks[at] = 0;
        }
    }
}
