//! Calls of instructions in C++, read as steps.

use super::{Object, Tiles};
use crate::cpp::{Call, Site};
use a2lint_ir::tile::{Address, Compare, CompareMode, Select, StepKind, Sync, TilePipe};
use a2lint_syntax::cpp::{Expr, ExprKind, Path};

pub(super) fn barrier<'a>(path: &Path<'a>, arguments: &[Expr<'a>]) -> StepKind {
    let named = path.arguments.first().or(arguments.first());
    let pipe = named
        .and_then(Expr::path)
        .and_then(|path| TilePipe::from_name(path.name()));
    StepKind::Sync(pipe.map_or(Sync::Other, Sync::Barrier))
}

impl<'a> Tiles<'a> {
    pub(super) fn select(&self, site: &Site<'a>, arguments: &[Expr<'a>]) -> Option<StepKind> {
        let [dst, mask, src0, src1, rest @ ..] = arguments else {
            return None;
        };
        // The older form has events in the place of the scratch tile.
        let tmp = rest
            .first()
            .filter(|&expr| !self.takes_event(site, std::slice::from_ref(expr)));
        Some(StepKind::Select(Select {
            dst: self.operand(site, dst),
            mask: self.operand(site, mask),
            src0: self.operand(site, src0),
            src1: self.operand(site, src1),
            tmp: tmp.map(|tmp| self.operand(site, tmp)),
        }))
    }

    pub(super) fn select_scalar(
        &self,
        site: &Site<'a>,
        arguments: &[Expr<'a>],
    ) -> Option<StepKind> {
        Some(match arguments {
            [dst, mask, src, tmp, _, ..] => StepKind::SelectScalar {
                dst: self.operand(site, dst),
                mask: self.operand(site, mask),
                src: self.operand(site, src),
                tmp: Some(self.operand(site, tmp)),
            },
            // The older form selects between two tiles by a scalar; the newer one has a mask.
            [dst, mask, src, scalar]
                if self.is_packed_mask(site, mask, src) && self.state(site, scalar).is_none() =>
            {
                StepKind::SelectScalar {
                    dst: self.operand(site, dst),
                    mask: self.operand(site, mask),
                    src: self.operand(site, src),
                    tmp: None,
                }
            }
            _ => StepKind::Other(self.tiles_among(site, arguments)),
        })
    }

    /// Returns whether a tile is a packed mask for another one: bytes for wider elements.
    fn is_packed_mask(&self, site: &Site<'a>, mask: &Expr<'a>, data: &Expr<'a>) -> bool {
        let bytes = |expr: &Expr<'a>| Some(self.operand(site, expr).element()?.bytes());
        bytes(mask) == Some(1) && bytes(data).is_some_and(|bytes| bytes > 1)
    }

    pub(super) fn compare(
        &self,
        site: &Site<'a>,
        name: &str,
        arguments: &[Expr<'a>],
    ) -> Option<StepKind> {
        let [dst, src0, other, rest @ ..] = arguments else {
            return None;
        };
        let mode = rest.first().and_then(|expr| {
            let mode = CompareMode::from_name(expr.path()?.name())?;
            Some((mode, expr.span))
        });
        Some(StepKind::Compare(Compare {
            dst: self.operand(site, dst),
            src0: self.operand(site, src0),
            src1: (name == "TCMP").then(|| self.operand(site, other)),
            mode,
        }))
    }

    pub(super) fn place(
        &mut self,
        site: &Site<'a>,
        path: &Path<'a>,
        call: &Call<'a, '_>,
    ) -> Option<StepKind> {
        let tile = call.arguments.first()?;
        let address = path.arguments.first().or(call.arguments.get(1))?;
        let placed = match site.env.int64(address) {
            Some(value) => Address::At(value, address.span),
            None => self.copied_address(site, address),
        };
        if let Some(index) = site.env.object(tile)
            && let Some(Object::Tile(state)) = self.objects.get_mut(index)
        {
            state.address = placed;
        }
        let mut operand = self.operand(site, tile);
        operand.address = placed;
        Some(StepKind::Assign(operand))
    }

    /// Returns the address of `x` if the expression is `x.data()`.
    fn copied_address(&self, site: &Site<'a>, expr: &Expr<'a>) -> Address {
        let copied = |expr: &Expr<'a>| match &expr.kind {
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Member {
                    object,
                    name: "data",
                    ..
                } => Some(self.state(site, object)?.address),
                _ => None,
            },
            _ => None,
        };
        match copied(expr) {
            Some(Address::At(at, _)) => Address::At(at, expr.span),
            _ => Address::Unknown,
        }
    }

    pub(super) fn flag(&self, name: &str, arguments: &[Expr<'a>]) -> Option<StepKind> {
        let pipe = |at: usize| {
            let path = arguments.get(at)?.path()?;
            TilePipe::from_name(path.name())
        };
        Some(StepKind::Sync(match (pipe(0), pipe(1)) {
            (Some(source), Some(destination)) if name == "set_flag" => {
                Sync::Set(source, destination)
            }
            (Some(source), Some(destination)) => Sync::Wait(source, destination),
            _ => Sync::Other,
        }))
    }
}
