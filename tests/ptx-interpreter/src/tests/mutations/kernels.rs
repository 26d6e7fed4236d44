//! Kernels that are right, in the style of NVRTC, with what they leave.

use crate::{Cause, Grid, Module, Region, Regions, Written};
use std::sync::Arc;

/// What a kernel takes: an input, an output and a number. A mistake changes some of it.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub grid: Grid,
    pub input: Vec<u32>,
    /// Items of the input that are written.
    pub written: usize,
    pub output: Vec<u32>,
    pub number: u32,
    /// The input takes the output's place.
    pub in_place: bool,
}

/// A kernel.
pub(super) struct Kernel {
    pub text: &'static str,
    pub setup: fn() -> Setup,
    pub expected: fn(&Setup) -> Vec<u32>,
}

/// What it leaves, or why not.
pub(super) fn run(text: &str, setup: &Setup, seed: Option<u64>) -> Result<Vec<u32>, String> {
    let module = Module::parse(text)?;
    let Setup {
        mut input, mut output, ..
    } = setup.clone();
    let region = |items: &mut [u32], writable| Region {
        start: items.as_mut_ptr().expose_provenance() as u64,
        bytes: size_of_val(items) as u64,
        writable,
    };
    let (from, to) = (region(&mut input, setup.in_place), region(&mut output, true));
    let mut regions: Regions = [from, to].into_iter().collect();
    let written = Written::new(from.bytes as usize);
    written.set(0, setup.written * 4, true);
    assert!(regions.remember(from.start, Arc::new(written)));
    let target = if setup.in_place { from.start } else { to.start };
    let arguments = [
        &from.start.to_le_bytes()[..],
        &target.to_le_bytes(),
        &setup.number.to_le_bytes(),
    ];
    let mut launch = module.launch("kernel", setup.grid, &arguments, &regions)?;
    if let Some(seed) = seed {
        launch.choose_order(seed);
    }
    // SAFETY: the regions are this function's own memory.
    let ran = unsafe { launch.run() };
    ran.map_err(|why| match why.cause {
        Cause::Outside(_) => format!("outside: {why}"),
        Cause::Misaligned(_) => format!("misaligned: {why}"),
        Cause::Other => why.text,
    })?;
    Ok(if setup.in_place { input } else { output })
}

/// Sums of blocks of 64 floats, by shuffles and shared memory.
pub(super) const SUM: Kernel = Kernel {
    text: SUM_TEXT,
    setup: || Setup {
        grid: Grid::line(3, 64, 0),
        input: (0..170).map(|k: u32| (k as f32 / 3.0).to_bits()).collect(),
        written: 170,
        output: vec![0; 3],
        number: 170,
        in_place: false,
    },
    expected: |setup| {
        let warp = |start: usize| {
            let item = |k| setup.input.get(k).map_or(0.0, |&bits| f32::from_bits(bits));
            let mut lanes: Vec<f32> = (start..start + 32).map(item).collect();
            for half in [16, 8, 4, 2, 1] {
                (0..half).for_each(|k| lanes[k] += lanes[k + half]);
            }
            lanes[0]
        };
        (0..3)
            .map(|block| (warp(64 * block) + warp(64 * block + 32)).to_bits())
            .collect()
    },
};

const SUM_TEXT: &str = "
.version 8.8
.target sm_75
.address_size 64
.visible .entry kernel(
    .param .u64 .ptr .align 1 kernel_param_0,
    .param .u64 .ptr .align 1 kernel_param_1,
    .param .u32 kernel_param_2
)
.maxntid 64, 1, 1
{
    .reg .pred %p<6>; .reg .b32 %r<20>; .reg .f32 %f<10>; .reg .b64 %rd<10>;
    .shared .align 4 .b8 values[8];
    ld.param.u64 %rd1, [kernel_param_0];
    ld.param.u64 %rd2, [kernel_param_1];
    ld.param.u32 %r2, [kernel_param_2];
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r1, %tid.x;
    mad.lo.s32 %r5, %r3, %r4, %r1;
    mov.f32 %f1, 0f00000000;
    setp.ge.s32 %p1, %r5, %r2;
    @%p1 bra $L1;
    cvta.to.global.u64 %rd3, %rd1;
    mul.wide.s32 %rd4, %r5, 4;
    add.s64 %rd5, %rd3, %rd4;
    ld.global.nc.f32 %f1, [%rd5];
$L1:
    mov.u32 %r8, 16;
$L2:
    mov.b32 %r6, %f1;
    shfl.sync.down.b32 %r7|%p2, %r6, %r8, 31, -1;
    mov.b32 %f2, %r7;
    add.rn.f32 %f1, %f1, %f2;
    shr.u32 %r8, %r8, 1;
    setp.ne.s32 %p2, %r8, 0;
    @%p2 bra $L2;
    and.b32 %r9, %r1, 31;
    setp.ne.s32 %p3, %r9, 0;
    @%p3 bra $L3;
    shr.u32 %r10, %r1, 3;
    mov.u32 %r11, values;
    add.s32 %r12, %r11, %r10;
    st.shared.f32 [%r12], %f1;
$L3:
    bar.sync 0;
    setp.ne.s32 %p4, %r1, 0;
    @%p4 bra $L4;
    ld.shared.f32 %f3, [values];
    ld.shared.f32 %f4, [values+4];
    add.rn.f32 %f5, %f3, %f4;
    cvta.to.global.u64 %rd6, %rd2;
    mul.wide.u32 %rd7, %r3, 4;
    add.s64 %rd8, %rd6, %rd7;
    st.global.f32 [%rd8], %f5;
$L4:
    ret;
}
";

/// How often each of 16 digits occurs, by atomic operations in shared and in global memory.
pub(super) const COUNT: Kernel = Kernel {
    text: COUNT_TEXT,
    setup: || Setup {
        grid: Grid::line(2, 64, 64),
        input: (0..128).map(|k| k * k / 3 % 16).collect(),
        written: 128,
        output: vec![0; 16],
        number: 128,
        in_place: false,
    },
    expected: |setup| {
        let count = |digit| setup.input.iter().filter(|&&item| item == digit).count() as u32;
        (0..16).map(count).collect()
    },
};

const COUNT_TEXT: &str = "
.version 8.8
.target sm_75
.address_size 64
.extern .shared .align 16 .b8 counts[];
.visible .entry kernel(
    .param .u64 .ptr .align 1 kernel_param_0,
    .param .u64 .ptr .align 1 kernel_param_1,
    .param .u32 kernel_param_2
)
{
    .reg .pred %p<6>; .reg .b32 %r<20>; .reg .b64 %rd<10>;
    ld.param.u64 %rd1, [kernel_param_0];
    ld.param.u64 %rd2, [kernel_param_1];
    mov.u32 %r1, %tid.x;
    setp.gt.u32 %p1, %r1, 15;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, counts;
    add.s32 %r4, %r3, %r2;
    @%p1 bra $L1;
    mov.b32 %r5, 0;
    st.shared.u32 [%r4], %r5;
$L1:
    bar.sync 0;
    mov.u32 %r6, %ctaid.x;
    mov.u32 %r7, %ntid.x;
    mad.lo.s32 %r8, %r6, %r7, %r1;
    cvta.to.global.u64 %rd3, %rd1;
    mul.wide.u32 %rd4, %r8, 4;
    add.s64 %rd5, %rd3, %rd4;
    ld.global.nc.u32 %r9, [%rd5];
    shl.b32 %r10, %r9, 2;
    add.s32 %r11, %r3, %r10;
    atom.shared.add.u32 %r12, [%r11], 1;
    bar.sync  0;
    @%p1 bra $L2;
    ld.shared.u32 %r13, [%r4];
    cvta.to.global.u64 %rd6, %rd2;
    mul.wide.u32 %rd7, %r1, 4;
    add.s64 %rd8, %rd6, %rd7;
    red.global.add.u32 [%rd8], %r13;
$L2:
    ret;
}
";

/// Each item's neighbour at a signed distance, through a function with a variable of its own.
pub(super) const SHIFT: Kernel = Kernel {
    text: SHIFT_TEXT,
    setup: || Setup {
        grid: Grid::line(1, 40, 0),
        input: (0..40).map(|k| k * 100).collect(),
        written: 40,
        output: vec![0; 40],
        number: 3_u32.wrapping_neg(),
        in_place: false,
    },
    expected: |setup| {
        let item = |k: usize| k.checked_sub(3).map_or(0, |k| setup.input[k]);
        (0..40).map(|k| item(k) + 2 * k as u32).collect()
    },
};

const SHIFT_TEXT: &str = "
.version 8.8
.target sm_75
.address_size 64
.func (.param .b32 func_retval0) twice(
    .param .b32 twice_param_0
)
{
    .reg .b32 %r<5>;
    .local .align 8 .b8 own[8];
    ld.param.u32 %r1, [twice_param_0];
    st.local.v2.u32 [own], {%r1, %r1};
    ld.local.u32 %r2, [own];
    ld.local.u32 %r3, [own+4];
    add.s32 %r4, %r2, %r3;
    st.param.b32 [func_retval0], %r4;
    ret;
}
.visible .entry kernel(
    .param .u64 .ptr .align 1 kernel_param_0,
    .param .u64 .ptr .align 1 kernel_param_1,
    .param .u32 kernel_param_2
)
{
    .reg .pred %p<6>; .reg .b32 %r<20>; .reg .b64 %rd<12>;
    ld.param.u64 %rd1, [kernel_param_0];
    ld.param.u64 %rd2, [kernel_param_1];
    ld.param.u32 %r2, [kernel_param_2];
    mov.u32 %r1, %tid.x;
    cvta.to.global.u64 %rd3, %rd1;
    cvt.u64.u32 %rd4, %r1;
    cvt.s64.s32 %rd5, %r2;
    add.s64 %rd6, %rd4, %rd5;
    setp.lt.s64 %p1, %rd6, 0;
    mov.b32 %r3, 0;
    @%p1 bra $L1;
    shl.b64 %rd7, %rd6, 2;
    add.s64 %rd8, %rd3, %rd7;
    ld.global.nc.u32 %r3, [%rd8];
$L1:
    {
    .param .b32 param0;
    st.param.b32 [param0], %r1;
    .param .b32 retval0;
    call.uni (retval0), twice, (param0);
    ld.param.b32 %r4, [retval0];
    }
    add.s32 %r5, %r3, %r4;
    cvta.to.global.u64 %rd9, %rd2;
    mul.wide.u32 %rd10, %r1, 4;
    add.s64 %rd11, %rd9, %rd10;
    st.global.u32 [%rd11], %r5;
    ret;
}
";
