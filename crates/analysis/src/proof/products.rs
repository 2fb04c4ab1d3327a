//! Facts about products of two numbers that are not constant: they grow with a factor if the other one is
//! common to two products, and they are 0 or the other factor if one factor is 0 or 1.

use super::pair::{Pair, Quantity};
use super::system::{Cases, Form, System};
use crate::scalar::{Linear, Meaning, Symbol};
use a2lint_ir::BinaryOp;

/// A product of two numbers.
struct Product {
    result: Form,
    factors: [Linear; 2],
    copy: u8,
}

impl Pair<'_> {
    /// Returns cases for products with a common factor that is not negative: the one with the larger other
    /// factor is larger.
    pub(super) fn shared_factors(&mut self, system: &System) -> Vec<Cases> {
        let products = self.products();
        let mut found = Vec::new();
        for (at, first) in products.iter().enumerate() {
            let others = products[at + 1..].iter();
            for second in others.filter(|other| other.copy == first.copy) {
                let ([a, b], [c, d]) = (&first.factors, &second.factors);
                // Any factor of one product may equal any factor of the other.
                let ways = [(a, c, b, d), (a, d, b, c), (b, c, a, d), (b, d, a, c)];
                let Some((factor, _, x, y)) = ways.into_iter().find(|way| way.0 == way.1) else {
                    continue;
                };
                let by = self.form(factor, first.copy);
                // A negative common factor would reverse the order.
                if !system.implies(by.clone()) {
                    continue;
                }
                let others = (self.form(x, first.copy), self.form(y, first.copy));
                if let (Some(by), (Some(x), Some(y))) = (by, others) {
                    let results = [first.result.clone(), second.result.clone()];
                    found.extend(grows(&[x, y], &results, &by));
                }
            }
        }
        found
    }

    /// Returns the products of two numbers that occur, including those of a quotient and its divisor.
    fn products(&mut self) -> Vec<Product> {
        let mut products = Vec::new();
        for symbol in self.order.clone() {
            let Meaning::Operation(op, a, b) = self.places.meaning(symbol).clone() else {
                continue;
            };
            for &copy in self.copies(symbol) {
                let whole = (Quantity::Whole(a.clone(), b.clone()), copy);
                let (result, factors) = match (op, self.unknowns.get(&whole)) {
                    (BinaryOp::Mul, _) => (self.symbol(symbol, copy), [a.clone(), b.clone()]),
                    (BinaryOp::Div, Some(&whole)) => {
                        (Form::unknown(whole), [Linear::symbol(symbol), b.clone()])
                    }
                    _ => continue,
                };
                products.push(Product {
                    result,
                    factors,
                    copy,
                });
            }
        }
        products
    }

    /// Returns cases for a product that grows with one factor, if the other one is shared by both copies and
    /// not negative.
    pub(super) fn product(
        &mut self,
        symbol: Symbol,
        factors: [&Linear; 2],
        system: &System,
    ) -> Option<Cases> {
        for (same, other) in [(factors[0], factors[1]), (factors[1], factors[0])] {
            let is_shared = same.symbols().all(|symbol| !self.is_private(symbol));
            if is_shared && system.implies(self.form(same, 0)) {
                let others = [self.form(other, 1)?, self.form(other, 2)?];
                let products = [self.symbol(symbol, 1), self.symbol(symbol, 2)];
                let factor = self.form(same, 0)?;
                return grows(&others, &products, &factor);
            }
        }
        None
    }

    /// Returns cases for quotients whose divisor is at least the dividend: the quotient is 1 if both are equal, and
    /// otherwise 0 (`(step + 1) // steps` recognises the last step). In both cases, products with the quotient are
    /// known.
    pub(super) fn flags(&mut self, system: &System) -> Vec<Cases> {
        let mut found = Vec::new();
        for symbol in self.order.clone() {
            let Some([a, b]) = self.quotient_of(symbol) else {
                continue;
            };
            for &copy in self.copies(symbol) {
                let gap = self.form(&b, copy).zip(self.form(&a, copy));
                let gap = gap.and_then(|(b, a)| b.plus(&a, -1));
                if self.divides_well(&a, &b, copy, system) && system.implies(gap.clone()) {
                    found.extend(gap.and_then(|gap| self.flag(symbol, &gap, copy)));
                }
            }
        }
        found
    }

    /// Returns both cases of a quotient that is 0 or 1; `gap` is the divisor minus the dividend.
    fn flag(&mut self, symbol: Symbol, gap: &Form, copy: u8) -> Option<Cases> {
        let quotient = self.symbol(symbol, copy);
        let mut none = vec![gap.clone().plus_number(-1)];
        none.extend(is_zero(quotient.clone())?);
        let mut one: Vec<Form> = is_zero(gap.clone())?.into();
        one.extend(is_zero(quotient.plus_number(-1))?);
        let flag = Linear::symbol(symbol);
        for product in self.products() {
            let [a, b] = &product.factors;
            let other = match (*a == flag, *b == flag) {
                (true, _) => b,
                (_, true) => a,
                _ => continue,
            };
            // In the other copy, the quotient may have another value.
            if copy != 0 && product.copy != copy {
                continue;
            }
            let other = self.form(other, product.copy)?;
            one.extend(is_zero(product.result.plus(&other, -1)?)?);
            none.extend(is_zero(product.result)?);
        }
        Some(vec![none, one])
    }

    /// Returns dividend and divisor of a symbol that is a quotient, if the divisor is not constant.
    fn quotient_of(&self, symbol: Symbol) -> Option<[Linear; 2]> {
        match self.places.meaning(symbol) {
            Meaning::Operation(BinaryOp::Div, a, b) if b.as_constant().is_none() => {
                Some([a.clone(), b.clone()])
            }
            _ => None,
        }
    }

    /// Returns whether a number is such a quotient.
    pub(super) fn is_quotient(&self, number: &Linear) -> bool {
        let mut symbols = number.symbols();
        let only = symbols.next().filter(|_| symbols.next().is_none());
        only.is_some_and(|symbol| {
            *number == Linear::symbol(symbol) && self.quotient_of(symbol).is_some()
        })
    }
}

/// Returns the condition that a form is zero.
fn is_zero(form: Form) -> Option<[Form; 2]> {
    let negated = Form::default().plus(&form, -1)?;
    Some([form, negated])
}

/// Returns three cases: the first factor is smaller, and its product smaller by at least `by`; the other way
/// round; or both are equal.
pub(super) fn grows(factors: &[Form; 2], products: &[Form; 2], by: &Form) -> Option<Cases> {
    let mut cases = Vec::new();
    for (low, high) in [(0, 1), (1, 0)] {
        let order = factors[high].plus(&factors[low], -1)?.plus_number(-1);
        let gap = products[high].plus(&products[low], -1)?.plus(by, -1)?;
        cases.push(vec![order, gap]);
    }
    let mut same = Vec::new();
    for pair in [factors, products] {
        let gap = pair[0].plus(&pair[1], -1)?;
        same.push(Form::default().plus(&gap, -1)?);
        same.push(gap);
    }
    cases.push(same);
    Some(cases)
}
