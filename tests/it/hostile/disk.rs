//! A folder with a hostile repository and secrets outside of it, and commands whose effects are observed.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A part of every secret.
const SECRET: &str = "hunter2";
/// Limit on the processor time of a command in all of its threads. Unlike the wall-clock time, it does not grow with
/// the load of the machine.
const WORK: Duration = Duration::from_secs(10);
/// Limit on the wall-clock time of a command. A command that waits takes no processor time.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// Limit on the memory of a command in KiB.
const MEMORY: u64 = 1 << 20;
/// Depth of nested folders, which exceeds the maximum length of a path.
const DEPTH: usize = 700;

/// A kernel with one error that has a fix.
pub const KERNEL: &str = "\
from easyasc.a2 import *
from linked import LEAKED
from pipe import NEVER


@kernel(mode=\"vec\")
def bias(x: GMTensor, y: GMTensor):
    b = Tensor(DT.float, [64, 8], Position.UB)
    dup(b, 0.25)
    bar_all()
    y[0:64, 0:8] <<= b
    return y
";
const CPP: &str = "\
#include \"../outside/secret.h\"
#include \"linked.h\"
#include \".env\"
#include \"pipe.h\"
__global__ void k(GM_ADDR x) { GatherMask(a, b, 1, true, 1, p, c); }
";
/// File names that a terminal, a shell or an option parser would interpret.
const NAMES: &[&[u8]] = &[
    b"escape-\x1b[2J\x1b]0;x\x07.py",
    b"lines-\n::error::x\r.py",
    // DEL, a C1 control character, and an override of the writing direction.
    b"others-\x7f-\xc2\x9b2J-\xe2\x80\xae.py",
    b"-q.py",
    b"--output-file=stolen.py",
    b"--config=k.py",
    b"$(touch stolen).py",
    b"bytes-\xff\xfe.py",
    b"quote'\"`;&|.py",
];

/// A folder with the repository, files outside of it, and the user's home.
pub struct Disk {
    top: TempDir,
    outside: Vec<(PathBuf, Vec<u8>)>,
}

impl Disk {
    /// Creates a repository with a kernel.
    pub fn new() -> Disk {
        let mut disk = Disk {
            top: tempfile::tempdir().expect("a folder"),
            outside: Vec::new(),
        };
        fs::create_dir_all(disk.at("home")).expect("a folder");
        fs::create_dir_all(disk.at("logs")).expect("a folder");
        let secret = |kind: &str| format!("{SECRET}_{kind} = \"{SECRET}\"\n");
        disk.write("outside/secret.toml", &secret("toml"));
        disk.write("outside/secret.h", &format!("constexpr int {SECRET} = ;\n"));
        disk.write(
            "outside/secret.json",
            &format!("{{\"{SECRET}\": 1, \"version\": \"{SECRET}\"}}"),
        );
        disk.write(
            "outside/secret.py",
            &format!("from easyasc.a2 import *\n{SECRET} = (\n"),
        );
        disk.write("outside/secret", &secret("plain"));
        disk.write("outside/secret.npy", &secret("npy"));
        disk.outside = disk.kept("outside");
        disk.write(
            "repository/.git/config",
            &format!("[core]\n\t{SECRET} = {SECRET} = x\n"),
        );
        disk.write("repository/.env", &secret("env"));
        disk.write("repository/k.py", KERNEL);
        disk.write("repository/sub/k.py", KERNEL);
        disk
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.top.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("a file");
    }

    /// Adds harmful files to the repository, except for configuration.
    pub fn hostile(&self) {
        let at = |name: &str| self.at("repository").join(name);
        self.write("repository/k.cpp", CPP);
        for (target, name) in [
            ("../outside/secret.py", "linked.py"),
            ("../outside/secret.h", "linked.h"),
            ("../outside/secret", "linked.ptx"),
            ("../outside/secret.toml", "linked.toml"),
            ("../outside/secret.toml", "pyproject.toml"),
            ("../outside/secret.json", "linked.json"),
            ("../outside/secret.npy", "linked.npy"),
            ("../outside/secret", "linked.sarif"),
            ("../outside/secret", "bias.html"),
            ("../outside/new.json", "a2lint-baseline.json"),
            ("../outside", "folder"),
            ("../outside", ".a2lint_cache"),
            ("../outside/secret", ".gitignore"),
            ("/dev/zero", ".git/info/exclude"),
            ("/dev/zero", "zero.py"),
            ("loop.py", "loop.py"),
            ("..", "sub/up"),
            ("k.py", "near.py"),
        ] {
            fs::create_dir_all(at(name).parent().expect("a folder")).expect("folders");
            link(target, &at(name));
        }
        for name in ["pipe.py", "pipe.h", "pipe.npy", ".ignore"] {
            pipe(&at(name));
        }
        sparse(&at("huge.py"));
        sparse(&at("sub/.gitignore"));
        sparse(&at("sub/.ignore"));
        for name in NAMES {
            fs::write(self.at("repository").join(OsStr::from_bytes(name)), KERNEL).expect("a file");
        }
        let half = vec!["0123456789"; DEPTH / 2].join("/");
        self.write(&format!("half/{half}/k.py"), KERNEL);
        self.write(&format!("repository/deep/{half}/k.py"), KERNEL);
        let end = at(&format!("deep/{half}/half"));
        fs::rename(self.at("half"), end).expect("it is moved");
    }

    /// Returns the files below a folder with their bytes. Links are not followed.
    pub fn kept(&self, name: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        let mut folders = vec![self.at(name)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let entry = entry.expect("an entry");
                let kind = entry.file_type().expect("a kind");
                match kind.is_dir() {
                    true => folders.push(entry.path()),
                    false if kind.is_file() => {
                        found.push((entry.path(), fs::read(entry.path()).expect("a file")));
                    }
                    false => found.push((entry.path(), Vec::new())),
                }
            }
        }
        found.sort();
        found
    }

    /// Runs a command in the repository.
    pub fn run(&self, args: &[&str]) -> Said {
        self.run_with(args, &[])
    }

    /// Runs a command in an environment.
    pub fn run_with(&self, args: &[&str], environment: &[(&str, &str)]) -> Said {
        let mut command = self.command(args);
        command
            .envs(environment.iter().copied())
            .stdin(Stdio::null());
        let child = command.spawn().expect("the binary starts");
        self.said(child, args)
    }

    /// Creates a command that runs in the repository.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = crate::common::binary();
        command
            .env_remove("A2LINT_NO_CACHE")
            .env_remove("XDG_STATE_HOME")
            .env(
                "A2LINT_SECRET",
                format!("{SECRET} = {SECRET} = \"environment\"\n"),
            )
            .env("HOME", self.at("home"))
            .current_dir(self.at("repository"))
            .args(args)
            .stdout(File::create(self.at("logs/stdout")).expect("a file"))
            .stderr(File::create(self.at("logs/stderr")).expect("a file"));
        command
    }

    /// Waits for a command and returns its output.
    pub fn said(&self, mut child: Child, args: &[&str]) -> Said {
        let start = Instant::now();
        let (mut memory, mut work) = (0, Duration::ZERO);
        let code = loop {
            memory = memory.max(peak(&child));
            work = work.max(worked(&child));
            if let Some(status) = child.try_wait().expect("a child") {
                break status.code();
            }
            if start.elapsed() > PATIENCE || work > WORK || memory > MEMORY {
                child.kill().expect("a child");
                let lasted = start.elapsed();
                panic!("{args:?}: {memory} KiB, {work:?} of work after {lasted:?}");
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        println!(
            "{args:?}: {memory} KiB, {work:?} of work in {:?}",
            start.elapsed()
        );
        let text = |name: &str| {
            let bytes = fs::read(self.at(name)).expect("a log");
            String::from_utf8(bytes).unwrap_or_else(|_| panic!("{args:?}: {name} is not UTF-8"))
        };
        assert_eq!(self.kept("outside"), self.outside, "{args:?}");
        Said {
            command: format!("{args:?}"),
            code,
            stdout: text("logs/stdout"),
            stderr: text("logs/stderr"),
        }
    }
}

/// Returns the peak memory of a process in KiB.
fn peak(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}

/// The processor time that a process has taken.
fn worked(child: &Child) -> Duration {
    crate::common::processor_time(&child.id().to_string()).unwrap_or_default()
}

/// The output of a command.
pub struct Said {
    command: String,
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Said {
    /// Checks that the output has no secret, no terminal control sequence and no internal error.
    pub fn end_well(&self) {
        let command = &self.command;
        assert!(
            self.code.is_some_and(|code| code < 3),
            "{command}: {:?}: {}",
            self.code,
            self.stderr
        );
        for text in [&self.stdout, &self.stderr] {
            assert!(!text.contains(SECRET), "{command}: {text}");
            let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            let is_wrong = |&c: &char| turns(c) || (c.is_control() && !matches!(c, '\n' | '\t'));
            assert_eq!(text.chars().find(is_wrong), None, "{command}: {text:?}");
            assert!(!text.contains("\n::error::x"), "{command}: {text}");
        }
    }
}

pub fn link(target: &str, at: &Path) {
    symlink(target, at).expect("a link");
}

/// Creates a named pipe without a writer.
pub fn pipe(at: &Path) {
    let made = Command::new("mkfifo").arg(at).status();
    assert!(made.expect("mkfifo").success());
}

/// Creates a sparse file of a terabyte.
pub fn sparse(at: &Path) {
    let file = File::create(at).expect("a file");
    file.set_len(1 << 40).expect("a sparse file");
}
