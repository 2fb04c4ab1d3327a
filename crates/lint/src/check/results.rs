//! The results of a check without the traced programs: what reports need and caches store.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Analysis, Shared};
use a2lint_ir::finding::Finding;
use a2lint_ir::verdict::Verdicts;
use a2lint_ir::{MaskOperations, Module, NO_ENTRY, NotAnalysed, Uncalled};
use a2lint_rules::record::KernelRecord;

/// The results of checking one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Findings in source order.
    pub findings: Vec<Finding>,
    /// The record of what was examined in each kernel of the DSL, in source order.
    pub records: Vec<KernelRecord>,
    /// The parts that were not analysed, with reasons.
    pub not_analysed: Vec<NotAnalysed>,
    /// Kernels and files that are only for other Ascend products, with the evidence in the source.
    pub other_products: Vec<NotAnalysed>,
    /// Number of kernels that were analysed.
    pub kernels: usize,
    /// Functions that no kernel calls.
    pub uncalled: Vec<Uncalled>,
    /// Other files whose code the kernels use, such as headers.
    pub read_with: Vec<PathBuf>,
    /// The names that `--bind` can give a value to; empty if the file has no kernel in the DSL.
    pub bindable: BTreeSet<String>,
    /// The findings in headers that other files of the same run have too.
    #[serde(skip)]
    pub shared: Shared,
}

impl Analysis {
    /// Splits the analysis into results for reports, the traced module, and mask instructions.
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
            other_products: module.other_products.clone(),
            uncalled: module.uncalled.clone(),
            read_with: module.read_with.clone(),
            shared: Shared::default(),
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
    /// Returns the verdicts on each kernel of the DSL, in the order of the records.
    pub fn verdicts(&self) -> impl Iterator<Item = Verdicts> {
        let records = self.records.iter();
        records.map(|record| record.verdicts(&self.findings))
    }

    /// Returns whether the check was complete: nothing was left out, every kernel was traced completely, and every
    /// known launch was run to its end.
    pub fn is_complete(&self) -> bool {
        self.not_analysed.is_empty() && self.records.iter().all(|record| record.gap().is_none())
    }
}

/// Removes the notice that a file without kernels was not analysed if kernels of another file in the same run use it
/// as a header.
pub fn settle_headers<'r>(all: impl Iterator<Item = (&'r Path, &'r mut Results)>) {
    let mut all: Vec<_> = all.collect();
    let with_kernels = all.iter().filter(|(_, results)| results.kernels > 0);
    let read: HashSet<PathBuf> = with_kernels
        .flat_map(|(_, results)| results.read_with.iter().cloned())
        .collect();
    for (path, results) in &mut all {
        if read.contains(*path) {
            results.not_analysed.retain(|gap| gap.reason != NO_ENTRY);
        }
    }
}
