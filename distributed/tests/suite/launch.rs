//! Where ranks come from.

use swathe_distributed::run;

#[test]
fn threads_if_nothing_is_said() {
    assert_eq!(
        run(3, |world| Ok((world.rank(), world.size()))).unwrap(),
        [(0, 3), (1, 3), (2, 3)]
    );
}

/// Under the name of the parent's test, so that it is this one that the child runs.
#[cfg(not(feature = "mpi"))]
#[test]
fn processes_without_mpi_are_refused() {
    use std::env;
    use std::process::Command;

    const CHILD: &str = "SWATHE_TEST_LAUNCH";
    if let Ok(size) = env::var(CHILD) {
        let told = run(3, |world| Ok(world.size()));
        match &size[..] {
            "1" => assert_eq!(told, Ok(vec![1])),
            _ => assert_eq!(
                told.unwrap_err().to_string(),
                format!(
                    "starting the ranks: `mpiexec` started {size} processes, and swathe-distributed is built without its feature `mpi`: each of them would be a world of its own"
                )
            ),
        }
        return;
    }
    let program = env::current_exe().unwrap();
    for (rank, size_name, size) in [
        ("PMI_RANK", "PMI_SIZE", "4"),
        ("PMI_RANK", "PMI_SIZE", "1"),
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "2"),
        ("PMIX_RANK", "NO_SIZE", "its"),
    ] {
        let status = Command::new(&program)
            .args(["--exact", "launch::processes_without_mpi_are_refused"])
            .env(rank, "0")
            .env(size_name, size)
            .env(CHILD, size)
            .output()
            .unwrap();
        assert!(
            status.status.success(),
            "{rank}: {}",
            String::from_utf8_lossy(&status.stdout)
        );
        assert!(String::from_utf8_lossy(&status.stdout).contains("1 passed"));
    }
}
