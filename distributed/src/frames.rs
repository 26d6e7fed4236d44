//! What ranks that are processes send one another: messages in pieces that a transport can carry, and word of failures and ends.

use std::collections::VecDeque;

use crate::error::Error;

/// The last byte of a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A message has more frames.
    Part,
    /// The last frame of a message.
    Last,
    /// A rank failed; its text.
    Failed,
    /// A rank panicked; its text.
    Panicked,
    /// A rank's program ended.
    Ended,
}

const KINDS: [Kind; 5] = [Kind::Part, Kind::Last, Kind::Failed, Kind::Panicked, Kind::Ended];

fn framed(mut bytes: Vec<u8>, kind: Kind) -> Vec<u8> {
    bytes.push(kind as u8);
    bytes
}

/// A message as frames of at most so many bytes.
pub(crate) fn frames(mut message: Vec<u8>, most: usize) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    while message.len() + 1 > most {
        let rest = message.split_off(most - 1);
        frames.push(framed(message, Kind::Part));
        message = rest;
    }
    frames.push(framed(message, Kind::Last));
    frames
}

/// What tells other ranks of an error of this one.
pub(crate) fn failure(error: &Error) -> Vec<u8> {
    match error {
        Error::Panicked { message, .. } => framed(message.clone().into_bytes(), Kind::Panicked),
        Error::Failed { reason, .. } => framed(reason.clone().into_bytes(), Kind::Failed),
        other => framed(other.to_string().into_bytes(), Kind::Failed),
    }
}

pub(crate) fn ended() -> Vec<u8> {
    framed(Vec::new(), Kind::Ended)
}

/// What has come from one rank.
#[derive(Default)]
pub(crate) struct Inbox {
    partial: Vec<u8>,
    pub messages: VecDeque<Vec<u8>>,
    pub failure: Option<Error>,
    pub ended: bool,
}

impl Inbox {
    /// Takes a frame in that came from `rank`.
    pub fn add(&mut self, rank: usize, mut frame: Vec<u8>) {
        let kind = frame.pop().and_then(|kind| KINDS.get(usize::from(kind)).copied());
        let text = |frame: &[u8]| String::from_utf8_lossy(frame).into_owned();
        match kind {
            Some(Kind::Part) => self.partial.append(&mut frame),
            Some(Kind::Last) if self.partial.is_empty() => self.messages.push_back(frame),
            Some(Kind::Last) => {
                let mut message = std::mem::take(&mut self.partial);
                message.append(&mut frame);
                self.messages.push_back(message);
            }
            Some(Kind::Failed) => {
                self.failure.get_or_insert(Error::Failed {
                    rank,
                    reason: text(&frame),
                });
            }
            Some(Kind::Panicked) => {
                self.failure.get_or_insert(Error::Panicked {
                    rank,
                    message: text(&frame),
                });
            }
            Some(Kind::Ended) => self.ended = true,
            None => {
                self.failure.get_or_insert(Error::Failed {
                    rank,
                    reason: "it sent a message that is none".to_owned(),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_any_length_arrive_in_order() {
        for most in [2, 3, 7, 100] {
            let mut inbox = Inbox::default();
            for length in [0, 1, 5, 6, 7, 12, 13, 50] {
                let message: Vec<u8> = (0..length).map(|k| k * 3 + length).collect();
                let frames = frames(message.clone(), most);
                assert!(frames.iter().all(|frame| frame.len() <= most));
                frames.into_iter().for_each(|frame| inbox.add(1, frame));
                assert_eq!(inbox.messages.pop_front(), Some(message));
                assert!(inbox.messages.is_empty() && inbox.failure.is_none());
            }
        }
    }

    #[test]
    fn failures_and_ends_are_told() {
        let panicked = Error::Panicked {
            rank: 2,
            message: "oh".to_owned(),
        };
        let mut inbox = Inbox::default();
        inbox.add(2, failure(&panicked));
        inbox.add(2, failure(&Error::program("later")));
        inbox.add(2, ended());
        assert_eq!((inbox.failure, inbox.ended), (Some(panicked), true));
        let mut inbox = Inbox::default();
        inbox.add(0, failure(&Error::program("disk full")));
        assert_eq!(inbox.failure.unwrap().to_string(), "rank 0 failed: disk full");
        let mut inbox = Inbox::default();
        inbox.add(0, vec![9]);
        assert!(inbox.failure.is_some());
    }
}
