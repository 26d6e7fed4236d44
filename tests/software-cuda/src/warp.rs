//! Operations among the 32 threads of a warp: each lane posts its value and waits, and when all lanes of the mask have
//! come, all results are computed at once.

use std::collections::VecDeque;

pub(crate) const SYNC: u32 = 0;
const INDEX: u32 = 1;
const UP: u32 = 2;
const DOWN: u32 = 3;
const XOR: u32 = 4;
const BALLOT: u32 = 5;
const MATCH: u32 = 6;
pub(crate) const ACTIVE: u32 = 7;
const ADD: u32 = 8;
const MIN: u32 = 9;
const MAX: u32 = 10;
const UMIN: u32 = 11;
const UMAX: u32 = 12;
const AND: u32 = 13;
const OR: u32 = 14;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lane {
    pub done: bool,
    pub result: u64,
    waiting: bool,
    fiber: usize,
    op: u32,
    mask: u32,
    value: u64,
    arg: u32,
    width: u32,
}

impl Lane {
    pub(crate) fn wait(&mut self, fiber: usize, op: u32, mask: u32, value: u64, arg: u32, width: u32) {
        *self = Lane {
            waiting: true,
            fiber,
            op,
            mask,
            value,
            arg,
            width,
            ..*self
        };
    }
}

fn bits(warp: &[Lane], test: impl Fn(&Lane) -> bool) -> u32 {
    warp.iter()
        .enumerate()
        .fold(0, |mask, (k, lane)| mask | u32::from(test(lane)) << k)
}

/// Lets every group of lanes go on that is complete. Lanes that have ended, or that the block never had, count as come.
pub(crate) fn release(lanes: &mut [Lane], ready: &mut VecDeque<usize>) {
    for warp in lanes.chunks_mut(32) {
        let live = bits(warp, |l| !l.done);
        for k in 0..warp.len() {
            let Lane {
                waiting: true,
                op,
                mask,
                ..
            } = warp[k]
            else {
                continue;
            };
            if op == ACTIVE {
                continue;
            }
            let come = bits(warp, |l| l.waiting && l.op == op && l.mask == mask);
            if mask & live & !come != 0 {
                continue;
            }
            complete(warp, mask & come);
            for lane in warp.iter_mut().filter(|l| l.waiting && l.op == op && l.mask == mask) {
                lane.waiting = false;
                ready.push_back(lane.fiber);
            }
        }
    }
}

/// Tells lanes that ask who is there: all that ask at the same place. To be called when nothing else can run, so that as many as possible
/// have come.
pub(crate) fn tell_active(lanes: &mut [Lane], ready: &mut VecDeque<usize>) {
    for warp in lanes.chunks_mut(32) {
        for k in 0..warp.len() {
            let place = warp[k].value;
            let asks = |lane: &Lane| lane.waiting && lane.op == ACTIVE && lane.value == place;
            if !asks(&warp[k]) {
                continue;
            }
            let mask = bits(warp, asks);
            for lane in warp.iter_mut().filter(|lane| asks(lane)) {
                (lane.waiting, lane.result) = (false, mask.into());
                ready.push_back(lane.fiber);
            }
        }
    }
}

/// What an inactive lane gives: nothing that anybody may rely on.
const UNDEFINED: u64 = crate::memory::FRESH;

fn complete(warp: &mut [Lane], group: u32) {
    let before: Vec<Lane> = warp.to_vec();
    let members: Vec<usize> = (0..warp.len()).filter(|k| group >> k & 1 == 1).collect();
    let all = |f: &dyn Fn(u32, u32) -> u32| {
        let values = members.iter().map(|&k| before[k].value as u32);
        u64::from(values.reduce(f).unwrap_or(0))
    };
    for &k in &members {
        let lane = before[k];
        warp[k].result = match lane.op {
            SYNC => 0,
            INDEX | UP | DOWN | XOR => {
                let source = source(k as u32, &lane);
                if group >> source & 1 == 1 {
                    before[source as usize].value
                } else {
                    UNDEFINED
                }
            }
            BALLOT => members.iter().fold(0, |mask, &m| mask | before[m].value << m),
            MATCH => members
                .iter()
                .filter(|&&m| before[m].value == lane.value)
                .fold(0, |mask, &m| mask | 1 << m),
            ADD => all(&u32::wrapping_add),
            MIN => all(&|a, b| (a as i32).min(b as i32) as u32),
            MAX => all(&|a, b| (a as i32).max(b as i32) as u32),
            UMIN => all(&u32::min),
            UMAX => all(&u32::max),
            AND => all(&|a, b| a & b),
            OR => all(&|a, b| a | b),
            _ => all(&|a, b| a ^ b),
        };
    }
}

/// The lane from which a shuffle reads.
fn source(lane: u32, shuffle: &Lane) -> u32 {
    let width = shuffle.width.clamp(1, 32);
    let start = lane / width * width;
    let end = start + width;
    let wanted = match shuffle.op {
        INDEX => start + shuffle.arg % width,
        UP => lane.checked_sub(shuffle.arg).filter(|&s| s >= start).unwrap_or(lane),
        DOWN => Some(lane.saturating_add(shuffle.arg))
            .filter(|&s| s < end)
            .unwrap_or(lane),
        // Within a segment, or of an earlier one.
        _ => Some(lane ^ shuffle.arg).filter(|&s| s < end).unwrap_or(lane),
    };
    wanted & 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffle(op: u32, arg: u32, width: u32) -> Vec<u64> {
        let mut lanes = vec![Lane::default(); 32];
        for (k, lane) in lanes.iter_mut().enumerate() {
            lane.wait(k, op, u32::MAX, 100 + k as u64, arg, width);
        }
        let mut ready = VecDeque::new();
        release(&mut lanes, &mut ready);
        assert_eq!(ready.len(), 32);
        lanes.iter().map(|l| l.result - 100).collect()
    }

    #[test]
    fn shuffles_read_from_the_right_lane() {
        let lanes = 0..32_u64;
        assert_eq!(
            shuffle(DOWN, 4, 32),
            lanes
                .clone()
                .map(|k| if k < 28 { k + 4 } else { k })
                .collect::<Vec<_>>()
        );
        assert_eq!(
            shuffle(UP, 3, 16),
            lanes
                .clone()
                .map(|k| if k % 16 < 3 { k } else { k - 3 })
                .collect::<Vec<_>>()
        );
        assert_eq!(shuffle(XOR, 5, 32), lanes.clone().map(|k| k ^ 5).collect::<Vec<_>>());
        assert_eq!(shuffle(INDEX, 9, 8), lanes.map(|k| k / 8 * 8 + 1).collect::<Vec<_>>());
    }

    #[test]
    fn lanes_that_ask_at_one_place_are_told_of_each_other() {
        let mut lanes = vec![Lane::default(); 40];
        let mut ready = VecDeque::new();
        for (lane, place) in [(1, 7), (4, 7), (5, 9), (33, 7)] {
            lanes[lane].wait(lane, ACTIVE, 0, place, 0, 32);
        }
        release(&mut lanes, &mut ready);
        assert!(ready.is_empty());
        tell_active(&mut lanes, &mut ready);
        assert_eq!(ready, [1, 4, 5, 33]);
        assert_eq!([1, 4, 5, 33].map(|k| lanes[k].result), [0b10010, 0b10010, 1 << 5, 0b10]);
    }

    #[test]
    fn a_group_waits_for_its_mask() {
        let mut lanes = vec![Lane::default(); 7];
        let mut ready = VecDeque::new();
        lanes[0].wait(0, BALLOT, 0b1011, 1, 0, 32);
        lanes[1].wait(1, BALLOT, 0b1011, 0, 0, 32);
        release(&mut lanes, &mut ready);
        assert!(ready.is_empty());
        lanes[3].wait(3, BALLOT, 0b1011, 1, 0, 32);
        release(&mut lanes, &mut ready);
        assert_eq!(ready, [0, 1, 3]);
        assert_eq!([lanes[0].result, lanes[1].result, lanes[3].result], [0b1001; 3]);
        lanes[4].wait(4, ADD, u32::MAX, 5, 0, 32);
        for lane in [0, 1, 2, 3, 5, 6] {
            lanes[lane].done = true;
        }
        ready.clear();
        release(&mut lanes, &mut ready);
        assert_eq!((ready.len(), lanes[4].result), (1, 5));
    }
}
