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

const FOLLOWED: [Followed; 4] = [
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
