//! The differences between dialects for the front end; everything else is shared.

pub(super) mod ascriptor;
mod easyasc;

use super::facade::Builtin;
use super::value::Value;
use a2lint_ir::Toolchain;
use a2lint_isa::{DType, Dialect, Opcode};
use a2lint_syntax::python::ast::{self, Expr, ExprKind, FormatPart, Stmt};

/// The meaning of a name of a facade.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    Builtin(Builtin),
    /// An element type under a short name.
    DType(DType),
}

/// A dialect as the front end sees it.
pub(super) struct Language {
    pub dialect: Dialect,
    /// The toolchain that compiles its kernels.
    pub toolchain: &'static Toolchain,
    /// The DSL's package, whose modules for devices are its facades (`easyasc.a2`).
    pub package: &'static str,
    /// Returns the meaning of a name of its facades, beside the names that all facades share.
    pub name: fn(&str) -> Option<Meaning>,
    /// The names for which `name` has a meaning.
    pub names: &'static [&'static str],
    /// Names of its facades without meaning for the tracer.
    pub others: &'static [&'static str],
    /// Functions of its facades that have a module of their own (`<package>.shortcuts.<name>`).
    pub shortcuts: &'static [Opcode],
    /// Whether the syntax tree of a kernel is compiled rather than its Python executed. Then control flow over device
    /// values runs on the device, operators update variables in place, and division rounds down.
    pub is_compiled: bool,
}

/// The dialects that are written in Python.
static LANGUAGES: [&Language; 2] = [&easyasc::LANGUAGE, &ascriptor::LANGUAGE];

/// Returns the front end's description of a dialect; `None` for one that is not written in Python.
pub(super) fn of(dialect: Dialect) -> Option<&'static Language> {
    LANGUAGES
        .into_iter()
        .find(|language| language.dialect == dialect)
}

/// Returns whether the tree of a kernel is compiled, rather than its Python executed.
pub(super) fn is_compiled(dialect: Dialect) -> bool {
    of(dialect).is_some_and(|language| language.is_compiled)
}

/// Returns the dialect whose facades are modules of a package.
pub(super) fn of_package(package: &str) -> Option<&'static Language> {
    LANGUAGES
        .into_iter()
        .find(|language| language.package == package)
}

/// Returns whether a module launches kernels: `ascriptor.runtime`.
pub(super) fn is_runtime(module: &str) -> bool {
    let parts = module.split_once('.');
    parts.is_some_and(|(package, rest)| of_package(package).is_some() && rest == "runtime")
}

/// Returns the dialect and the function of a module that exists for this function alone: `easyasc.shortcuts.name`.
pub(super) fn shortcut(module: &str) -> Option<(Dialect, &'static str)> {
    let (package, rest) = module.split_once('.')?;
    let name = rest.strip_prefix("shortcuts.")?;
    let language = of_package(package)?;
    let mut names = language.shortcuts.iter().map(|opcode| opcode.row().name);
    Some((language.dialect, names.find(|known| *known == name)?))
}

/// Returns whether importing one of its facades configures the process for a device, so that two facades exclude each
/// other.
pub(super) fn has_one_device(dialect: Dialect) -> bool {
    !is_compiled(dialect)
}

/// Returns whether a file imports facades by computed names: `import_module("ascriptor." + device)`.
pub(super) fn imports_by_name(body: &[Stmt]) -> bool {
    let mut found = false;
    ast::walk_exprs(body, &mut |expr| {
        if let ExprKind::Call { func, args, .. } = &expr.kind
            && is_import(func)
        {
            found |= args
                .first()
                .is_some_and(|module| facade_prefix(module).is_some());
        }
    });
    found
}

fn is_import(func: &Expr) -> bool {
    match &func.kind {
        ExprKind::Name(name) => name == "import_module",
        ExprKind::Attribute { attr, .. } => attr.text == "import_module",
        _ => false,
    }
}

/// Returns the dialect of the package with which a computed module name begins: `"ascriptor." + device`.
pub(super) fn facade_prefix(module: &Expr) -> Option<Dialect> {
    let text = match &module.kind {
        ExprKind::Str(text) => text.as_str(),
        ExprKind::Format(parts) => match parts.first()? {
            FormatPart::Text(text) => text,
            FormatPart::Value { .. } => return None,
        },
        ExprKind::Binary { left, .. } => return facade_prefix(left),
        _ => return None,
    };
    let (package, _) = text.split_once('.')?;
    of_package(package).map(|language| language.dialect)
}

/// Returns the argument for a function that makes kernels for several devices, with A2 in place of A5.
pub(super) fn on_this_device<'a>(argument: &Value<'a>) -> Value<'a> {
    match argument {
        Value::Str(text) if matches!(&**text, "a5" | "a5pr") => Value::Str("a2".into()),
        other => other.clone(),
    }
}
