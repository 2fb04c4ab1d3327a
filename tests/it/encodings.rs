//! Encodings of sources: they are decoded as the language defines, or reported as not read.

use std::fs;
use std::path::Path;

use crate::common::{binary, project};

/// A kernel with an error on its line 12.
const KERNEL: &str = "\
from easyasc.a2 import *

@kernel()
def f(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [8, 64], Position.UB)
    u = Tensor(DT.float, [8, 64], Position.UB)

    with auto_sync():
        t <<= x[0:8, 0:64]
        # one

        adds(u, t, 1.0, repeat=300)
        y[0:8, 0:64] <<= u
    return y
";

const FOUND: &str = "12:32: error[repeat-range]";

/// Returns the exit status, standard output and standard error of a check.
fn check(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let args = [&["check", "--output-format", "concise"], args].concat();
    let output = binary()
        .current_dir(folder)
        .args(args)
        .output()
        .expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn utf16(text: &str, of: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(of).collect()
}

#[test]
fn what_python_reads_is_read_with_its_lines() {
    let latin = format!("# -*- coding: latin-1 -*-  \u{e9}\n{KERNEL}");
    let latin: Vec<u8> = latin.chars().map(|char| char as u8).collect();
    let second = format!("#!/usr/bin/env python3\n# vim: set fileencoding=gbk :\n{KERNEL}");
    let files = [
        (
            "mark.py",
            [b"\xef\xbb\xbf", KERNEL.as_bytes()].concat(),
            "12:",
        ),
        ("cr.py", KERNEL.replace('\n', "\r").into_bytes(), "12:"),
        (
            "marked_cr.py",
            [b"\xef\xbb\xbf", KERNEL.replace('\n', "\r").as_bytes()].concat(),
            "12:",
        ),
        ("crlf.py", KERNEL.replace('\n', "\r\n").into_bytes(), "12:"),
        (
            "mixed.py",
            KERNEL.replacen('\n', "\r", 3).into_bytes(),
            "12:",
        ),
        ("latin.py", latin, "13:"),
        ("ascii_gbk.py", second.into_bytes(), "14:"),
    ];
    let listed: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, bytes, _)| (*name, bytes.as_slice()))
        .collect();
    let folder = project(&listed);
    for (name, _, line) in &files {
        for args in [&[*name][..], &["."]] {
            let (status, found, errors) = check(folder.path(), args);
            assert_eq!(status, 1, "{name}: {errors}");
            let wanted = format!("{name}:{line}{}", FOUND.trim_start_matches("12:"));
            assert!(found.contains(&wanted), "{name} {args:?}: {found}");
        }
    }
}

#[test]
fn what_is_not_read_is_named() {
    let gbk = [b"# -*- coding: gbk -*-\n# \xb0\xa1\n", KERNEL.as_bytes()].concat();
    let marked = [b"\xef\xbb\xbf# coding: latin-1\n", KERNEL.as_bytes()].concat();
    let null = [KERNEL.as_bytes(), b"x = '\0'\n"].concat();
    let gather = "AscendC::GatherMask(dst, src, 2);\n";
    let files = [
        (
            "little.py",
            [b"\xff\xfe".as_slice(), &utf16(KERNEL, u16::to_le_bytes)].concat(),
            "UTF-16",
        ),
        (
            "big.py",
            [b"\xfe\xff".as_slice(), &utf16(KERNEL, u16::to_be_bytes)].concat(),
            "UTF-16",
        ),
        ("bare_little.py", utf16(KERNEL, u16::to_le_bytes), "UTF-16"),
        ("bare_big.py", utf16(KERNEL, u16::to_be_bytes), "UTF-16"),
        ("gbk.py", gbk, "declared encoding `gbk`"),
        ("marked.py", marked, "which Python refuses"),
        ("null.py", null, "a null byte"),
        ("gather.cpp", utf16(gather, u16::to_le_bytes), "UTF-16"),
        (
            "module.ptx",
            utf16(".version 8.7\n", u16::to_le_bytes),
            "UTF-16",
        ),
        ("tiles.pto", utf16("tsel %a\n", u16::to_be_bytes), "UTF-16"),
    ];
    let listed: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, bytes, _)| (*name, bytes.as_slice()))
        .collect();
    let folder = project(&listed);
    let (status, found, errors) = check(folder.path(), &["-v", "."]);
    assert_eq!(status, 0, "{errors}");
    let found = found + &errors;
    assert!(found.contains("\n10 files: not analysed"), "{found}");
    for (name, _, reason) in &files {
        let head = format!("\n{name}\n  not analysed: ");
        let said: Vec<&str> = found.split(&head).skip(1).collect();
        let line = said.first().and_then(|rest| rest.lines().next());
        assert!(
            said.len() == 1 && line.is_some_and(|line| line.contains(reason)),
            "{name}: {found}"
        );
        // For a file that is named, the encoding is an error.
        let (status, found, errors) = check(folder.path(), &[name]);
        assert_eq!(status, 2, "{name}: {found}");
        assert!(
            errors.contains(&format!("{name}: not analysed: ")),
            "{name}: {errors}"
        );
        assert!(!found.contains("No kernels found"), "{name}: {found}");
    }
}

#[test]
fn other_languages_end_lines_with_carriage_returns() {
    let ptx = "\
.version 8.8
.target sm_100a
.address_size 64
.visible .entry f() {
 tcgen05.mma.ws.cta_group::2.kind::f16 [%r1], %rd1, %rd2, %r3, %p1, %rd9;
 ret;
}
";
    let folder = project(&[
        ("lf.ptx", ptx.to_owned()),
        ("cr.ptx", ptx.replace('\n', "\r")),
    ]);
    let of = |name: &str| check(folder.path(), &[name]).1.replace(name, "k.ptx");
    let found = of("cr.ptx");
    assert!(found.contains("k.ptx:5:"), "{found}");
    let findings = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| line.starts_with("k.ptx:"))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(findings(&found), findings(&of("lf.ptx")));
}

#[test]
fn fixes_keep_encoding_and_line_ends() {
    let text = "from easyasc.a2 import *\nx = 1  # a2lint: ignore[no-such-rule] w\u{e9}\n";
    let latin = format!("# coding: latin-1\n{text}");
    let latin: Vec<u8> = latin.chars().map(|char| char as u8).collect();
    let folder = project(&[
        ("latin.py", latin),
        ("cr.py", text.replace('\n', "\r").into_bytes()),
    ]);
    let (_, _, errors) = check(folder.path(), &["--fix", "latin.py", "cr.py"]);
    let read = |name: &str| fs::read(folder.path().join(name)).expect("a file");
    assert_eq!(
        read("latin.py"),
        b"# coding: latin-1\nfrom easyasc.a2 import *\nx = 1\n",
        "{errors}"
    );
    assert_eq!(
        read("cr.py"),
        b"from easyasc.a2 import *\rx = 1\r",
        "{errors}"
    );
}
