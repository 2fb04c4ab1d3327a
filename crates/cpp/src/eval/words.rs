//! Objects of classes that a pointer to numbers walks over: word by word, as copies of tiling data do.

use super::Eval;
use super::types::{IntType, Kind, Ty};
use super::values::{CellId, Pointer, Value};
use crate::library::Evaluated;

/// A number in an object, by its place in bytes.
struct Word {
    byte: u64,
    size: u64,
    cell: CellId,
}

impl Eval<'_> {
    /// Returns the number that lies a number of elements after what a pointer to numbers of a type points to, if that
    /// is a number of that size in the same object; just past the object, its end.
    pub(super) fn word_after(
        &mut self,
        cell: CellId,
        of: &Ty,
        by: i128,
    ) -> Evaluated<Option<Pointer>> {
        let Some(object) = self.object_of_words(cell, of) else {
            return Ok(None);
        };
        let Some((size, _)) = self.size_and_align(of)? else {
            return Ok(None);
        };
        let mut words = Vec::new();
        if !self.words_in(object, 0, &mut words)? {
            return Ok(None);
        }
        self.charge(words.len() as u32 / 8)?;
        let start = words.iter().find(|word| word.cell == cell);
        let start = start.map_or(0, |word| word.byte);
        let to = i128::from(start) + by * i128::from(size);
        let is_there = |word: &&Word| i128::from(word.byte) == to && word.size == size;
        if let Some(word) = words.iter().find(is_there) {
            return Ok(Some(Pointer::To(word.cell)));
        }
        let ty = self.memory.get(object).ty.clone();
        let end = self.size_and_align(&ty)?.map(|(bytes, _)| bytes);
        let is_end = end.is_some_and(|end| i128::from(end) == to);
        Ok(is_end.then_some(Pointer::End(object)))
    }

    /// Returns the object of a class whose numbers a pointer to a number type walks over.
    fn object_of_words(&self, cell: CellId, of: &Ty) -> Option<CellId> {
        let is_number = matches!(of.kind, Kind::Int(_) | Kind::Float(_));
        let is_object = |cell: CellId| self.memory.get(cell).ty.class().is_some();
        let own = is_object(cell).then_some(cell);
        let object = own.or_else(|| self.memory.parent(cell).filter(|it| is_object(*it)))?;
        is_number.then_some(object)
    }

    /// Adds the numbers of an object; `false` where they do not follow from its type.
    fn words_in(&mut self, cell: CellId, byte: u64, words: &mut Vec<Word>) -> Evaluated<bool> {
        let ty = self.memory.get(cell).ty.clone();
        match &ty.kind {
            Kind::Class(class) => {
                self.complete(*class)?;
                let info = &self.classes[class.index()];
                let is_plain = info.bases.is_empty() && !info.decl.is_union;
                if !is_plain || info.layout.has_virtual || info.layout.size.is_none() {
                    return Ok(false);
                }
                for field in info.fields.clone() {
                    let part = cell.plus(field.cell);
                    if !self.nested(|eval| eval.words_in(part, byte + field.byte, words))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Kind::Array(of, length) => {
                let (of, length) = (of.clone(), length.unwrap_or(0));
                let Some((size, _)) = self.size_and_align(&of)? else {
                    return Ok(false);
                };
                self.charge(1 + length as u32 / 8)?;
                for at in 0..length {
                    let Some(part) = self.element(cell, at)? else {
                        return Ok(false);
                    };
                    if !self.nested(|eval| eval.words_in(part, byte + at * size, words))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => {
                let size = self.size_and_align(&ty)?;
                let size = size.map(|(size, _)| size);
                words.extend(size.map(|size| Word { byte, size, cell }));
                Ok(size.is_some())
            }
        }
    }

    /// Returns what an object holds after a number of another type and the same size was stored in its place; `None`
    /// where that is not known.
    pub(super) fn stored_bits(
        &mut self,
        object: CellId,
        of: &Kind,
        value: &Value,
    ) -> Option<Value> {
        let own = self.memory.get(object).ty.kind.clone();
        match (&own, of, value) {
            // A byte that is no 0 or 1 is no `bool`.
            (Kind::Int(IntType::Bool), ..) => None,
            (Kind::Int(own), Kind::Int(of), Value::Int(..)) if own.bytes() == of.bytes() => {
                self.converted_to_int(value, *own).ok()
            }
            (Kind::Float(own), Kind::Int(of), Value::Int(..)) if own.bytes() == of.bytes() => {
                Some(self.float_of_bits(value, *own))
            }
            (Kind::Int(own), Kind::Float(of), Value::Float(..)) if own.bytes() == of.bytes() => {
                Some(self.bits_of_float(value, *own))
            }
            _ => None,
        }
    }
}
