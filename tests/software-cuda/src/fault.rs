//! Faults on demand: the n-th call of a kind fails.

use std::sync::{LazyLock, Mutex, PoisonError};

use crate::config::Config;
use crate::error::Code;

macro_rules! kinds {
    ($($kind:ident $name:literal $code:ident;)*) => {
        /// Calls that are counted and can be told to fail.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind { $($kind),* }

        impl Kind {
            const ALL: &[(Kind, &'static str, Code)] = &[$((Kind::$kind, $name, Code::$code)),*];
        }
    };
}

kinds! {
    Init "init" NO_DEVICE;
    Context "context" OUT_OF_MEMORY;
    Alloc "alloc" OUT_OF_MEMORY;
    HostAlloc "host" OUT_OF_MEMORY;
    Free "free" LAUNCH_FAILED;
    Copy "copy" UNKNOWN;
    Memset "memset" UNKNOWN;
    Stream "stream" OUT_OF_MEMORY;
    Event "event" OUT_OF_MEMORY;
    Record "record" LAUNCH_FAILED;
    Join "join" LAUNCH_FAILED;
    Compile "compile" UNKNOWN;
    Module "module" INVALID_IMAGE;
    Function "function" NOT_FOUND;
    Launch "launch" LAUNCH_OUT_OF_RESOURCES;
    Kernel "kernel" LAUNCH_FAILED;
    Sync "sync" LAUNCH_FAILED;
    Capture "capture" STREAM_CAPTURE_INVALIDATED;
    Graph "graph" OUT_OF_MEMORY;
}

const KINDS: usize = Kind::ALL.len();

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    kind: Kind,
    /// Counted from 1.
    call: u64,
    /// That call and all later ones.
    onwards: bool,
    code: Code,
    /// The context stays broken.
    sticky: bool,
}

#[derive(Debug, Default)]
struct Plan {
    rules: Vec<Rule>,
    counts: [u64; KINDS],
}

/// What an injected fault looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Injected {
    pub code: Code,
    pub sticky: bool,
}

static PLAN: LazyLock<Mutex<Plan>> = LazyLock::new(|| {
    let rules = parse(&Config::get().fail).unwrap_or_else(|word| {
        eprintln!("software CUDA device: SWATHE_SOFTCUDA_FAIL: `{word}` is not kind:number[+][:code][!]");
        Vec::new()
    });
    Mutex::new(Plan {
        rules,
        ..Plan::default()
    })
});

/// `alloc:3`, `copy:2+` (from the second on), `launch:1:719!` (with this code, for ever), separated by commas.
fn parse(text: &str) -> Result<Vec<Rule>, String> {
    let words = text.split(',').map(str::trim).filter(|w| !w.is_empty());
    words
        .map(|word| parse_rule(word).ok_or_else(|| word.to_owned()))
        .collect()
}

fn parse_rule(word: &str) -> Option<Rule> {
    let (word, sticky) = word.strip_suffix('!').map_or((word, false), |w| (w, true));
    let mut parts = word.split(':');
    let name = parts.next()?;
    let &(kind, _, code) = Kind::ALL.iter().find(|row| row.1 == name)?;
    let call = parts.next()?;
    let (call, onwards) = call.strip_suffix('+').map_or((call, false), |c| (c, true));
    let code = match parts.next() {
        Some(code) => Code(code.parse().ok()?),
        None => code,
    };
    let sticky = sticky || kind == Kind::Kernel;
    parts.next().is_none().then_some(Rule {
        kind,
        call: call.parse().ok().filter(|&n| n > 0)?,
        onwards,
        code,
        sticky,
    })
}

fn plan() -> std::sync::MutexGuard<'static, Plan> {
    PLAN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts a call; the fault that it has to end in, if any.
pub(crate) fn count(kind: Kind) -> Option<Injected> {
    let mut plan = plan();
    plan.counts[kind as usize] += 1;
    let n = plan.counts[kind as usize];
    let rule = plan
        .rules
        .iter()
        .find(|r| r.kind == kind && (n == r.call || r.onwards && n > r.call))?;
    Some(Injected {
        code: rule.code,
        sticky: rule.sticky,
    })
}

/// Replaces the rules and starts counting anew. `Err` if the text is wrong.
pub(crate) fn arm(text: &str) -> Result<(), String> {
    let rules = parse(text)?;
    *plan() = Plan {
        rules,
        ..Plan::default()
    };
    Ok(())
}

/// Calls of a kind since [`arm`].
pub(crate) fn calls(name: &str) -> Option<u64> {
    let &(kind, ..) = Kind::ALL.iter().find(|row| row.1 == name)?;
    Some(plan().counts[kind as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        let rules = parse("alloc:3, copy:2+,launch:1:719!").unwrap();
        let rule = |kind, call, onwards, code, sticky| Rule {
            kind,
            call,
            onwards,
            code: Code(code),
            sticky,
        };
        assert_eq!(
            rules,
            [
                rule(Kind::Alloc, 3, false, 2, false),
                rule(Kind::Copy, 2, true, 999, false),
                rule(Kind::Launch, 1, false, 719, true)
            ]
        );
        for wrong in ["alloc", "alloc:0", "alloc:x", "nothing:1", "alloc:1:2:3", "alloc:-1"] {
            assert_eq!(parse(wrong), Err(wrong.to_owned()));
        }
        assert!(parse("").unwrap().is_empty());
    }
}
