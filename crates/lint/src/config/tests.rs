use super::*;

/// Creates configurations of a file system with these files.
fn configs(files: &'static [(&'static str, &'static str)], overrides: Options) -> Configs {
    let read = |path: &Path, _: &Named| {
        let file = files.iter().find(|(name, _)| Path::new(name) == path);
        let text = |text: &str| FileText {
            text: text.to_owned(),
            is_linked: path.ends_with("linked/a2lint.toml"),
        };
        file.map(|(_, it)| text(it))
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    };
    Configs::new(Box::new(read), Origin::Nearest, overrides, "/p".into())
}

fn own(text: &str) -> Result<Options, ConfigError> {
    parse(Path::new("/p/a2lint.toml"), text).map(Option::unwrap_or_default)
}

fn place(text: &str) -> (String, String, Option<String>) {
    let error = own(text).expect_err("the text is wrong");
    let span = error.span.clone().expect("a place");
    (text[span].to_owned(), error.message, error.help)
}

#[test]
fn the_nearest_file_that_speaks_of_us_decides() {
    let configs = configs(
        &[
            ("/p/a2lint.toml", "pedantic = true\n"),
            ("/p/a/pyproject.toml", "[tool.other]\nx = 1\n"),
            ("/p/b/pyproject.toml", "[tool.a2lint]\ndevice = \"a3\"\n"),
        ],
        Options::default(),
    );
    let settings = |path: &str| {
        let path = Path::new(path);
        configs
            .of_file(path)
            .expect("a configuration")
            .settings(path)
    };
    assert!(settings("/p/k.py").pedantic);
    assert!(settings("/p/a/deep/k.py").pedantic);
    let nested = settings("/p/b/k.py");
    assert_eq!((nested.pedantic, nested.trace.device.name), (false, "a3"));
    assert!(!settings("/elsewhere/k.py").pedantic);
}

#[test]
fn wrong_keys_and_values_are_pointed_at() {
    let (text, message, help) = place("pedantic = true\nper-file-ignore = {}\n");
    assert_eq!(text, "per-file-ignore");
    assert_eq!(message, "unknown key `per-file-ignore`");
    assert_eq!(help.as_deref(), Some("did you mean `per-file-ignores`?"));
    let (text, message, _) = place("select = [\"ub-overflow\", \"l0c-overfow\"]\n");
    assert_eq!(text, "\"l0c-overfow\"");
    assert_eq!(
        message,
        "no rule is called `l0c-overfow`; did you mean `l0c-overflow`?"
    );
    assert_eq!(place("device = \"a5\"\n").0, "\"a5\"");
    assert_eq!(place("[rules]\ndup-coverage = \"loud\"\n").0, "\"loud\"");
    assert_eq!(place("[rules]\ndup-covrage = \"error\"\n").0, "dup-covrage");
    assert_eq!(place("pedantic = 1\n").0, "1");
    assert_eq!(place("exclude = [\"a[\"]\n").0, "\"a[\"");
    assert!(own("pedantic = \n").is_err());
}

#[test]
fn paths_are_patterns_below_the_file_in_either_slash() {
    let configs = configs(
        &[(
            "/p/a2lint.toml",
            "exclude = [\"third\\\\party\", \"gen_*.py\"]\n\
             [per-file-ignores]\n'tests\\**\\*.py' = [\"dup-coverage\"]\n",
        )],
        Options::default(),
    );
    let config = configs.of_folder(Path::new("/p")).expect("a configuration");
    assert!(config.excludes(Path::new("/p/third/party/deep/k.py"), false));
    assert!(config.excludes(Path::new("/p/a/gen_k.py"), false));
    assert!(!config.excludes(Path::new("/p/third/k.py"), false));
    assert!(!config.excludes(Path::new("/other/gen_k.py"), false));
    let ignored = |path: &str| config.settings(Path::new(path)).ignore;
    assert_eq!(ignored("/p/tests/a/k.py"), ["dup-coverage"]);
    assert!(ignored("/p/src/k.py").is_empty());
}

#[test]
fn the_command_line_beats_the_file() {
    let over = own("select = [\"CAP\"]\n[rules]\nCOV = \"warn\"\n").expect("options");
    let below = own("ignore = [\"ub-overflow\"]\ndevice = \"b1\"\n\
         [rules]\ndup-coverage = \"error\"\nub-overflow = \"info\"\n")
    .expect("options");
    let both = over.over(below);
    assert_eq!(both.ignore, None);
    assert_eq!(both.device.map(|device| device.0.name), Some("b1"));
    let rules = both.rules.expect("levels");
    let names: Vec<&str> = rules.keys().map(RulePattern::as_str).collect();
    assert_eq!(names, ["COV", "ub-overflow"]);
}

#[test]
fn the_most_precise_name_decides_the_level() {
    let options = own("[rules]\nCAP = \"ignore\"\nub-overflow = \"warn\"\nCOV001 = \"info\"\n");
    let configs = configs(&[], options.expect("options"));
    let path = Path::new("/p/k.py");
    let settings = configs
        .of_file(path)
        .expect("a configuration")
        .settings(path);
    assert!(settings.ignore.contains(&"l0c-overflow".to_owned()));
    assert!(!settings.ignore.contains(&"ub-overflow".to_owned()));
    let expected = [
        ("ub-overflow", Severity::Warning),
        ("dup-coverage", Severity::Info),
    ];
    assert_eq!(settings.severities, expected);
}

#[test]
fn nothing_of_a_linked_file_is_said() {
    let texts = [
        "SECRET=hunter2",
        "hunter2 = 1",
        "device = \"hunter2\"",
        "exclude = [\"hunter2[\"]",
    ];
    for text in texts {
        let files = Box::leak(Box::new([
            ("/p/linked/a2lint.toml", text),
            ("/p/a2lint.toml", text),
        ]));
        let configs = configs(files, Options::default());
        let error = |folder: &str| {
            configs
                .of_folder(Path::new(folder))
                .expect_err("it is wrong")
        };
        assert!(
            !format!("{:?}", error("/p/linked")).contains("hunter2"),
            "{text}"
        );
        assert!(format!("{:?}", error("/p")).contains("hunter2"), "{text}");
    }
}

#[test]
fn a_baseline_is_known_by_who_named_it() {
    let configs = configs(
        &[("/p/a/a2lint.toml", "baseline = \"b.json\"")],
        own("").expect("options"),
    );
    let config = configs
        .of_folder(Path::new("/p/a"))
        .expect("a configuration");
    let given = config.baseline.clone().expect("a baseline");
    assert_eq!(given.path, Path::new("/p/a/b.json"));
    assert_eq!(given.named, Named::In("/p/a".into()));
}

#[test]
fn configurations_have_bounds_together() {
    let list = vec!["\"a*b\""; MAX_PATTERNS / 2].join(",");
    let text: &str = format!("exclude = [{list}]").leak();
    let files = [1, 2, 3].map(|at| (&*format!("/p/{at}/a2lint.toml").leak(), text));
    let configs = configs(Box::leak(Box::new(files)), Options::default());
    let of = |folder: &str| configs.of_folder(Path::new(folder));
    assert!(of("/p/1").is_ok() && of("/p/2").is_ok());
    let error = of("/p/3").expect_err("too many");
    assert!(error.message.contains("10000 patterns"), "{error}");
    assert!(of("/p/1").is_ok());
}

#[test]
#[cfg(unix)]
fn what_other_tools_link_to_is_refused_where_it_speaks_of_us() {
    use std::fs;
    use std::os::unix::fs::symlink;
    let disk = tempfile::tempdir().expect("a folder");
    let at = |name: &str| disk.path().join(name);
    fs::create_dir_all(at("inside/.git")).expect("folders");
    let path = at("inside/pyproject.toml");
    fs::write(at("secret"), "secret").expect("a file");
    symlink(at("secret"), &path).expect("a link");
    let kind = || {
        let text = read(&path, &Named::In(at("inside")));
        text.map(|_| ()).expect_err("a refusal").kind()
    };
    assert_eq!(kind(), io::ErrorKind::NotFound);
    fs::write(at("secret"), "[tool.a2lint]").expect("a file");
    assert_eq!(kind(), io::ErrorKind::InvalidInput);
}

#[test]
#[cfg(unix)]
fn a_baseline_that_a_configuration_names_stays_in_its_project() {
    use std::fs;
    let disk = tempfile::tempdir().expect("a folder");
    let at = |name: &str| disk.path().join(name);
    fs::create_dir_all(at("inside/.git")).expect("folders");
    fs::write(at("secret"), "secret").expect("a file");
    let given = GivenBaseline {
        path: at("inside/../secret"),
        named: Named::In(at("inside")),
    };
    let error = given.read().expect_err("a refusal");
    assert!(error.contains("outside of the project"), "{error}");
}
