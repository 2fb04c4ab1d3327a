//! What reports say of a file, without the programs that it was traced into.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Analysis;
use a2lint_ir::finding::Finding;
use a2lint_ir::verdict::Verdicts;
use a2lint_ir::{MaskOperations, Module, NotAnalysed, Uncalled};
use a2lint_rules::record::KernelRecord;

/// What came of checking one file: all that reports need, and all that a cache keeps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Findings in source order.
    pub findings: Vec<Finding>,
    /// What was looked at of each kernel in the DSL, in source order.
    pub records: Vec<KernelRecord>,
    /// What could not be analysed, with reasons.
    pub not_analysed: Vec<NotAnalysed>,
    /// Number of kernels that were analysed.
    pub kernels: usize,
    /// Functions that no kernel calls.
    pub uncalled: Vec<Uncalled>,
    /// Names that `--bind` can give a value to; none where there is no kernel in the DSL.
    pub bindable: BTreeSet<String>,
}

impl Analysis {
    /// What reports say of it, and what it was found in.
    pub fn into_parts(self) -> (Results, Module, MaskOperations) {
        let kernels = self.kernels();
        let module = self.module;
        let programs = module.programs.iter();
        let names = programs.flat_map(|program| program.bindable(&module.launches));
        let results = Results {
            kernels,
            bindable: names.map(str::to_owned).collect(),
            findings: self.findings,
            records: self.records,
            not_analysed: module.not_analysed.clone(),
            uncalled: module.uncalled.clone(),
        };
        (results, module, self.masks)
    }
}

impl From<Analysis> for Results {
    fn from(analysis: Analysis) -> Results {
        analysis.into_parts().0
    }
}

impl Results {
    /// What is known of each kernel in the DSL, in the order of the records.
    pub fn verdicts(&self) -> impl Iterator<Item = Verdicts> {
        let records = self.records.iter();
        records.map(|record| record.verdicts(&self.findings))
    }

    /// Whether everything was looked at: nothing was left out, every kernel was traced whole, and
    /// every launch of it that is in sight came to its end.
    pub fn is_complete(&self) -> bool {
        self.not_analysed.is_empty() && self.records.iter().all(|record| record.gap().is_none())
    }
}
