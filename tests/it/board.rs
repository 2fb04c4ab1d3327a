//! The cases of `docs/board.md`: every trap has kernels with and without the mistake in each language, or a reason.

use std::path::PathBuf;

use crate::common::{files, read, root};

/// The languages of the table, in the order of its columns, with the ends of the names of their files.
const LANGUAGES: [(&str, &str); 3] = [
    ("easyasc", ".py"),
    ("Ascriptor", ".py"),
    ("AscendC", ".cpp"),
];

/// Returns the rows of the table: the trap, and a cell for each language.
fn rows() -> Vec<(String, [String; 3])> {
    let page = read(&root().join("docs/board.md"));
    let table = page
        .split("\n## Cases\n")
        .nth(1)
        .expect("the page has cases");
    let table = table.split("\n## ").next().expect("a section");
    let lines = table.lines().filter(|line| line.starts_with('|')).skip(2);
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [trap, easyasc, ascriptor, ascendc] = cells[..] else {
            panic!("{line} has {} cells", cells.len());
        };
        (
            trap.to_owned(),
            [easyasc, ascriptor, ascendc].map(str::to_owned),
        )
    });
    rows.collect()
}

/// Returns the files that a cell names; none where it gives a reason.
fn cases(cell: &str) -> Vec<PathBuf> {
    let names = cell.split('`').skip(1).step_by(2);
    let paths = names.flat_map(|name| {
        let folder = match name.contains('/') {
            true => "tests",
            false => "tests/trust/board",
        };
        let path = root().join(folder).join(name);
        match path.is_dir() {
            true => files(&path, "cpp"),
            false => vec![path],
        }
    });
    paths.collect()
}

#[test]
fn every_trap_has_cases_in_every_language() {
    let rows = rows();
    assert!(rows.len() > 40, "{} rows", rows.len());
    for (trap, cells) in rows {
        let all = cells.iter().zip(LANGUAGES);
        for (cell, (language, end)) in all.filter(|(cell, _)| cell.contains('`')) {
            let texts: Vec<String> = cases(cell)
                .iter()
                .map(|path| {
                    let name = path.to_string_lossy();
                    assert!(name.ends_with(end), "{trap}, {language}: {name}");
                    read(path)
                })
                .collect();
            assert_eq!(
                texts.iter().all(|text| text.contains("ascriptor.a2")),
                language == "Ascriptor",
                "{trap}, {language}"
            );
            let has = |marks: &[&str]| {
                texts
                    .iter()
                    .any(|text| marks.iter().any(|mark| text.contains(mark)))
            };
            assert!(
                has(&[
                    "~ ERROR ",
                    "~ WARNING ",
                    "~ INFO ",
                    "~ VERDICT ",
                    "~^ WARNING "
                ]),
                "{trap}, {language}: no mistake"
            );
            // An entry for the mistake, and one without it.
            let kernels: usize = texts
                .iter()
                .map(|text| text.matches("\n@kernel").count() + text.matches("__global__").count())
                .sum();
            assert!(kernels > 1, "{trap}, {language}: {kernels} kernel");
        }
        assert!(
            cells.iter().any(|cell| cell.contains('`')),
            "{trap} has no case"
        );
        assert!(
            cells.iter().all(|cell| !cell.is_empty()),
            "{trap}: a cell without a reason"
        );
    }
}

/// The cases of the folder are those of the page.
#[test]
fn every_case_is_listed() {
    let rows = rows();
    let listed: Vec<PathBuf> = rows
        .iter()
        .flat_map(|(_, cells)| cells.iter().flat_map(|cell| cases(cell)))
        .collect();
    let folder = root().join("tests/trust/board");
    for path in files(&folder, "py")
        .into_iter()
        .chain(files(&folder, "cpp"))
    {
        assert!(listed.contains(&path), "{} is not listed", path.display());
    }
}
