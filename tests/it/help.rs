//! Help says exactly what to change: a kernel that follows it has no findings.

use crate::common::{read, root};
use a2lint::check::{Settings, check};
use a2lint::finding::Finding;
use a2lint::language::Language;
use a2lint::text::SourceText;

/// A file with one mistake, the help that it has to show, and the edits that follow it.
struct Followed {
    file: &'static str,
    help: &'static str,
    edits: &'static [(&'static str, &'static str)],
}

const FOLLOWED: [Followed; 7] = [
    Followed {
        file: "docs/mistakes/freed_too_early.cpp",
        help: "put its `FreeTensor` after Add() in line 22",
        edits: &[(
            "        in.FreeTensor(a);\n        Add(b, a, a, 64);\n",
            "        Add(b, a, a, 64);\n        in.FreeTensor(a);\n",
        )],
    },
    Followed {
        file: "docs/mistakes/mask_left_on.py",
        help: "put `reset_mask()` before exp() in line 15",
        edits: &[(
            "            exp(b, a)\n",
            "            reset_mask()\n            exp(b, a)\n",
        )],
    },
    Followed {
        file: "docs/mistakes/mask_left_on.py",
        help: "after the last of these that the mask is meant for: adds() (line 14), exp() (line 15)",
        edits: &[(
            "            exp(b, a)\n",
            "            reset_mask()\n            exp(b, a)\n",
        )],
    },
    Followed {
        file: "docs/mistakes/part_of_a_block.cpp",
        help: "DataCopy() fills 16 elements and no more",
        edits: &[(
            "DataCopy(a, gx, 20);",
            "DataCopyPad(a, gx, {1, 20 * sizeof(half), 0, 0, 0}, {false, 0, 0, 0});",
        )],
    },
    Followed {
        file: "docs/mistakes/elements_for_bytes.cpp",
        help: "64 elements take `64 * sizeof(float)`",
        edits: &[("(out, 1, 64)", "(out, 1, 64 * sizeof(float))")],
    },
    Followed {
        file: "tests/trust/help/tail_in_whole_blocks.cpp",
        help: "store any number of elements with `DataCopyPad`, whose length is in bytes",
        edits: &[(
            "DataCopy(yGm[at], y, n);",
            "DataCopyPad(yGm[at], y, {1, n * 2, 0, 0, 0});",
        )],
    },
    Followed {
        file: "tests/trust/help/one_row_for_all.py",
        help: "so that every repeat reads it, in a call for each 64 columns",
        edits: &[(
            "mul(out[count], tile[count], row)",
            "for c in (0, 64):\n                mul(out[count][:, c:c + 64], tile[count][:, c:c + 64], row[:, c:c + 64], \
             src2_rep_stride=0)",
        )],
    },
];

fn findings(file: &str, text: String) -> Vec<Finding> {
    let language = match file.ends_with(".py") {
        true => Language::Easyasc,
        false => Language::Cpp,
    };
    check(&SourceText::new(text), language, &Settings::default()).findings
}

#[test]
fn a_kernel_that_follows_the_help_has_no_findings() {
    for Followed { file, help, edits } in FOLLOWED {
        let mut text = read(&root().join(file));
        let found = findings(file, text.clone());
        let helps: Vec<&str> = found.iter().filter_map(|it| it.help.as_deref()).collect();
        assert!(
            helps.iter().any(|it| it.contains(help)),
            "{file}: {helps:?}"
        );
        for (from, to) in edits {
            assert!(text.contains(from), "{file}: {from}");
            text = text.replace(from, to);
        }
        let left = findings(file, text);
        let left: Vec<&str> = left.iter().map(|it| it.message.as_str()).collect();
        assert!(left.is_empty(), "{file}: {left:?}");
    }
}

#[test]
fn a_hole_names_the_store_before_it() {
    let file = "tests/trust/help/tail_in_whole_blocks.cpp";
    let labels = |text: String| {
        let found = findings(file, text).into_iter();
        let labels = found.flat_map(|it| it.labels).map(|it| it.message);
        labels.collect::<Vec<String>>()
    };
    let text = read(&root().join(file));
    let cut =
        "DataCopy() stores 480 of the 489 elements asked for: it moves whole blocks of 32 bytes";
    assert_eq!(labels(text.clone()), [cut]);
    // A store that ends early because the loop does is named as well, without a reason that it does not have.
    let short = text.replace("at < length;", "at + TILE < length;").replace(
        "DataCopy(yGm[at], y, n)",
        "DataCopyPad(yGm[at], y, {1, n * 2, 0, 0, 0})",
    );
    let before = "DataCopyPad() on block 0 (core 0, vec0) stores what is right before";
    assert_eq!(labels(short), [before]);
}
