//! Values of expressions in the first iterations of loops.

use super::{Meaning, Symbols};
use crate::scalar::linear::{Linear, Symbol};

impl Symbols {
    /// Returns the value of an expression in the first pass through every loop around the statement that uses
    /// it.
    pub fn on_first_pass(&mut self, number: &Linear) -> Linear {
        self.on_entry(number, 0)
    }

    /// Returns the value of an expression in the first iteration of the loops whose symbols are those from a
    /// mark on.
    pub fn on_entry(&mut self, number: &Linear, mark: u32) -> Linear {
        let mut result = Linear::constant(number.constant);
        for &(symbol, coefficient) in &number.terms {
            let first = self.symbol_on_entry(symbol, mark);
            match result.plus_times(&first, coefficient) {
                Some(sum) => result = sum,
                None => return number.clone(),
            }
        }
        match may_wrap(&result) && number.as_constant().is_none() {
            true => number.clone(),
            false => result,
        }
    }

    fn symbol_on_entry(&mut self, symbol: Symbol, mark: u32) -> Linear {
        if symbol.0 < mark {
            return Linear::symbol(symbol);
        }
        if let Some(first) = self.first.get(&(symbol, mark)) {
            return first.clone();
        }
        let first = match self.known[symbol.0 as usize].meaning.clone() {
            Meaning::Iteration => Linear::constant(0),
            Meaning::LoopHead(Some(entry)) => self.on_entry(&entry, mark),
            Meaning::Operation(op, a, b) => {
                let (a, b) = (self.on_entry(&a, mark), self.on_entry(&b, mark));
                let first = self.operation(op, a, b);
                match may_wrap(&first) {
                    true => Linear::symbol(symbol),
                    false => first,
                }
            }
            _ => Linear::symbol(symbol),
        };
        self.first.insert((symbol, mark), first.clone());
        first
    }
}

/// Returns whether a number is known to exceed the narrowest type of arithmetic: the assumption that it stays
/// inside of its type fails in the first pass.
fn may_wrap(number: &Linear) -> bool {
    let stays = |value: i64| i32::try_from(value).is_ok();
    !number.as_constant().is_none_or(stays)
}
