//! NumPy's files: what NumPy writes is read, and what is written NumPy reads, to the bit.

use std::fmt::Write;

use swathe::Device;
use swathe_tests::python;

use crate::elements::{Row, shapes};
use crate::values::{Value, bytes};

/// Arguments: a folder, and what to do. The folder's file `list` has a line for each array: type, axes joined by `x` or `-`. Scalars are in
/// the file `<type>.bin`.
const PROGRAM: &str = r#"
import pathlib, sys, numpy as np
folder = pathlib.Path(sys.argv[1])
for name in (folder / "list").read_text().split():
    dtype, axes = name.split("_")
    shape = [int(n) for n in axes.split("x")] if axes != "-" else []
    scalars = np.fromfile(folder / f"{dtype}.bin", dtype)[:int(np.prod(shape))].reshape(shape)
    if sys.argv[2] == "write":
        np.save(folder / f"{name}_C.npy", scalars)
        np.save(folder / f"{name}_F.npy", np.asfortranarray(scalars).reshape(shape, order="F"))
    else:
        a = np.load(folder / f"{name}_swathe.npy")
        assert a.dtype == scalars.dtype and a.shape == tuple(shape) and a.flags.c_contiguous, (name, a)
        assert a.tobytes() == scalars.tobytes(), (name, a, scalars)
"#;

type Check = Box<dyn FnOnce(&std::path::Path)>;

/// The files of a test.
#[derive(Default)]
pub struct Files {
    list: String,
    scalars: Vec<(&'static str, Vec<u8>)>,
    checks: Vec<Check>,
}

impl Files {
    /// The files of a table's rows.
    pub fn add<S: Value>(&mut self, rows: &[Row<S>]) {
        if S::NUMPY.is_empty() {
            return;
        }
        let scalars: Vec<S> = (0..1000).map(S::nth).collect();
        self.scalars.push((S::NUMPY, bytes(&scalars).to_vec()));
        // Files hold no layout.
        for row in rows.iter().filter(|row| row.layout.is_empty()) {
            for shape in shapes(row.rank) {
                let full = row.full(shape);
                let axes: Vec<String> = full.iter().map(ToString::to_string).collect();
                let axes = if axes.is_empty() {
                    "-".to_owned()
                } else {
                    axes.join("x")
                };
                let name = format!("{}_{axes}", S::NUMPY);
                writeln!(self.list, "{name}").unwrap();
                let expected = bytes(&scalars[..full.iter().product()]).to_vec();
                let (read, shape) = (row.read_npy, shape.to_vec());
                self.checks.push(Box::new(move |folder| {
                    for order in ["C", "F"] {
                        let field = read(&Device::cpu(), &folder.join(format!("{name}_{order}.npy"))).unwrap();
                        assert_eq!(field.shape(), shape, "{name}");
                        assert!(bytes(&field.scalars()) == expected, "{name} {order}");
                        field.write_npy(&folder.join(format!("{name}_swathe.npy"))).unwrap();
                    }
                }));
            }
        }
    }

    pub fn check(self) {
        let Some(python) = python::with("numpy", "SWATHE_REQUIRE_NUMPY") else {
            return;
        };
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("list"), self.list).unwrap();
        for (name, scalars) in self.scalars {
            std::fs::write(at(&format!("{name}.bin")), scalars).unwrap();
        }
        python::run(python, PROGRAM, &[folder.path(), "write".as_ref()]);
        for check in self.checks {
            check(folder.path());
        }
        if let Some(python) = python::with("numpy", "SWATHE_REQUIRE_NUMPY") {
            python::run(python, PROGRAM, &[folder.path(), "read".as_ref()]);
        }
    }
}
