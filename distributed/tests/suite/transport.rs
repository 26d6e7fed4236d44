//! A transport of somebody else's: channels, which count.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use swathe::Device;
use swathe_distributed::{Call, Error, Grid, Result, Transport, World};

struct Channels {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
    sent: Rc<Cell<usize>>,
}

impl Transport for Channels {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn send(&self, to: usize, message: Vec<u8>) -> Result<()> {
        self.sent.set(self.sent.get() + message.len());
        self.to[to].send(message).map_err(Error::program)
    }

    fn receive(&self, from: usize, _: &Call) -> Result<Vec<u8>> {
        self.from[from].recv().map_err(Error::program)
    }

    fn fail(&self, error: Error) {
        panic!("{error}");
    }
}

/// `body` also gets how many bytes its rank has sent.
fn run(ranks: usize, body: impl Fn(&World, &Cell<usize>) -> Result<()> + Sync) {
    let (mut to, mut from) = (Vec::new(), Vec::new());
    for _ in 0..ranks * ranks {
        let (sender, receiver) = channel();
        to.push(sender);
        from.push(Mutex::new(Some(receiver)));
    }
    let (to, from, body) = (&to, &from, &body);
    thread::scope(|scope| {
        for rank in 0..ranks {
            scope.spawn(move || {
                let sent = Rc::new(Cell::new(0));
                let receiver = |other: usize| from[other * ranks + rank].lock().unwrap().take().unwrap();
                let world = World::new(Box::new(Channels {
                    rank,
                    to: (0..ranks).map(|other| to[rank * ranks + other].clone()).collect(),
                    from: (0..ranks).map(receiver).collect(),
                    sent: sent.clone(),
                }));
                body(&world.unwrap(), &sent).unwrap();
            });
        }
    });
}

#[test]
fn a_rank_beyond_its_transport_has_no_world() {
    for (rank, size) in [(0, 0), (1, 1), (3, 2), (usize::MAX, 3)] {
        let (to, from): (Vec<_>, Vec<_>) = (0..size).map(|_| channel()).unzip();
        let sent = Rc::default();
        let world = World::new(Box::new(Channels { rank, to, from, sent }));
        let Err(Error::Rank { rank: r, size: s, .. }) = world.map(drop) else {
            panic!("rank {rank} of {size}")
        };
        assert_eq!((r, s), (rank, size));
    }
}

/// Says that there is one rank more each time it is asked.
struct Growing(Cell<usize>);

impl Transport for Growing {
    fn rank(&self) -> usize {
        self.0.get()
    }

    fn size(&self) -> usize {
        self.0.replace(self.0.get() + 1) + 1
    }

    fn send(&self, to: usize, _: Vec<u8>) -> Result<()> {
        panic!("a message to rank {to}");
    }

    fn receive(&self, from: usize, _: &Call) -> Result<Vec<u8>> {
        panic!("a message from rank {from}");
    }

    fn fail(&self, error: Error) {
        panic!("{error}");
    }
}

#[test]
fn a_world_stays_as_large_as_it_was_made() {
    let world = World::new(Box::new(Growing(Cell::new(0)))).unwrap();
    for _ in 0..3 {
        assert_eq!((world.rank(), world.size()), (0, 1));
        world.barrier().unwrap();
        assert_eq!(world.sum(1.5).unwrap(), 1.5);
        assert_eq!(world.broadcast(0, 7).unwrap(), 7);
        assert_eq!(world.gather(0, &[3_u8]).unwrap().unwrap(), [[3]]);
    }
    let error = world.broadcast(1, 7).unwrap_err();
    assert!(matches!(error, Error::Rank { rank: 1, size: 1, .. }), "{error}");
}

/// Says that there are so many ranks, and passes nothing on.
struct Claims(usize);

impl Transport for Claims {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        self.0
    }

    fn send(&self, _: usize, _: Vec<u8>) -> Result<()> {
        Ok(())
    }

    fn receive(&self, _: usize, _: &Call) -> Result<Vec<u8>> {
        Err(Error::program("nothing comes"))
    }

    fn fail(&self, _: Error) {}
}

#[test]
fn ranks_that_nobody_counts_have_no_world() {
    const MOST: usize = i32::MAX as usize;
    for size in [MOST + 1, 1 << 63, usize::MAX] {
        let error = World::new(Box::new(Claims(size))).map(drop).unwrap_err();
        assert!(matches!(error, Error::Start(_)), "{error:?}");
        let expected = format!("starting the ranks: a transport of {size} ranks; there may be 2147483647");
        assert_eq!(error.to_string(), expected);
    }
    let world = World::new(Box::new(Claims(MOST))).unwrap();
    assert_eq!(world.size(), MOST);
    assert_eq!(world.barrier(), Err(Error::program("nothing comes")));
}

/// Answers what was sent with the same head and other bytes.
struct Garbled {
    bytes: Vec<u8>,
    sent: RefCell<Vec<u8>>,
}

impl Transport for Garbled {
    fn rank(&self) -> usize {
        1
    }

    fn size(&self) -> usize {
        2
    }

    fn send(&self, _: usize, message: Vec<u8>) -> Result<()> {
        self.sent.replace(message);
        Ok(())
    }

    fn receive(&self, _: usize, _: &Call) -> Result<Vec<u8>> {
        let mut message = self.sent.borrow().clone();
        // It begins with its length.
        let head = message.first_chunk().map_or(0, |length| u32::from_le_bytes(*length));
        message.truncate(head as usize);
        message.extend(&self.bytes);
        Ok(message)
    }

    fn fail(&self, _: Error) {}
}

#[test]
fn sums_that_are_none_are_errors() {
    let several = [2_u64.to_le_bytes(), [0; 8], [0; 8]].concat();
    for bytes in [vec![], vec![0; 8], vec![0xff; 8], several] {
        let world = || {
            let (bytes, sent) = (bytes.clone(), RefCell::default());
            World::new(Box::new(Garbled { bytes, sent })).unwrap()
        };
        assert!(matches!(world().sum(1.5_f64), Err(Error::Message { .. })), "{bytes:?}");
        let three = world().sum_slice(&[1_u8, 2, 3]);
        assert!(matches!(three, Err(Error::Message { .. })), "{bytes:?}");
    }
}

#[test]
fn what_has_not_changed_is_not_sent() {
    const ROW: usize = 500 * size_of::<f64>();
    /// Room for heads of messages.
    const HEADS: usize = 1000;
    run(3, |world, sent| {
        // Blocks of rows, one beside the other.
        let grid = Grid::new(world, [6, 500]).halo(1).ranks([3, 1]).build()?;
        let mut u = grid.field::<f64>(&Device::cpu())?;
        let rows = |work: &mut dyn FnMut() -> Result<()>| -> Result<usize> {
            let before = sent.get();
            work()?;
            let bytes = sent.get() - before;
            assert!(bytes > 0 && bytes % ROW < HEADS, "{bytes}");
            Ok(bytes / ROW)
        };
        let neighbours = if world.rank() == 1 { 2 } else { 1 };
        u.fill(world.rank() as f64)?;
        assert_eq!(rows(&mut || u.shared().map(drop))?, neighbours);
        assert_eq!(rows(&mut || u.shared().map(drop))?, 0);
        // Cells beyond the grid are nobody else's.
        assert_eq!(
            rows(&mut || u.boundary(|side| side.beyond.into_part().fill(3.0)).map(drop))?,
            0
        );
        assert_eq!(rows(&mut || u.shared().map(drop))?, 0);
        if world.rank() == 1 {
            u.fill(7.0)?;
        }
        assert_eq!(
            rows(&mut || u.shared().map(drop))?,
            if world.rank() == 1 { 2 } else { 0 }
        );
        Ok(())
    });
}
