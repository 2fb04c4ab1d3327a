//! Kernels that the checker combines of a tiling key and element types.
//!
//! An operator is compiled for each tiling key and each column of element types. The host launches only some of the
//! pairs, which its code decides. A fault that a key has with some element types alone is therefore no certain fault.

use a2lint_ir::finding::{Basis, Finding, Severity};
use a2lint_ir::{Module, Program, TILING_KEY};

/// Turns an error into a warning that names the pair, if the kernels of the same tiling key with other element types do
/// not have it and no launch starts the pair.
pub(super) fn doubt_pairs(findings: &mut [Finding], module: &Module) {
    for finding in findings {
        let is_static = matches!(finding.basis, Basis::Constants | Basis::AnyLaunch);
        if finding.severity != Severity::Error || !is_static {
            continue;
        }
        if let Some(pair) = doubtful_pair(finding, module) {
            finding.severity = Severity::Warning;
            finding.basis = Basis::Assumption;
            finding
                .message
                .push_str(&format!(", if a launch combines {pair}"));
        }
    }
}

/// Returns the key and element types of a finding that other element types of the key do not have.
fn doubtful_pair(finding: &Finding, module: &Module) -> Option<String> {
    let programs = || module.programs.iter();
    let concerned = programs().filter(|program| finding.is_in(&program.name));
    let mut first = None;
    for program in concerned {
        let is_launched = module
            .launches
            .iter()
            .any(|launch| launch.kernel == program.name);
        let types = types(program);
        let has_others =
            programs().any(|other| differs_in_types(program, other) && !finding.is_in(&other.name));
        // One kernel in which the fault is certain is enough.
        if is_launched || types.is_empty() || !has_others {
            return None;
        }
        first = first.or(Some((program, types)));
    }
    let (program, types) = first?;
    let key = format!("{TILING_KEY}={}", program.tiling_key()?);
    let types = types.iter().map(|(name, value)| format!("{name}={value}"));
    let texts: Vec<String> = std::iter::once(key).chain(types).collect();
    Some(texts.join(" and "))
}

/// Returns the element types that a kernel with a tiling key is compiled for.
fn types(program: &Program) -> Vec<&(String, String)> {
    let has_key = program.tiling_key().is_some();
    let all = program
        .built_for
        .iter()
        .filter(|(name, _)| has_key && name.starts_with("DTYPE_"));
    all.collect()
}

/// Returns whether two kernels are one entry that is compiled for the same tiling key and other element types.
fn differs_in_types(a: &Program, b: &Program) -> bool {
    let rest = |program: &Program| {
        let built = program.built_for.iter();
        let rest = built.filter(|(name, _)| !name.starts_with("DTYPE_"));
        rest.cloned().collect::<Vec<_>>()
    };
    a.name_span == b.name_span && types(a) != types(b) && rest(a) == rest(b)
}
