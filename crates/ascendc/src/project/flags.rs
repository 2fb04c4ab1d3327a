//! Compiler flags in the build files of an operator.

use std::ffi::OsStr;

use a2lint_project::{Project, folded_name};

use super::operator_of;

/// Returns whether the build of an operator disables the compiler's automatic synchronisation: one of its build files
/// disables it and none enables it.
pub fn orders_nothing(project: Option<&Project>) -> bool {
    let Some(project) = project else {
        return false;
    };
    let operator = operator_of(project);
    let folders = [
        Some(operator.to_owned()),
        project.path.parent().map(ToOwned::to_owned),
        Some(operator.join("op_host")),
    ];
    let (mut off, mut on) = (false, false);
    for folder in folders.into_iter().flatten() {
        let path = folder.join("CMakeLists.txt");
        let Some(text) = project.files.text(&project.root, &path) else {
            continue;
        };
        for line in text.as_str().lines() {
            let line = line.split('#').next().unwrap_or_default();
            if is_for_another(line, project.path.file_stem()) {
                continue;
            }
            off |= line.contains("--cce-auto-sync=off");
            on |= line.contains("--cce-auto-sync=on");
        }
    }
    off && !on
}

/// Returns whether a line sets options of an operator other than that of a file: `add_ops_compile_options(Other …)`.
fn is_for_another(line: &str, file: Option<&OsStr>) -> bool {
    let Some((_, rest)) = line.split_once("add_ops_compile_options(") else {
        return false;
    };
    let name = rest.split_whitespace().next().unwrap_or_default();
    let file = file.unwrap_or_default().to_string_lossy();
    let is_variable = name.is_empty() || name.contains('$');
    name != "ALL" && !is_variable && !folded_name(&file).starts_with(&folded_name(name))
}
