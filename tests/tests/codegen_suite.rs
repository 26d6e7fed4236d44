//! NVRTC takes the CUDA C of every kernel of the suite without a warning.

use swathe_tests::nvrtc::Nvrtc;
use swathe_tests::suite::TOPICS;

#[test]
fn every_kernel_compiles() {
    let mut failures = Vec::new();
    for (topic, _, sources) in TOPICS {
        for (name, text) in sources() {
            let text = match text {
                Ok(text) => text,
                Err(error) => {
                    failures.push(format!("{topic}::{name}: {error}"));
                    continue;
                }
            };
            let Some(nvrtc) = Nvrtc::get() else { continue };
            // The architecture matters little, the width less: what is in 64 bits is seen once.
            let architectures: &[&str] = if name.ends_with("in 64 bits") {
                &["sm_90"]
            } else {
                &["sm_75", "sm_120"]
            };
            for arch in architectures {
                let compiled = nvrtc.compile(&text, arch, &[]);
                if compiled.cubin.is_err() || !compiled.log.is_empty() {
                    failures.push(format!("{topic}::{name} on {arch}: {}\n{text}", compiled.log));
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
}
