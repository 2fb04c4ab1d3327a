//! Texts of messages: plurals, and spelling suggestions.

/// Returns the candidate that is most similar to `text`, ignoring case; `None` if none is similar enough.
pub fn nearest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let text = text.to_lowercase();
    let likeness = |candidate: &str| strsim::jaro_winkler(&text, &candidate.to_lowercase());
    candidates
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// Formats a count with its noun: `1 file`, `2 files`.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
