use crate::declare_rule;
use crate::device::illegal_moves::{IllegalMove, illegal_moves};
use crate::wording::declared;
use crate::{Facts, Sink};
use a2lint_ir::finding::Edit;
use a2lint_ir::{LocalView, OriginId};
use a2lint_isa::{Opcode, Position};

declare_rule! {
    /// ## What it does
    /// Reports `dst <<= src` between memories that no instruction connects, UB to UB included.
    ///
    /// ## Why is this bad?
    /// The operator becomes one move instruction, chosen by the two memories. If there is none, the DSL
    /// raises an exception while the kernel is traced.
    ///
    /// ## Example
    /// ```python
    /// saved <<= running          # both in UB
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// ub_to_ub(saved, running)
    /// ```
    ///
    /// ## Fix safety
    /// Copies inside UB are rewritten to a call of `ub_to_ub`. The rewrite is safe where rows are
    /// whole 32-byte blocks, which is the unit of that instruction. It is not offered for narrower rows, nor
    /// where the width of a row is not known.
    ///
    /// ## Source
    /// The table of data paths in the A2 device constraints, sections 2 and 3.
    "DEV006" "illegal-move" Error, basis = Constants, fix = Safe
}

fn check(facts: &Facts, sink: &mut Sink) {
    for bad in illegal_moves(facts) {
        match bad.path() {
            // `l0c-to-ub`, `l0c-to-l1-float` and `ub-to-l1` report these.
            (Some(Position::Ub | Position::L1), Some(Position::L0C)) => {}
            (Some(Position::L1), Some(Position::Ub)) => {}
            (Some(Position::Ub), Some(Position::Ub)) => inside_ub(facts, &bad, sink),
            _ => elsewhere(facts, &bad, sink),
        }
    }
}

fn elsewhere(facts: &Facts, bad: &IllegalMove, sink: &mut Sink) {
    let report = sink
        .report_from(bad.origin, bad.span, bad.message())
        .label(declared(facts, bad.src_view), "the source");
    if let Some(help) = detour(bad) {
        report.help(help);
    }
}

/// Returns what to write instead, if another way exists.
fn detour(bad: &IllegalMove) -> Option<String> {
    use Position::{Bt, L0A, L0B, L0C, L1, Ub};
    let (dst, src) = (bad.dst_text, bad.src_text);
    Some(match bad.path() {
        (Some(L0A | L0B), None) => {
            format!("load it into L1 first: `l1 <<= {src}`, then `{dst} <<= l1`")
        }
        (Some(Bt), None) => {
            format!("load the row into an L1 tensor of layout=Layout.ND, then `{dst} <<= l1`")
        }
        (Some(L0C), _) => "L0C is written by matmul and mmad only".to_owned(),
        (None, None) => format!("go through UB: `ub <<= {src}`, then `{dst} <<= ub`"),
        (None, Some(L1 | L0A | L0B | Bt)) => {
            "the cube side stores from L0C only; data that came from GM can be \
             loaded into UB and stored from there"
                .to_owned()
        }
        (Some(Ub), Some(L1 | L0A | L0B | Bt)) => {
            format!("load `{dst}` from GM; the vector side cannot see the cube's memories")
        }
        (Some(L1), Some(L1)) => format!("load `{dst}` from GM a second time"),
        _ => return None,
    })
}

fn inside_ub(facts: &Facts, bad: &IllegalMove, sink: &mut Sink) {
    let (dst, src) = (bad.dst_text, bad.src_text);
    let copy = format!("{}({dst}, {src})", facts.program.name_of(Opcode::UbToUb));
    let report = sink.report_from(
        bad.origin,
        bad.span,
        format!("`<<=` does not copy inside UB: `{dst}` and `{src}` are both UB tensors"),
    );
    let (Some(to), Some(from)) = (bad.dst_view.local(), bad.src_view.local()) else {
        return;
    };
    if to.dtype != from.dtype {
        let cast = facts.program.name_of(Opcode::Cast);
        report.help(format!("convert instead: `{cast}({dst}, {src})`"));
        return;
    }
    let rows = [to, from].map(|view| whole_blocks(facts, view));
    if rows.contains(&Some(false)) {
        let help = format!(
            "`{copy}` would move whole 32-byte blocks; rows here are not, so fill `zero`, \
             a tensor of the same shape, with 0 and write `{}({dst}, {src}, zero)`",
            facts.program.name_of(Opcode::Add)
        );
        report.help(help);
        return;
    }
    if rows.contains(&None) {
        report.help(format!(
            "write `{copy}` if every row is whole 32-byte blocks, which it moves"
        ));
        return;
    }
    let safe = bad.origin == OriginId(0);
    let edit = Edit {
        span: bad.span,
        text: copy.clone(),
    };
    report
        .help(format!("write `{copy}`"))
        .fix(format!("replace with `{copy}`"), safe, vec![edit]);
}

/// Returns whether rows and row pitch are whole blocks; `None` if the width is unknown.
fn whole_blocks(facts: &Facts, view: &LocalView) -> Option<bool> {
    let scalars = &facts.program.scalars;
    let width = scalars.as_int(view.span[1])?;
    let pitch = scalars.as_int(view.shape[1])?;
    let whole = |elements: i64| elements % view.dtype.c0() == 0;
    Some(whole(width) && whole(pitch))
}
