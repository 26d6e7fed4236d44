//! Ranks that are threads.

mod array;
mod devices;
mod exchange;
mod faults;
mod files;
mod grid;
mod launch;
mod overlap;
mod particles;
mod stencil;
mod transport;
mod watchdog;
mod whole;
mod world;
