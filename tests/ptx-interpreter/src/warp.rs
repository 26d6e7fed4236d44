//! Lanes of a warp that meet: `shfl.sync`, `bar.warp.sync`, `activemask`.

use crate::error::Error;
use crate::instruction::{Op, Shuffle};
use crate::lack::UNDEFINED;
use crate::module::Module;
use crate::thread::{Stop, Thread};

/// Threads of a warp.
pub(crate) const LANES: usize = 32;

/// Runs an exchange for which all lanes are there; `false` if there is none.
pub(crate) fn exchange(module: &Module, lanes: &mut [Thread]) -> Result<bool, Error> {
    for (k, lane) in lanes.iter().enumerate() {
        if let Stop::Exchange { function, at, mask } = lane.stop
            && mask >> k & 1 == 0
        {
            let line = module.functions[function].code[at].line;
            return Err(Error::from(format!(
                "line {line}: thread {} is not in its own mask {mask:#x}",
                lane.number
            )));
        }
    }
    for first in 0..lanes.len() {
        let Stop::Exchange { function, at, mask } = lanes[first].stop else {
            continue;
        };
        let instruction = &module.functions[function].code[at];
        let failure = |text: &str| Error::from(format!("line {}: {text}", instruction.line));
        let fail = |text: String| Err(failure(&text));
        let named = |lane: usize| mask >> lane & 1 == 1;
        let waits = |lane: &Thread| lane.stop == lanes[first].stop;
        // Who has ended is not waited for.
        let complete = lanes
            .iter()
            .enumerate()
            .all(|(k, lane)| !named(k) || waits(lane) || lane.stop == Stop::End);
        if !complete {
            continue;
        }
        let group: Vec<bool> = lanes
            .iter()
            .enumerate()
            .map(|(k, lane)| named(k) && waits(lane))
            .collect();
        let go_on = |lane: &mut Thread| {
            lane.at += 1;
            lane.stop = Stop::Ready;
        };
        if let Op::Converge(_) = instruction.op {
            let lanes = lanes.iter_mut().zip(&group).filter(|(_, waits)| **waits);
            lanes.for_each(|(lane, _)| go_on(lane));
            return Ok(true);
        }
        let Op::Shuffle { mode, to, valid, from } = instruction.op else {
            return fail("no exchange".to_owned());
        };
        let mut taken = [None; LANES];
        for lane in (0..lanes.len()).filter(|&lane| group[lane]) {
            let [_, b, c, _] = from.map(|slot| lanes[lane].get(slot) as u32);
            let (source, inside) = source(mode, lane as u32, b, c);
            // Of a lane that takes no part it is undefined.
            let value = match group.get(source as usize) {
                Some(true) => lanes[source as usize].get(from[0]),
                _ => UNDEFINED,
            };
            let mut lacks = value == UNDEFINED;
            for lane in [lane, source as usize] {
                if let Some(lane) = lanes.get_mut(lane) {
                    lacks |= lane.take_lack().map_err(|why| failure(&why.text))?;
                }
            }
            let value = if lacks { UNDEFINED } else { value & 0xffff_ffff };
            taken[lane] = Some((value, inside));
        }
        for (lane, taken) in lanes.iter_mut().zip(taken) {
            let Some((value, inside)) = taken else { continue };
            lane.set(to, value);
            if let Some(valid) = valid {
                lane.set(valid, u64::from(inside));
            }
            go_on(lane);
        }
        return Ok(true);
    }
    Ok(false)
}

/// Tells lanes that ask who is there, when nothing else can run: all that ask at the same place. `false` if no lane asks.
pub(crate) fn tell_active(module: &Module, lanes: &mut [Thread]) -> bool {
    let mut any = false;
    for first in 0..lanes.len() {
        let stop = lanes[first].stop;
        let Stop::Active { function, at } = stop else {
            continue;
        };
        let Op::Active(to) = module.functions[function].code[at].op else {
            continue;
        };
        let asks = |(k, lane): (usize, &Thread)| u64::from(lane.stop == stop) << k;
        let mask = lanes.iter().enumerate().map(asks).sum();
        for lane in lanes.iter_mut().filter(|lane| lane.stop == stop) {
            lane.set(to, mask);
            lane.at += 1;
            lane.stop = Stop::Ready;
        }
        any = true;
    }
    any
}

/// Whose value a lane takes, and whether that is in the segment; else it is its own.
fn source(mode: Shuffle, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (clamp, segment, by) = (c & 31, c >> 8 & 31, b & 31);
    let most = lane & segment | clamp & !segment;
    let least = lane & segment;
    let (from, inside) = match mode {
        Shuffle::Up => {
            let from = lane as i32 - by as i32;
            (from, from >= most as i32)
        }
        Shuffle::Down => ((lane + by) as i32, lane + by <= most),
        Shuffle::Butterfly => ((lane ^ by) as i32, lane ^ by <= most),
        Shuffle::Index => {
            let from = least | by & !segment;
            (from as i32, from <= most)
        }
    };
    if inside { (from as u32, true) } else { (lane, false) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_take_values_of_their_segment() {
        assert_eq!(source(Shuffle::Down, 3, 4, 31), (7, true));
        assert_eq!(source(Shuffle::Down, 30, 4, 31), (30, false));
        assert_eq!(source(Shuffle::Up, 3, 4, 0), (3, false));
        assert_eq!(source(Shuffle::Up, 9, 4, 0), (5, true));
        assert_eq!(source(Shuffle::Butterfly, 5, 1, 31), (4, true));
        assert_eq!(source(Shuffle::Index, 5, 17, 31), (17, true));
        // Segments of 8 lanes.
        let segments = (32 - 8) << 8;
        assert_eq!(source(Shuffle::Down, 14, 1, segments | 31), (15, true));
        assert_eq!(source(Shuffle::Down, 15, 1, segments | 31), (15, false));
        assert_eq!(source(Shuffle::Index, 13, 2, segments | 31), (10, true));
        assert_eq!(source(Shuffle::Up, 8, 1, segments), (8, false));
    }
}
