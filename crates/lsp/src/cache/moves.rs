//! Moving findings of an earlier version to the present places of their statements.

use super::Identity;
use a2lint_ir::finding::{Edit, Finding, Fix, Label, Witness};
use a2lint_prove::Proofs;
use a2lint_source::text::Span;

/// The move from one version to another.
pub(super) struct Moves<'a> {
    pub from: &'a Identity,
    pub to: &'a Identity,
}

impl Moves<'_> {
    fn span(&self, span: Span) -> Option<Span> {
        self.to.moved(span, self.from)
    }

    /// Keeps a text unless it names lines that have moved.
    fn text(&self, text: &str) -> Option<String> {
        let stays = !names_a_line(text) || self.to.is_on_the_lines_of(self.from);
        stays.then(|| text.to_owned())
    }

    /// Moves a finding; `None` if a part of it cannot be moved.
    // Destructured, so that a new field with a span cannot be forgotten.
    pub fn finding(&self, finding: &Finding) -> Option<Finding> {
        let Finding {
            code,
            name,
            severity,
            basis,
            message,
            kernel,
            span,
            labels,
            help,
            fix,
            witness,
            ring,
            numbers,
            elsewhere,
            also_in,
            cause,
        } = finding;
        Some(Finding {
            code,
            name,
            severity: *severity,
            basis: *basis,
            message: self.text(message)?,
            kernel: kernel.clone(),
            span: self.span(*span)?,
            labels: labels
                .iter()
                .map(|label| self.label(label))
                .collect::<Option<_>>()?,
            help: absent_or(help.as_ref(), |help| self.text(help))?,
            fix: absent_or(fix.as_ref(), |fix| self.fix(fix))?,
            witness: absent_or(witness.as_ref(), |witness| self.witness(witness))?,
            ring: *ring,
            cause: cause.clone(),
            numbers: numbers.clone(),
            // The texts of imported files are part of the identity, so these places are unchanged.
            elsewhere: elsewhere.clone(),
            also_in: also_in.clone(),
        })
    }

    /// Moves proofs. An open property keeps its reason even if its place cannot be moved.
    pub fn proofs(&self, proofs: &Proofs) -> Proofs {
        let mut moved = proofs.clone();
        moved.move_places(|span| self.span(span));
        moved
    }

    fn label(&self, label: &Label) -> Option<Label> {
        let Label { span, message } = label;
        Some(Label {
            span: self.span(*span)?,
            message: self.text(message)?,
        })
    }

    fn fix(&self, fix: &Fix) -> Option<Fix> {
        let Fix { title, safe, edits } = fix;
        let edit = |Edit { span, text }: &Edit| {
            Some(Edit {
                span: self.span(*span)?,
                text: text.clone(),
            })
        };
        Some(Fix {
            title: self.text(title)?,
            safe: *safe,
            edits: edits.iter().map(edit).collect::<Option<_>>()?,
        })
    }

    fn witness(&self, witness: &Witness) -> Option<Witness> {
        let Witness {
            launch,
            core,
            lane,
            place,
            iteration,
            detail,
            trail,
            execution,
            ring,
        } = witness;
        Some(Witness {
            launch: launch.clone(),
            core: *core,
            lane: lane.clone(),
            place: place.clone(),
            iteration: iteration.clone(),
            detail: self.text(detail)?,
            trail: trail
                .iter()
                .map(|span| self.span(*span))
                .collect::<Option<_>>()?,
            execution: *execution,
            ring: *ring,
        })
    }
}

/// Applies a move to an optional value: `None` stays `None`, and a value that cannot be moved is a failure.
fn absent_or<A, B>(value: Option<A>, moved: impl FnOnce(A) -> Option<B>) -> Option<Option<B>> {
    match value {
        None => Some(None),
        Some(value) => moved(value).map(Some),
    }
}

/// Returns whether a text contains something like `line 12` or `lines 3-5`.
fn names_a_line(text: &str) -> bool {
    let mut behind = text.split("line").skip(1);
    behind.any(|rest| {
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        rest.trim_start().starts_with(|c: char| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_seen_in_texts() {
        assert!(names_a_line("written at line 12"));
        assert!(names_a_line("lines 3-5 do"));
        assert!(!names_a_line("a line of 3 outlines, linear"));
    }
}
