//! Facts about a kernel in the files of its project: the structs of its tiling data, the element types that its
//! operator is registered for, its tiling keys and its template arguments.
//!
//! Host files are searched as text, since the declarations have fixed forms. A name with two different definitions is
//! unknown.

mod columns;
mod flags;
mod launches;
pub mod products;
mod rows;
mod structs;
mod templates;
pub mod texts;

use std::path::{Path, PathBuf};

use a2lint_isa::masks::Target;
use a2lint_project::Project;
use a2lint_source::text::{Slice, SourceText};

pub use columns::{Column, Element, columns};
pub use flags::orders_nothing;
pub use launches::launches;
pub use structs::declarations;
pub use templates::{Value, lists};

/// The name of an operator's folder with kernels. Builds copy its files to the folder of the operator.
pub const KERNELS: &str = "op_kernel";

/// Returns the folder of the operator that a kernel file belongs to: the parent of `op_kernel`, else the folder of the
/// file.
fn operator_of(project: &Project) -> &Path {
    let folders = project.path.ancestors().skip(1);
    let mut folders = folders.take_while(|it| it.starts_with(&project.root));
    let kernels = folders.find(|it| it.file_name().is_some_and(|name| name == KERNELS));
    let around = kernels.and_then(Path::parent);
    let around = around.filter(|it| it.starts_with(&project.root));
    around.or(project.path.parent()).unwrap_or(&project.root)
}

/// Returns the texts of the files that define a name. The search goes from the folder of the operator upwards and stops
/// at the first folder that contains such files. Files for other devices are skipped, and files of tests unless there
/// are no others.
fn defining(project: &Project, name: &str) -> Vec<SourceText> {
    let (files, root) = (&project.files, &project.root);
    let mut of_tests = Vec::new();
    let own = operator_of(project);
    let folders = own.ancestors().take_while(|it| it.starts_with(root));
    for (level, folder) in folders.enumerate() {
        let mut paths = files.defining(root, folder, name, level > 0);
        let below = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_owned();
        paths.retain(|path| {
            let targets = Target::of_folders(&below(path));
            targets.is_none_or(|targets| targets.contains(&Target::A2A3))
        });
        let (tests, others): (Vec<_>, Vec<_>) =
            paths.into_iter().partition(|path| is_test(&below(path)));
        let texts = |paths: Vec<PathBuf>| {
            let texts = paths.into_iter().filter_map(|path| files.text(root, &path));
            texts.collect::<Vec<_>>()
        };
        if !others.is_empty() {
            return texts(others);
        }
        if of_tests.is_empty() {
            of_tests = texts(tests);
        }
    }
    of_tests
}

/// Returns whether a file belongs to tests or examples, by the names of its folders.
fn is_test(path: &Path) -> bool {
    const TESTS: &[&str] = &["tests", "test", "ut", "st", "examples", "example"];
    let mut folders = path.components().filter_map(|it| it.as_os_str().to_str());
    folders.any(|folder| TESTS.contains(&folder))
}

/// Words that occur only in host code.
const HOST: &[&str] = &[
    "GmAlloc",
    "ICPU_RUN_KF",
    "OpDef",
    "acl/acl.h",
    "aclrt",
    "gtest/gtest.h",
    "platform_ascendc",
    "register/",
    "tiling/tiling_api.h",
];

/// Returns whether a text is host code without device code: it defines no `__aicore__` function.
pub fn is_of_host(text: &str) -> bool {
    let text = texts::compiled(text);
    let is_code = |at: usize| {
        let rest = text.part(at..);
        let end = rest.find(['{', ';']);
        end.is_some_and(|end| rest.part(end..).starts_with('{'))
    };
    let has_code = texts::places(&text, "__aicore__").any(is_code);
    !has_code && HOST.iter().any(|word| text.contains(word))
}

/// Path prefixes of toolchain headers. Project files with such paths are stubs and are not read.
const TOOLCHAIN: &[&str] = &[
    "acl/",
    "acl_",
    "aclnn",
    "adv_api/",
    "ascendc",
    "basic_api/",
    "exe_graph/",
    "graph/",
    "gtest/",
    "hccl/",
    "kernel_basic",
    "kernel_log",
    "kernel_operator",
    "kernel_tiling/",
    "kernel_tpipe",
    "kernel_type",
    "lib/",
    "register/",
    "runtime/",
    "securec",
    "tikicpulib",
    "tiling/platform/",
    "tiling/tiling_api",
    "torch",
];

/// Returns whether a header may belong to the project, by the path in its include.
pub fn is_of_project(name: &str) -> bool {
    !TOOLCHAIN.iter().any(|start| name.starts_with(start))
}
