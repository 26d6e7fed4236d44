//! Pictures and animations, read back.

use std::fs::{self, File};
use std::path::Path;

use super::*;

fn recording(out: &Path, frames: usize, animation: Animation) -> Result<Recording, PictureError> {
    Ok(Recording::new(out)?.expected(frames).animation(animation))
}

/// A bright dot that moves on a dark ground, every frame different.
fn picture(width: usize, height: usize, frame: usize) -> Image {
    Image::from_fn(width, height, |x, y| {
        if x == (3 * frame) % width && y == frame % height {
            [250, 200, 20]
        } else {
            [x as u8 / 8, 20, 40]
        }
    })
}

/// The frames as a viewer shows them: each painted over what was there before.
fn play(path: &Path) -> (Vec<Image>, Vec<u16>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(File::open(path).unwrap()).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut screen = vec![[0; 3]; width * height];
    let (mut frames, mut delays) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (k, rgba) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            let x = usize::from(frame.left) + k % usize::from(frame.width);
            let y = usize::from(frame.top) + k / usize::from(frame.width);
            if let [r, g, b, 255] = *rgba {
                screen[y * width + x] = [r, g, b];
            }
        }
        frames.push(Image::from_fn(width, height, |x, y| screen[y * width + x]));
        delays.push(frame.delay);
    }
    (frames, delays)
}

#[test]
fn every_frame_is_in_the_folder_and_in_the_animation() {
    let folder = tempfile::tempdir().unwrap();
    for (width, height, count) in [(1, 1, 1), (17, 3, 5), (33, 129, 17)] {
        let out = folder.path().join(format!("{width}/deep"));
        let mut output = recording(&out, count as usize, Animation::Gif).unwrap();
        for frame in 0..count as usize {
            output.frame(&picture(width, height, frame)).unwrap();
        }
        let report = output.finish().unwrap();
        assert_eq!(report.frames.len(), count as usize);
        let (played, delays) = play(&report.animation.unwrap());
        assert_eq!(played.len(), count as usize);
        assert!(delays.iter().all(|delay| (3..=4).contains(delay)));
        for (frame, path) in report.frames.iter().enumerate() {
            assert_eq!(path, &out.join(format!("frame_{frame:04}.png")));
            assert_eq!(Image::read_png(path).unwrap(), picture(width, height, frame));
            // Few colours, so that the animation is exact too.
            assert_eq!(
                played[frame],
                picture(width, height, frame),
                "frame {frame} of {width}x{height}"
            );
        }
    }
}

#[test]
fn any_number_of_frames_may_be_expected() {
    let folder = tempfile::tempdir().unwrap();
    for expected in [0, 1, usize::MAX / 51, usize::MAX / 51 + 1, usize::MAX] {
        let mut output = recording(folder.path(), expected, Animation::Gif).unwrap();
        for frame in 0..3 {
            output.frame(&picture(17, 3, frame)).unwrap();
        }
        let (played, _) = play(&output.finish().unwrap().animation.unwrap());
        assert_eq!(played.len(), 3, "{expected} expected");
    }
}

#[test]
fn an_animated_png_is_exact() {
    let folder = tempfile::tempdir().unwrap();
    for (width, height, count) in [(1, 1, 1), (17, 3, 5), (300, 129, 3)] {
        let out = folder.path().join(format!("{width}"));
        let mut output = recording(&out, count, Animation::Apng).unwrap();
        for frame in 0..count {
            output.frame(&picture(width, height, frame)).unwrap();
        }
        let path = output.finish().unwrap().animation.unwrap();
        let mut reader = png::Decoder::new(std::io::BufReader::new(File::open(path).unwrap()))
            .read_info()
            .unwrap();
        let control = *reader.info().animation_control().unwrap();
        assert_eq!((control.num_frames, control.num_plays), (count as u32, 0));
        for frame in 0..count {
            let mut bytes = vec![0; 3 * width * height];
            reader.next_frame(&mut bytes).unwrap();
            let expected = picture(width, height, frame);
            assert_eq!(bytes, expected.pixels().as_flattened(), "frame {frame}");
        }
    }
}

#[test]
fn nothing_recorded_is_no_animation() {
    let folder = tempfile::tempdir().unwrap();
    for animation in [Animation::None, Animation::Gif, Animation::Apng] {
        let report = recording(folder.path(), 0, animation).unwrap().finish().unwrap();
        assert_eq!((report.frames.len(), report.animation), (0, None));
    }
}

#[test]
fn frames_of_an_earlier_run_go_and_other_files_stay() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "frame_0007.png",
        "frame_12345.png",
        "animation.gif",
        "frame_x.png",
        "frame_7.png",
        "notes.txt",
    ];
    for name in names {
        fs::write(folder.path().join(name), "old").unwrap();
    }
    let mut output = recording(folder.path(), 1, Animation::None).unwrap();
    output.frame(&picture(5, 5, 0)).unwrap();
    let report = output.finish().unwrap();
    assert!(report.animation.is_none());
    let mut left: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["frame_0000.png", "frame_7.png", "frame_x.png", "notes.txt"]);
}

#[test]
fn a_frame_of_another_size_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut output = recording(folder.path(), 2, Animation::Gif).unwrap();
    output.frame(&picture(5, 3, 0)).unwrap();
    let error = output.frame(&picture(3, 5, 1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "frame 1 has 3x5 pixels, but the frames before it have 5x3"
    );
}

#[test]
fn a_folder_that_is_a_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = recording(&file, 1, Animation::Gif).unwrap_err();
    assert!(
        matches!(&error, PictureError::Folder { path, .. } if *path == file),
        "{error:?}"
    );
}

#[test]
fn the_report_names_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut output = recording(folder.path(), 3, Animation::Gif).unwrap();
    (0..3).for_each(|frame| output.frame(&picture(5, 5, frame)).unwrap());
    let text = output.finish().unwrap().to_string();
    assert!(
        text.starts_with("3 frames: ") && text.contains("frame_0000.png .. frame_0002.png"),
        "{text}"
    );
    assert!(text.contains("animation.gif (0.0 MB)"), "{text}");
}
