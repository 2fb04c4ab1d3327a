use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::*;

/// Bytes of the largest text.
const LIMIT: u64 = 1 << 20;

fn text_of(path: &Path) -> io::Result<String> {
    found_text(path, &Named::ByUser, LIMIT).map(|it| it.text)
}

#[test]
fn what_is_no_text_of_reasonable_size_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a2lint.toml");
    let error = |path: &Path| text_of(path).expect_err("a refusal").to_string();
    assert_eq!(error(folder.path()), "not a regular file");
    let file = File::create(&path).expect("a file");
    file.set_len(LIMIT).expect("a sparse file");
    assert_eq!(text_of(&path).expect("its text").len() as u64, LIMIT);
    file.set_len(1 << 40).expect("a sparse file");
    assert_eq!(error(&path), "larger than 1 MiB");
    fs::write(&path, [0xFF]).expect("a file");
    assert!(error(&path).contains("UTF-8"));
    #[cfg(unix)]
    assert_eq!(error(Path::new("/dev/zero")), "not a regular file");
}

/// A temporary folder with a repository `inside`, and files outside of it.
struct Disk(tempfile::TempDir);

impl Disk {
    fn new() -> Disk {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["inside/.git/info", "inside/sub", "outside"] {
            fs::create_dir_all(folder.path().join(name)).expect("folders");
        }
        let disk = Disk(folder);
        for name in ["inside/own", "inside/.git/config", "outside/secret"] {
            fs::write(disk.at(name), name).expect("a file");
        }
        disk
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn found(&self) -> Named {
        Named::In(self.at("inside/sub"))
    }

    /// Counts the entries of a folder, temporary files included.
    fn names(&self, folder: &str) -> usize {
        fs::read_dir(self.at(folder)).expect("a folder").count()
    }
}

fn say(text: &str) -> impl Fn(&mut File) -> io::Result<()> {
    move |file| file.write_all(text.as_bytes())
}

#[test]
#[cfg(unix)]
fn what_is_found_stays_in_its_project() {
    use std::os::unix::fs::symlink;
    let disk = Disk::new();
    let read = |name: &str| found_text(&disk.at(name), &disk.found(), LIMIT);
    let link = |to: &str, name: &str| symlink(to, disk.at(name)).expect("a link");
    fs::write(disk.at("inside/sub/plain"), "plain").expect("a file");
    link("../own", "inside/sub/near");
    link("../../outside/secret", "inside/sub/far");
    link("../../outside", "inside/sub/folder");
    link("../.git/config", "inside/sub/git");
    link("/proc/self/environ", "inside/sub/environ");
    link("loop", "inside/sub/loop");
    let plain = read("inside/sub/plain").expect("a text");
    assert_eq!((plain.text.as_str(), plain.is_linked), ("plain", false));
    let near = read("inside/sub/near").expect("a text");
    assert_eq!((near.text.as_str(), near.is_linked), ("inside/own", true));
    for name in [
        "far",
        "folder/secret",
        "git",
        "environ",
        "../../outside/secret",
    ] {
        let error = read(&format!("inside/sub/{name}")).expect_err("a refusal");
        assert!(
            error.to_string().contains("outside of the project"),
            "{name}: {error}"
        );
    }
    assert!(read("inside/sub/loop").is_err());
    // A file that the user names may lie anywhere.
    assert_eq!(
        text_of(&disk.at("outside/secret")).expect("a text"),
        "outside/secret"
    );
}

#[test]
#[cfg(unix)]
fn names_that_nobody_gave_are_not_followed() {
    use std::os::unix::fs::symlink;
    let disk = Disk::new();
    let secret = disk.at("outside/secret");
    let unharmed = || {
        assert_eq!(
            fs::read_to_string(&secret).expect("a file"),
            "outside/secret"
        )
    };
    let name = disk.at("inside/sub/out.html");
    symlink(&secret, &name).expect("a link");
    replace(&name, &disk.found(), say("new")).expect("it is written");
    unharmed();
    assert_eq!(fs::read_to_string(&name).expect("a file"), "new");
    assert!(fs::symlink_metadata(&name).expect("a file").is_file());
    // Paths that lead out of the project or into `.git`.
    symlink("../../outside", disk.at("inside/sub/folder")).expect("a link");
    for name in [
        "folder/new",
        "../../outside/secret",
        "../.git/config",
        "../.git/new",
    ] {
        let error = replace(
            &disk.at(&format!("inside/sub/{name}")),
            &disk.found(),
            say("new"),
        );
        let error = error.expect_err("a refusal").to_string();
        assert!(error.contains("outside of the project"), "{name}: {error}");
    }
    unharmed();
    assert_eq!(disk.names("outside"), 1);
    assert_eq!(disk.names("inside/.git"), 2);
    let folder = disk.at("inside/sub");
    assert!(replace(&folder, &disk.found(), say("new")).is_err());
}

#[test]
#[cfg(unix)]
fn names_that_the_user_gave_are_followed_inside_of_the_project() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let disk = Disk::new();
    let mode = |name: &str| {
        let metadata = fs::metadata(disk.at(name)).expect("a file");
        metadata.permissions().mode() & 0o777
    };
    symlink("../own", disk.at("inside/sub/near")).expect("a link");
    fs::set_permissions(disk.at("inside/own"), fs::Permissions::from_mode(0o750)).expect("a mode");
    replace(&disk.at("inside/sub/near"), &Named::ByUser, say("new")).expect("it is written");
    assert_eq!(
        fs::read_to_string(disk.at("inside/own")).expect("a file"),
        "new"
    );
    assert_eq!(mode("inside/own"), 0o750);
    symlink("../../outside/secret", disk.at("inside/sub/far")).expect("a link");
    symlink("../../outside/new", disk.at("inside/sub/nothing")).expect("a link");
    for name in ["inside/sub/far", "inside/sub/nothing"] {
        assert!(
            replace(&disk.at(name), &Named::ByUser, say("new")).is_err(),
            "{name}"
        );
    }
    assert_eq!(
        fs::read_to_string(disk.at("outside/secret")).expect("a file"),
        "outside/secret"
    );
    // A new file has the mode of any file that the user creates, and a write that fails leaves nothing.
    replace(&disk.at("outside/new"), &Named::ByUser, say("new")).expect("it is written");
    fs::write(disk.at("outside/like"), "").expect("a file");
    assert_eq!(mode("outside/new"), mode("outside/like"));
    let fails = |_: &mut File| Err(io::Error::other("no"));
    assert!(replace(&disk.at("outside/new"), &Named::ByUser, fails).is_err());
    assert_eq!(
        fs::read_to_string(disk.at("outside/new")).expect("a file"),
        "new"
    );
    assert_eq!(disk.names("outside"), 3);
    replace(Path::new("/dev/null"), &Named::ByUser, say("new")).expect("it is written");
    assert!(!fs::metadata("/dev/null").expect("a device").is_file());
}

#[test]
#[cfg(target_os = "linux")]
fn pipes_are_waited_for_as_long_as_it_makes_sense() {
    let disk = Disk::new();
    let path = disk.at("pipe");
    make_pipe(&path);
    let refused = |readable| open(&path, readable).map(|_| ()).expect_err("a refusal");
    assert_eq!(refused(Readable::Regular).to_string(), "not a regular file");
    let read = || {
        let mut text = String::new();
        let input = open(&path, Readable::Pipes)?;
        input.take(100).read_to_string(&mut text).map(|_| text)
    };
    let error = read().expect_err("nobody writes");
    assert_eq!(error.to_string(), "a pipe that nothing writes to");
    assert!(
        replace(&path, &Named::ByUser, say("new")).is_err(),
        "nobody reads"
    );
    let writer = {
        let path = path.clone();
        std::thread::spawn(move || fs::write(path, "text"))
    };
    assert_eq!(read().expect("its text"), "text");
    writer.join().expect("a thread").expect("a reader");
    let error = open(Path::new("/dev/zero"), Readable::Pipes)
        .map(|_| ())
        .expect_err("a device");
    assert!(
        error.to_string().contains("a device may have no end"),
        "{error}"
    );
}

#[cfg(target_os = "linux")]
fn make_pipe(path: &Path) {
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        path,
        rustix::fs::Mode::from_raw_mode(0o600),
    )
    .expect("a pipe");
}
