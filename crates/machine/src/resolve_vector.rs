//! Resolves the arguments of vector instructions to numbers.

use super::operation::{Operation, Tile};
use super::resolve::{Resolved, Resolver, Unresolved};
use super::value::Value;
use super::{VectorCall, VectorLength, VectorOperand};
use a2lint_ir::{ArgValue, View};
use a2lint_isa::{BLOCKS_PER_REPEAT, CompareMode, ParamKind, RoundMode, SelectMode, cast_pair};

impl Resolver<'_, '_> {
    pub(super) fn vector(&mut self) -> Resolved<Operation> {
        let row = self.instr.row();
        let mut tiles = Vec::new();
        let mut operands = Vec::new();
        for (index, _) in row.operands() {
            let tile = self.operand_tile(index)?;
            operands.push(match &tile {
                Some(tile) => Some(self.operand(index, tile)?),
                None => None,
            });
            tiles.push(tile);
        }
        let (scalar, exactly) = self.scalar_operand()?;
        let call = VectorCall {
            opcode: self.instr.opcode,
            round: self.round(&operands)?,
            operands,
            length: self.length()?,
            scalar,
            exactly,
            result_stride: self.int_of(ParamKind::ResultStride)?.unwrap_or(1),
            compare: self.compare(),
            select: self.select(),
            step: self.step()?,
            switch: self.flag_of()?,
            integers: self.integers()?,
        };
        Ok(Operation::Vector(call, tiles))
    }

    /// Returns the view given for a parameter, or `None` if it is absent or a scalar.
    fn operand_tile(&mut self, index: usize) -> Resolved<Option<Tile>> {
        match self.argument(index)?.value {
            ArgValue::None | ArgValue::Scalar(_) => Ok(None),
            ArgValue::View(ref view) if matches!(**view, View::Local(_)) => {
                self.tile(index).map(Some)
            }
            _ => Err(Unresolved::Argument(index)),
        }
    }

    fn operand(&mut self, index: usize, tile: &Tile) -> Resolved<VectorOperand> {
        let block_stride = self.int_of(ParamKind::BlockStride(index))?;
        let repeat_stride = self.int_of(ParamKind::RepeatStride(index))?;
        Ok(VectorOperand {
            address: tile.row_major_address(),
            dtype: tile.dtype,
            block_stride: block_stride.unwrap_or(1),
            repeat_stride: repeat_stride.unwrap_or(BLOCKS_PER_REPEAT),
        })
    }

    /// Returns the integer given for the parameter of this kind.
    fn int_of(&mut self, kind: ParamKind) -> Resolved<Option<i64>> {
        match self.instr.row().index_of(kind) {
            Some(index) => self.int(index),
            None => Ok(None),
        }
    }

    fn length(&mut self) -> Resolved<VectorLength> {
        if let Some(count) = self.int_of(ParamKind::Count)? {
            return Ok(VectorLength::Count(count));
        }
        let repeats = self.int_of(ParamKind::Repeat)?.unwrap_or(1);
        Ok(match self.int_of(ParamKind::CountPerRepeat)? {
            Some(lanes) => VectorLength::CountPerRepeat { repeats, lanes },
            None => VectorLength::Repeats(repeats),
        })
    }

    /// Returns the scalar operand, or the scalar in place of a tensor, together with its exact value.
    fn scalar_operand(&mut self) -> Resolved<(f64, Option<f64>)> {
        for (index, param) in self.instr.row().params().enumerate() {
            let is_value = matches!(param.kind, ParamKind::Value | ParamKind::OperandOrValue(_));
            if !is_value {
                continue;
            }
            if let ArgValue::Scalar(id) = self.argument(index)?.value {
                let exact = self.environment.exactly(id);
                return Ok((self.float(index)?, exact.map(|exact| exact.value)));
            }
        }
        // Without a scalar parameter, the value is never read.
        Ok((0.0, None))
    }

    fn step(&mut self) -> Resolved<f64> {
        match self.instr.row().index_of(ParamKind::Step) {
            Some(index) => self.float(index),
            None => Ok(0.0),
        }
    }

    fn integers(&mut self) -> Resolved<Vec<i64>> {
        let mut integers = Vec::new();
        for (index, param) in self.instr.row().params().enumerate() {
            if param.kind == ParamKind::Integer {
                integers.push(self.int(index)?.ok_or(Unresolved::Argument(index))?);
            }
        }
        Ok(integers)
    }

    fn flag_of(&mut self) -> Resolved<bool> {
        match self.instr.row().index_of(ParamKind::Flag) {
            Some(index) => Ok(self.scalar(index)?.map_or(Ok(false), Value::as_bool)?),
            None => Ok(false),
        }
    }

    fn round(&self, operands: &[Option<VectorOperand>]) -> Resolved<RoundMode> {
        let Some(index) = self.instr.row().index_of(ParamKind::Round) else {
            return Ok(RoundMode::None);
        };
        let ArgValue::Round(mode) = self.argument(index)?.value else {
            return Err(Unresolved::Argument(index));
        };
        let widens = match operands {
            [Some(dst), Some(src), ..] => {
                cast_pair(src.dtype, dst.dtype).is_some_and(|pair| pair.widens())
            }
            _ => false,
        };
        // A widening cast is exact: it takes no notice of the mode that is written.
        Ok(if widens { RoundMode::None } else { mode })
    }

    fn compare(&self) -> CompareMode {
        match self.instr.arg(ParamKind::Compare).map(|arg| &arg.value) {
            Some(ArgValue::Compare(mode)) => *mode,
            _ => CompareMode::Eq,
        }
    }

    /// Returns the given mode, or the one that the kind of `src2` implies.
    fn select(&self) -> SelectMode {
        let src2 = self
            .instr
            .row()
            .params()
            .position(|param| matches!(param.kind, ParamKind::OperandOrValue(_)));
        match self.instr.arg(ParamKind::Select).map(|arg| &arg.value) {
            Some(ArgValue::Select(mode)) => *mode,
            _ if src2.is_some_and(|index| self.instr.view(index).is_some()) => {
                SelectMode::TensorTensor
            }
            _ => SelectMode::TensorScalar,
        }
    }
}
