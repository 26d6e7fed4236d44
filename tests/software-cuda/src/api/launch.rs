//! Launches.

use std::ffi::{c_uint, c_void};

use super::device::SHARED;
use super::{Out, driver, submit};
use crate::block::Launch;
use crate::error::{Code, Result};
use crate::fault::{Kind, count};
use crate::findings::found;
use crate::state::Function;
use crate::stream::Operation;

/// `CUlaunchConfig`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Config {
    grid: [c_uint; 3],
    block: [c_uint; 3],
    dynamic: c_uint,
    stream: *mut c_void,
    attributes: *mut c_void,
    count: c_uint,
}

#[derive(Clone, Copy)]
struct Request {
    grid: [c_uint; 3],
    block: [c_uint; 3],
    dynamic: usize,
    parameters: *const *const c_void,
    extra: *const *const c_void,
}

fn limits(function: &Function, request: &Request) -> Result {
    let [x, y, z] = request.grid.map(u64::from);
    let threads: u64 = request.block.iter().map(|&n| u64::from(n)).product();
    let [bx, by, bz] = request.block;
    let refuse = |code, text: &str| {
        let name = function.kernel.name();
        found(format_args!(
            "cuLaunchKernel: {name}: {text}: grid {:?}, block {:?}, {} bytes",
            request.grid, request.block, request.dynamic
        ));
        Err(code)
    };
    if x * y * z == 0 || threads == 0 {
        return refuse(Code::INVALID_VALUE, "an empty grid or block");
    }
    if x > i32::MAX as u64 || y > 65535 || z > 65535 {
        return refuse(Code::INVALID_VALUE, "too large a grid");
    }
    if bx > 1024 || by > 1024 || bz > 64 || threads > 1024 {
        return refuse(Code::INVALID_VALUE, "too large a block");
    }
    if function.kernel.bounds() != 0 && threads > u64::from(function.kernel.bounds()) {
        return refuse(Code::LAUNCH_OUT_OF_RESOURCES, "more threads than __launch_bounds__");
    }
    if request.dynamic > function.dynamic.max(0) as usize {
        return refuse(Code::INVALID_VALUE, "more shared memory than allowed");
    }
    // Of several kernels in a text nobody knows which uses what.
    if function.module.kernels() == 1 && function.module.shared() > SHARED as usize {
        return refuse(
            Code::LAUNCH_OUT_OF_RESOURCES,
            "more than 48 KiB of __shared__ variables",
        );
    }
    Ok(())
}

/// Copies the arguments, each to a multiple of 16 bytes.
fn arguments(function: &Function, request: &Request) -> Result<Vec<u128>> {
    let parameters = function.kernel.parameters();
    let sources = if parameters.is_empty() {
        Vec::new()
    } else if !request.parameters.is_null() {
        // SAFETY: the caller passes one pointer for each parameter.
        unsafe { std::slice::from_raw_parts(request.parameters, parameters.len()) }.to_vec()
    } else {
        packed(function, request)?
    };
    let cells = parameters.iter().map(|p| (p.size as usize).div_ceil(16)).sum();
    let mut out = vec![0_u128; cells];
    let mut at = 0;
    for (k, (source, parameter)) in sources.iter().zip(parameters).enumerate() {
        if source.is_null() {
            found(format_args!(
                "cuLaunchKernel: {}: argument {k} of {} is null",
                function.kernel.name(),
                parameters.len()
            ));
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: the caller's argument has the parameter's size, and the cells have room for it.
        unsafe {
            std::ptr::copy_nonoverlapping(
                source.cast::<u8>(),
                out[at..].as_mut_ptr().cast(),
                parameter.size as usize,
            )
        };
        at += (parameter.size as usize).div_ceil(16);
    }
    Ok(out)
}

/// `CU_LAUNCH_PARAM_BUFFER_POINTER` and `.._SIZE`: all arguments in one buffer, whose size is known.
fn packed(function: &Function, request: &Request) -> Result<Vec<*const c_void>> {
    let (mut buffer, mut size) = (None, None);
    let mut at = request.extra;
    if at.is_null() {
        found(format_args!("cuLaunchKernel: {}: no arguments", function.kernel.name()));
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the list ends with null; each key is followed by its value.
    unsafe {
        while !(*at).is_null() {
            match *at as usize {
                1 => buffer = Some(*at.add(1)),
                2 => size = Some((*at.add(1)).cast::<usize>().read()),
                _ => return Err(Code::INVALID_VALUE),
            }
            at = at.add(2);
        }
    }
    let (Some(buffer), Some(size)) = (buffer, size) else {
        return Err(Code::INVALID_VALUE);
    };
    let offsets = function.kernel.offsets();
    let end = match (offsets.last(), function.kernel.parameters().last()) {
        (Some(start), Some(last)) => start + last.size as usize,
        _ => 0,
    };
    if size != end {
        found(format_args!(
            "cuLaunchKernel: {}: {size} bytes of arguments, not {end}",
            function.kernel.name()
        ));
        return Err(Code::INVALID_VALUE);
    }
    Ok(offsets.iter().map(|&start| buffer.wrapping_byte_add(start)).collect())
}

fn launch(function: *mut c_void, stream: *mut c_void, request: Request) -> Result {
    super::inject(Kind::Launch)?;
    submit(stream, |state, stream| {
        let function = state.functions.get(&(function as usize)).ok_or(Code::INVALID_HANDLE)?;
        if function.context != state.streams[&stream].context {
            found(format_args!(
                "cuLaunchKernel: {}: function and stream belong to different contexts",
                function.kernel.name()
            ));
            return Err(Code::INVALID_HANDLE);
        }
        limits(function, &request)?;
        let launch = Launch {
            module: function.module.clone(),
            kernel: function.kernel.clone(),
            grid: request.grid,
            block: request.block,
            dynamic: request.dynamic,
            arguments: arguments(function, &request)?,
        };
        Ok(Operation::Kernel(launch, count(Kind::Kernel)))
    })?;
    Ok(())
}

driver! {
    fn cuLaunchKernel(
        function: *mut c_void,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        dynamic: c_uint,
        stream: *mut c_void,
        parameters: *const *const c_void,
        extra: *const *const c_void,
    ) {
        let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
        launch(function, stream, Request { grid, block, dynamic: dynamic as usize, parameters, extra })
    }

    fn cuLaunchCooperativeKernel(
        function: *mut c_void,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        dynamic: c_uint,
        stream: *mut c_void,
        parameters: *const *const c_void,
    ) {
        let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
        launch(function, stream, Request { grid, block, dynamic: dynamic as usize, parameters, extra: std::ptr::null() })
    }

    fn cuLaunchKernelEx(config: Out<Config>, function: *mut c_void, parameters: *const *const c_void, extra: *const *const c_void) {
        let c = config.get()?;
        launch(function, c.stream, Request { grid: c.grid, block: c.block, dynamic: c.dynamic as usize, parameters, extra })
    }
}
