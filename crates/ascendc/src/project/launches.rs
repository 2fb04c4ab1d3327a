//! Launches that other files of the project make: unit tests of a kernel, and programs that start it.

use std::path::Path;

use a2lint_cpp::eval::STANDARD;
use a2lint_cpp::syntax::{Settings, Source, read};
use a2lint_ir::Module;
use a2lint_project::Project;

use super::operator_of;
use super::texts::places;
use crate::host::{self, Elsewhere};
use crate::prelude;

/// Maximum number of files that are searched for launches of one kernel.
const MAX_FILES: usize = 16;
/// Maximum number of bytes of such a file.
const MAX_BYTES: usize = 1 << 18;
/// Texts in code that starts a kernel.
const STARTS: &[&str] = &["ICPU_RUN_KF", "<<<", "ACLRT_LAUNCH_KERNEL"];

/// Macros that tests define for kernels, and the names of the build for the same.
const MACROS: &[(&str, &str)] = &[
    ("TEST_F(suite, name)", "void A2lintTest##suite##name()"),
    ("TEST_P(suite, name)", "void A2lintTest##suite##name()"),
    ("TEST(suite, name)", "void A2lintTest##suite##name()"),
    ("__CCE_KT_TEST__", "1"),
    ("ASCENDC_CPU_DEBUG", "1"),
];

/// Adds the launches of the kernels of a module that other files of the project make: those of the operator, and those
/// of tests elsewhere that are named after a kernel.
pub fn launches(kernels: &[String], project: Option<&Project>, module: &mut Module) {
    let Some(project) = project else { return };
    let (files, root) = (&project.files, &project.root);
    let own = operator_of(project);
    let mut paths = files.inside(root, own);
    let is_named = |path: &Path| {
        let name = path.file_stem().and_then(|it| it.to_str()).unwrap_or("");
        kernels
            .iter()
            .any(|kernel| !kernel.is_empty() && name == format!("test_{kernel}"))
    };
    if own != root.as_path() {
        let all = files.inside(root, root).into_iter();
        paths.extend(all.filter(|path| !path.starts_with(own) && is_named(path)));
    }
    let mut left = MAX_FILES;
    for path in paths {
        if path == project.path {
            continue;
        }
        let Some(text) = files.text(root, &path) else {
            continue;
        };
        let is_mentioned = |kernel: &String| places(text.as_str(), kernel).next().is_some();
        let starts = STARTS.iter().any(|word| text.as_str().contains(word));
        if !starts || text.as_str().len() > MAX_BYTES || !kernels.iter().any(is_mentioned) {
            continue;
        }
        if left == 0 {
            let what = "of the files that start the kernel, only the first";
            module
                .not_read
                .push(format!("{what} {MAX_FILES} were read"));
            return;
        }
        left -= 1;
        let macros: Vec<_> = MACROS
            .iter()
            .chain(prelude::SETTINGS.macros)
            .copied()
            .collect();
        let settings = Settings {
            macros: &macros,
            prelude: STANDARD,
            ..prelude::SETTINGS
        };
        let source = Source {
            path: path.clone(),
            text: text.clone(),
            base: 0,
        };
        let unit = read(source, &settings, &mut |_, _| None);
        let shown = path.strip_prefix(&project.here).unwrap_or(&path);
        let elsewhere = Elsewhere {
            shown: shown.display().to_string(),
            text,
        };
        host::read(&unit, Some(&elsewhere), module);
    }
}
