//! File names that are options, in the places that pass them on: hooks, the GitHub action, and the command line.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::common::{project, read, root};

const KERNEL: &str = super::KERNEL;

#[test]
fn a_name_that_is_an_option_is_no_option() {
    let folder = project(&[
        ("--output-file=stolen.py", KERNEL),
        ("--fix", KERNEL),
        ("k.py", KERNEL),
    ]);
    let run = |args: &[&str]| {
        let output = crate::common::binary()
            .current_dir(folder.path())
            .args(args)
            .output();
        let output = output.expect("the binary runs");
        let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
        (output.status.code(), text)
    };
    let (code, text) = run(&["check", "k.py", "--output-file=stolen.py"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("write `--` before names of files"), "{text}");
    assert!(!folder.path().join("stolen.py").exists());
    let (code, text) = run(&[
        "check",
        "--no-replay",
        "--",
        "k.py",
        "--output-file=stolen.py",
    ]);
    assert_eq!(code, Some(1));
    assert!(text.contains("--output-file=stolen.py:9"), "{text}");
    // The file `--fix` is no source, so hooks never pass on its name, and the option keeps its meaning.
    let (code, text) = run(&["check", "--no-replay", "--fix", "k.py"]);
    assert_ne!(code, Some(2), "{text}");
}

#[test]
fn hooks_end_their_options() {
    let text = read(&root().join(".pre-commit-hooks.yaml"));
    let hooks = text.matches("- id: ").count();
    let ended =
        text.matches("  args: &names [\"--\"]").count() + text.matches("  args: *names").count();
    assert_eq!((hooks, ended), (6, 6));
}

/// Returns the scripts of the action's steps that run a2lint.
fn scripts() -> Vec<String> {
    let text = read(&root().join("action.yml"));
    let mut scripts = Vec::new();
    let mut lines = text.lines();
    while lines.by_ref().any(|line| line == "      run: |") {
        let indented = lines
            .clone()
            .take_while(|line| line.starts_with("        "));
        scripts.push(
            indented
                .map(|line| format!("{}\n", &line[8..]))
                .collect::<String>(),
        );
    }
    scripts
        .into_iter()
        .filter(|script| script.contains("a2lint\" check"))
        .collect()
}

#[test]
fn the_action_hands_over_every_line_and_evaluates_none() {
    let folder = project(&[(
        "a2lint/bin/a2lint",
        "#!/bin/sh\nfor it in \"$@\"; do printf '<%s>\\n' \"$it\"; done\n",
    )]);
    let fake = folder.path().join("a2lint/bin/a2lint");
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).expect("a mode");
    let scripts = scripts();
    assert_eq!(scripts.len(), 2);
    for script in scripts {
        let words = |args: &str, paths: &str| {
            let output = Command::new("bash")
                .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &script])
                .current_dir(folder.path())
                .env("RUNNER_TEMP", folder.path())
                .env("FORMAT", "github")
                .env("FILE", "a.sarif")
                .env("ARGS", args)
                .env("PATHS", paths)
                .output()
                .expect("bash runs");
            assert!(output.status.success(), "{output:?}");
            let text = String::from_utf8(output.stdout).expect("UTF-8");
            let words = text
                .lines()
                .map(|line| line.trim_matches(['<', '>']).to_owned());
            words
                .skip_while(|word| word != "github" && word != "a.sarif")
                .skip(1)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words("--pedantic  a\nb\n\n\tc d\n", ""),
            ["--pedantic", "a", "b", "c", "d"]
        );
        assert_eq!(words("", ""), [""; 0]);
        let hostile = "$(touch stolen) `touch stolen` ; touch stolen * $HOME";
        assert_eq!(words(hostile, "").join(" "), hostile);
        let paths = "--output-file=x.py\na b.py\n\n$(touch stolen).py\n";
        let expected = [
            "-q",
            "--",
            "--output-file=x.py",
            "a b.py",
            "$(touch stolen).py",
        ];
        assert_eq!(words("-q", paths), expected);
        assert!(!folder.path().join("stolen").exists());
    }
}
