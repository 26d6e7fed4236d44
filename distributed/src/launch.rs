//! Where the ranks of a program come from.

use std::env;

use crate::error::Result;
use crate::local::Local;
use crate::world::World;

/// Variables of the launchers of MPI, which hold the number of the process.
const RANKS: [&str; 3] = ["PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"];
/// Those that hold how many there are.
const SIZES: [&str; 2] = ["PMI_SIZE", "OMPI_COMM_WORLD_SIZE"];

/// Runs a program's ranks, and gives the results of those of this process.
///
/// Started by `mpiexec` the ranks are its processes, each with one; that takes the feature `mpi`. A process does so once. Otherwise they are
/// `ranks` threads of this process, as by [`Local`].
///
/// ```
/// let sums = swathe_distributed::run(4, |world| world.sum(world.rank() as u64))?;
/// assert_eq!(sums, [6; 4]);
/// # Ok::<(), swathe_distributed::Error>(())
/// ```
///
/// # Errors
/// As [`Local::run`]; [`Error::Start`](crate::Error::Start) under `mpiexec` without the feature.
pub fn run<R: Send>(ranks: usize, body: impl Fn(&World) -> Result<R> + Sync) -> Result<Vec<R>> {
    let launched = RANKS.iter().any(|name| env::var_os(name).is_some());
    let size = SIZES.iter().find_map(|name| env::var(name).ok()?.parse::<usize>().ok());
    match (launched, size) {
        (false, _) => Local::new(ranks).run(body),
        (true, Some(1)) => Local::new(1).run(body),
        (true, size) => processes(size, body),
    }
}

#[cfg(feature = "mpi")]
fn processes<R: Send>(_: Option<usize>, body: impl Fn(&World) -> Result<R> + Sync) -> Result<Vec<R>> {
    crate::mpi::run(body)
}

#[cfg(not(feature = "mpi"))]
fn processes<R: Send>(size: Option<usize>, _: impl Fn(&World) -> Result<R> + Sync) -> Result<Vec<R>> {
    Err(without_mpi(size))
}

#[cfg(any(test, not(feature = "mpi")))]
fn without_mpi(size: Option<usize>) -> crate::error::Error {
    let processes = size.map_or_else(|| "its".to_owned(), |size| size.to_string());
    crate::error::Error::Start(format!(
        "`mpiexec` started {processes} processes, and swathe-distributed is built without its feature `mpi`: each of them would be a world of its own"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feature_is_named() {
        let told = without_mpi(Some(4)).to_string();
        assert!(
            told.contains("`mpiexec` started 4 processes") && told.contains("feature `mpi`"),
            "{told}"
        );
        assert!(without_mpi(None).to_string().contains("started its processes"));
    }
}
