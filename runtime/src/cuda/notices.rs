//! What is logged when nothing is locked any more: a logger may launch kernels.

#[derive(Default)]
pub(super) struct Notices(Vec<(log::Level, String)>);

impl Notices {
    pub fn add(&mut self, level: log::Level, text: impl FnOnce() -> String) {
        if level <= log::max_level() {
            self.0.push((level, text()));
        }
    }

    pub fn log(self) {
        for (level, text) in self.0 {
            log::log!(target: "swathe::cuda", level, "{text}");
        }
    }
}
