//! Tiling structs that the host of an operator defines: `BEGIN_TILING_DATA_DEF(…)` in a file beside the kernel.

use std::fmt::Write;
use std::path::Path;

use a2lint_project::Project;
use a2lint_source::language::Language;

/// Most files that are searched for tiling structs.
const MAX_FILES: usize = 64;

/// Declarations of the structs that the host of an operator defines, and of the one that `GET_TILING_DATA` reads; empty
/// where the kernel registers its own or none is found.
pub fn declarations(text: &str, project: Option<&Project>) -> String {
    let asks = text.contains("GET_TILING_DATA") && !text.contains("REGISTER_TILING_DEFAULT");
    let Some(project) = project.filter(|_| asks) else {
        return String::new();
    };
    let own = project.path.parent();
    let above = own.and_then(Path::parent);
    let folders = [
        own.map(Path::to_owned),
        above.map(Path::to_owned),
        above.map(|it| it.join("op_host")),
    ];
    let folders = folders.into_iter().flatten();
    let folders = folders.filter(|folder| folder.starts_with(&project.root));
    let paths = folders.flat_map(|folder| project.files.list_of(&folder, &[Language::Cpp]));
    let mut declared = String::new();
    let mut default = None;
    for path in paths.take(MAX_FILES) {
        let Some(source) = project.files.text(&project.root, &path) else {
            continue;
        };
        let text = source.as_str();
        if text.contains("BEGIN_TILING_DATA_DEF(") {
            structs(text, &mut declared, &mut default);
        }
    }
    if let Some(default) = default {
        let _ = writeln!(declared, "using A2lintTilingData = {default};");
    }
    declared
}

/// Adds the structs of a text, and the one that is registered for the operator.
fn structs(text: &str, declared: &mut String, default: &mut Option<String>) {
    for line in text.lines() {
        let line = line.trim();
        let Some((name, rest)) = line.split_once('(') else {
            if line.starts_with("END_TILING_DATA_DEF") {
                declared.push_str("};\n");
            }
            continue;
        };
        let Some((inner, _)) = rest.split_once(')') else {
            continue;
        };
        let arguments: Vec<&str> = inner.split(',').map(str::trim).collect();
        let _ = match (name.trim(), arguments.as_slice()) {
            ("BEGIN_TILING_DATA_DEF", [class]) => {
                default.get_or_insert_with(|| (*class).to_owned());
                writeln!(declared, "struct {class} {{")
            }
            ("TILING_DATA_FIELD_DEF", [ty, field])
            | ("TILING_DATA_FIELD_DEF_STRUCT", [ty, field]) => writeln!(declared, "{ty} {field};"),
            ("TILING_DATA_FIELD_DEF_ARR", [ty, length, field]) => {
                writeln!(declared, "{ty} {field}[{length}];")
            }
            ("REGISTER_TILING_DATA_CLASS", [operator, class]) if !operator.contains('_') => {
                *default = Some((*class).to_owned());
                Ok(())
            }
            _ => Ok(()),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_of_the_host_are_declared() {
        let text = "BEGIN_TILING_DATA_DEF(AddTiling)\n  TILING_DATA_FIELD_DEF(uint32_t, total);\n  \
                    TILING_DATA_FIELD_DEF_ARR(float, 4, scales);\nEND_TILING_DATA_DEF;\n\
                    REGISTER_TILING_DATA_CLASS(AddCustom, AddTiling)\n";
        let (mut declared, mut default) = (String::new(), None);
        structs(text, &mut declared, &mut default);
        assert_eq!(
            declared,
            "struct AddTiling {\nuint32_t total;\nfloat scales[4];\n};\n"
        );
        assert_eq!(default.as_deref(), Some("AddTiling"));
    }
}
