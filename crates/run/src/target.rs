//! `FILE[::KERNEL]`: reads and traces the file of a command, and selects its kernels.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::spec::{Lines, split_lines};
use a2lint_frontend::is_library;
use a2lint_ir::{Module, Program};
use a2lint_lint::check::FileReport;
use a2lint_lint::check::{Results, Settings, kernels_of_header, trace, trace_ascendc};
use a2lint_lint::config::{ConfigError, Configs, Options, Origin};
use a2lint_project::{self as project, Modules, SourceMap};
use a2lint_source::files::{self, InputError};
use a2lint_source::language::Language;
use a2lint_source::spelling::nearest;
use a2lint_source::text::SourceText;

/// Why a target cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The file has no such kernel.
    #[error("{path} has no kernel `{kernel}`{hint}")]
    UnknownKernel {
        /// The file.
        path: String,
        /// The kernel.
        kernel: String,
        /// A similar name, or the existing kernels.
        hint: String,
    },
    /// The file has no kernels.
    #[error("{path}: no kernels found")]
    NoKernels {
        /// The file.
        path: String,
    },
    /// All kernels failed to be analysed.
    #[error("{path}: not analysed: {reason}")]
    NotAnalysed {
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
}

/// A file, or one of its kernels.
pub struct Target {
    /// The file, with the text of the files that it imports after its own.
    pub report: FileReport,
    /// The traced file.
    pub module: Module,
    /// Maps spans to the files.
    pub map: SourceMap,
    /// The settings for the file.
    pub settings: Settings,
    /// The header that the user named in place of the file that includes it.
    header: Option<PathBuf>,
    kernel: Option<String>,
    /// For each kernel, set once it is known to have no errors but those that a run shows.
    spotless: Vec<OnceLock<()>>,
}

impl Target {
    /// Reads and traces the file of `FILE[::KERNEL]`.
    pub fn open(target: &str) -> Result<Target, TargetError> {
        let (path, kernel) = match target.rsplit_once("::") {
            Some((path, kernel)) => (path, Some(kernel.to_owned())),
            None => (target, None),
        };
        let source = files::read_source(Path::new(path))?;
        Target::of(path, &source, kernel)
    }

    /// Reads and traces the file of `FILE[::KERNEL]` or `FILE:LINE[-LINE]`, and returns the lines. Lines of a header
    /// are those of the kernel that includes it.
    pub fn open_at(target: &str) -> Result<(Target, Option<Lines>), TargetError> {
        let (path, lines) = split_lines(target);
        let opened = Target::open(path)?;
        let lines = lines.map(|lines| opened.lines(lines));
        Ok((opened, lines))
    }

    /// Returns lines of the file that the user named as lines of that file, which may be a header.
    pub fn lines(&self, lines: Lines) -> Lines {
        let file = lines.file.or_else(|| self.header.clone());
        Lines { file, ..lines }
    }

    /// Reads and traces a regular file for a client. Pipes, devices and standard input are refused: reading one
    /// may block for ever, and the request would keep its place.
    pub fn open_regular(path: &str, kernel: Option<String>) -> Result<Target, TargetError> {
        let source = files::read_regular(Path::new(path))?;
        Target::of(path, &source, kernel)
    }

    /// Traces a text as if it were at a path.
    pub fn of(
        path: &str,
        source: &SourceText,
        kernel: Option<String>,
    ) -> Result<Target, TargetError> {
        Target::traced(path, source, kernel, None)
    }

    /// Traces a text. A header has no kernels: the file that includes it is traced in its place.
    fn traced(
        path: &str,
        source: &SourceText,
        kernel: Option<String>,
        header: Option<PathBuf>,
    ) -> Result<Target, TargetError> {
        let mut settings = settings(Path::new(path))?;
        let (absolute, here) = (
            files::absolute(Path::new(path)),
            files::absolute(Path::new(".")),
        );
        settings.trace.project = project::of(&absolute, &project::files(is_library), Some(&here));
        let (module, map) = match Language::of_path(Path::new(path)) {
            Some(Language::Cpp) => {
                let (module, map) = trace_ascendc(source, &settings);
                let user = kernels_of_header(&module, &settings);
                if let Some((user, text)) = user.filter(|_| header.is_none()) {
                    let user = shown(&user, &here);
                    let header = PathBuf::from(shown(&absolute, &here));
                    return Target::traced(&user, &text, kernel, Some(header));
                }
                (module, map)
            }
            _ => {
                let (modules, own) = Modules::read(source, settings.trace.project.as_ref());
                (trace(&modules, own.syntax(), &settings), modules.map)
            }
        };
        let spotless = module.programs.iter().map(|_| OnceLock::new()).collect();
        let report = FileReport {
            path: files::shown(Path::new(path)),
            source: map.source.clone(),
            analysis: Results::default(),
        };
        Ok(Target {
            report,
            module,
            map,
            settings,
            header,
            kernel,
            spotless,
        })
    }

    /// Returns the cell that records that a kernel has no errors but those that a run shows.
    pub fn spotless(&self, program: &Program) -> Option<&OnceLock<()>> {
        let mut programs = self.module.programs.iter();
        let at = programs.position(|known| std::ptr::eq(known, program));
        self.spotless.get(at?)
    }

    /// Returns the selected kernels, or why there is none.
    pub fn programs(&self) -> Result<Vec<&Program>, TargetError> {
        choose(&self.report.path, &self.module, self.kernel.as_deref())
    }
}

/// Returns the path of a file as a user would write it.
fn shown(path: &Path, here: &Path) -> String {
    let path = path.strip_prefix(here).unwrap_or(path);
    path.to_string_lossy().into_owned()
}

/// Returns the settings of the nearest configuration for a file.
pub fn settings(path: &Path) -> Result<Settings, TargetError> {
    let here = files::absolute(Path::new("."));
    let options = Options::default();
    let configs = Configs::new(
        Box::new(a2lint_lint::config::read),
        Origin::Nearest,
        options,
        here,
    );
    let path = files::absolute(path);
    Ok(configs.of_file(&path)?.settings(&path))
}

/// Returns the kernels with this name, or all.
fn choose<'a>(
    path: &str,
    module: &'a Module,
    kernel: Option<&str>,
) -> Result<Vec<&'a Program>, TargetError> {
    let wanted = |name: &str| kernel.is_none_or(|kernel| kernel == name);
    let programs = module.programs.iter();
    let programs: Vec<_> = programs.filter(|program| wanted(&program.name)).collect();
    if !programs.is_empty() {
        return Ok(programs);
    }
    let path = path.to_owned();
    let missing = module.not_analysed.iter();
    let mut missing = missing.filter(|entry| entry.kernel.as_deref().is_none_or(wanted));
    if let Some(entry) = missing.next() {
        let reason = entry.reason.clone();
        return Err(TargetError::NotAnalysed { path, reason });
    }
    Err(match kernel {
        Some(kernel) if !module.programs.is_empty() => TargetError::UnknownKernel {
            path,
            kernel: kernel.to_owned(),
            hint: hint(module, kernel),
        },
        _ => TargetError::NoKernels { path },
    })
}

/// Formats the kernel that was probably meant, or all kernels.
fn hint(module: &Module, kernel: &str) -> String {
    let names = || module.programs.iter().map(|program| program.name.as_str());
    match nearest(kernel, names()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!("; it has {}", names().collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_ir::NotAnalysed;

    fn module() -> Module {
        let named = |name: &str| Program {
            name: name.to_owned().into(),
            ..Program::default()
        };
        Module {
            programs: vec![named("softmax"), named("matmul")],
            ..Module::default()
        }
    }

    fn message(module: &Module, kernel: Option<&str>) -> String {
        choose("k.py", module, kernel).unwrap_err().to_string()
    }

    #[test]
    fn kernels_are_chosen_by_name() {
        assert_eq!(choose("k.py", &module(), None).unwrap().len(), 2);
        assert_eq!(choose("k.py", &module(), Some("matmul")).unwrap().len(), 1);
        assert_eq!(
            message(&module(), Some("softmx")),
            "k.py has no kernel `softmx`; did you mean `softmax`?"
        );
        assert_eq!(
            message(&module(), Some("zzz")),
            "k.py has no kernel `zzz`; it has softmax, matmul"
        );
    }

    #[test]
    fn files_without_kernels_say_why() {
        let mut module = Module::default();
        assert_eq!(message(&module, None), "k.py: no kernels found");
        module.not_analysed.push(NotAnalysed {
            kernel: None,
            reason: "an A5 facade".to_owned(),
        });
        assert_eq!(message(&module, None), "k.py: not analysed: an A5 facade");
    }
}
