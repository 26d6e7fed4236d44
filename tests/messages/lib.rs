//! Programs that rustc refuses are in `ui/`; each is compiled with what this package depends on, and the less that is, the sooner.
