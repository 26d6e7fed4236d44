//! Limits of launches and architectures.

use super::{entry, run_text};
use crate::{Grid, Module, Regions};

#[test]
fn limits_of_a_launch() {
    let text = |bounds: &str| {
        entry(".extern .shared .align 16 .b8 more[];", "st.shared.u32 [more], 1;")
            .replace(")\n{", &format!(")\n{bounds}\n{{"))
    };
    let mut words = [0];
    let mut of = |bounds: &str, threads, shared| run_text(&text(bounds), Grid::line(1, threads, shared), &mut words);
    assert_eq!(of("", 1, 4), Ok(()));
    assert_eq!(of(".maxntid 64, 1, 1", 1, 16), Ok(()));
    assert!(of("", 1, 0).unwrap_err().contains("which it must not"));
    assert!(of(".maxntid 64, 1, 1", 65, 4).unwrap_err().contains("up to 64 threads"));
    assert!(of("", 1025, 4).unwrap_err().contains("up to 1024 threads"));
    assert_eq!(of("", 1, 64 << 10), Ok(()));
    let why = of("", 1, (64 << 10) + 16).unwrap_err();
    assert!(
        why.contains("65552 bytes of shared memory, of up to 65536 of sm_75"),
        "{why}"
    );
    let grids = [
        ([1, 65_536, 1], [1, 1, 1], "[2147483647, 65535, 65535] blocks"),
        ([1 << 31, 1, 1], [1, 1, 1], "[2147483647, 65535, 65535] blocks"),
        ([1, 0, 1], [1, 1, 1], "blocks"),
        ([1, 1, 1], [1, 1, 65], "along the axes"),
        ([1, 1, 1], [32, 0, 1], "along the axes"),
        ([1, 1, 1], [512, 2, 2], "up to 1024 threads"),
    ];
    for (blocks, threads, why) in grids {
        let shared = 16;
        let grid = Grid {
            blocks,
            threads,
            shared,
        };
        let found = run_text(&text(""), grid, &mut words).unwrap_err();
        assert!(found.contains(why), "{found}");
    }
}

/// The least architecture that a module is for.
#[test]
fn limits_of_architectures() {
    let of = |target: &str, variables: usize, dynamic: usize, parameters: usize| {
        let text = entry(
            &format!(".extern .shared .align 16 .b8 more[];\n.shared .align 16 .b8 own[{variables}];"),
            "",
        );
        let parameter = format!("e_param_0,\n.param .align 8 .b8 e_param_1[{parameters}]\n)");
        let text = text.replace("sm_75", target).replace("e_param_0\n)", &parameter);
        let module = Module::parse(&text)?;
        let (address, bytes) = ([0; 8], vec![0; parameters]);
        let regions = Regions::default();
        module
            .launch("e", Grid::line(1, 1, dynamic), &[&address, &bytes], &regions)
            .map(drop)
    };
    let kibibytes = [
        ("sm_75", 64),
        ("sm_80", 163),
        ("sm_86", 99),
        ("sm_90", 227),
        ("sm_100", 227),
        ("sm_120", 99),
    ];
    for (target, most) in kibibytes {
        assert_eq!(of(target, 16, (most << 10) - 16, 8), Ok(()), "{target}");
        let why = of(target, 32, (most << 10) - 16, 8).unwrap_err();
        assert!(why.contains(&format!("of {target}")), "{why}");
    }
    assert_eq!(of("sm_75", 48 << 10, 16, 8), Ok(()));
    let why = of("sm_120", (48 << 10) + 16, 0, 8).unwrap_err();
    assert_eq!(why, "49168 bytes of shared variables, of up to 49152");
    assert_eq!(of("sm_75", 16, 0, 32_764 - 8), Ok(()));
    assert_eq!(
        of("sm_75", 16, 0, 32_764 - 7).unwrap_err(),
        "line 6: .visible .entry e("
    );
}
