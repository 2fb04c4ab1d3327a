//! Hostile repositories: links to the outside, pipes without a writer, endless devices, names that are options or
//! terminal sequences. No command may print or write anything outside of the repository, and every command ends.

mod disk;
mod names;
mod servers;

use std::fs;
use std::path::Path;

use disk::{Disk, KERNEL};

/// The commands; `k.py` and `k.cpp` exist.
const COMMANDS: &[&[&str]] = &[
    &["check"],
    &["check", "-v", "--output-format", "full"],
    &["check", "--output-format", "concise"],
    &["check", "--output-format", "json", "--no-replay"],
    &["check", "--output-format", "sarif", "--no-replay"],
    &["check", "--output-format", "github", "--no-replay"],
    &["check", "--output-format", "gitlab", "--no-replay"],
    &["check", "--output-format", "junit", "--no-replay"],
    &["check", "--output-format", "agent", "--no-replay"],
    &["check", "--statistics", "--no-replay"],
    &["check", "--show-files", "--no-replay"],
    &["check", "--show-settings"],
    &["check", "--diff", "--unsafe-fixes", "--no-replay"],
    &["check", "--baseline", "linked.json", "--no-replay"],
    &["check", "--no-replay", "--output-file", "linked.sarif"],
    &["prove", "k.py"],
    &["run", "k.py"],
    &["run", "k.py", "--timeline", "linked.sarif"],
    &["run", "k.py", "--output", "y=linked.npy"],
    &["run", "k.py", "--input", "x=linked.npy"],
    &["run", "k.py", "--input", "x=pipe.npy"],
    &["run", "linked.py"],
    &["run", "pipe.py"],
    &["test", "k.py"],
    &["debug", "k.py"],
    &["cost", "k.py"],
    &["report", "k.py"],
    &["mem", "k.py"],
    &["trace", "k.py"],
    &["trace", "linked.ptx"],
    &["check", "linked.ptx", "pipe.py", "huge.py", "linked.py"],
    &["explain", "dup-coverage"],
    &["rules"],
    &["config-schema"],
    &["check", "--write-baseline", "--no-replay"],
    &["check", "--prune-baseline", "--no-replay"],
    &[
        "check",
        "--fix",
        "--no-replay",
        "k.py",
        "linked.py",
        "near.py",
    ],
    &["check", "--add-ignore", "reason", "--no-replay"],
];

/// Commands that read the configuration in different ways.
const CONFIGURED: &[&[&str]] = &[
    &["check"],
    &["check", "--output-format", "json"],
    &["check", "--show-settings"],
    &["check", "--show-files"],
    &["check", "--write-baseline"],
    &["check", "--fix"],
    &["prove", "k.py"],
    &["run", "k.py"],
    &["report", "k.py"],
    &["cost", "k.py"],
    &["trace", "k.py"],
    &["mem", "k.py"],
];

#[test]
fn no_command_meets_more_than_its_repository() {
    let disk = Disk::new();
    disk.hostile();
    for command in COMMANDS {
        disk.run(command).end_well();
    }
    // The commands have done their work in spite of the hostile files.
    let page = fs::read_to_string(disk.at("repository/bias.html")).expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>"));
    let baseline = fs::read_to_string(disk.at("repository/a2lint-baseline.json"));
    assert!(baseline.expect("a baseline").contains("dup-coverage"));
    let kernel = fs::read_to_string(disk.at("repository/k.py")).expect("a file");
    assert_ne!(kernel, KERNEL, "it is fixed");
    let near = fs::symlink_metadata(disk.at("repository/near.py")).expect("a link");
    assert!(near.is_symlink());
}

#[test]
fn what_is_not_read_is_said() {
    let disk = Disk::new();
    disk.hostile();
    let said = disk.run(&["check", "--no-replay"]);
    for (name, why) in [
        (".gitignore", "outside of the project"),
        (".ignore", "not a regular file"),
        (".git/info/exclude", "not a regular file"),
        ("sub/.gitignore", "larger than 128 KiB"),
    ] {
        let line = said
            .stderr
            .lines()
            .find(|line| line.contains(&format!(" {name}: ignore file not read")));
        assert!(
            line.is_some_and(|line| line.contains(why)),
            "{name}: {}",
            said.stderr
        );
    }
    for (command, why) in [
        (&["check", "pipe.py"][..], "a pipe that nothing writes to"),
        (&["run", "pipe.py"], "a pipe that nothing writes to"),
        (&["check", "/dev/zero"], "a device may have no end"),
        (&["check", "linked.ptx"], "is a link to"),
        (&["check", "huge.py"], "larger than 32 MiB"),
        (
            &["run", "k.py", "--input", "x=pipe.npy"],
            "not a regular file",
        ),
        (
            &["check", "--output-file", "linked.sarif"],
            "outside of the project",
        ),
        (
            &["run", "k.py", "--output", "y=linked.npy"],
            "outside of the project",
        ),
    ] {
        let said = disk.run(command);
        said.end_well();
        assert_eq!(said.code, Some(2), "{command:?}: {}", said.stderr);
        assert!(said.stderr.contains(why), "{command:?}: {}", said.stderr);
    }
}

#[test]
fn a_configuration_may_be_anything() {
    type Make = fn(&Disk, &Path);
    let cases: [(&str, Make, &str); 9] = [
        (
            "environment",
            |_, at| disk::link("/proc/self/environ", at),
            "outside of the project",
        ),
        (
            "outside",
            |_, at| disk::link("../outside/secret.toml", at),
            "outside of the project",
        ),
        (
            "of git",
            |_, at| disk::link(".git/config", at),
            "outside of the project",
        ),
        ("hidden", |_, at| disk::link(".env", at), "is not quoted"),
        (
            "device",
            |_, at| disk::link("/dev/zero", at),
            "outside of the project",
        ),
        (
            "loop",
            |_, at| disk::link("a2lint.toml", at),
            "cannot read the configuration",
        ),
        ("pipe", |_, at| disk::pipe(at), "not a regular file"),
        (
            "folder",
            |_, at| fs::create_dir(at).expect("a folder"),
            "not a regular file",
        ),
        ("huge", |_, at| disk::sparse(at), "larger than 1 MiB"),
    ];
    for (name, make, why) in cases {
        let disk = Disk::new();
        make(&disk, &disk.at("repository/a2lint.toml"));
        // Two kinds of attack are tested with all commands, and the others with two that read files in different
        // ways.
        let commands = match name {
            "environment" | "hidden" => CONFIGURED,
            _ => &[CONFIGURED[0], CONFIGURED[7]],
        };
        for command in commands {
            let said = disk.run(command);
            said.end_well();
            assert_eq!(said.code, Some(2), "{name}: {command:?}: {}", said.stderr);
            let is_quoted = said.stderr.contains("is quoted") && why == "is not quoted";
            assert!(
                said.stderr.contains(why) || is_quoted,
                "{name}: {command:?}: {}",
                said.stderr
            );
        }
    }
}

#[test]
fn a_baseline_stays_in_the_project() {
    for given in [
        "../outside/secret.json",
        "linked.json",
        "folder/secret.json",
        "folder/new.json",
        ".git/new.json",
        ".env",
        "pipe.json",
        "/proc/self/environ",
    ] {
        let disk = Disk::new();
        disk.write(
            "repository/a2lint.toml",
            &format!("baseline = \"{given}\"\n"),
        );
        disk::link("../outside/secret.json", &disk.at("repository/linked.json"));
        disk::link("../outside", &disk.at("repository/folder"));
        disk::pipe(&disk.at("repository/pipe.json"));
        let unharmed = disk.kept("repository/.git");
        for command in [
            &["check", "--no-replay"][..],
            &["check", "--no-replay", "--write-baseline"],
            &["check", "--no-replay", "--prune-baseline"],
        ] {
            let said = disk.run(command);
            said.end_well();
            assert_eq!(said.code, Some(2), "{given}: {command:?}: {}", said.stderr);
        }
        assert_eq!(disk.kept("repository/.git"), unharmed, "{given}");
    }
}

/// A cache folder that is a link or has the user's files in it, and a key in the wrong place.
#[test]
fn a_cache_does_no_harm() {
    let disk = Disk::new();
    disk::link("../outside", &disk.at("repository/.a2lint_cache"));
    disk.run(&["check", "--no-replay"]).end_well();
    disk.write("repository/kept/checks-1.csv", "mine");
    disk.run(&["check", "--no-replay", "--cache-dir", "kept"])
        .end_well();
    disk.run(&["check", "--no-replay", "--cache-dir", "kept", "sub"])
        .end_well();
    let kept = disk.kept("repository/kept");
    assert!(
        kept.iter().any(|(name, _)| name.ends_with("checks-1.csv")),
        "{kept:?}"
    );
    assert!(
        !kept.iter().any(|(name, _)| name.ends_with(".gitignore")),
        "{kept:?}"
    );
    let disk = Disk::new();
    disk.write("elsewhere/pyproject.toml", "");
    disk.write("elsewhere/k.py", KERNEL);
    disk::link("../elsewhere", &disk.at("repository/other"));
    disk.run(&["check", "--no-replay", "other"]).end_well();
    assert_eq!(disk.kept("elsewhere").len(), 2);
    assert!(disk.at("repository/.a2lint_cache").exists());
    // A relative folder would differ with the working directory, and might lead out of the project.
    for (name, value) in [
        ("HOME", "."),
        ("HOME", "sub"),
        ("HOME", "../home"),
        ("HOME", ""),
    ] {
        let disk = Disk::new();
        let said = disk.run_with(&["check", "--no-replay", "-v"], &[(name, value)]);
        said.end_well();
        assert!(
            !disk.at("repository/.local").exists() && !disk.at("repository/sub/.local").exists()
        );
        assert!(
            said.stderr.contains("no cache: ") || value.is_empty(),
            "{}",
            said.stderr
        );
    }
    // If the home directory is the repository, its author may know the key.
    let disk = Disk::new();
    let home = disk.at("repository");
    let said = disk.run_with(
        &["check", "--no-replay", "-v"],
        &[("HOME", home.to_str().expect("UTF-8"))],
    );
    assert!(said.stderr.contains("is in the project"), "{}", said.stderr);
    assert!(!home.join(".local").exists());
}
