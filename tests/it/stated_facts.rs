//! Facts that texts state by hand and that code decides: names of devices, the number of properties.

use std::collections::BTreeSet;

use a2lint::isa::device::{DEVICES, Device};
use a2lint::verdict::Property;

/// Files with such facts, in addition to the pages in `docs`.
const FILES: [&str; 8] = [
    "README.md",
    "ARCHITECTURE.md",
    "editors/README.md",
    "editors/vscode/package.json",
    "crates/ir/src/lib.rs",
    "crates/mcp/src/tools.rs",
    "src/cli/args.rs",
    "src/cli/check/args.rs",
];

/// Numbers as prose writes them.
const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

/// Returns the lines of all such files, each with its place.
fn lines() -> Vec<(String, String)> {
    let root = crate::common::root();
    let docs = root.join("docs");
    let pages = crate::common::files(&docs, "md");
    let mut files: Vec<_> = FILES.iter().map(|file| root.join(file)).collect();
    files.extend(
        pages
            .into_iter()
            .filter(|path| path.parent() == Some(&docs)),
    );
    let of_file = |path: &std::path::PathBuf| {
        let name = path
            .strip_prefix(root)
            .expect("a file of the project")
            .display()
            .to_string();
        let lines = crate::common::read(path);
        let lines = lines.lines().enumerate();
        lines
            .map(|(at, line)| (format!("{name}:{}", at + 1), line.to_owned()))
            .collect::<Vec<_>>()
    };
    files.iter().flat_map(of_file).collect()
}

/// Returns the words of a line.
fn words(line: &str) -> Vec<&str> {
    let words = line.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect()
}

#[test]
fn texts_that_count_the_properties_of_a_kernel_count_all() {
    let mut counted = 0;
    for (place, line) in lines() {
        let words = words(&line);
        for (at, word) in words
            .iter()
            .enumerate()
            .filter(|(_, word)| **word == "properties")
        {
            let Some(before) = at.checked_sub(1).map(|before| words[before]) else {
                continue;
            };
            // `20 of 24 properties` of three kernels; `7 properties proved` may be a part of them.
            let is_all = at < 2 || words[at - 2].parse::<usize>().is_err();
            let spelled = NUMBERS.iter().position(|it| *it == before);
            let digits = before.parse::<usize>().ok().filter(|_| is_all);
            let fits = match (spelled, digits) {
                (Some(number), _) => number == Property::COUNT,
                (None, Some(of_kernels)) => of_kernels % Property::COUNT == 0,
                (None, None) => continue,
            };
            assert!(fits, "{place}: {before} {word} in `{line}`");
            counted += 1;
        }
    }
    assert!(counted >= 6, "{counted} places count properties");
}

#[test]
fn texts_that_list_devices_list_all() {
    let all: BTreeSet<&str> = DEVICES.iter().map(|device| device.name).collect();
    let mut lists = 0;
    for (place, line) in lines() {
        let words = words(&line);
        let named: BTreeSet<&str> = words
            .into_iter()
            .filter(|word| all.contains(word))
            .collect();
        if named.len() > 1 {
            assert_eq!(named, all, "{place}: `{line}`");
            lists += 1;
        }
    }
    assert!(lists >= 3, "{lists} places list devices");
}

#[test]
fn texts_that_name_the_default_device_name_the_default() {
    let name = Device::default().name;
    let root = crate::common::root();
    for (file, wanted) in [
        ("docs/configuration.md", format!("device = \"{name}\" ")),
        ("editors/README.md", format!("| `device` | `\"{name}\"` |")),
        (
            "editors/vscode/package.json",
            format!("\"default\": \"{name}\","),
        ),
        ("src/cli/args.rs", format!("else {name}].")),
        ("src/cli/check/args.rs", format!("[default: {name}].")),
    ] {
        let text = crate::common::read(&root.join(file));
        assert!(text.contains(&wanted), "{file} does not contain `{wanted}`");
    }
}
