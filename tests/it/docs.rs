//! What is generated is up to date: the pages of the rules and the schema of the configuration.
//!
//! `UPDATE_DOCS=1 cargo test --test it docs` writes them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use a2lint::config;
use a2lint::report::pages::pages;

/// Compares files below a folder with what they should be, or writes them.
fn compare(folder: &Path, expected: &BTreeMap<String, String>) {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    if update {
        fs::create_dir_all(folder).expect("a folder");
    }
    let mut stale = Vec::new();
    for (name, text) in expected {
        let path = folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|old| old.replace("\r\n", "\n") == *text) {
            continue;
        }
        match update {
            true => fs::write(&path, text).expect("a file"),
            false => stale.push(name.clone()),
        }
    }
    assert!(
        stale.is_empty(),
        "stale: {}; run `UPDATE_DOCS=1 cargo test --test it docs`",
        stale.join(", ")
    );
}

#[test]
fn rules_have_their_pages_and_no_others() {
    let folder = crate::common::root().join("docs/rules");
    let expected: BTreeMap<String, String> = pages().into_iter().collect();
    compare(&folder, &expected);
    for path in crate::common::files(&folder, "md") {
        let name = path
            .file_name()
            .expect("a file")
            .to_string_lossy()
            .into_owned();
        if expected.contains_key(&name) {
            continue;
        }
        match std::env::var_os("UPDATE_DOCS") {
            Some(_) => fs::remove_file(&path).expect("a file to remove"),
            None => panic!("{name} has no rule; run `UPDATE_DOCS=1 cargo test --test it docs`"),
        }
    }
}

#[test]
fn the_schema_is_that_of_the_binary() {
    let schema = ("a2lint.schema.json".to_owned(), config::schema());
    compare(
        &crate::common::root().join("docs"),
        &BTreeMap::from([schema]),
    );
}

#[test]
fn links_between_pages_lead_somewhere() {
    // The pages are being written.
    if std::env::var_os("UPDATE_DOCS").is_some() {
        return;
    }
    let root = crate::common::root();
    let mut pages = crate::common::files(&root.join("docs"), "md");
    pages.push(root.join("README.md"));
    for page in pages {
        let text = crate::common::read(&page);
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let target = link.split('#').next().unwrap_or("");
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let path = page.parent().expect("a folder").join(target);
            assert!(path.exists(), "{}: {link} leads nowhere", page.display());
        }
    }
}
