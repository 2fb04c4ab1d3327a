//! Configuration: the options that `a2lint.toml` and `[tool.a2lint]` set for files in their folder and below.
//!
//! Nothing here accesses the file system, except for `read`, whose function [`Configs`] is usually given.

mod error;
mod globs;
mod options;
mod read;
mod schema;
mod values;

pub use a2lint_source::disk::{FileText, Named};
pub use error::ConfigError;
pub use options::{Options, parse};
pub use read::read;
pub use schema::schema;
pub use values::{DeviceName, Glob, LaunchArgument, Level, ReplayWork, RulePattern};

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::baseline::GivenBaseline;
use crate::check::{Settings, matches};
use a2lint_frontend::TraceOptions;
use a2lint_ir::GivenLaunch;
use a2lint_ir::finding::Severity;
use a2lint_rules::RULES;
use globs::Globs;

/// The name of a2lint's own configuration file.
pub const OWN_FILE: &str = "a2lint.toml";
/// The name of the file in which Python projects configure their tools.
pub const PYPROJECT: &str = "pyproject.toml";

/// Options, the folder that their relative paths start from, and who named their file.
type Layer<'a> = (&'a Path, &'a Options, Named);

/// The configuration for the files of one folder.
#[derive(Debug)]
pub struct Config {
    /// The configuration file; `None` without one.
    pub path: Option<PathBuf>,
    /// All options that are set, including those of the command line.
    pub options: Options,
    /// The baseline, with its path resolved.
    pub baseline: Option<GivenBaseline>,
    exclude: Vec<Globs>,
    per_file: Vec<(Globs, Vec<RulePattern>)>,
}

impl Config {
    /// Merges layers of options; later layers take precedence.
    fn new(path: Option<PathBuf>, layers: &[Layer]) -> Result<Config, ConfigError> {
        let mut config = Config {
            path,
            options: Options::default(),
            baseline: None,
            exclude: Vec::new(),
            per_file: Vec::new(),
        };
        for (root, options, named) in layers {
            config
                .exclude
                .push(Globs::new(root, options.exclude.iter().flatten())?);
            for (glob, rules) in options.per_file_ignores.iter().flatten() {
                config
                    .per_file
                    .push((Globs::new(root, [glob])?, rules.clone()));
            }
            if let Some(baseline) = &options.baseline {
                config.baseline = Some(GivenBaseline {
                    path: root.join(baseline),
                    named: named.clone(),
                });
            }
            config.options = Options::clone(options).over(config.options);
        }
        Ok(config)
    }

    /// Returns whether a file or folder, given by its absolute path, is excluded.
    pub fn excludes(&self, path: &Path, is_dir: bool) -> bool {
        self.exclude.iter().any(|globs| globs.matches(path, is_dir))
    }

    /// Returns the settings for a file, given by its absolute path.
    pub fn settings(&self, path: &Path) -> Settings {
        let options = &self.options;
        let names = |list: &Option<Vec<RulePattern>>| -> Vec<String> {
            list.iter()
                .flatten()
                .map(|pattern| pattern.0.clone())
                .collect()
        };
        let mut settings = Settings {
            pedantic: options.pedantic.unwrap_or(false),
            select: names(&options.select),
            extend_select: names(&options.extend_select),
            ignore: names(&options.ignore),
            replay: options.replay.unwrap_or(true),
            // Proofs are an expensive part, too, so one option turns off both.
            prove: options.replay.unwrap_or(true),
            replay_work: options.replay_work.unwrap_or_default().0,
            bindings: options.bindings.clone(),
            trace: TraceOptions {
                device: options.device.unwrap_or_default().0,
                repeat_rounding: options.repeat_rounding.unwrap_or_default(),
                launches: self.launches(),
                project: None,
            },
            saturate: options.saturate.unwrap_or(false),
            ..Settings::default()
        };
        for (globs, rules) in &self.per_file {
            if globs.matches(path, false) {
                settings
                    .ignore
                    .extend(rules.iter().map(|rule| rule.0.clone()));
            }
        }
        self.set_levels(&mut settings);
        settings
    }

    /// Returns the configured launches, by kernel and in order.
    fn launches(&self) -> Vec<GivenLaunch> {
        let given = self.options.launches.iter().flatten();
        let launch = |kernel: &String, arguments: &BTreeMap<String, LaunchArgument>| GivenLaunch {
            kernel: kernel.clone().into(),
            arguments: arguments
                .iter()
                .map(|(name, value)| (name.clone(), value.argument().clone()))
                .collect(),
        };
        let of_kernel = |(kernel, launches): (&String, &Vec<_>)| {
            let launches = launches.iter().map(|arguments| launch(kernel, arguments));
            launches.collect::<Vec<_>>()
        };
        given.flat_map(of_kernel).collect()
    }

    /// Sets the severities of rules, or ignores them: of several patterns for a rule, its name decides, else the
    /// longest.
    fn set_levels(&self, settings: &mut Settings) {
        for rule in RULES {
            let levels = self.options.rules.iter().flatten();
            let level = levels
                .filter(|(pattern, _)| matches(rule, &pattern.0))
                .max_by_key(|(pattern, _)| (rule.name == pattern.0, pattern.0.len()))
                .map(|(_, level)| *level);
            let severity = match level {
                None => continue,
                Some(Level::Ignore) => {
                    settings.ignore.push(rule.name.to_owned());
                    continue;
                }
                Some(Level::Info) => Severity::Info,
                Some(Level::Warn) => Severity::Warning,
                Some(Level::Error) => Severity::Error,
            };
            settings.severities.push((rule.name, severity));
        }
    }
}

/// The source of the configuration.
#[derive(Clone, Debug)]
pub enum Origin {
    /// The nearest file above each folder.
    Nearest,
    /// This file, for every folder.
    File(PathBuf),
    /// No file: only the command line.
    Isolated,
}

/// Reads a configuration file, which was named by the user or found.
pub type Reader = dyn Fn(&Path, &Named) -> io::Result<FileText> + Send + Sync;

/// The configurations of folders, each read once.
pub struct Configs {
    read: Box<Reader>,
    origin: Origin,
    /// Options of the command line or the editor, which take precedence.
    overrides: Options,
    /// The folder that relative paths in `overrides` start from.
    root: PathBuf,
    known: Mutex<HashMap<PathBuf, Result<Arc<Config>, ConfigError>>>,
    /// Total size of the configurations found so far in bytes, and the number of their patterns.
    found: Mutex<(usize, usize)>,
}

/// Limit of the total size of found configurations in bytes.
const MAX_BYTES: usize = 16 << 20;
/// Limit of the total number of their patterns. A compiled pattern takes a thousand times as much memory as its text,
/// and time for every file.
const MAX_PATTERNS: usize = 10_000;

impl Configs {
    /// Creates an empty cache; `root` is an absolute folder.
    pub fn new(read: Box<Reader>, origin: Origin, overrides: Options, root: PathBuf) -> Configs {
        Configs {
            read,
            origin,
            overrides,
            root,
            known: Mutex::default(),
            found: Mutex::default(),
        }
    }

    /// Counts a found configuration, and fails if a limit is exceeded. A hostile repository may have one in each of
    /// its folders.
    fn admit(&self, path: &Path, text: &str, options: &Options) -> Result<(), ConfigError> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let (bytes, patterns) = &mut *found;
        *bytes += text.len();
        *patterns += options.exclude.as_ref().map_or(0, Vec::len);
        *patterns += options.per_file_ignores.as_ref().map_or(0, BTreeMap::len);
        if *bytes > MAX_BYTES {
            let limit = format!("{} MiB", MAX_BYTES >> 20);
            return Err(ConfigError::too_much(path, &limit));
        }
        if *patterns > MAX_PATTERNS {
            return Err(ConfigError::too_much(
                path,
                &format!("{MAX_PATTERNS} patterns"),
            ));
        }
        Ok(())
    }

    /// Returns the configuration for a file, given by its absolute path.
    pub fn of_file(&self, path: &Path) -> Result<Arc<Config>, ConfigError> {
        self.of_folder(path.parent().unwrap_or(path))
    }

    /// Returns the configuration for the files of a folder, given by its absolute path.
    pub fn of_folder(&self, folder: &Path) -> Result<Arc<Config>, ConfigError> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(config) = known.get(folder) {
            return config.clone();
        }
        drop(known);
        let config = self.find(folder);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(folder.to_owned(), config.clone());
        config
    }

    fn find(&self, folder: &Path) -> Result<Arc<Config>, ConfigError> {
        match &self.origin {
            Origin::Isolated => self.without_file(),
            Origin::File(path) => {
                let read = (self.read)(path, &Named::ByUser);
                let read = read.map_err(|cause| ConfigError::unreadable(path, &cause))?;
                let options = parse(path, &read.text)?.unwrap_or_default();
                self.with_file(path, &options, Named::ByUser)
            }
            Origin::Nearest => {
                for name in [OWN_FILE, PYPROJECT] {
                    let path = folder.join(name);
                    let named = Named::In(folder.to_owned());
                    let read = match (self.read)(&path, &named) {
                        Ok(read) => read,
                        Err(cause) if means_no_config(name, &cause) => continue,
                        Err(cause) => return Err(ConfigError::unreadable(&path, &cause)),
                    };
                    let config = match parse(&path, &read.text) {
                        Ok(None) => continue,
                        Ok(Some(options)) => self
                            .admit(&path, &read.text, &options)
                            .and_then(|()| self.with_file(&path, &options, named)),
                        Err(error) => Err(error),
                    };
                    return match read.is_linked {
                        true => config.map_err(|_| ConfigError::of_link(&path)),
                        false => config,
                    };
                }
                match folder.parent() {
                    Some(parent) => self.of_folder(parent),
                    None => self.without_file(),
                }
            }
        }
    }

    fn with_file(
        &self,
        path: &Path,
        options: &Options,
        named: Named,
    ) -> Result<Arc<Config>, ConfigError> {
        let folder = path.parent().unwrap_or(path);
        let layers = [(folder, options, named), self.overrides()];
        Config::new(Some(path.to_owned()), &layers).map(Arc::new)
    }

    fn without_file(&self) -> Result<Arc<Config>, ConfigError> {
        Config::new(None, &[self.overrides()]).map(Arc::new)
    }

    fn overrides(&self) -> Layer<'_> {
        (self.root.as_path(), &self.overrides, Named::ByUser)
    }
}

/// Returns whether an error means that there is no configuration here: the file does not exist or may not be read, or a
/// `pyproject.toml` is not UTF-8.
fn means_no_config(name: &str, cause: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, NotADirectory, NotFound, PermissionDenied};
    match cause.kind() {
        NotFound | NotADirectory | PermissionDenied => true,
        InvalidData => name == PYPROJECT,
        _ => false,
    }
}

impl std::fmt::Debug for Configs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Configs")
            .field("origin", &self.origin)
            .field("overrides", &self.overrides)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
