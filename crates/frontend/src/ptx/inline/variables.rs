//! Values of C++ names: macros, constants, and locals that only straight-line code changes.

use std::cell::Cell;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::changes::Declaration;
use super::context::function_head;
use super::expression::{Names, Number, evaluate, spelled_width};
use super::functions::{Arguments, Functions};
use super::structures::Structures;
use super::template::StringMacros;
use super::tokens::{Kind, Tokens};
use a2lint_ir::KnownBits;

/// Maximum number of names through which a value is followed.
const MAX_DEPTH: u32 = 16;
/// Names with more occurrences than this are unknown.
const MAX_OCCURRENCES: usize = 1000;
/// Maximum depth of wrapper functions whose calls are followed.
const MAX_WRAPPERS: u32 = 2;
/// Maximum number of call paths to a function.
const MAX_WAYS: usize = 64;
/// Maximum number of tokens of a statement that is followed.
pub const MAX_TOKENS: usize = 2000;

/// The meanings of names in a file.
pub struct Variables<'a, 't> {
    pub tokens: &'a Tokens<'t>,
    /// Object-like macros; `None` for a name that is defined twice.
    macros: FxHashMap<&'t str, Option<Range<usize>>>,
    /// Occurrences of each word, in order.
    occurrences: FxHashMap<&'t str, Vec<usize>>,
    /// For each token, the brace that opens its innermost block.
    blocks: Vec<u32>,
    depth: Cell<u32>,
    pub(super) functions: Functions<'t>,
    structures: Structures<'t>,
}

/// The block of tokens outside of all braces.
const OUTSIDE: u32 = u32::MAX;

impl<'a, 't> Variables<'a, 't> {
    pub fn new(tokens: &'a Tokens<'t>) -> Self {
        let mut variables = Variables {
            tokens,
            macros: FxHashMap::default(),
            occurrences: FxHashMap::default(),
            blocks: Vec::with_capacity(tokens.len()),
            depth: Cell::new(0),
            functions: Functions::new(tokens),
            structures: Structures::new(tokens),
        };
        let mut open: Vec<(u32, usize)> = Vec::new();
        for at in 0..tokens.len() {
            while open.last().is_some_and(|&(_, close)| close <= at) {
                open.pop();
            }
            variables
                .blocks
                .push(open.last().map_or(OUTSIDE, |&(at, _)| at));
            match tokens.get(at).map(|token| token.kind) {
                Some(Kind::Word) => {
                    let word = tokens.word(at);
                    variables.occurrences.entry(word).or_default().push(at);
                }
                Some(Kind::Mark(b'{')) => {
                    if let Some(close) = tokens.partner(at) {
                        open.push((at as u32, close));
                    }
                }
                Some(Kind::Directive { end }) => variables.learn_macro(at, end),
                _ => {}
            }
        }
        variables
    }

    fn learn_macro(&mut self, at: usize, end: u32) {
        let tokens = self.tokens;
        let name = at + 1;
        let is_define = tokens.word(at).ends_with("define") && tokens.is_word(name);
        // `#define F(x)` takes arguments; `#define F (x)` does not.
        let takes_arguments =
            tokens.is(name + 1, b'(') && tokens.span(name + 1).start == tokens.span(name).end;
        if !is_define || takes_arguments {
            return;
        }
        let mut last = name + 1;
        while last < tokens.len() && tokens.span(last).start < end {
            last += 1;
        }
        self.macros
            .entry(tokens.word(name))
            // Which of two definitions is active depends on the preprocessor.
            .and_modify(|value| *value = None)
            .or_insert(Some(name + 1..last));
    }

    /// Evaluates an expression at its place.
    pub fn evaluate(&self, range: Range<usize>, place: Inside) -> Number {
        let mut scope = Scope {
            variables: self,
            place,
        };
        evaluate(self.tokens, range, &mut scope)
    }

    fn deeper(&self, find: impl FnOnce() -> Option<Number>) -> Number {
        // Macros and constants can refer to each other in a cycle.
        if self.depth.get() >= MAX_DEPTH {
            return Number::UNKNOWN;
        }
        self.depth.set(self.depth.get() + 1);
        let value = find();
        self.depth.set(self.depth.get() - 1);
        value.unwrap_or(Number::UNKNOWN)
    }

    /// Returns the values that calls in this file give to the parameters of a function, each with the place of the
    /// call. A function that is not the only one of its name is not followed. If the function around a call does not
    /// know all arguments, the calls of that function are followed too.
    pub fn calls(&self, body: (usize, usize), name: &str) -> Vec<(usize, Given<'t>)> {
        self.calls_through(body, name, MAX_WRAPPERS)
    }

    fn calls_through(
        &self,
        body: (usize, usize),
        name: &str,
        wrappers: u32,
    ) -> Vec<(usize, Given<'t>)> {
        let definition = self.functions.only(name).filter(|it| it.body == body);
        let (Some(definition), Some(all)) = (definition, self.occurrences.get(name)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (at, arguments) in self.functions.calls(self.tokens, definition, all) {
            let Some(body) = self.function_around(at) else {
                continue;
            };
            let given = |given: &Given<'t>| {
                let inside = Inside { body, given };
                definition.given(&arguments, |it| self.evaluate(it.clone(), inside))
            };
            let alone = given(&Vec::new());
            // Everything is known already, so outer calls add nothing.
            let is_open = alone
                .iter()
                .any(|(_, value)| value.bits.as_constant().is_none());
            let outer = match (wrappers.checked_sub(1), function_head(self.tokens, body.0)) {
                (Some(wrappers), Some(head)) if is_open => {
                    self.calls_through(body, head.word, wrappers)
                }
                _ => Vec::new(),
            };
            let through = outer.into_iter().map(|(at, outer)| (at, given(&outer)));
            let through = through.filter(|(_, given)| *given != alone);
            found.extend(through.collect::<Vec<_>>());
            found.push((at, alone));
        }
        // The number of paths multiplies with each wrapper.
        found.truncate(MAX_WAYS);
        found
    }

    /// Returns the outermost block around a token that is the body of a function.
    fn function_around(&self, at: usize) -> Option<(usize, usize)> {
        let mut found = None;
        let mut block = *self.blocks.get(at)?;
        while block != OUTSIDE {
            let open = block as usize;
            if function_head(self.tokens, open).is_some() {
                found = Some((open, self.tokens.partner(open)?));
            }
            block = self.blocks[open];
        }
        found
    }

    /// Evaluates a call of a function whose body is straight-line code with a single `return`.
    fn returned(&self, at: usize, place: Inside) -> Option<Number> {
        let definition = self.functions.only(self.tokens.word(at))?;
        let arguments = Arguments::of(self.tokens, at)?;
        if definition.parameters.len() != arguments.passed.len() {
            return None;
        }
        let (open, close) = definition.body;
        let mut returns = (open..close).filter(|&at| self.tokens.word(at) == "return");
        let only = returns.next().filter(|_| returns.next().is_none())?;
        let end = self.statement_end(only)?;
        // A `return` in an inner block is conditional, or in a loop.
        if self.blocks[only] as usize != open || end > close {
            return None;
        }
        let given = definition.given(&arguments, |it| self.evaluate(it.clone(), place));
        let inside = Inside {
            body: definition.body,
            given: &given,
        };
        let value = self.evaluate(only + 1..end, inside);
        let before = definition.at.checked_sub(1)?;
        // The result is converted to the return type; other types are not modelled.
        match spelled_width(&[self.tokens.word(before)]) {
            Some((64, _)) => Some(Number {
                wide: true,
                ..value
            }),
            Some((32, false)) => Some(value.converted("uint32_t")),
            _ => None,
        }
    }

    /// Returns the value of a field of a local structure before `at`.
    fn field_of(&self, at: usize, field: usize, place: Inside) -> Option<Number> {
        let tokens = self.tokens;
        let all = self.occurrences.get(tokens.word(at))?;
        // Only occurrences in the body of the function can change a local.
        let local = |at: &&usize| (place.body.0..=place.body.1).contains(*at);
        let inside: Vec<usize> = all.iter().filter(local).copied().collect();
        let (first, rest) = inside.split_first()?;
        let layout = self.structures.layout(tokens.word(first.checked_sub(1)?))?;
        let zeroed = |at: usize| {
            let zero = tokens.word(at + 1) == "0" && tokens.is(at + 2, b'}');
            tokens.is(at, b'{') && (tokens.is(at + 1, b'}') || zero)
        };
        let mut bits = match () {
            _ if tokens.is(first + 1, b';') => KnownBits::UNKNOWN,
            _ if zeroed(first + 1) => KnownBits::constant(0),
            _ if tokens.is(first + 1, b'=') && zeroed(first + 2) => KnownBits::constant(0),
            _ => return None,
        };
        for &here in rest.iter().filter(|&&here| here != at) {
            let (dot, equals) = (tokens.is(here + 1, b'.'), tokens.is(here + 3, b'='));
            // Any other use (a method, an address, a nested field) may change the structure.
            if !dot || tokens.is(here + 3, b'.') || tokens.is(here + 3, b'(') {
                return None;
            }
            let starts = [b';', b'{', b'}']
                .iter()
                .any(|&mark| tokens.is(here - 1, mark));
            if !equals || tokens.is(here + 4, b'=') {
                // A statement that begins with the name but is no assignment changes it in some other way.
                if starts || tokens.is(here - 1, b'&') {
                    return None;
                }
                continue;
            }
            // An assignment in another block is conditional.
            if !starts || self.blocks[here] != self.blocks[*first] {
                return None;
            }
            // Assignments after the use do not count in straight-line code.
            if here > at {
                continue;
            }
            let end = self.statement_end(here + 4)?;
            let value = self.evaluate(here + 4..end, place).bits;
            let (start, width) = layout.field(tokens.word(here + 2))?;
            bits = bits.with_field(value, start, width);
        }
        let (start, width) = layout.field(tokens.word(field))?;
        let bits = bits.shifted_right(start).truncated(width);
        Some(Number {
            bits,
            wide: width == 64,
        })
    }

    fn value_of(&self, name: &str, at: usize, place: Inside) -> Option<Number> {
        let body = place.body;
        if let Some(value) = self.macros.get(name) {
            return Some(self.evaluate(value.clone()?, place));
        }
        let all = self.occurrences.get(name)?;
        if all.len() > MAX_OCCURRENCES {
            return None;
        }
        let given = place.given.iter().find(|(known, _)| *known == name);
        let local = |at: &usize| (body.0..=body.1).contains(at);
        let inside: Vec<usize> = all.iter().copied().filter(local).collect();
        let declared = |list: &[usize]| -> Vec<Declaration> {
            list.iter().filter_map(|&at| self.declaration(at)).collect()
        };
        match declared(&inside).as_slice() {
            // A parameter that nothing changes.
            [] if given.is_some() => {
                let kept = |at: &usize| matches!(self.change(*at), Some(None));
                let kept = inside.iter().all(kept);
                given.filter(|_| kept).map(|(_, value)| *value)
            }
            // No declaration in the function: a constant of the file, unless a parameter hides it.
            [] => {
                let outside: Vec<usize> = all.iter().copied().filter(|at| !local(at)).collect();
                let hidden = outside.iter().any(|&at| self.is_parameter(at, body));
                match declared(&outside).as_slice() {
                    [only] if only.constant && !hidden && self.blocks[only.name] == OUTSIDE => {
                        Some(self.initial(only, place))
                    }
                    _ => None,
                }
            }
            [only] if only.constant && only.name < at => Some(self.initial(only, place)),
            [only] if only.name < at => self.changed(only, &inside, at, place),
            _ => None,
        }
    }

    /// Returns whether a name is among the parameters of the function with this body.
    fn is_parameter(&self, at: usize, body: (usize, usize)) -> bool {
        // Parameter lists are searched within a bound, so that a file without semicolons costs no more.
        let from = body.0.saturating_sub(400);
        let mut before = from..body.0;
        let start = before.rfind(|&at| self.tokens.is(at, b';') || self.tokens.is(at, b'}'));
        (start.unwrap_or(from)..body.0).contains(&at)
    }

    fn initial(&self, declaration: &Declaration, place: Inside) -> Number {
        let value = self.evaluate(declaration.value.clone(), place);
        match declaration.width {
            Some((64, _)) => Number {
                wide: true,
                ..value
            },
            Some((32, false)) => value.converted("uint32_t"),
            Some((32, true)) => value.converted("int32_t"),
            Some(_) => Number::UNKNOWN,
            None if declaration.deduced => value,
            None => Number::UNKNOWN,
        }
    }

    /// Returns the value of a local before `at`; `None` unless only assignments in its own block change it.
    fn changed(
        &self,
        declaration: &Declaration,
        occurrences: &[usize],
        at: usize,
        inside: Inside,
    ) -> Option<Number> {
        let block = self.blocks[declaration.name];
        let mut value = self.initial(declaration, inside);
        for &place in occurrences
            .iter()
            .filter(|&&place| place != declaration.name)
        {
            let Some(change) = self.change(place)? else {
                continue;
            };
            let tokens = self.tokens;
            let starts = place.checked_sub(1).is_some_and(|before| {
                [b';', b'{', b'}']
                    .iter()
                    .any(|&mark| tokens.is(before, mark))
            });
            // An assignment in another block is conditional, and one inside of an expression has an order of its own.
            if self.blocks[place] != block || !starts {
                return None;
            }
            if place < at && change.end <= at {
                let operand = self.evaluate(change.value.clone(), inside);
                value = change.apply(value, operand)?;
            }
        }
        Some(value)
    }
}

impl StringMacros for Variables<'_, '_> {
    fn value(&self, name: &str) -> Option<Range<usize>> {
        let range = self.macros.get(name)?.clone()?;
        // A string macro consists of strings and further macros.
        let strings = range
            .clone()
            .all(|at| self.tokens.is_string(at) || self.tokens.is_word(at));
        strings.then_some(range)
    }
}

/// The values that a call gives to the parameters of a function.
pub type Given<'t> = Vec<(&'t str, Number)>;

/// The place of an expression: the body of a function, with known values of its parameters.
#[derive(Clone, Copy)]
pub struct Inside<'s, 't> {
    pub body: (usize, usize),
    pub given: &'s [(&'t str, Number)],
}

/// Resolves names at the place of an expression.
struct Scope<'s, 'a, 't> {
    variables: &'s Variables<'a, 't>,
    place: Inside<'s, 't>,
}

impl Names for Scope<'_, '_, '_> {
    fn value(&mut self, at: usize) -> Number {
        let (variables, place) = (self.variables, self.place);
        variables.deeper(|| variables.value_of(variables.tokens.word(at), at, place))
    }

    fn field(&mut self, at: usize, field: usize) -> Number {
        let (variables, place) = (self.variables, self.place);
        variables.deeper(|| variables.field_of(at, field, place))
    }

    fn call(&mut self, at: usize) -> Number {
        let (variables, place) = (self.variables, self.place);
        variables.deeper(|| variables.returned(at, place))
    }
}
