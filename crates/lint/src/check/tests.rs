use a2lint_analysis::analysed;

use super::*;

/// Two kernels with launches, so that both are replayed and proved.
const KERNELS: &str = r#"from easyasc.a2 import *
import torch

@kernel(mode="vec")
def doubled(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [8, 64], Position.UB)
    t <<= x[0:8, 0:64]
    bar_all()
    adds(t, t, 1.0)
    bar_all()
    y[0:8, 0:64] <<= t
    return y

@kernel(mode="vec")
def partly_filled(y: GMTensor):
    t = Tensor(DT.float, [8, 64], Position.UB)
    dup(t[0:4, 0:64], 2.0)
    bar_all()
    y[0:8, 0:64] <<= t
    return y

if __name__ == "__main__":
    OpExec(doubled, "")(torch.ones(8, 64), torch.zeros(8, 64))
    OpExec(partly_filled, "")(torch.zeros(8, 64))
"#;

#[test]
fn a_check_analyses_each_kernel_once() {
    let before = analysed();
    let source = SourceText::new(KERNELS);
    let found = check(&source, Language::Easyasc, &Settings::default());
    assert_eq!(found.records.len(), 2);
    assert!(!found.findings.is_empty());
    let proved = |record: &KernelRecord| record.proofs != Proofs::default();
    assert!(found.records.iter().all(proved));
    assert_eq!(analysed() - before, 2);
}
