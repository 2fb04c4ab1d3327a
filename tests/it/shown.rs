//! Text of files in printed output: terminals, CI runners and agents must not interpret any of it.

use std::path::Path;
use std::process::Output;

use crate::common::project;

/// Texts that terminals and readers interpret: control sequences, line ends, changes of the writing direction, hidden
/// text.
const OBEYED: &[&str] = &[
    "\u{1b}[2J",
    "\u{1b}]0;x\u{7}",
    "\r",
    "\u{85}",
    "\u{9b}2J",
    "\u{202e}",
    "\u{2066}",
    "\u{200e}",
    "\u{200b}",
    "\u{2028}",
    "\u{feff}",
    "\u{e0041}",
    "\u{fe00}",
];

/// Returns a file whose kernel, tensors, comments and strings contain a text.
fn source(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|c| format!("\\U{:08x}", u32::from(c)))
        .collect();
    let raw = text.replace(['\r', '\n'], " ");
    format!(
        "from easyasc.a2 import *\n\n\ndef build(tag):\n    # {raw}\n    @kernel(mode=\"vec\")\n    \
         def bias(x: GMTensor, y: GMTensor):\n        \
         b = Tensor(DT.float, [64, 8], Position.UB, name=\"{escaped}\")\n        \
         dup(b, 0.25)  # {raw}\n        y[0:64, 0:8] <<= b\n        unheard_of(b, \"{escaped}{raw}\")\n        \
         with auto_sync():\n            dup(b[\"{escaped}\"], 1.0)\n        return y\n    return bias\n\n\n\
         # a2lint: launch({raw}=3)\nif __name__ == \"__main__\":\n    import torch\n    \
         y = torch.zeros(64, 8)\n    OpExec(build(\"{escaped}\\n::error file=k.py::forged\"), \"o\")(y, y)\n"
    )
}

fn a2lint(directory: &Path, args: &[&str]) -> Output {
    let mut binary = crate::common::binary();
    binary.current_dir(directory).args(args);
    binary.output().expect("the binary runs")
}

/// Returns everything that a command prints, except for line ends.
fn printed(directory: &Path, args: &[&str]) -> String {
    let output = a2lint(directory, args);
    let both = [output.stdout, output.stderr].concat();
    String::from_utf8(both).expect("UTF-8")
}

/// Every command that prints text of a file.
const COMMANDS: &[&[&str]] = &[
    &["check", "--pedantic", "-v", "k.py"],
    &["check", "--output-format", "concise", "k.py"],
    &["check", "--output-format", "agent", "k.py"],
    &["check", "--output-format", "github", "k.py"],
    &["check", "--output-format", "junit", "k.py"],
    &["check", "--output-format", "json", "k.py"],
    &["check", "--output-format", "sarif", "k.py"],
    &["check", "--output-format", "gitlab", "k.py"],
    &["check", "--diff", "--unsafe-fixes", "k.py"],
    &["check", "--show-files"],
    &["check", "--show-settings"],
    &["check", "--statistics"],
    &["prove", "-v", "k.py"],
    &["prove", "--json", "k.py"],
    &["trace", "k.py"],
    &["mem", "k.py"],
    &["run", "k.py"],
    &["run", "--json", "k.py"],
    &["test", "k.py"],
    &["test", "--json", "k.py"],
    &["cost", "k.py"],
];

#[test]
fn no_text_of_a_file_is_obeyed() {
    for obeyed in OBEYED {
        let config = "exclude = [\"other\u{202e}\u{200b}\"]\n";
        let project = project(&[("k.py", source(obeyed)), ("a2lint.toml", config.to_owned())]);
        for args in COMMANDS {
            let text = printed(project.path(), args);
            for hidden in OBEYED.iter().filter_map(|text| text.chars().next()) {
                assert!(!text.contains(hidden), "{args:?} with {obeyed:?}: {text:?}");
            }
            assert!(
                !text.contains("\u{7}"),
                "{args:?} with {obeyed:?}: {text:?}"
            );
            let forged = |line: &str| line.starts_with("::error file=k.py::forged");
            assert!(!text.lines().any(forged), "{args:?}: {text}");
        }
    }
}

/// Renames a whole word in a text.
fn renamed(text: &str, name: &str, new: &str) -> String {
    let parts = text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_' && c != '%');
    let mut out = String::new();
    for part in parts {
        match part.strip_prefix(name) {
            Some(rest) if !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                out += new;
                out += rest;
            }
            _ => out += part,
        }
    }
    out
}

/// Names in C++, CUDA, PTX and PTO, and the source lines of findings in them.
#[test]
fn no_name_of_another_language_is_obeyed() {
    const CUDA: &str = include_str!("../masks/ptx/broken_wrappers.cu");
    const CPP: &str = include_str!("../masks/gather/threshold_broken.cpp");
    const PTX: &str = include_str!("../masks/ptx/broken_fields.ptx");
    const PTO: &str = include_str!("../masks/tsel/bare.pto");
    // Variation selectors may be part of C++ identifiers. The other characters are syntax errors in most languages,
    // but lines with them are still quoted.
    for (file, text, name, hidden) in [
        ("k.cu", CUDA, "mask", "\u{202e}"),
        ("k.cu", CUDA, "mask", "\u{1b}[2J"),
        ("k.cpp", CPP, "bits", "\u{fe00}"),
        ("k.ptx", PTX, "mask", "\u{9b}2J"),
        ("k.pto", PTO, "%b", "\u{200b}"),
    ] {
        let text = renamed(text, name, &format!("{name}{hidden}"));
        let project = project(&[(file, text)]);
        let hidden = hidden.chars().next().expect("a character");
        for args in COMMANDS.iter().filter(|args| args[1] == "--output-format") {
            let text = printed(project.path(), &[args[0], args[1], args[2], file]);
            assert!(!text.contains(hidden), "{args:?}, {file}: {text:?}");
        }
        let text = printed(project.path(), &["check", "--pedantic", "-v", file]);
        assert!(!text.contains(hidden), "{file}: {text:?}");
        assert!(text.contains('\u{fffd}'), "{file}: {text}");
    }
}

#[test]
fn a_report_shows_no_text_that_a_browser_obeys() {
    for obeyed in ["\u{202e}", "\u{9b}2J", "\u{e0041}"] {
        let text = source(obeyed) + "# </script><img src=x>\n";
        let project = project(&[("k.py", text)]);
        let said = printed(project.path(), &["report", "k.py", "-o", "page.html"]);
        let page = std::fs::read_to_string(project.path().join("page.html")).expect("a page");
        let hidden = obeyed.chars().next().expect("a character");
        assert!(
            !page.contains("<img") && page.contains('\u{fffd}') && !page.contains(hidden),
            "{obeyed:?}: {said}"
        );
    }
}

#[test]
fn json_has_the_text_as_escapes() {
    let project = project(&[("k.py", source("\u{202e}\u{e0041}"))]);
    let output = a2lint(
        project.path(),
        &["check", "--output-format", "json", "k.py"],
    );
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let name = report["kernels"][0]["name"].as_str().expect("a name");
    assert!(name.starts_with("build[tag=\\u{202e}\\u{e0041}"), "{name}");
}

#[test]
fn configuration_that_is_shown_cannot_steer_either() {
    let config = "select = [\"\u{1b}[2J\u{202e}\"] # \u{9b}2J\nbad \u{1b}]0;x\u{7} = 1\n";
    let project = project(&[("k.py", source("x")), ("a2lint.toml", config.to_owned())]);
    for args in [
        &["check"][..],
        &["check", "--show-settings"],
        &["run", "k.py"],
    ] {
        let text = printed(project.path(), args);
        assert!(text.contains("a2lint.toml"), "{args:?}: {text}");
        let obeyed = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(obeyed), "{args:?}: {text:?}");
    }
}
