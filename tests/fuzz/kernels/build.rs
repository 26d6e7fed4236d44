//! Writes random kernels: as many as `SWATHE_FUZZ_KERNELS`, `SWATHE_FUZZ_GRADIENTS` and `SWATHE_FUZZ_EXPRESSIONS` say, from the seed `SWATHE_FUZZ_SEED` on.

#[path = "generate/mod.rs"]
mod generate;

use std::path::PathBuf;

fn number(name: &str, otherwise: u64) -> u64 {
    println!("cargo::rerun-if-env-changed={name}");
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|e| panic!("{name}={text}: {e}")),
        Err(_) => otherwise,
    }
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=generate");
    let (seed, kernels) = (number("SWATHE_FUZZ_SEED", 1), number("SWATHE_FUZZ_KERNELS", 60));
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo says where"));
    let write =
        |name: &str, text: String| std::fs::write(folder.join(name), text).expect("the folder can be written to");
    write("kernels.rs", generate::batch(seed, kernels));
    write(
        "gradients.rs",
        generate::gradients(seed, number("SWATHE_FUZZ_GRADIENTS", 12)),
    );
    write(
        "expressions.rs",
        generate::expressions(seed, number("SWATHE_FUZZ_EXPRESSIONS", 40)),
    );
    let [races, types] = generate::violations(seed, kernels);
    let list = |name: &str, table: &str| {
        format!(
            "/// Seed, what is wrong, first and last line.\nconst {name}: &[(u64, &str, usize, usize)] = &[\n{table}];\n"
        )
    };
    write("violations.rs", list("RACES", &races.1) + &list("TYPES", &types.1));
    write("races.rs", races.0);
    write("types.rs", types.0);
}
