//! Frames, pixel by pixel.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use swathe::prelude::*;

use super::*;
use crate::{Blend, Canvas as HostCanvas};

/// The CPU, or with `SWATHE_TEST_GPU` a GPU.
fn device() -> Device {
    match std::env::var_os("SWATHE_TEST_GPU") {
        Some(_) => Device::cuda(0).unwrap_or_else(|error| panic!("{error}")),
        None => Device::cpu(),
    }
}

fn window(size: [usize; 2]) -> Window {
    let mut window = Window::open(&device(), "test", size, Choice::None).unwrap();
    window.limit = None;
    assert!(window.frame().unwrap());
    window
}

/// The frame that was drawn.
fn shown(window: &mut Window) -> Image {
    assert!(window.frame().unwrap());
    window.frame.image()
}

/// A screen that plays what a user does, frame by frame.
struct Played {
    frames: VecDeque<Input>,
    presented: Rc<RefCell<usize>>,
}

impl Screen for Played {
    fn poll(&mut self, input: &mut Input) -> Result<bool, ViewError> {
        let next = self.frames.pop_front();
        let open = next.is_some();
        *input = next.unwrap_or_default();
        Ok(open)
    }

    fn present(&mut self, _: &Packed) -> Result<(), ViewError> {
        *self.presented.borrow_mut() += 1;
        Ok(())
    }
}

fn keys(keys: &[Key]) -> Input {
    let mut input = Input::default();
    keys.iter().for_each(|&key| input.press(key));
    input
}

fn played(frames: impl IntoIterator<Item = Input>) -> (Window, Rc<RefCell<usize>>) {
    let mut window = Window::open(&device(), "played", [9, 5], Choice::None).unwrap();
    let presented = Rc::default();
    window.limit = None;
    window.frames_per_second(f32::INFINITY);
    window.screen = Box::new(Played {
        frames: frames.into_iter().collect(),
        presented: Rc::clone(&presented),
    });
    (window, presented)
}

#[test]
fn an_image_is_scaled_undistorted_and_centred() {
    let image = Field::from_fn(&device(), [3, 5], |[i, j]| (0x102030 * i + 7 * j) as u32 + 1).unwrap();
    for (size, step, left, top) in [
        ([5, 3], 1, 0, 0),
        ([10, 6], 2, 0, 0),
        ([10, 10], 2, 0, 2),
        ([33, 9], 3, 9, 0),
    ] {
        let mut window = window(size);
        window.show_packed(&image).unwrap();
        let picture = shown(&mut window);
        for y in 0..size[1] {
            for x in 0..size[0] {
                let inside = x >= left && y >= top && x - left < 5 * step && y - top < 3 * step;
                let expected = if inside {
                    image.get([(y - top) / step, (x - left) / step]).unwrap()
                } else {
                    0
                };
                let [_, rgb @ ..] = expected.to_be_bytes();
                assert_eq!(picture.pixel(x, y), rgb, "{size:?} at {x}, {y}");
            }
        }
    }
}

#[test]
fn every_colour_comes_back() {
    let image = Field::from_fn(&device(), [16, 16], |[i, j]| {
        let k = (16 * i + j) as u32;
        (k << 16) | ((255 - k) << 8) | (k / 2)
    });
    let image = image.unwrap();
    let mut window = window([16, 16]);
    window.show_packed(&image).unwrap();
    let picture = shown(&mut window);
    for ([i, j], packed) in image.indexed_iter().unwrap() {
        let [_, rgb @ ..] = packed.to_be_bytes();
        assert_eq!(picture.pixel(j, i), rgb);
    }
    // The same by a picture of the host.
    window.show_image(&picture).unwrap();
    assert_eq!(shown(&mut window), picture);
}

#[test]
fn an_image_without_pixels_shows_nothing() {
    let mut window = window([3, 3]);
    window.background(Color::hex(0x102030));
    assert!(window.frame().unwrap());
    for shape in [[0, 0], [0, 4], [4, 0]] {
        let image = Field::<Vec3, 2>::zeros(&device(), shape).unwrap();
        window.show(&image).unwrap();
        assert_eq!(shown(&mut window).pixel(1, 1), [0x10, 0x20, 0x30]);
    }
}

#[test]
fn numbers_have_the_colours_of_their_map() {
    let map = ColorMap::ember();
    let values = [-3.0, 2.0, 4.5, 7.0, 9.0, f32::NAN, f32::INFINITY];
    let image = Field::from_fn(&device(), [1, 7], |[_, j]| values[j]).unwrap();
    let mut window = window([7, 1]);
    window.show_values(&image, &map, 2.0..7.0).unwrap();
    let picture = shown(&mut window);
    for (j, value) in values.into_iter().enumerate() {
        let share = (value - 2.0) / 5.0;
        let share = if share.is_nan() { 0.0 } else { share };
        assert_eq!(picture.pixel(j, 0), map.color(share).to_srgb(), "{value}");
    }
    // Integers, another map, and a transposed view.
    let image = Field::from_fn(&device(), [4, 1], |[i, _]| i as u8).unwrap();
    let map = ColorMap::tide();
    let mut window = self::window([4, 1]);
    window.show_values(&image.t(), &map, 0.0..3.0).unwrap();
    assert_eq!(shown(&mut window).pixel(2, 0), map.color(2.0 / 3.0).to_srgb());
}

/// Largest difference of two pictures in any colour.
fn difference(a: &Image, b: &Image) -> u8 {
    assert_eq!([a.width(), a.height()], [b.width(), b.height()]);
    let pairs = a.pixels().iter().flatten().zip(b.pixels().iter().flatten());
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

#[test]
fn a_dot_is_a_disc() {
    let color = Color::hex(0xffc857);
    for (at, radius) in [
        ([0.5, 0.5], 3.0),
        ([0.13, 0.91], 7.5),
        ([0.98, 0.02], 1.0),
        ([0.4, 0.6], 0.3),
    ] {
        let mut window = window([40, 40]);
        let points = Field::from_slice(&device(), &[Vec2::from(at)]).unwrap();
        window.dots(&points, radius, &color).unwrap();
        let mut canvas = HostCanvas::new(40, 40, Color::BLACK);
        canvas.disc([40.0 * at[0], 40.0 - 40.0 * at[1]], radius, color, Blend::Over);
        // Coverage has 255 steps, and dark signals are steep.
        let worst = difference(&shown(&mut window), &canvas.to_image());
        assert!(worst <= 8, "{at:?}, {radius}: {worst}");
    }
}

#[test]
fn later_dots_lie_on_earlier_ones_and_each_has_its_colour() {
    let mut window = window([30, 10]);
    window.world([0.0, 0.0], [3.0, 1.0]);
    let points = [
        [0.5, 0.5],
        [0.5, 0.5],
        [1.5, 0.5],
        [f32::NAN, 0.5],
        [-1e30, 0.5],
        [2.5, 0.5],
    ]
    .map(Vec2::from);
    let points = Field::from_slice(&device(), &points).unwrap();
    let colors = [0xff0000, 0x00ff00, 0x0000ff, 0xffffff, 0xffffff, 0x808080].map(|hex| Color::hex(hex).rgb.into());
    let colors = Field::<Vec3>::from_slice(&device(), &colors).unwrap();
    window.dots(&points, 3.0, &colors).unwrap();
    let picture = shown(&mut window);
    assert_eq!(picture.pixel(5, 5), [0, 255, 0]);
    assert_eq!(picture.pixel(15, 5), [0, 0, 255]);
    assert_eq!(picture.pixel(25, 5), [128, 128, 128]);
    assert_eq!(picture.pixel(10, 0), [0, 0, 0]);
}

#[test]
fn too_few_colours_are_an_error() {
    let mut window = window([5, 5]);
    let points = Field::<Vec2>::zeros(&device(), 3).unwrap();
    for count in [0, 2, 4] {
        let colors = Field::<Vec3>::zeros(&device(), count).unwrap();
        let error = window.dots(&points, 1.0, &colors).unwrap_err().to_string();
        assert!(error.contains("one colour for all, or one for each"), "{error}");
    }
    window
        .dots(&Field::<Vec2>::zeros(&device(), 0).unwrap(), 1.0, &Color::WHITE)
        .unwrap();
}

#[test]
fn a_line_goes_from_end_to_end() {
    let device = device();
    let points = [[0.0, 0.5], [1.0, 0.5], [0.5, 0.1], [0.5, 0.9], [0.0, 1.0], [1.0, 0.0]].map(Vec2::from);
    let points = Field::from_slice(&device, &points).unwrap();
    for (line, lit, dark) in [
        ([0, 1], [[0, 10], [10, 9], [19, 10]], [[10, 7], [0, 12]]),
        ([3, 2], [[9, 3], [10, 10], [10, 16]], [[7, 10], [10, 0]]),
        ([4, 5], [[0, 0], [10, 10], [19, 19]], [[0, 4], [10, 6]]),
        ([5, 4], [[0, 0], [10, 10], [19, 19]], [[0, 4], [10, 6]]),
    ] {
        let mut window = window([20, 20]);
        let lines = Field::from_slice(&device, &[line]).unwrap();
        window.lines(&points, &lines, 2.0, &Color::WHITE).unwrap();
        let picture = shown(&mut window);
        for [x, y] in lit {
            assert!(
                picture.pixel(x, y)[0] > 180,
                "{line:?} at {x}, {y}: {:?}",
                picture.pixel(x, y)
            );
        }
        for [x, y] in dark {
            assert_eq!(picture.pixel(x, y), [0; 3], "{line:?} at {x}, {y}");
        }
    }
}

#[test]
fn odd_lines_are_dots_or_nothing() {
    let device = device();
    let points = [
        [0.5, 0.5],
        [0.5, 0.5],
        [f32::NAN, 0.0],
        [f32::INFINITY, 0.5],
        [1e9, 0.5],
    ]
    .map(Vec2::from);
    let points = Field::from_slice(&device, &points).unwrap();
    let mut window = window([20, 20]);
    let lines = Field::from_slice(&device, &[[0, 1], [0, 2], [3, 0]]).unwrap();
    window.lines(&points, &lines, 2.0, &Color::WHITE).unwrap();
    let picture = shown(&mut window);
    let lit = picture.pixels().iter().filter(|pixel| pixel[0] > 0).count();
    assert!((1..=16).contains(&lit), "{lit}");
    // A long way out, it still starts where it starts.
    window
        .lines(
            &points,
            &Field::from_slice(&device, &[[0, 4]]).unwrap(),
            2.0,
            &Color::WHITE,
        )
        .unwrap();
    let picture = shown(&mut window);
    assert!(picture.pixel(15, 10)[0] > 180 && picture.pixel(4, 10)[0] == 0);
    // A point that there is not.
    let lines = Field::from_slice(&device, &[[0, 5]]).unwrap();
    let error = window.lines(&points, &lines, 2.0, &Color::WHITE).unwrap_err();
    assert!(error.to_string().contains("`mark_lines`"), "{error}");
}

#[test]
fn what_is_nearer_hides_what_is_farther() {
    let device = device();
    let camera = Camera::new([0.0, 0.0, 5.0], [0.0; 3]);
    // Two squares, one behind the other, each of two triangles.
    let corners = |z: f32, r: f32| [[-r, -r, z], [r, -r, z], [r, r, z], [-r, r, z]].map(Vec3::from);
    let points = [corners(-1.0, 1.5), corners(1.0, 0.5)].concat();
    let points = Field::from_slice(&device, &points).unwrap();
    let faces: [[u32; 3]; 4] = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let [red, green] = [0xff0000, 0x00ff00].map(|hex| Vec3::from(Color::hex(hex).rgb));
    let colors = [red, red, green, green];
    for order in [[0, 1, 2, 3], [2, 3, 0, 1], [3, 0, 2, 1]] {
        let faces = Field::from_slice(&device, &order.map(|k| faces[k])).unwrap();
        let colors = Field::from_slice(&device, &order.map(|k| colors[k])).unwrap();
        let mut window = window([41, 41]);
        window.triangles(&points, &faces, &camera, &colors).unwrap();
        let picture = shown(&mut window);
        let [r, g, _] = picture.pixel(20, 20);
        assert!(r == 0 && g > 200, "{:?}", picture.pixel(20, 20));
        let [r, g, _] = picture.pixel(9, 20);
        assert!(r > 200 && g == 0, "{:?}", picture.pixel(9, 20));
        assert_eq!(picture.pixel(1, 1), [0; 3]);
    }
}

#[test]
fn a_ball_pierces_a_surface() {
    let device = device();
    let camera = Camera::new([0.0, 0.0, 5.0], [0.0; 3]);
    let points = [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 18.0, 0.0]].map(Vec3::from);
    let points = Field::from_slice(&device, &points).unwrap();
    let faces = Field::from_slice(&device, &[[0, 1, 2]]).unwrap();
    // One ball half behind the surface, one wholly, one at the eye.
    let centres = [[-0.8, 0.0, 0.0], [0.8, 0.0, -1.0], [0.0, 0.0, 5.0]].map(Vec3::from);
    let centres = Field::from_slice(&device, &centres).unwrap();
    let mut window = window([61, 61]);
    window.balls(&centres, 0.5, &camera, &Color::hex(0x0000ff)).unwrap();
    window
        .triangles(&points, &faces, &camera, &Color::hex(0xff0000))
        .unwrap();
    let picture = shown(&mut window);
    let scale = 30.5 / 22.5_f32.to_radians().tan() / 5.0;
    let [left, right] = [-0.8, 0.8].map(|x| picture.pixel((30.5 + scale * x) as usize, 30));
    assert!(left[2] > 150 && left[0] == 0, "{left:?}");
    assert!(right[0] > 150 && right[2] == 0, "{right:?}");
}

#[test]
fn keys_pause_and_step() {
    let none = keys(&[]);
    let frames = [
        keys(&[Key::Space]),
        none.clone(),
        keys(&[Key::Char('.')]),
        none.clone(),
        keys(&[Key::Space]),
    ];
    let (mut window, presented) = played(frames);
    // The first `frame` is paused at once, and waits for the point; the second until the pause ends.
    assert!(window.frame().unwrap());
    assert_eq!(*presented.borrow(), 2);
    assert!(window.frame().unwrap());
    // Its own picture, once shown and once while it waits.
    assert_eq!(*presented.borrow(), 4);
    // Nothing is left to play: the screen is gone.
    assert!(!window.frame().unwrap());
    assert!(!window.frame().unwrap());
}

#[test]
fn keys_reach_the_program_and_close_the_window() {
    let (mut window, _) = played([keys(&[Key::Char('a'), Key::Up]), keys(&[Key::Char('q')]), keys(&[])]);
    assert!(window.frame().unwrap());
    assert!(window.pressed(Key::Char('a')) && window.held(Key::Up) && !window.pressed(Key::Down));
    assert!(!window.frame().unwrap());
    assert!(!window.frame().unwrap());
}

#[test]
fn the_mouse_has_coordinates_of_the_world() {
    let mut input = Input::default();
    input.mouse.pixel = [4.5, 2.5];
    let (mut window, _) = played([input]);
    window.world([10.0, 20.0], [11.8, 21.0]);
    assert!(window.frame().unwrap());
    let [x, y] = window.mouse().at;
    assert!((x - 10.9).abs() < 1e-5 && (y - 20.5).abs() < 1e-5, "{x}, {y}");
}

#[test]
fn a_recording_begins_and_ends_by_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let r = || keys(&[Key::Char('r')]);
    let (mut window, _) = played([keys(&[]), r(), keys(&[]), keys(&[]), r(), keys(&[Key::Char('p')])]);
    window.folder = folder.path().join("deep/ink");
    for level in 0..6_u32 {
        assert!(window.frame().unwrap());
        let light = Field::full(&device(), [5, 9], Color::srgb([40 * level as u8; 3]).rgb.into()).unwrap();
        window.show(&light).unwrap();
    }
    assert!(!window.frame().unwrap());
    // The frames that were shown between both keys.
    let frame = |k| Image::read_png(&window.folder.join(format!("frame_{k:04}.png")));
    assert_eq!(
        [0, 1, 2].map(|k| frame(k).unwrap().pixel(3, 3)),
        [[40; 3], [80; 3], [120; 3]]
    );
    assert!(frame(3).is_err() && window.folder.join("animation.gif").exists());
    let picture = Image::read_png(&window.folder.join("picture_0000.png")).unwrap();
    assert_eq!(picture.pixel(0, 0), [160; 3]);
}

#[test]
fn a_window_has_a_size() {
    for size in [[0, 5], [5, 0], [1 << 20, 5]] {
        let error = Window::open(&device(), "odd", size, Choice::None).err().unwrap();
        assert!(matches!(error, ViewError::Size { .. }), "{error}");
    }
}

#[test]
fn the_limit_ends_the_frames() {
    let mut window = Window::open(&device(), "short", [3, 3], Choice::None).unwrap();
    window.limit = Some(3);
    let mut frames = 0;
    while window.frame().unwrap() {
        frames += 1;
    }
    assert_eq!(frames, 3);
}

#[test]
fn a_title_is_a_folder() {
    assert_eq!(file_name("ink & paper/../x"), "ink___paper____x");
    assert_eq!(file_name(""), "window");
    assert_eq!(file_name("Tinte ä"), "Tinte_ä");
}
