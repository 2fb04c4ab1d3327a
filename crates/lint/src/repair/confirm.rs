//! Confirmation of the fixes that findings carry: which can be applied together, and which a check confirms as safe.

use super::judge::{self, Removal, Ruling};
use super::{Check, Tried, Version, Workshop};
use crate::check::Analysis;
use a2lint_frontend as frontend;
use a2lint_ir::finding::Finding;
use a2lint_rules::fix::{apply, together};
use a2lint_source::language::Language;
use a2lint_source::text::SourceText;

/// Number of texts that are checked for the carried fixes of one file. A fix that is not checked counts as unsafe.
pub const MAX_CLAIMS: usize = 8;

/// The result of applying several carried fixes at once.
pub(super) struct Together<'f> {
    /// The findings whose fixes were applied.
    pub removed: Vec<&'f Finding>,
    /// The judgement; `None` if the new text is not better.
    pub ruling: Option<Ruling>,
    /// The new text with its check.
    pub tried: Tried,
}

impl Workshop<'_> {
    /// Applies as many of the carried fixes as are compatible, and checks the result; `None` if there are none.
    pub(super) fn together<'f>(
        &mut self,
        now: Version,
        findings: &[&'f Finding],
    ) -> Option<Together<'f>> {
        let language = self.language;
        let errors = |source: &SourceText| frontend::syntax_errors(source, language);
        let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
        let (text, made) = together(now.source, fixes, &errors);
        if made.is_empty() || text == now.source.as_str() || self.tries == 0 {
            return None;
        }
        let is_made = |finding: &&&Finding| {
            let own = finding.fix.as_ref();
            own.is_some_and(|own| made.iter().any(|fix| std::ptr::eq(own, *fix)))
        };
        let removed: Vec<&'f Finding> = findings.iter().filter(is_made).copied().collect();
        let source = SourceText::new(text);
        self.tries -= 1;
        let analysis = (self.check)(&source);
        let tried = Tried { source, analysis };
        let removals: Vec<Removal> = removed.iter().copied().map(Removal::carried).collect();
        let ruling = judge::rule_on(now, &removals, tried.version(), language);
        Some(Together {
            removed,
            ruling,
            tried,
        })
    }
}

/// Clears the `safe` flag of carried fixes that a check does not confirm, together with the others or alone. Rules
/// set the flag where a fix keeps the author's meaning.
pub fn confirm(source: &SourceText, language: Language, analysis: &mut Analysis, check: Check) {
    let confirmed = confirmed(source, language, analysis, check);
    for (finding, is_confirmed) in analysis.findings.iter_mut().zip(confirmed) {
        if let Some(fix) = &mut finding.fix {
            fix.safe &= is_confirmed;
        }
    }
}

/// Returns the text with all safe carried fixes, if there are any and `check` confirms them together.
pub fn carried(
    source: &SourceText,
    language: Language,
    analysis: &Analysis,
    check: Check,
) -> Option<SourceText> {
    let claimed: Vec<&Finding> = analysis.findings.iter().filter(claims_safe).collect();
    let mut workshop = Workshop::new(check, language, MAX_CLAIMS);
    let together = workshop.together(Version { source, analysis }, &claimed)?;
    let is_confirmed = together.ruling.is_some_and(|ruling| ruling.is_confirmed);
    is_confirmed.then_some(together.tried.source)
}

/// Returns whether the rule claims that the fix of a finding is safe.
fn claims_safe(finding: &&Finding) -> bool {
    let is_safe = finding.fix.as_ref().is_some_and(|fix| fix.safe);
    is_safe && finding.elsewhere.is_none()
}

/// Returns for each finding whether its fix is confirmed.
fn confirmed(
    source: &SourceText,
    language: Language,
    analysis: &Analysis,
    check: Check,
) -> Vec<bool> {
    let claimed: Vec<&Finding> = analysis.findings.iter().filter(claims_safe).collect();
    let mut workshop = Workshop::new(check, language, MAX_CLAIMS);
    let now = Version { source, analysis };
    let together = workshop.together(now, &claimed);
    let together = together.filter(|it| it.ruling.is_some_and(|ruling| ruling.is_confirmed));
    let together = together.map_or(Vec::new(), |it| it.removed);
    let is_confirmed = |finding: &Finding| {
        let is_in = || together.iter().any(|it| std::ptr::eq(*it, finding));
        claims_safe(&finding) && (is_in() || workshop.confirms(now, finding))
    };
    analysis.findings.iter().map(is_confirmed).collect()
}

impl Workshop<'_> {
    /// Returns whether a check confirms the fix of a finding alone.
    fn confirms(&mut self, now: Version, finding: &Finding) -> bool {
        let Some(fix) = finding.fix.as_ref().filter(|_| self.tries > 0) else {
            return false;
        };
        let text = apply(now.source.as_str(), &fix.edits);
        let judged = self.judged(now, &[Removal::carried(finding)], text);
        judged.is_ok_and(|(ruling, _)| ruling.is_confirmed)
    }
}
