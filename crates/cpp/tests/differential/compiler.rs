//! Programs compiled and run: all of them in one executable.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;

use crate::{INPUTS, Line};

/// What programs print with.
const HARNESS: &str = r#"
#include <cstdint>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <array>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <algorithm>
#include <cstdlib>
static const int *inputs;
static int in(int k) { return inputs[k]; }
static void put(const char *name, const char *value) { printf("%s %s\n", name, value); }
template <typename T> static void out(const char *name, T value) {
    char text[64];
    if constexpr (std::is_same_v<T, float>) {
        uint32_t bits; memcpy(&bits, &value, 4); snprintf(text, 64, "f%u", bits);
    } else if constexpr (std::is_same_v<T, double>) {
        int64_t bits; memcpy(&bits, &value, 8); snprintf(text, 64, "%lld", (long long)bits);
    } else if constexpr (std::is_unsigned_v<T>) {
        snprintf(text, 64, "%llu", (unsigned long long)value);
    } else {
        snprintf(text, 64, "%lld", (long long)value);
    }
    put(name, text);
}
"#;

/// g++.
pub struct Compiler {
    folder: PathBuf,
}

impl Compiler {
    /// The compiler; `None` where there is none.
    pub fn find() -> Option<Compiler> {
        let version = Command::new("g++").arg("--version").output().ok()?;
        if !version.status.success() {
            return None;
        }
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        std::fs::create_dir_all(&folder).ok()?;
        Some(Compiler { folder })
    }

    /// Compiles and runs programs; returns what each of them prints, for each run.
    pub fn run(&self, programs: &[(String, String)]) -> HashMap<(String, usize), Vec<Line>> {
        let mut text = HARNESS.to_owned();
        for (name, program) in programs {
            text.push_str(&format!("namespace {name} {{\n{program}\n}}\n"));
        }
        text.push_str("static const int all[][4] = {");
        for inputs in INPUTS {
            let numbers: Vec<String> = inputs.iter().map(i32::to_string).collect();
            text.push_str(&format!("{{{}}},", numbers.join(", ")));
        }
        text.push_str("};\nint main(int count, char **arguments) {\n");
        text.push_str("int run = atoi(arguments[1]); inputs = all[run];\n");
        for (name, _) in programs {
            text.push_str(&format!("printf(\"= {name}\\n\"); {name}::program();\n"));
        }
        text.push_str("}\n");
        let label = format!("{:?}-{}", std::thread::current().id(), programs.len());
        let label = label.replace(['(', ')'], "");
        let source = self.folder.join(format!("programs-{label}.cpp"));
        let executable = self.folder.join(format!("programs-{label}"));
        std::fs::write(&source, &text).expect("the folder of tests can be written");
        let compiled = Command::new("g++")
            .args(["-std=c++17", "-O0", "-w", "-o"])
            .arg(&executable)
            .arg(&source)
            .output()
            .expect("the compiler was found");
        assert!(
            compiled.status.success(),
            "a program does not compile:\n{}",
            String::from_utf8_lossy(&compiled.stderr)
        );
        let mut all = HashMap::new();
        for run in 0..INPUTS.len() {
            let output = Command::new(&executable)
                .arg(run.to_string())
                .output()
                .expect("what was compiled runs");
            assert!(output.status.success(), "the programs fail in run {run}");
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            let mut name = String::new();
            for line in printed.lines() {
                let (first, second) = line.split_once(' ').unwrap_or((line, ""));
                if first == "=" {
                    name = second.to_owned();
                    all.insert((name.clone(), run), Vec::new());
                } else if let Some(lines) = all.get_mut(&(name.clone(), run)) {
                    lines.push((first.to_owned(), second.to_owned()));
                }
            }
        }
        all
    }
}
