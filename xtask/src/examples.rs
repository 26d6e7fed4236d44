//! The examples with their options: the one list of them, for the gallery and for the pack.

/// An example of `examples/examples` that needs no feature.
pub struct Example {
    pub name: &'static str,
    /// What it shows, in a sentence.
    pub shows: &'static str,
    /// The kernel that the gallery quotes, and the file that it stands in.
    pub kernel: (&'static str, &'static str),
    /// Options of a run that takes a moment.
    pub small: &'static str,
    /// None where it prints a time, and has none of the options of the others.
    pub pictures: Option<Pictures>,
}

/// Options of two runs.
pub struct Pictures {
    /// For `cargo xtask gallery`: takes some seconds and ends with a frame worth seeing.
    pub quick: &'static str,
    /// For the picture of it in `docs/images`: `NAME.gif`, or where there is none `NAME.png`.
    pub shown: &'static str,
}

pub const EXAMPLES: [Example; 19] = [
    Example {
        name: "mpm88",
        shows: "Fluid, jelly and snow by the material point method.",
        kernel: ("substep", "mpm88/physics.rs"),
        small: "--frames 2 --particles 900",
        pictures: Some(Pictures {
            quick: "--frames 40",
            shown: "",
        }),
    },
    Example {
        name: "fluid",
        shows: "Jets of ink meet between obstacles: stable fluids on a staggered grid, the pressure by red-black Gauss-Seidel.",
        kernel: ("carry", "fluid/physics.rs"),
        small: "--frames 2 --size 60x40 --sweeps 5",
        pictures: Some(Pictures {
            quick: "--frames 60 --size 320x180",
            shown: "--size 320x180 --frames 60 --steps 4 --speed 1.5 --fps 15",
        }),
    },
    Example {
        name: "multigrid",
        shows: "The potential of charges by multigrid, and beside it what the same sweeps reach on one grid: Poisson's equation by V-cycles.",
        kernel: ("prolong", "multigrid/physics.rs"),
        small: "--frames 2 --finer 2",
        pictures: Some(Pictures {
            quick: "--frames 20",
            shown: "--fps 10",
        }),
    },
    Example {
        name: "dam_break",
        shows: "A dam breaks, and the wave comes back from the other wall: smoothed particle hydrodynamics, in cells by a counting sort.",
        kernel: ("accelerate", "dam_break/physics.rs"),
        small: "--frames 2 --particles 100 --size 60x27",
        pictures: Some(Pictures {
            quick: "--frames 60 --particles 1500 --frame-time 0.11",
            shown: "--particles 1600 --size 300x135 --frames 50 --frame-time 0.14 --fps 12",
        }),
    },
    Example {
        name: "boids",
        shows: "Boids flock, by what each sees of those around it: in cells by a counting sort.",
        kernel: ("fly", "boids/physics.rs"),
        small: "--frames 2 --boids 100 --size 60x40",
        pictures: Some(Pictures {
            quick: "--frames 60 --boids 2500 --size 480x300 --steps 6",
            shown: "--boids 1100 --size 300x188 --steps 12 --frames 45 --fps 12",
        }),
    },
    Example {
        name: "vortex_street",
        shows: "A cylinder in the wind sheds vortices, by the lattice Boltzmann method; prints how often.",
        kernel: ("step", "vortex_street/physics.rs"),
        small: "--frames 2 --size 60x40 --diameter 8 --steps 5",
        pictures: Some(Pictures {
            quick: "--frames 60 --size 320x128 --diameter 12",
            shown: "--size 320x108 --diameter 11 --steps 140 --frames 50 --fps 15",
        }),
    },
    Example {
        name: "plasma",
        shows: "Two streams of electrons roll up into vortices of phase space: particles in cells.",
        kernel: ("push", "plasma/physics.rs"),
        small: "--frames 2 --electrons 900 --cells 20 --size 60x40",
        pictures: Some(Pictures {
            quick: "--frames 80 --electrons 100000",
            shown: "--electrons 60000 --size 320x160 --steps 10 --frames 50 --fps 12",
        }),
    },
    Example {
        name: "ising",
        shows: "Magnets at many temperatures at once, beside Onsager's exact solution.",
        kernel: ("flip", "ising/physics.rs"),
        small: "--frames 2 --side 30 --temperatures 5 --sweeps 2",
        pictures: Some(Pictures {
            quick: "--frames 30 --side 120 --temperatures 17",
            shown: "",
        }),
    },
    Example {
        name: "lens",
        shows: "A beam of light and the lens that gathers it: Maxwell's equations in the plane, by Yee's scheme.",
        kernel: ("electric", "lens/physics.rs"),
        small: "--frames 2 --size 100x90",
        pictures: Some(Pictures {
            quick: "--frames 100",
            shown: "",
        }),
    },
    Example {
        name: "path_tracer",
        shows: "Metal, glass and paint under a lamp, by path tracing: the picture gets better from frame to frame.",
        kernel: ("trace", "path_tracer/physics.rs"),
        small: "--frames 2 --size 60x34 --samples 2",
        pictures: Some(Pictures {
            quick: "--frames 6 --size 320x180",
            shown: "--frames 24 --samples 48",
        }),
    },
    Example {
        name: "drape",
        shows: "A cloth falls on a ball: position based dynamics, threads of one colour at a time; drawn by a kernel, too.",
        kernel: ("stretch", "drape/physics.rs"),
        small: "--frames 2 --side 9 --size 60x40 --steps 4",
        pictures: Some(Pictures {
            quick: "--frames 60 --side 81 --size 320x200",
            shown: "--side 101 --size 300x188 --frames 60 --fps 15",
        }),
    },
    Example {
        name: "beam",
        shows: "A load goes along a cantilever: finite elements, solved by conjugate gradients without a matrix.",
        kernel: ("apply", "beam/physics.rs"),
        small: "--frames 2 --elements 12x3 --size 120x60",
        pictures: Some(Pictures {
            quick: "--frames 20 --elements 60x10",
            shown: "--elements 60x10 --size 320x150 --frames 48 --fps 15",
        }),
    },
    Example {
        name: "nbody",
        shows: "Two galaxies that meet: gravity between all bodies, by leapfrog.",
        kernel: ("kick", "nbody/physics.rs"),
        small: "--bodies 200 --frames 2 --steps 2 --size 60x40",
        pictures: Some(Pictures {
            quick: "--frames 20 --bodies 2000",
            shown: "",
        }),
    },
    Example {
        name: "gray_scott",
        shows: "Patterns that grow by reaction and diffusion.",
        kernel: ("react", "gray_scott/physics.rs"),
        small: "--frames 2 --steps 5 --size 60x40",
        pictures: Some(Pictures {
            quick: "--frames 40 --size 320x200",
            shown: "",
        }),
    },
    Example {
        name: "lenia",
        shows: "Gliders in a game of life with continuous states, places and times: Lenia.",
        kernel: ("live", "lenia/physics.rs"),
        small: "--frames 2 --size 60x40",
        pictures: Some(Pictures {
            quick: "--frames 40",
            shown: "",
        }),
    },
    Example {
        name: "julia",
        shows: "Julia sets, by a complex number with operators of its own.",
        kernel: ("julia", "julia/physics.rs"),
        small: "--frames 2 --size 60x40 --limit 60",
        pictures: Some(Pictures {
            quick: "--frames 10",
            shown: "",
        }),
    },
    Example {
        name: "walker",
        shows: "A robot of springs learns to walk, by derivatives through 2400 steps.",
        kernel: ("advance", "walker/physics.rs"),
        small: "--frames 2 --rounds 1 --seconds 1",
        pictures: Some(Pictures {
            quick: "--frames 20 --rounds 10",
            shown: "",
        }),
    },
    Example {
        name: "wave",
        shows: "The start of a wave that ends as a picture, found by derivatives.",
        kernel: ("ripple", "wave/physics.rs"),
        small: "--frames 2 --rounds 2 --steps 9 --size 21x17",
        pictures: Some(Pictures {
            quick: "--frames 30 --rounds 40 --size 96x96",
            shown: "",
        }),
    },
    Example {
        name: "mpm_step",
        shows: "A fluid's step by the material point method, timed.",
        kernel: ("step", "mpm_step.rs"),
        small: "--particles 900 --grid 48 --steps 4 --rounds 2",
        pictures: None,
    },
];
