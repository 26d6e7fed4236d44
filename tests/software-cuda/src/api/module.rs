//! Modules.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::Arc;

use super::{Out, Text, driver, inject};
use crate::error::Code;
use crate::fault::Kind;
use crate::findings::found;
use crate::image;
use crate::memory::Place;
use crate::module::Module;
use crate::state::{Function, Loaded, handle, state};
use crate::stream::{executor, run_until};

fn load(out: Out<*mut c_void>, image: usize) -> std::result::Result<(), (Code, String)> {
    let plain = |code: Code| (code, String::new());
    inject(Kind::Module).map_err(plain)?;
    let context = state().context().map_err(plain)?;
    let image = image::open(image).inspect_err(|(_, log)| found(format_args!("cuModuleLoad: {log}")))?;
    let module = Arc::new(Module::load(image).map_err(plain)?);
    let id = handle();
    state().modules.insert(
        id,
        Loaded {
            module,
            context,
            globals: Vec::new(),
        },
    );
    out.set(id as *mut c_void).map_err(plain)
}

/// Writes the log where `cuModuleLoadDataEx` was told to: the error log is options 5 and 6.
fn write_log(log: &str, count: c_uint, options: *const c_int, values: *const *mut c_void) {
    if options.is_null() || values.is_null() {
        return;
    }
    // SAFETY: the caller passes `count` options and values.
    let (options, values) = unsafe {
        (
            std::slice::from_raw_parts(options, count as usize),
            std::slice::from_raw_parts(values, count as usize),
        )
    };
    let value = |option| options.iter().position(|&o| o == option).map(|k| values[k]);
    if let (Some(buffer), Some(size)) = (value(5), value(6))
        && !buffer.is_null()
        && size as usize > 0
    {
        let n = log.len().min(size as usize - 1);
        // SAFETY: the caller's buffer has `size` bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(log.as_ptr(), buffer.cast(), n);
            buffer.cast::<u8>().add(n).write(0);
        }
    }
}

driver! {
    fn cuModuleLoadData(module: Out<*mut c_void>, image: usize) {
        load(module, image).map_err(|e| e.0)
    }

    fn cuModuleLoadFatBinary(module: Out<*mut c_void>, image: usize) {
        load(module, image).map_err(|e| e.0)
    }

    fn cuModuleLoadDataEx(module: Out<*mut c_void>, image: usize, count: c_uint, options: *const c_int, values: *const *mut c_void) {
        load(module, image).map_err(|(code, log)| {
            write_log(&log, count, options, values);
            code
        })
    }

    fn cuModuleLoad(module: Out<*mut c_void>, file: Text) {
        let path = std::path::PathBuf::from(file.get()?.to_string_lossy().into_owned());
        let mut image = std::fs::read(path).map_err(|_| Code::FILE_NOT_FOUND)?;
        image.push(0);
        load(module, image.as_ptr() as usize).map_err(|e| e.0)
    }

    fn cuModuleUnload(module: *mut c_void) {
        let _executor = executor();
        let context = state().modules.get(&(module as usize)).ok_or(Code::INVALID_HANDLE)?.context;
        let tails = state().tails(context);
        tails.into_iter().for_each(run_until);
        state().unload(module as usize);
        Ok(())
    }

    fn cuModuleGetFunction(function: Out<*mut c_void>, module: *mut c_void, name: Text) {
        inject(Kind::Function)?;
        let mut state = state();
        state.context()?;
        let loaded = state.modules.get(&(module as usize)).ok_or(Code::INVALID_HANDLE)?;
        let kernel = loaded.module.kernel(name.get()?).ok_or(Code::NOT_FOUND)?;
        let owner = module as usize;
        let (module, context) = (Arc::clone(&loaded.module), loaded.context);
        let known = state.functions.iter().find(|(_, f)| f.owner == owner && std::ptr::eq(f.kernel.c_name(), kernel.c_name()));
        let id = match known.map(|(&id, _)| id) {
            Some(id) => id,
            None => {
                let id = handle();
                let dynamic = super::device::SHARED - module.shared().min(super::device::SHARED as usize) as c_int;
                state.functions.insert(id, Function { module, owner, context, kernel, dynamic });
                id
            }
        };
        function.set(id as *mut c_void)
    }

    fn cuModuleGetGlobal_v2(address: Out<usize>, bytes: Out<usize>, module: *mut c_void, name: Text) {
        let mut state = state();
        state.context()?;
        let loaded = state.modules.get_mut(&(module as usize)).ok_or(Code::INVALID_HANDLE)?;
        let (at, size) = loaded.module.global(name.get()?).ok_or(Code::NOT_FOUND)?;
        let context = loaded.context;
        if !loaded.globals.contains(&at) {
            loaded.globals.push(at);
        }
        let device = state.contexts.get(&context).ok_or(Code::CONTEXT_IS_DESTROYED)?.device;
        state.memory.adopt(at, size, Place::Global, device, context);
        address.set_optional(at);
        bytes.set_optional(size);
        Ok(())
    }

    fn cuModuleGetLoadingMode(mode: Out<c_int>) {
        mode.set(1)
    }
}
