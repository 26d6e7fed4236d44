//! A live window.

mod camera;
mod desktop;
mod error;
mod input;
mod kernels;
mod overlay;
mod pace;
mod screen;
mod terminal;

use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use swathe::math::Scalar;
use swathe::{Argument, Device, Element, Field, Vec2, Vec3};

pub use camera::Camera;
pub use error::ViewError;
pub use input::{Key, Mouse};

use crate::{Animation, Color, ColorMap, Image, Recording, View};
use input::Input;
use kernels::Map;
use overlay::{Canvas, Label, Sliders};
use pace::Pace;
use screen::{Choice, Screen};

/// A finished frame: 0x00RRGGBB, row by row from the top.
#[derive(Debug)]
pub(crate) struct Packed {
    /// Width and height.
    size: [usize; 2],
    pixels: Vec<u32>,
}

impl Packed {
    fn image(&self) -> Image {
        let [width, height] = self.size;
        Image::from_fn(width, height, |x, y| {
            let [_, rgb @ ..] = self.pixels[y * width + x].to_be_bytes();
            rgb
        })
    }
}

/// A live window: fields are drawn by kernels on their device, and shown frame by frame.
///
/// ```
/// use swathe::prelude::*;
/// use swathe_view::{ColorMap, Window};
///
/// #[kernel]
/// fn ripple(u: &mut Field<f32, 2>, time: f32) {
///     for [i, j] in u.indices() {
///         let at = Vec2::new(j as f32 - 160.0, i as f32 - 90.0);
///         u[[i, j]] = (0.2 * at.norm() - time).sin();
///     }
/// }
///
/// fn main() -> Result<(), swathe_view::ViewError> {
///     # // SAFETY: nothing else runs in this test.
///     # unsafe { std::env::set_var("SWATHE_VIEW", "none"); std::env::set_var("SWATHE_VIEW_FRAMES", "2") };
///     let device = Device::default();
///     let mut u = Field::zeros(&device, [180, 320])?;
///     let mut window = Window::new(&device, "ripple", [640, 360])?;
///     let mut time = 0.0;
///     while window.frame()? {
///         time += window.slider("speed", 0.0..=0.5, 0.1)?;
///         ripple(&mut u, time)?;
///         window.show_values(&u, &ColorMap::tide(), -1.0..1.0)?;
///     }
///     Ok(())
/// }
/// ```
///
/// # Where it shows
/// | `SWATHE_VIEW` | |
/// |---|---|
/// | `window` | a window of the desktop (X11): what is taken where `DISPLAY` is set |
/// | `terminal` | half blocks in colours: what is taken in a terminal without a display |
/// | `record` | PNG files and an animation in the folder `out/TITLE`: what is taken elsewhere |
/// | `none` | nowhere |
///
/// `SWATHE_VIEW_FRAMES` is the number of frames after which the window closes by itself; `record` and `none` close after 240 if it is
/// not set. Frames keep a pace of 60 in a second at most, where somebody looks.
///
/// # Keys
/// The space bar pauses, `.` goes on by one frame; `p` writes a picture, `r` begins and ends a recording, both in `out/TITLE`; Tab chooses
/// a slider and the arrows move it; `q` and Escape close the window.
pub struct Window {
    title: String,
    /// Width and height.
    size: [usize; 2],
    device: Device,
    light: Field<Vec3, 2>,
    marks: Field<u64, 2>,
    packed: Field<u32, 2>,
    /// The colours of the map that was used last.
    table: Option<(ColorMap, Field<Vec3>)>,
    /// Whether surfaces and balls are marked that are not on the canvas yet.
    scene: bool,
    world: View,
    background: Color,
    labels: Vec<Label>,
    sliders: Sliders,
    input: Input,
    frame: Packed,
    screen: Box<dyn Screen>,
    folder: PathBuf,
    recording: Option<Recording>,
    pictures: usize,
    pace: Pace,
    paused: bool,
    begun: u64,
    limit: Option<u64>,
    closed: bool,
}

impl Window {
    /// Opens a window of `width` and `height` pixels that draws on `device`, where the fields are that it shows.
    ///
    /// # Errors
    /// [`ViewError::Display`] or [`ViewError::Terminal`] where the chosen place cannot show it, [`ViewError::Choice`] for a wrong
    /// environment variable, [`ViewError::Size`] without pixels or with more than 65535 on a side, and those of memory on the device.
    pub fn new(device: &Device, title: &str, [width, height]: [usize; 2]) -> Result<Window, ViewError> {
        Window::open(device, title, [width, height], Choice::find()?)
    }

    fn open(device: &Device, title: &str, size: [usize; 2], choice: Choice) -> Result<Window, ViewError> {
        let [width, height] = size;
        if !(1..=0xffff).contains(&width) || !(1..=0xffff).contains(&height) {
            return Err(ViewError::Size { what: "a window", size });
        }
        let watched = matches!(choice, Choice::Window | Choice::Terminal);
        let limit = pace::limit(watched)?;
        let shape = [height, width];
        let folder = Path::new("out").join(file_name(title));
        let mut window = Window {
            title: title.to_owned(),
            size,
            device: device.clone(),
            light: Field::zeros(device, shape)?,
            marks: Field::zeros(device, shape)?,
            packed: Field::zeros(device, shape)?,
            table: None,
            scene: false,
            world: View::fit(width, height, [0.0, 0.0], [1.0, 1.0]),
            background: Color::BLACK,
            labels: Vec::new(),
            sliders: Sliders::default(),
            input: Input::default(),
            frame: Packed {
                size,
                pixels: vec![0; width * height],
            },
            screen: choice.open(title, size)?,
            folder,
            recording: None,
            pictures: 0,
            pace: Pace::new(60.0),
            paused: false,
            begun: 0,
            limit,
            closed: false,
        };
        if choice == Choice::Record {
            window.record()?;
        }
        Ok(window)
    }

    /// Shows what was drawn, waits for its time, reads mouse and keys, and begins the next frame: `false` when the window is closed.
    ///
    /// # Errors
    /// What hinders showing or recording; and the failure of a kernel that has not been reported yet.
    pub fn frame(&mut self) -> Result<bool, ViewError> {
        if self.closed {
            return Ok(false);
        }
        if self.begun > 0 {
            self.present()?;
        }
        if self.limit.is_some_and(|limit| self.begun >= limit) || !self.listen()? {
            self.close()?;
            return Ok(false);
        }
        self.begun += 1;
        self.labels.clear();
        self.sliders.begin();
        self.light.fill(self.background.rgb.into())?;
        Ok(true)
    }

    /// Reads mouse and keys; returns when the next frame may begin, with whether there is one.
    fn listen(&mut self) -> Result<bool, ViewError> {
        loop {
            self.input.begin();
            if !self.screen.poll(&mut self.input)? {
                return Ok(false);
            }
            self.input.mouse.at = self.world.coordinates(self.input.mouse.pixel);
            self.sliders.update(&self.input);
            let pressed = |key| self.input.pressed.contains(&key);
            if pressed(Key::Escape) || pressed(Key::Char('q')) {
                return Ok(false);
            }
            let (picture, record, step) = (
                pressed(Key::Char('p')),
                pressed(Key::Char('r')),
                pressed(Key::Char('.')),
            );
            self.paused ^= pressed(Key::Space);
            if picture {
                let path = self.folder.join(format!("picture_{:04}.png", self.pictures));
                self.save(&path)?;
                self.pictures += 1;
            }
            match (record, self.recording.is_some()) {
                (true, false) => self.record()?,
                (true, true) => self.end_recording()?,
                _ => {}
            }
            if !self.paused || step {
                return Ok(true);
            }
            self.screen.present(&self.frame)?;
            self.pace.wait();
        }
    }

    fn present(&mut self) -> Result<(), ViewError> {
        self.end_scene()?;
        kernels::encode_all(&mut self.packed, &self.light)?;
        self.packed.copy_to_slice(&mut self.frame.pixels)?;
        let mut canvas = Canvas(&mut self.frame);
        for label in &self.labels {
            label.draw(&mut canvas);
        }
        self.sliders.draw(&mut canvas);
        self.screen.present(&self.frame)?;
        if let Some(recording) = &mut self.recording {
            recording.frame(&self.frame.image())?;
        }
        if self.screen.watched() {
            self.pace.wait();
        }
        Ok(())
    }

    /// Closes the window; [`frame`](Window::frame) answers `false` from then on. An unfinished recording gets its end.
    ///
    /// # Errors
    /// Those of the recording.
    pub fn close(&mut self) -> Result<(), ViewError> {
        self.closed = true;
        self.screen = Choice::None.open(&self.title, self.size)?;
        self.end_recording()
    }

    fn record(&mut self) -> Result<(), ViewError> {
        let frames = self.limit.map_or(240, |limit| limit.min(1 << 20) as usize);
        let recording = Recording::new(&self.folder)?.expected(frames);
        self.recording = Some(recording.frames_per_second(30).animation(Animation::Gif));
        Ok(())
    }

    fn end_recording(&mut self) -> Result<(), ViewError> {
        if let Some(recording) = self.recording.take() {
            let report = recording.finish()?;
            if !report.frames.is_empty() {
                eprintln!("{}: {report}", self.title);
            }
        }
        Ok(())
    }

    /// Writes the frame that was shown last as PNG.
    ///
    /// # Errors
    /// [`PictureError::Write`](crate::PictureError::Write), or [`Folder`](crate::PictureError::Folder) for its folder.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), ViewError> {
        let path = path.as_ref();
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|source| crate::PictureError::Folder {
                path: folder.to_owned(),
                source,
            })?;
        }
        Ok(self.frame.image().write_png(path)?)
    }

    /// How many frames a second has at most: 60 if it is not said. Nothing is slowed down by infinity.
    pub fn frames_per_second(&mut self, fps: f32) {
        self.pace = Pace::new(fps);
    }

    /// What each frame begins with, from the next one on. Black if it is not said.
    pub fn background(&mut self, color: Color) {
        self.background = color;
    }

    /// The coordinates of dots, lines and the mouse: the box from `lower` to `upper` is shown as large as it fits, undistorted, y upwards.
    /// The unit square if it is not said.
    pub fn world(&mut self, lower: [f32; 2], upper: [f32; 2]) {
        self.world = View::fit(self.size[0], self.size[1], lower, upper);
    }

    /// The mouse, as it was when this frame began. While it moves a slider its buttons are up.
    #[must_use]
    pub fn mouse(&self) -> Mouse {
        let mouse = self.input.mouse;
        Mouse {
            left: mouse.left && !self.sliders.hold_the_mouse(),
            ..mouse
        }
    }

    /// Whether a key was pressed since the frame before.
    #[must_use]
    pub fn pressed(&self, key: Key) -> bool {
        self.input.pressed.contains(&key)
    }

    /// Whether a key is held down. In a terminal that is when it was pressed.
    #[must_use]
    pub fn held(&self, key: Key) -> bool {
        self.input.held.contains(&key)
    }

    /// A number that the user moves by the mouse, or by Tab and the arrows; it begins with `start`. Shown in frames that ask for it.
    ///
    /// # Errors
    /// [`ViewError::Range`] for a range without numbers.
    pub fn slider(&mut self, name: &str, range: RangeInclusive<f32>, start: f32) -> Result<f32, ViewError> {
        self.sliders.value(name, range, start)
    }

    /// A line of text, its upper left corner at `at` in pixels. Latin letters, 8 by 13 pixels each.
    pub fn text(&mut self, text: impl Into<String>, at: [f32; 2], color: Color) {
        let text = text.into();
        self.labels.push(Label { text, at, color });
    }

    /// Shows an image of light, as large as it fits and undistorted: row 0 on top, 1 is the full intensity of the screen.
    ///
    /// # Errors
    /// Those of a launch, as for an image on another device.
    pub fn show(&mut self, image: &impl Argument<Field<Vec3, 2>>) -> Result<(), ViewError> {
        self.end_scene()?;
        Ok(kernels::show_light(&mut self.light, image)?)
    }

    /// Shows an image of colours `0xRRGGBB`, as [`show`](Window::show) does.
    ///
    /// # Errors
    /// Those of a launch.
    pub fn show_packed(&mut self, image: &impl Argument<Field<u32, 2>>) -> Result<(), ViewError> {
        self.end_scene()?;
        Ok(kernels::show_packed(&mut self.light, image)?)
    }

    /// Shows numbers by a map of colours that runs over `range`, as [`show`](Window::show) does. What lies outside of the range has the
    /// colour of the nearer end, not-a-number that of the start.
    ///
    /// # Errors
    /// Those of a launch.
    pub fn show_values<T: Scalar + Element>(
        &mut self,
        image: &impl Argument<Field<T, 2>>,
        map: &ColorMap,
        range: Range<f32>,
    ) -> Result<(), ViewError> {
        self.end_scene()?;
        let table = match self.table.take() {
            Some((known, table)) if known == *map => table,
            _ => Field::from_vec(&self.device, map.colors().map(|color| color.rgb.into()).collect())?,
        };
        let (_, table) = self.table.insert((map.clone(), table));
        let scale = 1.0 / (range.end - range.start);
        Ok(kernels::show_values(
            &mut self.light,
            image,
            &*table,
            range.start,
            scale,
        )?)
    }

    /// Shows a picture of the host.
    ///
    /// # Errors
    /// Those of memory on the device.
    pub fn show_image(&mut self, image: &Image) -> Result<(), ViewError> {
        let packed = image.pixels().iter().map(|&[r, g, b]| u32::from_be_bytes([0, r, g, b]));
        let packed = Field::from_vec(&self.device, packed.collect())?;
        let shape = [image.height(), image.width()];
        self.show_packed(&packed.view().reshape(shape)?)
    }

    /// Discs with smooth edges at `points`, `radius` in pixels; later ones lie on earlier ones. A disc smaller than a pixel is fainter
    /// instead. `paint` is a [`Color`] for all, or a field with one for each, as light.
    ///
    /// # Errors
    /// Those of a launch; a failed assertion where there are neither one colour nor as many as points.
    pub fn dots(
        &mut self,
        points: &impl Argument<Field<Vec2>>,
        radius: f32,
        paint: &impl Paint,
    ) -> Result<(), ViewError> {
        self.end_scene()?;
        let (colors, map) = (paint.colors(&self.device)?, self.map());
        kernels::mark_dots(&mut self.marks, points, &colors, map, radius)?;
        self.blend()
    }

    /// Straight lines between points: `lines` holds the two ends of each as positions in `points`; `width` in pixels, `paint` as for
    /// [`dots`](Window::dots).
    ///
    /// # Errors
    /// Those of a launch, also for positions that there are not.
    pub fn lines(
        &mut self,
        points: &impl Argument<Field<Vec2>>,
        lines: &impl Argument<Field<[u32; 2]>>,
        width: f32,
        paint: &impl Paint,
    ) -> Result<(), ViewError> {
        self.end_scene()?;
        let (colors, map) = (paint.colors(&self.device)?, self.map());
        kernels::mark_lines(&mut self.marks, points, lines, &colors, map, width)?;
        self.blend()
    }

    /// A surface of triangles, in the light of the camera, hidden by what is nearer; `triangles` holds the three corners of each as
    /// positions in `points`, `paint` is as for [`dots`](Window::dots). What is drawn later lies on it.
    ///
    /// # Errors
    /// Those of a launch, also for positions that there are not.
    pub fn triangles(
        &mut self,
        points: &impl Argument<Field<Vec3>>,
        triangles: &impl Argument<Field<[u32; 3]>>,
        camera: &Camera,
        paint: &impl Paint,
    ) -> Result<(), ViewError> {
        let (colors, lens) = (paint.colors(&self.device)?, camera.lens(self.size));
        kernels::mark_triangles(&mut self.marks, points, triangles, &colors, lens)?;
        self.scene = true;
        Ok(())
    }

    /// Balls at `points` in space, `radius` in their units, as [`triangles`](Window::triangles) are shown: both hide each other.
    ///
    /// # Errors
    /// Those of a launch.
    pub fn balls(
        &mut self,
        points: &impl Argument<Field<Vec3>>,
        radius: f32,
        camera: &Camera,
        paint: &impl Paint,
    ) -> Result<(), ViewError> {
        let (colors, lens) = (paint.colors(&self.device)?, camera.lens(self.size));
        kernels::mark_balls(&mut self.marks, points, &colors, lens, radius)?;
        self.scene = true;
        Ok(())
    }

    fn map(&self) -> Map {
        let (scale, shift) = self.world.parts();
        Map {
            scale,
            shift: shift.into(),
        }
    }

    /// Puts what was marked on the canvas.
    fn blend(&mut self) -> Result<(), ViewError> {
        self.scene = false;
        Ok(kernels::blend(&mut self.light, &mut self.marks)?)
    }

    /// Puts a scene of surfaces and balls, which hide each other, on the canvas before anything else is drawn.
    fn end_scene(&mut self) -> Result<(), ViewError> {
        if self.scene { self.blend() } else { Ok(()) }
    }
}

/// What dots, lines, surfaces and balls are painted with: a [`Color`] for all, or a field of light with one for each.
pub trait Paint {
    /// The colours, for a kernel.
    type Colors<'a>: Argument<Field<Vec3>>
    where
        Self: 'a;

    /// One colour, or as many as there is to paint, on the device.
    ///
    /// # Errors
    /// Those of memory on the device.
    fn colors(&self, device: &Device) -> Result<Self::Colors<'_>, ViewError>;
}

impl Paint for Color {
    type Colors<'a> = Field<Vec3>;

    fn colors(&self, device: &Device) -> Result<Field<Vec3>, ViewError> {
        Ok(Field::full(device, 1, self.rgb.into())?)
    }
}

impl<A: Argument<Field<Vec3>>> Paint for A {
    type Colors<'a>
        = &'a A
    where
        A: 'a;

    fn colors(&self, _: &Device) -> Result<&A, ViewError> {
        Ok(self)
    }
}

/// A title as the name of a folder: what is neither letter nor digit becomes an underscore.
fn file_name(title: &str) -> String {
    let name: String = title
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    if name.is_empty() { "window".to_owned() } else { name }
}

#[cfg(test)]
mod tests;
