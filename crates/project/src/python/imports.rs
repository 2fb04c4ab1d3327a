//! Python imports, and the files that they refer to.

use std::path::{Path, PathBuf};

use a2lint_source::text::Slice;
use a2lint_syntax::python::ast::{Expr, ExprKind, Stmt, StmtKind, walk_exprs};

/// A predicate for modules that are no files of a project: packages of DSLs and libraries, which a front end knows by
/// name.
pub type IsLibrary = fn(&str) -> bool;

/// An import as written: a module with its leading dots, and the names imported from it.
#[derive(Debug)]
pub(crate) struct Import {
    pub module: String,
    pub names: Vec<String>,
}

/// Returns all imports in statements, also in nested ones.
pub(crate) fn imports_of(body: &[Stmt]) -> Vec<Import> {
    let mut found = Vec::new();
    collect(body, &mut found);
    walk_exprs(body, &mut |expr| found.extend(by_name(expr)));
    found
}

fn collect(body: &[Stmt], found: &mut Vec<Import>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Import(names) => found.extend(names.iter().map(|import| Import {
                module: import.name.clone(),
                names: Vec::new(),
            })),
            StmtKind::ImportFrom { module, names, .. } => found.push(Import {
                module: module.clone(),
                names: names.iter().map(|import| import.name.clone()).collect(),
            }),
            StmtKind::Function(def) => collect(&def.body, found),
            StmtKind::Class { body, .. } | StmtKind::With { body, .. } | StmtKind::Error(body) => {
                collect(body, found);
            }
            StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
                collect(body, found);
                collect(orelse, found);
            }
            StmtKind::If { arms, orelse } => {
                arms.iter().for_each(|(_, body)| collect(body, found));
                collect(orelse, found);
            }
            StmtKind::Try { blocks, .. } => blocks.iter().for_each(|body| collect(body, found)),
            _ => {}
        }
    }
}

/// Reads `importlib.import_module("a.b")`.
fn by_name(expr: &Expr) -> Option<Import> {
    let ExprKind::Call { func, args, .. } = &expr.kind else {
        return None;
    };
    let is_import = match &func.kind {
        ExprKind::Name(name) => name == "import_module",
        ExprKind::Attribute { attr, .. } => attr.text == "import_module",
        _ => false,
    };
    match args.first().map(|arg| &arg.kind) {
        Some(ExprKind::Str(module)) if is_import => Some(Import {
            module: module.clone(),
            names: Vec::new(),
        }),
        _ => None,
    }
}

/// Returns the files that a module name may refer to, most likely first; empty for libraries.
pub(crate) fn candidates(
    module: &str,
    importer: &Path,
    root: &Path,
    is_library: IsLibrary,
) -> Vec<PathBuf> {
    let dots = module.len() - module.trim_start_matches('.').len();
    let names = module.part(dots..);
    let Some(folder) = importer.parent() else {
        return Vec::new();
    };
    let bases: Vec<PathBuf> = match dots {
        0 if is_library(names) => Vec::new(),
        // The folder of a script is on the path; the root and `src` often are.
        0 => {
            let above = folder.ancestors().take_while(|it| it.starts_with(root));
            above
                .map(Path::to_owned)
                .chain([root.join("src")])
                .collect()
        }
        _ => folder
            .ancestors()
            .nth(dots - 1)
            .map(Path::to_owned)
            .into_iter()
            .collect(),
    };
    let is_name = |part: &str| part.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !names.split('.').all(is_name) {
        return Vec::new();
    }
    let inside = bases.into_iter().filter(|base| base.starts_with(root));
    let of_base = |base: PathBuf| {
        let path = names.split('.').filter(|part| !part.is_empty());
        let path = path.fold(base, |path, part| path.join(part));
        let package = path.join("__init__.py");
        match names.is_empty() {
            true => vec![package],
            false => vec![path.with_extension("py"), package],
        }
    };
    inside.flat_map(of_base).collect()
}

/// Returns the name of a module's member.
pub(crate) fn member(module: &str, name: &str) -> String {
    match module.ends_with('.') || module.is_empty() {
        true => format!("{module}{name}"),
        false => format!("{module}.{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(module: &str, importer: &str) -> Vec<String> {
        let is_library = |module: &str| module == "torch";
        let found = candidates(module, Path::new(importer), Path::new("/p"), is_library);
        found
            .iter()
            .map(|path| path.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn modules_are_files_inside_of_the_root() {
        assert_eq!(
            names(".tiles", "/p/lib/ops/a.py"),
            ["/p/lib/ops/tiles.py", "/p/lib/ops/tiles/__init__.py"]
        );
        assert_eq!(
            names("..common.tiles", "/p/lib/ops/a.py")[0],
            "/p/lib/common/tiles.py"
        );
        assert_eq!(names(".", "/p/lib/a.py"), ["/p/lib/__init__.py"]);
        assert_eq!(names("...x", "/p/a.py"), Vec::<String>::new());
        assert_eq!(names("torch", "/p/a.py"), Vec::<String>::new());
        assert_eq!(names("a/../../etc", "/p/a.py"), Vec::<String>::new());
        let absolute = names("lib.tiles", "/p/tests/t.py");
        let found = [
            "/p/tests/lib/tiles.py",
            "/p/lib/tiles.py",
            "/p/src/lib/tiles.py",
        ];
        assert!(
            found
                .iter()
                .all(|path| absolute.contains(&(*path).to_owned())),
            "{absolute:?}"
        );
    }
}
