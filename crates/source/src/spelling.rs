//! Words of messages: plurals, and the name that was probably meant.

/// The candidate that `text` most likely means, if one is near enough.
pub fn nearest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let text = text.to_lowercase();
    let likeness = |candidate: &str| strsim::jaro_winkler(&text, &candidate.to_lowercase());
    candidates
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// `1 file`, `2 files`.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
