//! What the loader has to know of a text: its kernels, whether its threads wait for each other, and its dynamic shared
//! memory.

/// A `__global__` function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kernel {
    pub name: String,
    /// The first number of `__launch_bounds__`, as text.
    pub bounds: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scan {
    pub kernels: Vec<Kernel>,
    /// Threads of a block wait for each other somewhere.
    pub waits: bool,
    /// For the host compiler.
    pub text: String,
}

/// Blanks out comments and literals, byte for byte.
fn bare(text: &str) -> Vec<u8> {
    let mut out = text.as_bytes().to_vec();
    let mut k = 0;
    while k < out.len() {
        let rest = &out[k..];
        let end = if rest.starts_with(b"//") {
            rest.iter().position(|&b| b == b'\n').map_or(out.len(), |n| k + n)
        } else if rest.starts_with(b"/*") {
            rest.windows(2)
                .skip(2)
                .position(|w| w == b"*/")
                .map_or(out.len(), |n| k + n + 4)
        } else if rest[0] == b'"' {
            let mut n = 1;
            while n < rest.len() && rest[n] != b'"' && rest[n] != b'\n' {
                n += if rest[n] == b'\\' { 2 } else { 1 };
            }
            (k + n + 1).min(out.len())
        } else {
            k += 1;
            continue;
        };
        for byte in &mut out[k..end] {
            if *byte != b'\n' && *byte != b'"' {
                *byte = b' ';
            }
        }
        k = end;
    }
    out
}

struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Option<(&'a str, usize)> {
        while self.text.get(self.at)?.is_ascii_whitespace() {
            self.at += 1;
        }
        let start = self.at;
        let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        self.at += self.text[start..].iter().take_while(|b| word(b)).count().max(1);
        Some((std::str::from_utf8(&self.text[start..self.at]).unwrap_or(""), start))
    }

    /// After an opening parenthesis: up to the closing one.
    fn parenthesised(&mut self) -> String {
        let start = self.at;
        let mut depth = 1;
        while depth > 0 {
            match self.next() {
                Some(("(", _)) => depth += 1,
                Some((")", _)) => depth -= 1,
                Some(_) => {}
                None => break,
            }
        }
        let end = self.at.saturating_sub(1).max(start);
        String::from_utf8_lossy(&self.text[start..end]).trim().to_owned()
    }
}

fn first_argument(list: &str) -> String {
    list.split(',').next().unwrap_or("").trim().to_owned()
}

pub(crate) fn scan(text: &str) -> Scan {
    let bare = bare(text);
    let mut tokens = Tokens { text: &bare, at: 0 };
    let mut kernels: Vec<Kernel> = Vec::new();
    let mut waits = false;
    let mut rewritten = String::new();
    let mut copied = 0;
    let mut template = false;
    let mut external = None;
    while let Some((word, start)) = tokens.next() {
        match word {
            "template" => template = true,
            ";" | "}" => template = false,
            "extern" => external = Some(start),
            "__shared__" if external.is_some() => {
                let begin = external.take().unwrap_or(start);
                if let Some((replacement, end)) = dynamic(&mut tokens) {
                    rewritten.push_str(&text[copied..begin]);
                    rewritten.push_str(&replacement);
                    copied = end;
                }
            }
            "__syncthreads" | "__syncwarp" | "__nanosleep" | "__activemask" => waits = true,
            _ if word.starts_with("__") && word.contains("sync") => waits = true,
            "__global__" => {
                if let Some(kernel) = kernel(&mut tokens)
                    && !template
                    && !kernels.contains(&kernel)
                {
                    kernels.push(kernel);
                }
            }
            "\"" | "C" => {}
            _ => external = None,
        }
    }
    rewritten.push_str(&text[copied..]);
    Scan {
        kernels,
        waits,
        text: rewritten,
    }
}

/// `T name[];` after `extern __shared__`, as a variable that knows where the block's memory is.
fn dynamic(tokens: &mut Tokens<'_>) -> Option<(String, usize)> {
    let mut words: Vec<String> = Vec::new();
    loop {
        match tokens.next()?.0 {
            "[" => break,
            word @ ("__align__" | "alignas" | "__attribute__") => {
                let _ = word;
                tokens.next()?;
                tokens.parenthesised();
            }
            word => words.push(word.to_owned()),
        }
    }
    while tokens.next()?.0 != ";" {}
    let name = words.pop()?;
    Some((format!("softcuda_dynamic<{}> {name};", words.join(" ")), tokens.at))
}

/// The rest of a kernel's head.
fn kernel(tokens: &mut Tokens<'_>) -> Option<Kernel> {
    let mut bounds = "0".to_owned();
    let mut name = String::new();
    loop {
        match tokens.next()?.0 {
            "(" => return (!name.is_empty()).then_some(Kernel { name, bounds }),
            "__launch_bounds__" => {
                tokens.next()?;
                bounds = first_argument(&tokens.parenthesised());
            }
            "__attribute__" | "__maxnreg__" | "__cluster_dims__" => {
                tokens.next()?;
                tokens.parenthesised();
            }
            ";" | "{" => return None,
            word => name = word.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(String, String)> {
        scan(text).kernels.into_iter().map(|k| (k.name, k.bounds)).collect()
    }

    #[test]
    fn kernels_are_found() {
        let text = "// __global__ void no();\n/* __global__ void nor(); */ const char* s = \"__global__ void x()\";\n\
            extern \"C\" __global__ void __launch_bounds__(128, 2) a(int n) {}\n\
            template <class T> __global__ void t(T x) {}\n\
            static __device__ int f() { return 1; }\n#line 3 \"x.rs\"\nextern \"C\" __global__\nvoid b() {}";
        assert_eq!(names(text), [("a".into(), "128".into()), ("b".into(), "0".into())]);
        assert!(!scan(text).waits);
    }

    #[test]
    fn waiting_is_seen() {
        for word in [
            "__syncthreads();",
            "__shfl_down_sync(m, v, 1);",
            "__ballot_sync(m, 1);",
            "__syncwarp();",
        ] {
            assert!(scan(word).waits, "{word}");
        }
        assert!(!scan("// __syncthreads();").waits);
        assert!(!scan("int in_sync = 1;").waits);
    }

    #[test]
    fn dynamic_shared_memory_is_rewritten() {
        let text = "void f() {\n    extern __shared__ __align__(16) unsigned char raw[];\n    raw[0] = 1;\n}";
        let expected = "void f() {\n    softcuda_dynamic<unsigned char> raw;\n    raw[0] = 1;\n}";
        assert_eq!(scan(text).text, expected);
        let plain = "extern \"C\" void g(); __shared__ float s[3];";
        assert_eq!(scan(plain).text, plain);
    }
}
