use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::check::check;
use a2lint_frontend::{TraceOptions, is_library};
use a2lint_ir::GivenLaunch;
use a2lint_ir::finding::Severity;
use a2lint_isa::RepeatRounding;
use a2lint_isa::device::DEVICES;
use a2lint_project as project;
use a2lint_source::language::Language;

/// A kernel with a finding, and a launch.
const KERNEL: &str = "\
from easyasc.a2 import *


@kernel()
def double(x: GMTensor, y: GMTensor, M: Var):
    rows = Tensor(DT.float, [64, 64], Position.UB)
    rows <<= x[0:64, 0:64]
    add(rows, rows, rows)
    y[0:64, 0:64] <<= rows
    return y
";

const SECRET: [u8; 32] = [7; 32];

fn key() -> Key {
    Key::of(&SECRET, "build")
}

/// A project on disk, and a cache next to it.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place {
            folder: tempfile::tempdir().expect("a folder"),
        };
        place.write("a2lint.toml", "");
        place.write("k.py", KERNEL);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("a file");
    }

    fn open(&self, today: u32) -> (Cache, Arc<Files>) {
        let files = project::files(is_library);
        let folder = self.path(NAME);
        let cache = Cache::with(folder, key(), files.clone(), today).expect("a cache");
        (cache, files)
    }

    fn settings(&self, name: &str, files: &Arc<Files>) -> Settings {
        let mut settings = Settings {
            replay: false,
            prove: false,
            ..Settings::default()
        };
        settings.trace.project = project::of(&self.path(name), files, Some(self.folder.path()));
        settings
    }

    /// Checks files on a day; returns for each whether its results were cached.
    fn check_on(&self, today: u32, names: &[&str]) -> Vec<bool> {
        let (cache, files) = self.open(today);
        let mut known = Vec::new();
        for name in names {
            let text = fs::read_to_string(self.path(name)).expect("a file");
            let source = SourceText::new(text);
            let mut settings = self.settings(name, &files);
            let project = settings.trace.project.clone().expect("a project");
            let subject = Subject::of(&source, &settings);
            let recording = Arc::new(files.recording());
            settings.trace.project = Some(Project {
                files: recording.clone(),
                ..project.clone()
            });
            let results = Results::from(check(&source, Language::Easyasc, &settings));
            let found = cache.get(&subject, &project);
            known.push(found.is_some());
            match found {
                Some(found) => assert_eq!(found, results, "{name}"),
                None => cache.put(&subject, &project, &recording.asked(), &results),
            }
        }
        cache.save().expect("it is written");
        known
    }

    fn check(&self, names: &[&str]) -> Vec<bool> {
        self.check_on(100, names)
    }

    fn pack(&self) -> PathBuf {
        self.path(NAME).join(format!("checks-{}", key().name()))
    }
}

#[test]
fn what_is_the_same_is_known() {
    let place = Place::new();
    assert_eq!(place.check(&["k.py"]), [false]);
    let written = fs::metadata(place.pack()).expect("a pack").modified();
    assert_eq!(place.check(&["k.py"]), [true]);
    let same = fs::metadata(place.pack()).expect("a pack").modified();
    assert_eq!(
        same.expect("a time"),
        written.expect("a time"),
        "nothing is written for nothing"
    );
    place.write("k.py", &KERNEL.replace("add(", "sub("));
    assert_eq!(place.check(&["k.py"]), [false]);
    assert_eq!(place.check(&["k.py"]), [true]);
}

#[test]
fn what_other_files_say_matters() {
    let place = Place::new();
    let importing = KERNEL.replace("@kernel", "from sizes import ROWS\n\n\n@kernel");
    place.write("k.py", &importing.replace("[64, 64]", "[ROWS, 64]"));
    place.write("sizes.py", "ROWS = 64\n");
    place.write("other.py", "NOTHING = 1\n");
    place.write("launch.py", "import torch\n");
    let both = ["k.py", "other.py"];
    assert_eq!(place.check(&both), [false, false]);
    assert_eq!(place.check(&both), [true, true]);
    // An imported file, and a file that it imports in turn.
    place.write("sizes.py", "from most import ROWS\n");
    assert_eq!(place.check(&both), [false, true]);
    place.write("most.py", "ROWS = 32\n");
    assert_eq!(place.check(&both), [false, true]);
    assert_eq!(place.check(&both), [true, true]);
    place.write("most.py", "ROWS = 128\n");
    assert_eq!(place.check(&both), [false, true]);
    // A more likely candidate of the same name.
    place.write("sizes/__init__.py", "ROWS = 16\n");
    assert!(place.check(&both)[0], "a module comes before a package");
    fs::remove_file(place.path("sizes.py")).expect("a file");
    assert_eq!(place.check(&both), [false, true]);
    assert_eq!(place.check(&both), [true, true]);
    // A file that is unrelated, then imports the kernel; and a new file.
    place.write("other.py", "NOTHING = 2\n");
    assert_eq!(place.check(&["k.py"]), [true]);
    place.write("other.py", "from k import double\n");
    assert_eq!(place.check(&["k.py"]), [false]);
    assert_eq!(place.check(&["k.py"]), [true]);
    place.write("tests/test_k.py", "from k import double\n");
    assert_eq!(place.check(&["k.py"]), [false]);
    fs::remove_file(place.path("tests/test_k.py")).expect("a file");
    assert_eq!(place.check(&["k.py"]), [false]);
}

#[test]
fn what_texts_do_not_mention_is_looked_at_once() {
    let place = Place::new();
    place.write("other.py", "NOTHING = 1\n");
    assert_eq!(place.check(&["k.py"]), [false]);
    place.write("other.py", "NOTHING = 2\n");
    let before = fs::read(place.pack()).expect("a pack");
    assert_eq!(place.check(&["k.py"]), [true]);
    let after = fs::read(place.pack()).expect("a pack");
    assert_ne!(before, after, "the new text is written down");
    assert_eq!(place.check(&["k.py"]), [true]);
    assert_eq!(fs::read(place.pack()).expect("a pack"), after);
}

#[test]
fn headers_and_those_who_include_them_matter() {
    const HEADER: &str = "#pragma once\nconstexpr int ROWS = 1;\n";
    const SOURCE: &str = "#include \"kernel_operator.h\"\n#include \"sizes.h\"\n\
                          extern \"C\" __global__ __aicore__ void k(GM_ADDR x) { int rows = ROWS; }\n";
    let place = Place::new();
    place.write("a/sizes.h", HEADER);
    place.write("a/k.cpp", SOURCE);
    let subject = |place: &Place, name: &str| {
        let (cache, files) = place.open(100);
        let text = fs::read_to_string(place.path(name)).expect("a file");
        let source = SourceText::new(text);
        let mut settings = place.settings(name, &files);
        let project = settings.trace.project.clone().expect("a project");
        let subject = Subject::of(&source, &settings);
        let is_known = cache.get(&subject, &project).is_some();
        let recording = Arc::new(files.recording());
        settings.trace.project = Some(Project {
            files: recording.clone(),
            ..project.clone()
        });
        let results = Results::from(check(&source, Language::Cpp, &settings));
        cache.put(&subject, &project, &recording.asked(), &results);
        cache.save().expect("it is written");
        is_known
    };
    assert!(!subject(&place, "a/k.cpp"));
    assert!(subject(&place, "a/k.cpp"));
    place.write("a/sizes.h", &HEADER.replace('1', "2"));
    assert!(!subject(&place, "a/k.cpp"));
    fs::remove_file(place.path("a/sizes.h")).expect("a file");
    assert!(!subject(&place, "a/k.cpp"));
    place.write("include/sizes.h", HEADER);
    assert!(!subject(&place, "a/k.cpp"));
    assert!(subject(&place, "a/k.cpp"));
}

#[test]
fn every_setting_matters() {
    let place = Place::new();
    let files = project::files(is_library);
    let source = SourceText::new(KERNEL);
    let base = place.settings("k.py", &files);
    // A new setting needs a line below, or this does not compile.
    let Settings {
        pedantic: _,
        select: _,
        extend_select: _,
        ignore: _,
        severities: _,
        replay: _,
        prove: _,
        replay_work: _,
        bindings: _,
        trace:
            TraceOptions {
                device: _,
                repeat_rounding: _,
                launches: _,
                project: _,
            },
        saturate: _,
    } = base.clone();
    type Change = fn(&mut Settings);
    let project = |change: fn(&mut Project)| {
        let mut settings = base.clone();
        change(settings.trace.project.as_mut().expect("a project"));
        settings
    };
    let changes: [Change; 14] = [
        |it| it.trace.device = DEVICES[1],
        |it| it.pedantic = true,
        |it| it.select.push("CAP".to_owned()),
        |it| it.extend_select.push("CAP".to_owned()),
        |it| it.ignore.push("CAP".to_owned()),
        |it| it.severities.push(("dup-coverage", Severity::Info)),
        |it| it.replay = true,
        |it| it.prove = true,
        |it| it.replay_work += 1,
        |it| it.bindings.push(("M".to_owned(), 1.5)),
        |it| {
            let rounding = [RepeatRounding::Up, RepeatRounding::Down];
            let other = rounding
                .into_iter()
                .find(|other| *other != it.trace.repeat_rounding);
            it.trace.repeat_rounding = other.expect("another one");
        },
        |it| {
            it.trace.launches.push(GivenLaunch {
                kernel: "double".to_owned().into(),
                arguments: Vec::new(),
            });
        },
        |it| it.trace.project = None,
        |it| it.saturate = true,
    ];
    let mut all = vec![base.clone()];
    for change in changes {
        let mut settings = base.clone();
        change(&mut settings);
        all.push(settings);
    }
    all.push(project(|it| it.root.push("x")));
    all.push(project(|it| it.path.push("x")));
    all.push(project(|it| it.here.push("x")));
    let slots: BTreeSet<Digest> = all
        .iter()
        .map(|settings| Subject::of(&source, settings).slot)
        .collect();
    assert_eq!(slots.len(), all.len());
}

#[test]
fn nobody_else_can_say_what_was_found() {
    let place = Place::new();
    assert_eq!(place.check(&["k.py"]), [false]);
    let ours = fs::read(place.pack()).expect("a pack");
    // The same bytes signed with another secret, and by another build.
    for other in [Key::of(&[8; 32], "build"), Key::of(&SECRET, "another")] {
        let pack = Pack::read(ours.clone(), &key()).expect("ours");
        assert!(Pack::read(ours.clone(), &other).is_none());
        let mut forger = Builder::new(100);
        for entry in pack.entries() {
            let mut body = pack.body(entry).expect("a body");
            let rows = body
                .rows
                .iter()
                .map(|&row| forger.row(&pack.rows[row as usize]));
            body.rows = rows.collect();
            let clean = postcard::to_stdvec(&Results::default()).expect("bytes");
            body.results = &clean;
            forger.add(entry.slot, entry.content, 100, &body);
        }
        let forged = forger.finish(&other).expect("a pack");
        fs::write(place.pack(), forged).expect("a file");
        assert_eq!(place.check(&["k.py"]), [false]);
        assert_eq!(place.check(&["k.py"]), [true], "it was replaced");
    }
}

#[test]
fn every_byte_is_looked_at() {
    let place = Place::new();
    assert_eq!(place.check(&["k.py"]), [false]);
    let bytes = fs::read(place.pack()).expect("a pack");
    let is_known = |bytes: &[u8]| {
        fs::write(place.pack(), bytes).expect("a file");
        let (cache, files) = place.open(100);
        let settings = place.settings("k.py", &files);
        let project = settings.trace.project.clone().expect("a project");
        let subject = Subject::of(&SourceText::new(KERNEL), &settings);
        cache.get(&subject, &project).is_some()
    };
    assert!(is_known(&bytes));
    for at in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        assert!(!is_known(&bytes), "byte {at}");
    }
    for length in (0..bytes.len()).step_by(7) {
        assert!(!is_known(&bytes[..length]), "{length} bytes");
    }
}

/// Returns the bytes of an index and of a body, without their signature.
fn parts() -> (Vec<u8>, Vec<u8>) {
    let place = Place::new();
    place.write("k.py", &KERNEL.replace("add(rows", "add(other"));
    place.check(&["k.py"]);
    let pack = fs::read(place.pack()).expect("a pack");
    let (index, body) = pack::parts(&pack);
    (index.to_vec(), body.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Such bytes cannot be signed without the secret; even so, reading them must not panic.
    #[test]
    fn broken_bytes_are_refused(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        static PARTS: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
        let (index, body) = PARTS.get_or_init(parts);
        for bytes in [index, body] {
            let mut bytes = bytes.clone();
            for (at, byte) in &edits {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            if is_cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            pack::parse(&bytes);
        }
    }
}

#[test]
fn unused_results_are_forgotten() {
    let place = Place::new();
    place.write("l.py", KERNEL);
    assert_eq!(place.check_on(100, &["k.py", "l.py"]), [false, false]);
    assert_eq!(place.check_on(120, &["k.py"]), [true]);
    assert_eq!(place.check_on(140, &["k.py"]), [true]);
    assert_eq!(place.check_on(140, &["k.py", "l.py"]), [true, false]);
    assert_eq!(
        place.check_on(180, &["k.py"]),
        [true],
        "of use until somebody writes"
    );
    assert_eq!(place.open(180).0.pack.entries().len(), 1);
}

#[test]
fn a_pack_has_a_largest_size() {
    let mut builder = Builder::new(100);
    builder.most = 10_000;
    let results = [0; 1000];
    for at in 0..100u8 {
        let body = Body {
            rows: Vec::new(),
            results: &results,
        };
        let slot = Digest::of(&[at]);
        builder.add(slot, slot, 100, &body);
    }
    let bytes = builder.finish(&key()).expect("a pack");
    assert!(bytes.len() <= 10_000, "{}", bytes.len());
    let pack = Pack::read(bytes, &key()).expect("ours");
    assert!(pack.entries().len() > 5);
    assert_eq!(pack.find(&Digest::of(&[0])), Some(0), "the first are kept");
    // A pack beyond the size limit is not read.
    let place = Place::new();
    place.check(&["k.py"]);
    let file = fs::File::options().write(true).open(place.pack());
    file.expect("a file")
        .set_len(MAX_BYTES + 1)
        .expect("a sparse file");
    assert!(place.open(100).0.pack.entries().is_empty());
}

#[test]
fn what_others_keep_stays() {
    let place = Place::new();
    place.write("l.py", KERNEL);
    assert_eq!(place.check(&["k.py"]), [false]);
    assert_eq!(place.check(&["l.py"]), [false]);
    assert_eq!(place.check(&["k.py", "l.py"]), [true, true]);
    assert!(!Path::new(&place.path("checks")).exists());
}
