use rustc_hash::FxHashMap;

use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_ir::finding::Severity;
use a2lint_ir::toolchain::EqualParameters;
use a2lint_ir::{Param, ParamKind};

declare_rule! {
    /// ## What it does
    /// Reports kernels and parameters that are named by a C++ keyword, and parameters whose names are
    /// equal once they are written `likeThis`.
    ///
    /// Outputs may share the name of an input.
    ///
    /// ## Why is this bad?
    /// The kernel becomes a C++ function of that name, and the arguments of its operator are spelled in
    /// lower camel case. The generated code does not compile, or one argument hides the other.
    ///
    /// ## Example
    /// ```python
    /// def scale(x: GMTensor, out: GMTensor, new: Var, row_step: Var, rowStep: Var):
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// def scale(x: GMTensor, out: GMTensor, factor: Var, row_step: Var, column_step: Var):
    /// ```
    ///
    /// ## Source
    /// The DSL's authoring rules; the reserved words of C++17. Measured: the build of such a kernel fails. It is a
    /// warning, since the build says it before anything runs.
    "TRC007" "kernel-name" Warning, basis = Constants, evidence = Measured
}

fn check(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    if KEYWORDS.contains(&program.name.as_str()) {
        let message = format!(
            "`{}` is a C++ keyword, and the kernel becomes a C++ function",
            program.name
        );
        sink.report(program.name_span, message)
            .help("rename the kernel");
    }
    // The first parameter of each spelling: an array of tiling data may have thousands of elements.
    let mut first: FxHashMap<String, &Param> = FxHashMap::default();
    for param in &program.params {
        if KEYWORDS.contains(&param.name.as_str()) {
            let message = format!(
                "`{}` is a C++ keyword, and the parameter keeps its name there",
                param.name
            );
            sink.report(param.span, message)
                .help("rename the parameter");
        }
        let camel = lower_camel(&param.name);
        let same = first.get(&camel).copied();
        first.entry(camel.clone()).or_insert(param);
        if let Some(other) =
            same.filter(|other| !is_output(facts, other) && !is_output(facts, param))
        {
            let message = format!(
                "`{}` and `{}` both become `{camel}` in the generated operator",
                other.name, param.name
            );
            let severity = match program.toolchain.refusals.equal_parameters {
                EqualParameters::Rejected => Severity::Error,
                EqualParameters::Merged => Severity::Warning,
                EqualParameters::Kept => continue,
            };
            sink.report(param.span, message)
                .severity(severity)
                .label(other.span, format!("`{}` here", other.name))
                .help("rename one of them");
        }
    }
}

fn is_output(facts: &Facts, param: &Param) -> bool {
    let program = facts.program;
    match param.kind {
        // The code that was not evaluated may contain a `return`.
        ParamKind::Global(global) if !program.unknown.is_empty() => {
            program.results().contains(&global)
        }
        ParamKind::Global(global) => program.outputs.contains(&global),
        _ => false,
    }
}

/// Converts a name to `rowStep`: from `row_step`, `RowStep` and `rowStep` alike.
fn lower_camel(name: &str) -> String {
    let mut camel = String::new();
    for word in name.split('_').filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        let Some(first) = letters.next() else {
            continue;
        };
        match camel.is_empty() {
            true => camel.extend(first.to_lowercase()),
            false => camel.extend(first.to_uppercase()),
        }
        camel.push_str(letters.as_str());
    }
    camel
}

/// Reserved words of C++ that are valid names in Python.
const KEYWORDS: &[&str] = &[
    "alignas",
    "alignof",
    "asm",
    "auto",
    "bool",
    "case",
    "catch",
    "char",
    "const",
    "constexpr",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "friend",
    "goto",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "private",
    "protected",
    "public",
    "register",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
];
