//! `docs/json.md` names every field of the objects that the commands print, and no field that there is not.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;

use serde_json::Value;

use crate::common::{binary, library, read, root};

/// The sections of the page that are about every command.
const SHARED: [&str; 2] = ["JSON", "Parts that return"];

/// A command with arguments that make it print many of its fields, and the sections about it.
struct Printed {
    command: &'static str,
    sections: &'static [&'static str],
}

const PRINTED: [Printed; 11] = [
    Printed {
        command: "check tests/kernels/broken docs/mistakes tests/it/tools.rs --output-format json",
        sections: &["check and prove"],
    },
    Printed {
        command: "prove tests/kernels/layer_norm.py --output-format json",
        sections: &["check and prove"],
    },
    Printed {
        command: "run tests/kernels/layer_norm.py --launch 2 --dump x_in@100 --json",
        sections: &["run", "cost"],
    },
    Printed {
        command: "run tests/kernels/broken/dup_narrow.py:24-27 --json",
        sections: &["run", "cost"],
    },
    Printed {
        command: "run tests/kernels/layer_norm.py --launch all --json",
        sections: &["run", "cost"],
    },
    Printed {
        command: "cost tests/kernels/rms_norm.py --bind M=64..256:x2 --json",
        sections: &["run", "cost"],
    },
    Printed {
        command: "test tests/kernels/layer_norm.py --dependence --numerics --json",
        sections: &["test", "run"],
    },
    Printed {
        command: "test docs/mistakes/one_row_short.py --json",
        sections: &["test", "run"],
    },
    Printed {
        command: "compare docs/compare/softmax_one_maximum.py docs/compare/softmax_not_rescaled.py --json",
        sections: &["compare", "run"],
    },
    Printed {
        command: "compare tests/kernels/layer_norm.py tests/kernels/layer_norm.py --json",
        sections: &["compare", "run"],
    },
    Printed {
        command: "rules --output-format json",
        sections: &["rules"],
    },
];

/// Returns the words in code spans of each section, by its heading.
fn sections(page: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut all: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut heading = "";
    for line in page.lines() {
        let title = line.strip_prefix("## ").or_else(|| line.strip_prefix("# "));
        heading = title.unwrap_or(heading);
        let words = line.split('`').skip(1).step_by(2);
        all.entry(heading).or_default().extend(words);
    }
    all
}

/// Collects the fields of an object and of all objects in it. Objects whose fields are names of the source have none.
fn fields<'v>(value: &'v Value, found: &mut BTreeSet<&'v str>) {
    match value {
        Value::Array(all) => all.iter().for_each(|it| fields(it, found)),
        Value::Object(object) => {
            for (name, value) in object {
                found.insert(name);
                let is_witness = name == "launch" && value.get("origin").is_none();
                if !is_witness && name != "arguments" && !(name == "scalars" && value.is_object()) {
                    fields(value, found);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_field_is_on_the_page() {
    let page = read(&root().join("docs/json.md"));
    let sections = sections(&page);
    for Printed {
        command,
        sections: about,
    } in PRINTED
    {
        let output = binary()
            .current_dir(root())
            .args(command.split(' '))
            .stderr(Stdio::null())
            .output()
            .expect("the binary runs");
        let object: Value = serde_json::from_slice(&output.stdout).expect(command);
        assert_eq!(object["version"], 1, "{command}");
        let mut found = BTreeSet::new();
        fields(&object, &mut found);
        let known: BTreeSet<&str> = SHARED
            .iter()
            .chain(about)
            .flat_map(|heading| sections[heading].iter().copied())
            .collect();
        let missing: Vec<_> = found.difference(&known).collect();
        assert!(
            missing.is_empty(),
            "{command}: {missing:?} are not in docs/json.md"
        );
    }
}

#[test]
fn the_page_names_no_field_that_is_never_written() {
    let page = read(&root().join("docs/json.md"));
    let writers: String = library()
        .into_iter()
        .filter(|(path, _)| path.starts_with("report/") || path.starts_with("a2lint/cli/rules"))
        .map(|(_, path)| read(&path))
        .collect();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    for row in rows {
        let first = row.split('|').nth(1).unwrap_or_default();
        for name in first.split('`').skip(1).step_by(2) {
            let is_written = ["\"{}\"", "{}:", "{} }"]
                .iter()
                .any(|form| writers.contains(&form.replace("{}", name)));
            assert!(is_written, "docs/json.md: {name} is no field");
        }
    }
}
