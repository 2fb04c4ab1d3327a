//! Which files are found and checked.

use super::{KERNEL, a2lint, checked, json, project, stderr, stdout};

#[test]
fn directories_are_walked_in_order_and_gitignore_is_respected() {
    let project = project(&[
        ("b.py", KERNEL.as_bytes()),
        ("a/z.py", KERNEL.as_bytes()),
        ("a/skipped.py", KERNEL.as_bytes()),
        ("a/plain.py", b"import os\n"),
        ("a/mention.py", b"# not easyasc\n"),
        ("a/text.txt", KERNEL.as_bytes()),
        (".hidden/k.py", KERNEL.as_bytes()),
        (".gitignore", b"skipped.py\n"),
    ]);
    assert_eq!(checked(project.path(), &[]), ["a/z.py", "b.py"]);
    assert_eq!(
        checked(project.path(), &["--jobs", "1"]),
        ["a/z.py", "b.py"]
    );
    let named = ["a/skipped.py", "b.py", "a", "./b.py"];
    assert_eq!(
        checked(project.path(), &named),
        ["a/skipped.py", "b.py", "a/z.py"]
    );
}

#[test]
fn files_of_other_languages_are_found() {
    let project = project(&[
        ("a.ptx", b".version 8.6\n"),
        ("b.cu", b"// tcgen05\n"),
        ("c.hpp", b"AscendC::GatherMask(d, s, 1);\n"),
        ("d.cpp", b"int main() { return 0; }\n"),
        ("e.mlir", b"module {}\n"),
        ("f.pto", b"\n"),
        ("g.rs", b"// tcgen05\n"),
    ]);
    assert_eq!(
        checked(project.path(), &[]),
        ["a.ptx", "b.cu", "c.hpp", "e.mlir", "f.pto"]
    );
}

#[cfg(unix)]
#[test]
fn loops_of_symbolic_links_do_no_harm() {
    let project = project(&[("a/k.py", KERNEL.as_bytes())]);
    let link = project.path().join("a/loop");
    std::os::unix::fs::symlink(project.path(), link).expect("a link");
    assert_eq!(checked(project.path(), &[]), ["a/k.py"]);
}

#[test]
fn nothing_to_check_is_a_friendly_note() {
    let project = project(&[("a.py", b"import os\n")]);
    let output = a2lint(project.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stdout(&output).starts_with("No kernels found"),
        "{output:?}"
    );
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_path_that_is_no_file_is_read_as_it_was_meant() {
    let folder = project(&[("k.py", KERNEL.as_bytes())]);
    for (arguments, said) in [
        (["check", "k.py::k"], "leave out `::k`"),
        (["run", "k.py:9-3"], "lines 9-3 end before they begin"),
        (["run", "-"], "only `check` reads standard input"),
    ] {
        let output = a2lint(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(said), "{output:?}");
    }
}

#[test]
fn functions_that_nothing_makes_kernels_are_named_on_request() {
    let text = "from easyasc.a2 import *\n\n\ndef k(x: GMTensor, y: GMTensor):\n    return y\n\n\n\
                def host(n):\n    return n\n";
    let folder = project(&[("k.py", text.as_bytes())]);
    let told = a2lint(folder.path(), &["check", "-v"]);
    let told = stdout(&told) + &stderr(&told);
    assert!(told.contains("k.py::k\n  no kernel"), "{told}");
    assert!(!told.contains("host"), "{told}");
    let told = a2lint(folder.path(), &["check"]);
    assert!(!(stdout(&told) + &stderr(&told)).contains("k.py::k"));
}

#[test]
fn other_files_that_are_named_are_passed_over() {
    let project = project(&[("a.py", b"import os\n"), ("k.py", KERNEL.as_bytes())]);
    let output = a2lint(project.path(), &["check", "a.py"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        stdout(&output),
        "No kernels found: the source here has no AscendC, easyasc or Ascriptor kernel and no mask instruction\n"
    );
    let both = [
        "check",
        "a.py",
        "k.py",
        "--output-format",
        "json",
        "--require-complete",
    ];
    let output = a2lint(project.path(), &both);
    assert_eq!(output.status.code(), Some(0));
    let report = json(&output);
    assert_eq!(report["not_analysed"], serde_json::json!([]));
    assert_eq!(report["summary"]["files"], 1);
}

#[test]
fn unknown_facades_are_named_wherever_they_are() {
    let project = project(&[
        ("a5.py", b"from easyasc.a5 import *\n"),
        ("a9.py", b"from easyasc.a9 import *\n"),
        (
            "both.py",
            b"from easyasc.a2 import *\nimport ascriptor.a2 as asc\n",
        ),
        ("inside.py", b"def build():\n    from easyasc.a2 import *\n"),
        ("k.py", KERNEL.as_bytes()),
        ("tools.py", b"from easyasc.tools import x\n"),
        ("two.py", b"from ascriptor.a3 import kernel\n"),
    ]);
    let named = [
        "check",
        "a5.py",
        "a9.py",
        "both.py",
        "inside.py",
        "k.py",
        "tools.py",
        "two.py",
    ];
    for args in [&["check"][..], &named[..]] {
        let output = a2lint(
            project.path(),
            &[args, &["--output-format", "json"]].concat(),
        );
        let report = json(&output);
        let entries = report["not_analysed"].as_array().expect("a list").iter();
        let entries: Vec<String> = entries
            .map(|it| {
                format!(
                    "{}: {}",
                    it["path"].as_str().unwrap(),
                    it["reason"].as_str().unwrap()
                )
            })
            .collect();
        assert_eq!(
            entries,
            [
                "a5.py: easyasc.a5 targets A5 devices",
                "a9.py: easyasc.a9 is a facade that a2lint does not know",
                "inside.py: easyasc.a2 is imported inside of a function or block",
            ]
        );
        assert_eq!(report["findings"], serde_json::json!([]));
    }
}
