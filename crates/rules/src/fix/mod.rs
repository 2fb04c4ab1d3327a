//! Applies fixes. A fix is applied whole or not at all, never where another was applied, never if it breaks the
//! syntax.

use a2lint_ir::finding::{Edit, Finding, Fix};
use a2lint_source::text::{Slice, SourceText};

/// Which fixes may be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applicability {
    /// Fixes that keep the author's meaning.
    Safe,
    /// All fixes.
    Unsafe,
}

impl Applicability {
    /// Returns whether a fix may be applied.
    pub fn admits(self, fix: &Fix) -> bool {
        fix.safe || self == Applicability::Unsafe
    }
}

/// A text after its fixes.
#[derive(Debug)]
pub struct Fixed {
    /// The text with its fixes.
    pub text: String,
    /// Fixes that it contains, in the order in which they were applied.
    pub done: Vec<Done>,
}

/// A fix that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The rule whose finding it removes.
    pub rule: &'static str,
    /// Line of the finding in the text before this fix, from 1.
    pub line: usize,
    /// What the fix does, in a few words.
    pub title: String,
    /// Whether it keeps the author's meaning.
    pub safe: bool,
    /// The effect of the fix on the time on the device, in words, if known.
    pub cost: Option<String>,
}

impl Done {
    /// Describes the fix of a finding in a text.
    pub fn of(source: &SourceText, finding: &Finding, fix: &Fix) -> Done {
        Done {
            rule: finding.name,
            line: source.line_column(finding.span.start).line,
            title: fix.title.clone(),
            safe: fix.safe,
            cost: None,
        }
    }
}

/// Returns the text with all fixes that can be applied together, and those fixes. A fix that overlaps an earlier
/// one is left out, and so is one that adds syntax errors.
pub fn together<'f>(
    source: &SourceText,
    fixes: impl Iterator<Item = &'f Fix>,
    syntax_errors: &impl Fn(&SourceText) -> usize,
) -> (String, Vec<&'f Fix>) {
    let chosen = compatible(source, fixes);
    apply_parsing(source, &chosen, syntax_errors)
}

/// Returns fixes without overlaps, in the order of their first edits.
fn compatible<'a>(source: &SourceText, fixes: impl Iterator<Item = &'a Fix>) -> Vec<&'a Fix> {
    let mut sorted: Vec<&Fix> = fixes.filter(|fix| is_sound(source, &fix.edits)).collect();
    sorted.sort_by_key(|fix| fix.edits.iter().map(|edit| edit.span).min());
    let mut taken: Vec<&Edit> = Vec::new();
    let mut chosen: Vec<&Fix> = Vec::new();
    for fix in sorted {
        let free = |edit: &Edit| taken.iter().all(|other| !overlap(edit, other));
        if fix.edits.iter().all(free) {
            taken.extend(&fix.edits);
            chosen.push(fix);
        }
    }
    chosen
}

/// Returns whether every edit lies in the text, on character boundaries, and overlaps no other.
pub fn is_sound(source: &SourceText, edits: &[Edit]) -> bool {
    let inside = |edit: &Edit| source.as_str().get(edit.span.range()).is_some();
    let clear = |(at, edit): (usize, &Edit)| !edits[..at].iter().any(|e| overlap(e, edit));
    !edits.is_empty() && edits.iter().all(inside) && edits.iter().enumerate().all(clear)
}

/// Returns whether two edits overlap. Insertions that touch count: their order would be arbitrary.
fn overlap(a: &Edit, b: &Edit) -> bool {
    let empty = a.span.start == a.span.end || b.span.start == b.span.end;
    match empty {
        true => a.span.start <= b.span.end && b.span.start <= a.span.end,
        false => a.span.start < b.span.end && b.span.start < a.span.end,
    }
}

/// Applies all fixes or, if that adds syntax errors, each one that does not.
fn apply_parsing<'f>(
    source: &SourceText,
    fixes: &[&'f Fix],
    syntax_errors: &impl Fn(&SourceText) -> usize,
) -> (String, Vec<&'f Fix>) {
    let text = source.as_str();
    if fixes.is_empty() {
        return (text.to_owned(), Vec::new());
    }
    let before = syntax_errors(source);
    let with = |fixes: &[&Fix]| {
        let edits: Vec<Edit> = fixes.iter().flat_map(|fix| fix.edits.clone()).collect();
        apply(text, &edits)
    };
    let parses = |text: &str| syntax_errors(&SourceText::new(text)) <= before;
    let all = with(fixes);
    if parses(&all) {
        return (all, fixes.to_vec());
    }
    let mut kept: Vec<&'f Fix> = Vec::new();
    // One at a time: a fix may break the syntax only together with an earlier one.
    for fix in fixes {
        kept.push(fix);
        if !parses(&with(&kept)) {
            kept.pop();
        }
    }
    (with(&kept), kept)
}

/// Returns the text with edits that do not overlap.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| edit.span);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in sorted {
        let range = edit.span.range();
        out.push_str(text.part(at..range.start));
        out.push_str(&with_line_ends(text, &edit.text));
        at = range.end;
    }
    out + text.part(at..)
}

/// Returns new text with the line ends of the old one.
fn with_line_ends(text: &str, new: &str) -> String {
    match text.contains("\r\n") && !new.contains('\r') {
        true => new.replace('\n', "\r\n"),
        false => new.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sink, find};
    use a2lint_frontend as frontend;
    use a2lint_source::language::Language;
    use a2lint_source::text::Span;

    /// Findings that offer to replace each `from` of the text.
    fn replacing(source: &SourceText, from: &str, to: &str, safe: bool) -> Vec<Finding> {
        let rule = find("dup-coverage").expect("a rule");
        let mut findings = Vec::new();
        for (at, _) in source.as_str().match_indices(from) {
            let span = Span::new(at, at + from.len());
            let text = to.to_owned();
            let edits = vec![Edit { span, text }];
            Sink::new(rule, &mut findings)
                .report(span, "")
                .fix("", safe, edits);
        }
        findings
    }

    fn syntax_errors(source: &SourceText) -> usize {
        a2lint_syntax::python::parse(source).errors.len()
    }

    /// A text after all of these rewrites that can be made together, with their number.
    fn fixed(text: &str, rewrites: &[(&str, &str)]) -> (String, usize) {
        let source = SourceText::new(text);
        let rewrite = |&(from, to): &(&str, &str)| replacing(&source, from, to, true);
        let findings: Vec<Finding> = rewrites.iter().flat_map(rewrite).collect();
        let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
        let (text, made) = together(&source, fixes, &syntax_errors);
        (text, made.len())
    }

    #[test]
    fn of_overlapping_fixes_one_is_made() {
        let rewrites = [("f(aa", "f(b"), ("aa)", "c)")];
        let (text, made) = fixed("f(aa)\nf(aa)\n", &rewrites);
        assert_eq!((text.as_str(), made), ("f(b)\nf(b)\n", 2));
    }

    #[test]
    fn a_fix_that_breaks_the_syntax_is_left_out() {
        let rewrites = [("one", "1"), ("two", "2 )")];
        let (text, made) = fixed("x = one\ny = two\n", &rewrites);
        assert_eq!((text.as_str(), made), ("x = 1\ny = two\n", 1));
    }

    #[test]
    fn a_fix_that_breaks_the_syntax_is_left_out_in_every_language() {
        for (language, text, breaking) in [
            (Language::Cpp, "void f() { g(one); h(two); }\n", "2;"),
            (
                Language::Cuda,
                "__global__ void f() { g(one); h(two); }\n",
                "2)",
            ),
            (Language::Ptx, "mov.b32 one, %a;\nmov.b32 two, %b;\n", "}"),
            (
                Language::Pto,
                "%a = pto.tsel one\n%b = pto.tsel two\n",
                "(%c",
            ),
            (
                Language::Mlir,
                "%a = pto.tsel one\n%b = pto.tsel two\n",
                "(%c",
            ),
        ] {
            let source = SourceText::new(text);
            let syntax_errors = |source: &SourceText| frontend::syntax_errors(source, language);
            let before = syntax_errors(&source);
            let harmless = replacing(&source, "one", "%d", true);
            let harmful = replacing(&source, "two", breaking, true);
            let findings: Vec<Finding> = harmless.into_iter().chain(harmful).collect();
            let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
            let (fixed, _) = together(&source, fixes, &syntax_errors);
            let one = match language {
                Language::Cpp | Language::Cuda => text.to_owned(),
                _ => text.replace("one", "%d"),
            };
            assert_eq!(fixed, one, "{language:?}, {before} errors before");
        }
    }

    #[test]
    fn new_lines_end_like_old_ones() {
        let edits = [Edit {
            span: Span::new(0, 1),
            text: "b\nc".to_owned(),
        }];
        assert_eq!(apply("a\r\n", &edits), "b\r\nc\r\n");
    }
}
