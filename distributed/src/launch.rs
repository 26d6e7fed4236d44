//! Where the ranks of a program come from.

use std::env;

use crate::error::{Error, Result};
use crate::local::Local;
use crate::world::World;

/// Variables of the launchers of MPI, which hold the number of processes.
const SIZES: [&str; 3] = ["PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS"];

/// Runs a program's ranks, and gives the results of those of this process.
///
/// Started by `mpiexec` the ranks are its processes, each with one; that takes the feature `mpi`. Otherwise they are `ranks` threads of this
/// process, as by [`Local`].
///
/// ```
/// let sums = swathe_distributed::run(4, |world| world.sum(world.rank() as u64))?;
/// assert_eq!(sums, [6; 4]);
/// # Ok::<(), swathe_distributed::Error>(())
/// ```
///
/// # Errors
/// As [`Local::run`]; [`Error::Start`] under `mpiexec` without the feature.
pub fn run<R: Send>(ranks: usize, body: impl Fn(&World) -> Result<R> + Sync) -> Result<Vec<R>> {
    let size = |name: &&str| env::var(name).ok().and_then(|size| size.parse::<usize>().ok());
    match SIZES.iter().find_map(size) {
        Some(processes) => many(processes, ranks, body),
        None => Local::new(ranks).run(body),
    }
}

fn many<R: Send>(processes: usize, ranks: usize, body: impl Fn(&World) -> Result<R> + Sync) -> Result<Vec<R>> {
    if processes == 1 {
        return Local::new(ranks).run(body);
    }
    Err(Error::Start(format!(
        "`mpiexec` started {processes} processes, but swathe-distributed is built without its feature `mpi`: each of them would run all {ranks} ranks of its own"
    )))
}
