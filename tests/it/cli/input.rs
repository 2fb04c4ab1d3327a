//! Input and options that are wrong or unusual.

use std::fs;

use super::{KERNEL, a2lint, checked, project, stderr, stdout, with_stdin};

#[test]
fn bad_input_exits_with_2_and_the_rest_is_still_checked() {
    let mut bad = KERNEL.as_bytes().to_vec();
    bad.extend(b"# \xb0\xa1\n");
    let project = project(&[("good.py", KERNEL.as_bytes()), ("bad.py", &bad)]);
    let args = ["check", "-v", "missing.py", "bad.py", "good.py"];
    let output = a2lint(project.path(), &args);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(
        text.contains("missing.py: no such file or directory"),
        "{text}"
    );
    let offset = KERNEL.len() + 2;
    let message = format!("bad.py: not UTF-8 (byte offset {offset})");
    assert!(text.contains(&message), "{text}");
    assert!(stdout(&output).contains("checked good.py"), "{output:?}");
}

#[test]
fn enormous_files_are_refused_by_their_length() {
    let project = project(&[("k.py", KERNEL.as_bytes())]);
    let huge = fs::File::create(project.path().join("huge.py")).expect("a file");
    huge.set_len(50 << 20).expect("a sparse file");
    let output = a2lint(project.path(), &["check", "huge.py"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("huge.py: larger than 32 MiB"),
        "{output:?}"
    );
    assert_eq!(stdout(&output), "");
    let output = a2lint(project.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0));
    let said = stdout(&output);
    assert!(
        said.contains("\nhuge.py was not analysed: larger than 32 MiB\n"),
        "{said}"
    );
}

#[test]
fn standard_input_goes_by_its_name() {
    let project = project(&[]);
    let args = ["check", "-", "--stdin-filename", "src/k.py", "-v"];
    let output = with_stdin(project.path(), &args, KERNEL.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("checked src/k.py"), "{output:?}");
}

#[test]
fn a_byte_order_mark_is_no_obstacle() {
    let text = format!("\u{feff}{KERNEL}");
    let project = project(&[("k.py", text.as_bytes()), ("empty.py", b"")]);
    assert_eq!(checked(project.path(), &["k.py"]), ["k.py"]);
    let output = a2lint(project.path(), &["check", "empty.py"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn bad_options_exit_with_2_and_suggest_a_spelling() {
    let project = project(&[]);
    let output = a2lint(project.path(), &["check", "--select", "l0c-overfow"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("did you mean `l0c-overflow`?"),
        "{output:?}"
    );
    for args in [
        &["check", "--device", "a5"][..],
        &["check", "--jobs", "0"],
        &["check", "-q", "-v"],
        &["explain", "nothing"],
        &["explain"],
        &["frobnicate"],
        &[],
    ] {
        let output = a2lint(project.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn a_text_without_a_name_that_is_cpp_is_no_all_clear() {
    let folder = project(&[]);
    let text = include_bytes!("../../trust/help/tail_in_whole_blocks.cpp");
    let output = with_stdin(folder.path(), &["check", "-"], text);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        stderr(&output).contains("--stdin-filename kernel.cpp"),
        "{output:?}"
    );
    let named = ["check", "-", "--stdin-filename", "kernel.cpp"];
    let output = with_stdin(folder.path(), &named, text);
    assert!(stdout(&output).contains("output-hole"), "{output:?}");
    let output = with_stdin(folder.path(), &["check", "-"], b"import os\n");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
