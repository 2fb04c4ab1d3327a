//! Configuration files, from the text to what holds for a file.

use std::io;
use std::path::{Path, PathBuf};

use a2lint::check::Settings;
use a2lint::config::{Configs, FileText, Named, Options, Origin, parse};
use a2lint::report::{Paint, config_error};

/// Reads a configuration and asks it about files.
pub fn read(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for name in ["a2lint.toml", "pyproject.toml"] {
        let parsed = parse(Path::new(name), text);
        if let Ok(Some(options)) = &parsed {
            // `--show-settings` prints what can be read again.
            let shown = serde_json::to_string(options).expect("options are data");
            let again: Options = serde_json::from_str(&shown).expect("what we wrote");
            assert_eq!(&again, options);
        }
        if let Err(error) = parsed {
            config_error(&error, Paint::Coloured);
        }
        ask(name, text);
    }
}

fn ask(name: &'static str, text: &str) {
    let text = FileText {
        text: text.to_owned(),
        is_linked: false,
    };
    let at = PathBuf::from("/p").join(name);
    let read = move |path: &Path, _: &Named| match path == at {
        true => Ok(text.clone()),
        false => Err(io::ErrorKind::NotFound.into()),
    };
    let root = PathBuf::from("/p");
    let configs = Configs::new(Box::new(read), Origin::Nearest, Options::default(), root);
    for file in ["/p/k.py", "/p/sub/deep/行.ptx", "/p/[x]{y}/*.py"] {
        let path = Path::new(file);
        match configs.of_file(path) {
            Ok(config) => {
                config.excludes(path, false);
                let settings: Settings = config.settings(path);
                settings.rules();
            }
            Err(error) => {
                config_error(&error, Paint::Plain);
            }
        }
    }
}
