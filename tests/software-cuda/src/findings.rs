//! What a check found, for people.

use std::fmt::Arguments;
use std::sync::{Mutex, PoisonError};

use crate::config::Config;

static LAST: Mutex<String> = Mutex::new(String::new());

/// Notes a finding.
pub(crate) fn found(text: Arguments<'_>) {
    let text = text.to_string();
    if Config::get().log {
        eprintln!("software CUDA device: {text}");
    }
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

/// The last finding.
pub(crate) fn last() -> String {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
