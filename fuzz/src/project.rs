//! Projects: files that import one another.
//!
//! A line `=== PATH` begins a file; the text before the first is `k.py`. The first file is checked
//! with the others around it, without a disk.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use a2lint::check::{self, Settings};
use a2lint::frontend::is_library;
use a2lint::language::Language;
use a2lint::project::{Files, Project};
use a2lint::text::SourceText;

/// The root of the project.
const ROOT: &str = "/p";

/// Checks the first file, and makes sure that what is found lies inside of it.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let files = files(&text);
    let Some((path, text)) = files.first().cloned() else {
        return;
    };
    let mut settings = Settings {
        replay_work: 20_000,
        ..Settings::default()
    };
    settings.trace.project = Some(Project {
        root: ROOT.into(),
        here: ROOT.into(),
        path,
        files: in_memory(files),
    });
    let source = SourceText::new(text);
    let analysis = check::check(&source, Language::Easyasc, &settings);
    for finding in &analysis.findings {
        let range = finding.span.range();
        assert!(source.as_str().get(range).is_some(), "{finding:?}");
    }
}

fn files(text: &str) -> Vec<(PathBuf, String)> {
    let mut files = vec![(Path::new(ROOT).join("k.py"), String::new())];
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("=== ") {
            files.push((inside(path), String::new()));
        } else if let Some((_, text)) = files.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    files
}

/// A path that does not leave the root.
fn inside(path: &str) -> PathBuf {
    let parts = Path::new(path).components();
    let parts = parts.filter(|part| matches!(part, Component::Normal(_)));
    Path::new(ROOT).join(parts.collect::<PathBuf>())
}

/// Files that are nowhere on disk.
pub fn in_memory(files: impl IntoIterator<Item = (PathBuf, String)>) -> Arc<Files> {
    let texts: Arc<BTreeMap<PathBuf, String>> = Arc::new(files.into_iter().collect());
    let listed = texts.clone();
    let read = move |root: &Path, path: &Path| {
        assert!(path.starts_with(root), "{} is outside", path.display());
        texts.get(path).cloned()
    };
    let list = move |folder: &Path| {
        let inside = listed.keys().filter(|path| path.parent() == Some(folder));
        inside.cloned().collect()
    };
    Arc::new(Files::new(Box::new(read), Box::new(list), is_library))
}
