//! Launches in typical spellings: each with a size that fits the kernel's tiles, and with one that does not. The
//! second is found only if the launch is read.

use a2lint::check::{Analysis, Settings, check};
use a2lint::isa::DType;
use a2lint::language::Language;
use a2lint::text::SourceText;

/// A kernel that takes 64 rows at a time without checking the number of rows.
const KERNEL: &str = r#"from easyasc.a2 import *
import torch
import numpy as np


@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            tile <<= x[row:row + 64, 0:64]
            y[row:row + 64, 0:64] <<= tile
    return y


"#;

fn checked(text: &str) -> Analysis {
    let settings = Settings {
        replay_work: 100_000,
        ..Settings::default()
    };
    check(&SourceText::new(text), Language::Easyasc, &settings)
}

fn names(analysis: &Analysis) -> Vec<&'static str> {
    let mut names: Vec<_> = analysis.findings.iter().map(|it| it.name).collect();
    names.dedup();
    names
}

/// Returns every spelling with its kernel.
pub fn texts() -> Vec<String> {
    let with_rows = |spelling: &&str| format!("{KERNEL}{}\n", spelling.replace("ROWS", "128"));
    SPELLINGS.iter().map(with_rows).collect()
}

/// Ways to launch `k` with `ROWS` rows.
const SPELLINGS: &[&str] = &[
    // The place of the call.
    "x = torch.randn(ROWS, 64)\ny = torch.zeros(ROWS, 64)\nOpExec(k, '')(x, y, ROWS)",
    "if __name__ == '__main__':\n    OpExec(k)(torch.randn(ROWS, 64), torch.zeros(ROWS, 64), ROWS)",
    "def main():\n    OpExec(k)(torch.randn(ROWS, 64), torch.zeros(ROWS, 64), ROWS)\nif __name__ == '__main__':\n    main()",
    "def run(M):\n    x = torch.randn(M, 64)\n    return OpExec(k)(x, torch.zeros_like(x), M)\nrun(ROWS)",
    "def run(M, N=64):\n    OpExec(k)(torch.randn(M, N), torch.zeros(M, N), M)\nrun(M=ROWS)",
    "def test_k():\n    OpExec(k)(torch.randn(ROWS, 64), torch.zeros(ROWS, 64), ROWS)",
    "import pytest\n@pytest.mark.parametrize('M', [ROWS])\ndef test_k(M):\n    OpExec(k)(torch.randn(M, 64), torch.zeros(M, 64), M)",
    "import pytest\n@pytest.mark.parametrize('M,N', [(ROWS, 64)])\ndef test_k(M, N):\n    OpExec(k)(torch.randn(M, N), torch.zeros(M, N), M)",
    "import pytest\n@pytest.mark.parametrize('M', [ROWS])\n@pytest.mark.parametrize('N', [64])\ndef test_k(M, N):\n    OpExec(k)(torch.randn(M, N), torch.zeros(M, N), M)",
    "import pytest\n@pytest.mark.parametrize('M', [pytest.param(ROWS, id='tail')])\ndef test_k(M):\n    OpExec(k)(torch.randn(M, 64), torch.zeros(M, 64), M)",
    "import pytest\n@pytest.fixture(params=[pytest.param(ROWS, id='tail')])\ndef rows(request):\n    yield request.param\ndef test_k(rows):\n    OpExec(k)(torch.randn(rows, 64), torch.zeros(rows, 64), rows)",
    "import pytest\n@pytest.mark.parametrize(['M', 'N'], [pytest.param(ROWS, 64, id='tail')])\ndef test_k(M, N):\n    OpExec(k)(torch.randn(M, N), torch.zeros(M, N), M)",
    "import pytest\n@pytest.fixture\ndef rows():\n    return ROWS\ndef test_k(rows):\n    OpExec(k)(torch.randn(rows, 64), torch.zeros(rows, 64), rows)",
    "import pytest\n@pytest.fixture(params=[ROWS])\ndef rows(request):\n    yield request.param\ndef test_k(rows):\n    OpExec(k)(torch.randn(rows, 64), torch.zeros(rows, 64), rows)",
    "class TestK:\n    N = 64\n    def test_k(self):\n        OpExec(k)(torch.randn(ROWS, self.N), torch.zeros(ROWS, self.N), ROWS)",
    "for M in [ROWS]:\n    OpExec(k)(torch.randn(M, 64), torch.zeros(M, 64), M)",
    "CASES = [(ROWS, 64)]\nfor M, N in CASES:\n    OpExec(k)(torch.randn(M, N), torch.zeros(M, N), M)",
    "CASES = {'tail': dict(M=ROWS, N=64)}\nfor name, case in CASES.items():\n    OpExec(k)(torch.randn(case['M'], case['N']), torch.zeros(case['M'], case['N']), case['M'])",
    "CASES = [{'M': ROWS}]\ndef run(M):\n    OpExec(k)(torch.randn(M, 64), torch.zeros(M, 64), M)\nfor case in CASES:\n    run(**case)",
    "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--m', type=int, default=ROWS)\nargs = parser.parse_args()\nOpExec(k)(torch.randn(args.m, 64), torch.zeros(args.m, 64), args.m)",
    "import argparse\ndef options():\n    p = argparse.ArgumentParser()\n    p.add_argument('--block-rows', '-b', default='ROWS', type=int)\n    p.add_argument('--check', action='store_true')\n    return p.parse_args()\no = options()\nif not o.check:\n    OpExec(k)(torch.randn(o.block_rows, 64), torch.zeros(o.block_rows, 64), o.block_rows)",
    "import sys\nM = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS\nOpExec(k)(torch.randn(M, 64), torch.zeros(M, 64), M)",
    "def inputs(M):\n    return torch.randn(M, 64), torch.empty(M, 64)\nx, y = inputs(ROWS)\nOpExec(k)(x, y, ROWS)",
    "def inputs(M):\n    return {'x': torch.randn(M, 64), 'y': torch.empty(M, 64)}\nd = inputs(ROWS)\nOpExec(k)(d['x'], d['y'], ROWS)",
    "args = [torch.randn(ROWS, 64), torch.zeros(ROWS, 64), ROWS]\nOpExec(k)(*args)",
    "op = OpExec(k, 'out', simulator=True)\nop(torch.randn(ROWS, 64), torch.zeros(ROWS, 64), ROWS)",
    "k(GMTensor(DT.float, [ROWS, 64]), GMTensor(DT.float, [ROWS, 64]), Var(ROWS))",
    // Ways to pass arguments.
    "OpExec(k)(x=torch.randn(ROWS, 64), y=torch.zeros(ROWS, 64), M=ROWS)",
    "OpExec(k)(torch.randn(ROWS, 64), M=ROWS, y=torch.zeros(ROWS, 64))",
    "x = torch.randn(ROWS, 64)\nOpExec(k)(x, torch.zeros_like(x), x.shape[0])",
    "x = torch.randn(ROWS, 64)\nOpExec(k)(x, torch.zeros_like(x), x.size(0))",
    "x = torch.randn(ROWS, 64)\nM, N = x.shape\nOpExec(k)(x, torch.empty(M, N), M)",
    "x = torch.randn(ROWS, 64)\nOpExec(k)(x, torch.zeros(x.shape), len(x))",
    // Functions that create tensors.
    "x = torch.randn((ROWS, 64))\nOpExec(k)(x, torch.empty_like(x), ROWS)",
    "x = torch.randn(size=(ROWS, 64), dtype=torch.float32)\nOpExec(k)(x, torch.rand_like(x), ROWS)",
    "x = torch.full((ROWS, 64), 1.5)\nOpExec(k)(x, torch.full_like(x, 0.0), ROWS)",
    "x = torch.empty(ROWS, 64).uniform_(-1, 1)\nOpExec(k)(x, torch.ones_like(x), ROWS)",
    "x = torch.empty(ROWS, 64).normal_()\nOpExec(k)(x, torch.randn_like(x), ROWS)",
    "x = torch.arange(ROWS * 64).view(-1, 64).float()\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.randn(ROWS * 64).reshape(ROWS, -1)\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.randn(64, ROWS).t().contiguous()\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.randn(64, ROWS).T\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.randn(64, ROWS).transpose(0, 1)\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.randn(64, ROWS).permute(1, 0)\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.randn(1, ROWS, 64).squeeze(0)\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.randn(ROWS, 64).half().to(torch.float32)\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.randn(ROWS, 64).npu()\nOpExec(k)(x, torch.zeros(ROWS, 64).cuda(), ROWS)",
    "x = torch.randn(ROWS, 64, device='npu:0')\nOpExec(k)(x, torch.zeros(ROWS, 64).to('npu'), ROWS)",
    "x = torch.rand(ROWS, 64) * 2 - 1\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = 0.1 * torch.randn(ROWS, 64) + torch.randn(64)\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.randn(ROWS, 8) @ torch.randn(8, 64)\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.randn(ROWS, 64).clamp(-1, 1).exp()\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.cat([torch.randn(ROWS, 32), torch.randn(ROWS, 32)], dim=1)\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.from_numpy(np.random.randn(ROWS, 64).astype(np.float32))\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = np.zeros((ROWS, 64), dtype=np.float32)\nOpExec(k)(x, np.empty_like(x), ROWS)",
    "x = np.random.uniform(-1, 1, (ROWS, 64)).astype('float32')\nOpExec(k)(x, np.zeros_like(x), ROWS)",
    "rng = np.random.default_rng(0)\nx = rng.standard_normal((ROWS, 64)).astype(np.float32)\nOpExec(k)(x, np.zeros_like(x), ROWS)",
    "x = np.random.normal(0, 1, size=(ROWS, 64)).astype(np.float32)\nOpExec(k)(x, np.zeros_like(x), ROWS)",
    "x = np.ones([ROWS, 64], np.float32)\nOpExec(k)(x, np.zeros_like(x), ROWS)",
    "x = torch.tensor([[1.0] * 64] * ROWS)\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "x = torch.linspace(0, 1, ROWS * 64).view(ROWS, 64)\nOpExec(k)(x, torch.zeros(ROWS, 64), ROWS)",
    "torch.manual_seed(0)\nM = ROWS\nshape = (M, 64)\nx = torch.randn(shape)\nOpExec(k)(x, torch.zeros(*shape), M)",
];

#[test]
fn launches_are_read() {
    let mut wrong = Vec::new();
    for spelling in SPELLINGS {
        let of = |rows: &str| checked(&format!("{KERNEL}{}\n", spelling.replace("ROWS", rows)));
        let (bad, good) = (of("100"), of("128"));
        let launches = &bad.module.launches;
        let is_read = launches.len() == 1
            && launches[0].scalars == [("M".to_owned(), 100.0)]
            && launches[0].tensors.len() == 2
            && launches[0].tensors.iter().all(|tensor| {
                tensor.shape == Some(vec![100, 64]) && tensor.dtype == Some(DType::Float)
            });
        let is_found = names(&bad) == ["gm-out-of-bounds"] && names(&good).is_empty();
        if !is_read || !is_found {
            wrong.push(format!(
                "{spelling}\n  {:?} {:?} {launches:?}",
                names(&bad),
                names(&good)
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        SPELLINGS.len(),
        wrong.join("\n")
    );
}

#[test]
fn results_are_passed_on() {
    let twice = "a = OpExec(k)(torch.randn(ROWS, 64), torch.zeros(ROWS, 64), ROWS)\n\
                 b = OpExec(k)(a, torch.zeros_like(a), a.shape[0])\n";
    let analysis = checked(&format!("{KERNEL}{}", twice.replace("ROWS", "128")));
    let shapes: Vec<_> = analysis
        .module
        .launches
        .iter()
        .map(|launch| launch.tensors[0].shape.clone())
        .collect();
    assert_eq!(shapes, [Some(vec![128, 64]), Some(vec![128, 64])]);
    assert_eq!(names(&analysis), Vec::<&str>::new());
}

/// Launches with an argument that cannot be read, and that argument.
const UNREADABLE: &[(&str, &str)] = &[
    (
        "OpExec(k)(torch.load('x.pt'), torch.zeros(128, 64), 128)",
        "torch.load('x.pt')",
    ),
    (
        "M = int(input())\nOpExec(k)(torch.randn(128, 64), torch.zeros(128, 64), M)",
        "M)",
    ),
    ("import sizes\nOpExec(k)(*sizes.arguments())", "*sizes"),
    (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('rows', type=int)\nM = p.parse_args().rows\nOpExec(k)(torch.randn(128, 64), torch.zeros(128, 64), M)",
        "M)",
    ),
];

#[test]
fn what_cannot_be_read_is_named_at_its_place() {
    for (spelling, place) in UNREADABLE {
        let text = format!("{KERNEL}{spelling}\n");
        let analysis = checked(&text);
        assert_eq!(names(&analysis), ["launch-unreadable"], "{spelling}");
        let start = analysis.findings[0].span.start as usize;
        assert!(
            text[start..].starts_with(place),
            "{spelling}: {}",
            &text[start..]
        );
    }
}
