use crate::declare_rule;
use crate::{Comments, MAX_FINDINGS, RULES, Sink};
use a2lint_ir::finding::Edit;
use a2lint_source::spelling::nearest;

declare_rule! {
    /// ## What it does
    /// Reports suppression comments that name a rule which does not exist.
    ///
    /// ## Why is this bad?
    /// The comment silences nothing, and the reader believes it does.
    ///
    /// ## Example
    /// ```python
    /// dup(row, 0.0)  # a2lint: ignore[dup-covrage] the tail is never read
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(row, 0.0)  # a2lint: ignore[dup-coverage] the tail is never read
    /// ```
    ///
    /// ## Fix safety
    /// A misspelt name is replaced by the rule it resembles, which silences findings and should be
    /// read; a name that resembles none is taken out, which changes nothing.
    ///
    /// ## Source
    /// The comment contract of a2lint.
    "TRC011" "unknown-rule" Warning, basis = Constants, fix = Unsafe, scope = Comments
}

fn check(comments: &Comments, sink: &mut Sink) {
    let mut reported = 0;
    for directive in &comments.suppressions.directives {
        for (at, entry) in directive.entries.iter().enumerate() {
            if entry.rule.is_some() {
                continue;
            }
            let name = &entry.name;
            let report = sink.report(entry.place, format!("no rule is called `{name}`"));
            reported += 1;
            // The search for a similar name is the expensive part, and findings beyond the limit are only
            // counted.
            if reported > MAX_FINDINGS {
                continue;
            }
            let names = RULES.iter().flat_map(|rule| [rule.name, rule.code]);
            match nearest(name, names) {
                Some(near) => {
                    let edit = Edit {
                        span: entry.place,
                        text: near.to_owned(),
                    };
                    report.help(format!("did you mean `{near}`?")).fix(
                        format!("write `{near}`"),
                        false,
                        vec![edit],
                    );
                }
                None => {
                    let edits = comments
                        .suppressions
                        .removal(comments.source, directive, &[at]);
                    report
                        .help("`a2lint rules` lists the rules")
                        .fix("remove it", true, edits);
                }
            }
        }
    }
}
