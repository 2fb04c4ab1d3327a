//! Conditions of the preprocessor: which parts of a text stand under them, and which macros they ask for.

use a2lint_isa::masks::Target;
use a2lint_source::text::Span;
use rustc_hash::FxHashSet;

/// Maximum number of names that are kept of one chain of conditions.
const MAX_NAMES: usize = 64;

/// Architecture numbers, by macro and product.
const NUMBERS: &[(&str, &[(Target, &str)])] = &[
    (
        "__NPU_ARCH__",
        &[
            (Target::A2A3, "2201"),
            (Target::Inference, "2002"),
            (Target::Edge, "3002"),
            (Target::A5, "3510"),
        ],
    ),
    (
        "__CCE_AICORE__",
        &[
            (Target::A2A3, "220"),
            (Target::Inference, "200"),
            (Target::Edge, "300"),
            (Target::A5, "310"),
        ],
    ),
];

/// Macros that are defined for one product only.
const FLAGS: &[(&str, Target)] = &[
    ("__DAV_V220", Target::A2A3),
    ("__DAV_C220__", Target::A2A3),
    ("PTO_NPU_ARCH_A2A3", Target::A2A3),
    ("__DAV_C310__", Target::A5),
    ("PTO_NPU_ARCH_A5", Target::A5),
    ("PTO_NPU_ARCH_KIRIN9030", Target::Kirin),
];

/// Returns the macros that the compiler defines for a product.
pub fn of_product(product: Target) -> impl Iterator<Item = (&'static str, &'static str)> {
    let numbers = NUMBERS.iter().filter_map(move |(name, numbers)| {
        let of = numbers.iter().find(|(known, _)| *known == product)?;
        Some((*name, of.1))
    });
    let flags = FLAGS.iter().filter(move |(_, only)| *only == product);
    numbers.chain(flags.map(|(name, _)| (*name, "1")))
}

/// Returns the values that a macro may be given.
pub fn values(name: &str) -> Vec<&'static str> {
    let numbers = NUMBERS.iter().find(|(known, _)| *known == name);
    match numbers {
        Some((_, numbers)) => numbers.iter().map(|(_, number)| *number).collect(),
        None => vec!["1"],
    }
}

/// Returns whether a macro says for which product is compiled.
pub fn is_of_product(name: &str) -> bool {
    NUMBERS.iter().any(|(known, _)| *known == name) || FLAGS.iter().any(|(known, _)| *known == name)
}

/// A part of an `#if`.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its place, between the directives.
    pub span: Span,
    /// The names in its condition and in those before it.
    pub names: Vec<String>,
}

/// The directives of a text.
#[derive(Debug, Default)]
pub struct Directives {
    /// The parts of its `#if`s.
    pub parts: Vec<Part>,
    /// The macros that it defines, or takes back.
    pub defined: FxHashSet<String>,
}

impl Directives {
    /// Reads the directives of a text.
    pub fn of(text: &str) -> Directives {
        let mut found = Directives::default();
        let mut open: Vec<Part> = Vec::new();
        let mut at = 0;
        let mut continued = String::new();
        let mut begun = 0;
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            if continued.is_empty() {
                begun = start;
            }
            let bare = line.split("//").next().unwrap_or(line);
            let bare = bare.split("/*").next().unwrap_or(bare).trim_end();
            if let Some(rest) = bare.strip_suffix('\\') {
                continued.push_str(rest);
                continued.push(' ');
                continue;
            }
            let whole = std::mem::take(&mut continued) + bare;
            let Some(directive) = whole.trim_start().strip_prefix('#') else {
                continue;
            };
            let directive = directive.trim_start();
            let end = directive.find(|c: char| !c.is_alphabetic());
            let (word, rest) = directive.split_at(end.unwrap_or(directive.len()));
            found.directive(word, rest, (begun, at), &mut open);
        }
        found
    }

    fn directive(&mut self, word: &str, rest: &str, line: (usize, usize), open: &mut Vec<Part>) {
        let start = |names| Part {
            span: Span::new(line.1, line.1),
            names,
        };
        match word {
            "if" | "ifdef" | "ifndef" => open.push(start(names_in(rest))),
            "elif" | "elifdef" | "elifndef" | "else" | "endif" => {
                let Some(mut part) = open.pop() else {
                    return;
                };
                part.span.end = u32::try_from(line.0).unwrap_or(part.span.start);
                let mut names = part.names.clone();
                self.parts.push(part);
                // Each part has the names of those before it: without a bound, their square.
                if word != "endif" && names.len() < MAX_NAMES {
                    names.extend(names_in(rest));
                    open.push(start(names));
                }
            }
            "define" | "undef" => self.defined.extend(names_in(rest).into_iter().take(1)),
            _ => {}
        }
    }

    /// Returns the macros that conditions ask for.
    pub fn asked(&self) -> impl Iterator<Item = &str> {
        let names = self.parts.iter().flat_map(|part| &part.names);
        names.map(String::as_str)
    }
}

fn names_in(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let is_name = |word: &&str| {
        word.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && !matches!(*word, "defined" | "true" | "false")
            && !word.starts_with("__has_")
    };
    words.filter(is_name).map(ToOwned::to_owned).collect()
}
