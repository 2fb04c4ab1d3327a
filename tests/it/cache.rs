//! The cache of results: the output is the same with and without it, whatever the folder contains.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::common::{binary, root, sources};

const NAME: &str = ".a2lint_cache";
/// For tests that do not depend on the cached results, kernels are not run.
const QUICK: &str = "--no-replay";

/// A user with a project of test sources.
struct Place {
    top: TempDir,
}

impl Place {
    /// Creates a project with these folders of tests.
    fn with(folders: &[&str]) -> Place {
        let place = Place {
            top: tempfile::tempdir().expect("a folder"),
        };
        fs::create_dir(place.home()).expect("a folder");
        for folder in folders {
            let from = root().join("tests").join(folder);
            for source in sources(&from) {
                let below = source.strip_prefix(root().join("tests"));
                let text = fs::read_to_string(&source).expect("a source");
                place.write(&below.expect("a path below").to_string_lossy(), &text);
            }
        }
        place.write("a2lint.toml", "");
        place
    }

    fn home(&self) -> PathBuf {
        self.top.path().join("home")
    }

    fn project(&self) -> PathBuf {
        self.top.path().join("project")
    }

    fn cache(&self) -> PathBuf {
        self.project().join(NAME)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.project().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("a file");
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = binary();
        command
            .env_remove("A2LINT_NO_CACHE")
            .env_remove("XDG_STATE_HOME")
            .env("HOME", self.home())
            .current_dir(self.project())
            .args(args);
        command
    }

    fn check(&self, args: &[&str]) -> Said {
        let args = [&["check"], args].concat();
        said(self.command(&args).output().expect("the binary runs"))
    }

    /// Returns the cache packs. A run without new results does not change them.
    fn packs(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = fs::read_dir(self.cache()).into_iter().flatten().flatten();
        let packs = entries
            .map(|entry| entry.path())
            .filter(|path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                name.starts_with("checks-")
            })
            .map(|path| {
                let bytes = fs::read(&path).unwrap_or_default();
                (path, bytes)
            });
        packs.collect()
    }
}

/// Exit status, standard output and standard error.
type Said = (Option<i32>, String, String);

/// Returns the output of a run, without times.
fn said(output: Output) -> Said {
    let text = |bytes: Vec<u8>| timeless(&String::from_utf8(bytes).expect("UTF-8"));
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Removes seconds from a text: `(0.12 s)`, `"seconds": 0.12`, `time="0.12"`.
fn timeless(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let is_timed = ["seconds", " s)", "time="]
            .iter()
            .any(|mark| line.contains(mark));
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        out.extend(line.chars().filter(|&c| !is_timed || !is_number(c)));
    }
    out
}

#[test]
fn what_was_known_is_said_as_if_it_was_new() {
    let place = Place::with(&["kernels/broken", "projects", "masks"]);
    let mut packs = Vec::new();
    for options in [
        &["--output-format", "json"][..],
        &["--output-format", "full", "-v"],
        &["--output-format", "sarif", QUICK],
        &["--output-format", "full", QUICK],
        &["--output-format", "concise", QUICK],
        &["--output-format", "agent"],
        &["--output-format", "junit", QUICK],
        &["--output-format", "gitlab", QUICK],
        &["--statistics", QUICK],
        &["--diff", QUICK],
        &["--bind", "NOBODY=1", "-q", QUICK],
    ] {
        let without = place.check(&[options, &["--no-cache"]].concat());
        assert!(packs.is_empty() == place.packs().is_empty(), "{options:?}");
        let first = place.check(options);
        assert_eq!(first, without, "{options:?}");
        let now = place.packs();
        let again = place.check(options);
        assert_eq!(again, without, "{options:?}");
        // All results were cached: new ones would have been written.
        assert!(place.packs() == now, "{options:?}");
        assert!(!now.is_empty() && now[0].1.len() > 10_000);
        packs = now;
    }
    // Proofs are cached as well, and `check` shares them.
    let prove = |option: &[&str]| {
        let args = [&["prove", "kernels/broken"], option].concat();
        said(place.command(&args).output().expect("it runs"))
    };
    let without = prove(&["--no-cache"]);
    assert_eq!(prove(&[]), without);
    assert_eq!(prove(&[]), without);
    // Nothing else was written, and git does not list the cache.
    let mut names: Vec<String> = fs::read_dir(place.project())
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, [NAME, "a2lint.toml", "kernels", "masks", "projects"]);
    let ignored = fs::read_to_string(place.cache().join(".gitignore")).expect("a file");
    assert!(ignored.lines().any(|line| line == "*"), "{ignored}");
}

#[test]
fn what_is_decided_about_a_check_matters() {
    let place = Place::with(&["kernels/broken"]);
    let agrees = |options: &[&str]| {
        let without = place.check(&[options, &["--no-cache"]].concat());
        assert_eq!(place.check(options), without, "{options:?}");
        assert_eq!(place.check(options), without, "{options:?}");
        without
    };
    let plain = agrees(&[]);
    for options in [
        &["--select", "CAP"][..],
        &["--ignore", "COV,UND,SYN"],
        &["--no-replay"],
        &["--warn", "COV"],
    ] {
        assert_ne!(agrees(options), plain, "{options:?}");
    }
    agrees(&["--device", "b1"]);
    place.write("a2lint.toml", "ignore = [\"COV\", \"UND\"]\n");
    assert_ne!(agrees(&[]), plain);
    place.write("a2lint.toml", "");
    assert_eq!(agrees(&[]), plain);
}

#[test]
fn files_change_and_come_and_go() {
    const HELPER: &str = "from easyasc.a2 import *\n\nROWS = 64\n";
    const KERNEL: &str = "from easyasc.a2 import *\nfrom sizes import ROWS\n\n\n@kernel()\n\
        def k(x: GMTensor, y: GMTensor):\n    t = Tensor(DT.half, [ROWS, 64], Position.UB)\n    \
        t <<= x[0:64, 0:64]\n    y[0:64, 0:64] <<= t\n    return y\n";
    let place = Place::with(&[]);
    place.write("k.py", KERNEL);
    place.write("sizes.py", HELPER);
    let options = ["--output-format", "json", "-v"];
    let mut seen = Vec::new();
    let mut agrees = || {
        let without = place.check(&[&options[..], &["--no-cache"]].concat());
        assert_eq!(place.check(&options), without);
        assert_eq!(place.check(&options), without);
        seen.push(without);
    };
    agrees();
    // The helper makes a buffer too large, which is reported at a line of another file.
    place.write("sizes.py", &HELPER.replace("64", "64000"));
    agrees();
    place.write(
        "test_k.py",
        "import torch\nfrom easyasc.a2 import *\nfrom k import k\n\n\
         if __name__ == '__main__':\n    OpExec(k, 'k', simulator=True)(torch.zeros(64, 64), torch.zeros(64, 64))\n",
    );
    place.write("sizes.py", HELPER);
    agrees();
    fs::remove_file(place.project().join("test_k.py")).expect("a file");
    agrees();
    fs::remove_file(place.project().join("sizes.py")).expect("a file");
    agrees();
    for (at, said) in seen.iter().enumerate() {
        for (other_at, other) in seen.iter().enumerate() {
            // Equal files have equal results.
            let is_same = at == other_at || [at, other_at] == [0, 3] || [at, other_at] == [3, 0];
            assert_eq!(said == other, is_same, "{at} {other_at}");
        }
    }
}

#[test]
fn results_that_another_user_wrote_are_not_used() {
    let place = Place::with(&["kernels/broken"]);
    let without = place.check(&[QUICK, "--no-cache"]);
    assert_eq!(without.0, Some(1), "there are findings");
    let other = Place::with(&["kernels/broken"]);
    // An attacker's cache: it belongs to clean sources with the same names.
    let clean = root().join("tests/kernels/layer_norm.py");
    for source in sources(&place.project()) {
        let below = source.strip_prefix(place.project()).expect("below");
        fs::copy(&clean, other.project().join(below)).expect("a file");
    }
    other.check(&[QUICK]);
    // And another user of the very files that are checked, whose results are bound to the same texts and places.
    let home = place.top.path().join("stranger");
    fs::create_dir(&home).expect("a folder");
    let checked = place.command(&["check", QUICK]).env("HOME", home).output();
    assert_eq!(said(checked.expect("it runs")), without);
    let stranger = place.packs().remove(0).1;
    fs::remove_dir_all(place.cache()).expect("a folder");
    assert_eq!(place.check(&[QUICK]), without);
    let (path, own) = place.packs().remove(0);
    let forged = other.packs().remove(0).1;
    let half = own[..own.len() / 2].to_vec();
    let empty = Vec::new();
    for bytes in [
        forged,
        stranger,
        half,
        empty,
        b"a2lint".to_vec(),
        vec![0; 4096],
    ] {
        fs::write(&path, &bytes).expect("a file");
        assert_eq!(place.check(&[QUICK]), without);
        // The pack was replaced by the results of this run, which are used from then on.
        let now = place.packs();
        assert!(now.len() == 1 && now[0].1 != bytes);
        assert_eq!(place.check(&[QUICK]), without);
        assert!(place.packs() == now);
    }
}

#[test]
#[cfg(unix)]
fn a_cache_that_cannot_be_used_is_no_error() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::with(&["kernels/broken"]);
    let without = place.check(&[QUICK, "--no-cache"]);
    let verbose = |said: &Said| {
        said.2
            .lines()
            .find(|it| it.contains("no cache:"))
            .map(str::to_owned)
    };
    // The cache folder is a link.
    let elsewhere = place.top.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    symlink(&elsewhere, place.cache()).expect("a link");
    assert_eq!(place.check(&[QUICK]), without);
    assert!(verbose(&place.check(&[QUICK, "-v"])).is_some());
    assert_eq!(fs::read_dir(&elsewhere).expect("a folder").count(), 0);
    fs::remove_file(place.cache()).expect("a link");
    // The cache folder is a file.
    fs::write(place.cache(), "mine").expect("a file");
    assert_eq!(place.check(&[QUICK]), without);
    assert!(verbose(&place.check(&[QUICK, "-v"])).is_some());
    fs::remove_file(place.cache()).expect("a file");
    // The cache folder cannot be created.
    let nowhere = "/proc/nowhere/cache";
    assert_eq!(place.check(&[QUICK, "--cache-dir", nowhere]), without);
    assert!(verbose(&place.check(&[QUICK, "-v", "--cache-dir", nowhere])).is_some());
    // Other users can read the key.
    assert_eq!(place.check(&[QUICK]), without);
    let key = place.home().join(".local/state/a2lint/cache.key");
    if key.exists() {
        let mode = fs::metadata(&key).expect("a key").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).expect("its owner");
        assert_eq!(place.check(&[QUICK]), without);
        assert!(verbose(&place.check(&[QUICK, "-v"])).is_some());
        fs::remove_file(&key).expect("a key");
    }
    // The home directory does not exist.
    let output = place
        .command(&["check", QUICK])
        .env("HOME", "/proc/nowhere")
        .output();
    assert_eq!(said(output.expect("it runs")), without);
}

#[test]
fn several_runs_at_once_do_no_harm() {
    let place = Place::with(&["kernels/broken"]);
    let without = place.check(&[QUICK, "--no-cache"]);
    for _ in 0..3 {
        let runs: Vec<_> = (0..4)
            .map(|_| {
                let mut command = place.command(&["check", QUICK]);
                command.stdout(std::process::Stdio::piped());
                command.stderr(std::process::Stdio::piped());
                command.spawn().expect("it starts")
            })
            .collect();
        for run in runs {
            let output = run.wait_with_output().expect("it ends");
            assert_eq!(said(output), without);
        }
        assert_eq!(place.packs().len(), 1);
        assert_eq!(place.check(&[QUICK]), without);
        fs::remove_dir_all(place.cache()).expect("a folder");
    }
}

#[test]
fn the_folder_can_be_another_one() {
    let place = Place::with(&["kernels/broken"]);
    let folder = place.top.path().join("kept");
    let named = folder.to_str().expect("UTF-8");
    place.check(&["--cache-dir", named]);
    assert!(folder.join("CACHEDIR.TAG").exists() && !place.cache().exists());
    fs::remove_dir_all(&folder).expect("a folder");
    let output = place
        .command(&["check"])
        .env("A2LINT_CACHE_DIR", named)
        .output();
    output.expect("it runs");
    assert!(folder.exists() && !place.cache().exists());
    // In folders below the project's root, the cache is still in the root.
    let mut command = place.command(&["check", "."]);
    command.current_dir(place.project().join("kernels"));
    let output = command.output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(place.cache().exists());
    assert!(!Path::new(&place.project().join("kernels").join(NAME)).exists());
    // Results for text from standard input are not cached.
    let packs = place.packs();
    let mut command = place.command(&["check", "-", "--stdin-filename", "new.py"]);
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let text = b"from easyasc.a2 import *\n";
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), text).expect("a reader");
    child.wait_with_output().expect("it ends");
    assert!(place.packs() == packs);
}
