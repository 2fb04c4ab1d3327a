//! `textDocument/diagnostic`: diagnostics on request of the client.

use std::hash::{DefaultHasher, Hash, Hasher};

use tower_lsp::ls_types::*;

use crate::diagnostics::diagnostics;
use crate::snapshot::Snapshot;

/// Returns the diagnostics of a document, or "unchanged" if `known` is the identifier of the current ones.
pub fn report(snapshot: &Snapshot, known: Option<&str>) -> DocumentDiagnosticReportResult {
    let items = diagnostics(snapshot);
    let id = fingerprint(&items);
    if known == Some(id.as_str()) {
        let unchanged = UnchangedDocumentDiagnosticReport { result_id: id };
        let report = RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: unchanged,
        };
        return DocumentDiagnosticReportResult::Report(report.into());
    }
    full(items, Some(id))
}

/// Returns the empty report of a document that is not checked.
pub fn nothing() -> DocumentDiagnosticReportResult {
    full(Vec::new(), None)
}

fn full(items: Vec<Diagnostic>, result_id: Option<String>) -> DocumentDiagnosticReportResult {
    let report = RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id, items },
    };
    DocumentDiagnosticReportResult::Report(report.into())
}

/// Returns a hash of the diagnostics, the `resultId` of the protocol.
fn fingerprint(items: &[Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(items)
        .unwrap_or_default()
        .hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
