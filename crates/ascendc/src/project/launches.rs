//! Launches in other files of the project: unit tests of a kernel, and programs that start it.

use std::path::Path;

use a2lint_isa::masks::Target;
use a2lint_project::Project;
use a2lint_source::text::Slice;

use super::operator_of;
use super::products::is_a2_chip;
use super::texts::{compiled, enclosed, first_word, places, words};
use crate::host::{Code, STARTS, Started, started};

/// Maximum number of files that are searched for launches of one kernel.
const MAX_FILES: usize = 16;
/// Maximum size in bytes of a file that is searched for launches.
const MAX_BYTES: usize = 1 << 18;

/// Returns the launches of these kernels in other files of the project: files of the operator, and tests elsewhere that
/// are named after a kernel. A message for each exceeded bound is added to `not_read`.
pub fn launches(
    kernels: &[String],
    project: Option<&Project>,
    not_read: &mut Vec<String>,
) -> Vec<Started> {
    let mut found = Vec::new();
    let Some(project) = project else {
        return found;
    };
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
        if path == project.path || is_for_others(path.strip_prefix(root).unwrap_or(&path)) {
            continue;
        }
        let Some(text) = files.text(root, &path) else {
            continue;
        };
        let starts = STARTS.iter().any(|word| text.as_str().contains(word));
        if !starts || text.as_str().len() > MAX_BYTES {
            continue;
        }
        // A file with a kernel of the same name starts its own one.
        let is_meant = |kernel: &&String| {
            places(text.as_str(), kernel).next().is_some() && !defines(text.as_str(), kernel)
        };
        let kernels: Vec<String> = kernels.iter().filter(is_meant).cloned().collect();
        if kernels.is_empty() {
            continue;
        }
        let Some(build) = Build::of(project, &path, &kernels) else {
            continue;
        };
        if left == 0 {
            let what = "of the files that start the kernel, only the first";
            not_read.push(format!("{what} {MAX_FILES} were read"));
            return found;
        }
        left -= 1;
        let code = Code {
            path: path.clone(),
            text,
            project: Some(project),
            is_elsewhere: true,
        };
        let mut all = started(&code, &kernels, not_read);
        for start in &mut all {
            start.build.clone_from(&build.macros);
        }
        found.append(&mut all);
    }
    found
}

/// Returns whether a text defines a kernel of this name: its parameters are followed by a body.
fn defines(text: &str, kernel: &str) -> bool {
    let text = compiled(text);
    let mut all = places(&text, kernel);
    all.any(|at| {
        let rest = text.part(at + kernel.len()..).trim_start();
        let parameters = enclosed(rest).filter(|_| rest.starts_with('('));
        let after = parameters.map(|it| rest.part(it.len() + 2..).trim_start());
        let before = text.part(..at);
        let declaration = before.rsplit([';', '}', '{']).next().unwrap_or_default();
        after.is_some_and(|it| it.starts_with('{')) && declaration.contains("__global__")
    })
}

/// Returns whether the folders of a file name other products than A2.
fn is_for_others(path: &Path) -> bool {
    Target::of_folders(path).is_some_and(|targets| !targets.contains(&Target::A2A3))
}

/// The settings in the build file next to a test.
#[derive(Debug, Default)]
struct Build {
    /// The macros that the build file defines.
    macros: Vec<(String, String)>,
}

impl Build {
    /// Returns the build of a file that starts kernels; `None` if it is for other products than A2.
    fn of(project: &Project, file: &Path, kernels: &[String]) -> Option<Build> {
        let path = file.with_file_name("CMakeLists.txt");
        let Some(text) = project.files.text(&project.root, &path) else {
            return Some(Build::default());
        };
        Build::read(text.as_str(), kernels)
    }

    fn read(text: &str, kernels: &[String]) -> Option<Build> {
        let (mut of_product, mut of_others) = (false, false);
        let mut build = Build::default();
        let text: String = text
            .lines()
            .flat_map(|line| [line.split('#').next().unwrap_or(""), "\n"])
            .collect();
        // `AddOpTestCase(operator "product" "-Dname=value …")` occurs once for each product.
        for (at, _) in text.match_indices('(') {
            let Some(said) = enclosed(text.part(at..)) else {
                continue;
            };
            if !kernels.iter().any(|it| it == first_word(said)) {
                continue;
            }
            let lower = said.to_ascii_lowercase();
            let mut products = words(&lower)
                .filter(|it| it.starts_with("ascend"))
                .peekable();
            if products.peek().is_some() {
                let is_it = products.any(is_a2_chip);
                of_product |= is_it;
                of_others |= !is_it;
                if !is_it {
                    continue;
                }
            }
            for part in said.split(|c: char| c == '"' || c == ';' || c.is_whitespace()) {
                let Some(given) = part.strip_prefix("-D") else {
                    continue;
                };
                let (name, value) = given.split_once('=').unwrap_or((given, "1"));
                build.macros.push((name.to_owned(), value.to_owned()));
            }
        }
        (of_product || !of_others).then_some(build)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_define_kernels() {
        let own = "extern \"C\" __global__ __aicore__ void add(GM_ADDR x)\n{\n}\n";
        assert!(defines(own, "add") && !defines(own, "ad"));
        let declared = "extern \"C\" __global__ __aicore__ void add(GM_ADDR x);\nint main() { add<<<1>>>(x); }";
        assert!(!defines(declared, "add"));
        let wrapper =
            "void start() { ACLRT_LAUNCH_KERNEL(add)(8, stream, x); }\nvoid add(int x) { }";
        assert!(!defines(wrapper, "add"));
    }

    #[test]
    fn builds_say_products_and_types() {
        let kernels = ["add".to_owned()];
        let read = |text: &str| Build::read(text, &kernels).map(|build| build.macros);
        let macros = |all: &[(&str, &str)]| {
            let all = all.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
            Some(all.collect::<Vec<_>>())
        };
        let text = "if(A)\n  AddOpTestCase(add \"Ascend910B1\" \"-DDTYPE_X=half -DFAST\")\nendif()";
        assert_eq!(read(text), macros(&[("DTYPE_X", "half"), ("FAST", "1")]));
        let text = "AddOpTestCase(\n  add\n  \"ascend950\"\n  \"-DDTYPE_X=half\")";
        assert_eq!(read(text), None);
        let both = format!("{text}\nAddOpTestCase(add \"ascend910_93\" \"-DDTYPE_X=float\")");
        assert_eq!(read(&both), macros(&[("DTYPE_X", "float")]));
        assert_eq!(read("# AddOpTestCase(add \"ascend950\" \"\")"), macros(&[]));
        assert_eq!(
            read("AddOpTestCase(other \"ascend950\" \"-DA=1\")"),
            macros(&[])
        );
    }
}
