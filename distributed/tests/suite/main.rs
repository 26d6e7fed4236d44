//! Ranks that are threads.

mod faults;
mod watchdog;
mod world;
