//! Declarations that precede every file, read once for all of them.

use std::fmt;
use std::sync::Arc;

use super::ast::Unit;
use super::parse::{self, Declared};
use super::preprocess::{Macros, Preprocessor};
use super::symbols::Symbols;
use super::{Finder, Settings, Source};

/// Macros and declarations that were read before any file.
pub struct Prelude {
    settings: Settings<'static>,
    state: State,
    unit: Arc<Unit>,
}

/// What the texts that were read leave to those after them.
#[derive(Clone, Default)]
pub(super) struct State {
    symbols: Symbols,
    macros: Macros,
    declared: Declared,
    unit: Option<Arc<Unit>>,
}

impl Prelude {
    /// Reads declarations with the macros that the compiler defines in any case.
    pub fn of(settings: Settings<'static>) -> Prelude {
        let mut state = State::default();
        let unit = state.extend(None, &settings, &mut |_, _| None);
        Prelude {
            settings,
            state,
            unit: Arc::new(unit),
        }
    }

    /// Returns whether what settings add could not have changed what was read: it uses none of their names.
    pub(super) fn takes(&self, settings: &Settings<'_>) -> bool {
        let macros = settings.macros.iter().map(|(name, _)| {
            let name = name.trim_start();
            let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
            end.and_then(|end| name.get(..end)).unwrap_or(name)
        });
        let lists = [settings.types, settings.templates, settings.functions];
        let mut names = macros.chain(lists.into_iter().flatten().copied());
        names.all(|name| self.state.symbols.known(name).is_none())
    }

    /// Returns the state after it.
    pub(super) fn state(&self) -> State {
        State {
            unit: Some(self.unit.clone()),
            ..self.state.clone()
        }
    }

    /// Calls a function with these settings and those that this was read with.
    pub(super) fn with<T>(
        &self,
        settings: &Settings<'_>,
        read: impl FnOnce(&Settings<'_>) -> T,
    ) -> T {
        let known = &self.settings;
        let prelude = format!("{}\n{}", known.prelude, settings.prelude);
        read(&Settings {
            before: None,
            macros: &[known.macros, settings.macros].concat(),
            prelude: &prelude,
            types: &[known.types, settings.types].concat(),
            templates: &[known.templates, settings.templates].concat(),
            functions: &[known.functions, settings.functions].concat(),
        })
    }
}

impl fmt::Debug for Prelude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prelude").finish_non_exhaustive()
    }
}

impl State {
    /// Reads the prelude of settings and a file.
    pub fn read<'a>(
        mut self,
        source: Option<Source>,
        settings: &Settings<'_>,
        find: &'a mut Finder<'a>,
    ) -> Unit {
        self.extend(source, settings, find)
    }

    fn extend<'a>(
        &mut self,
        source: Option<Source>,
        settings: &Settings<'_>,
        find: &'a mut Finder<'a>,
    ) -> Unit {
        let macros = std::mem::take(&mut self.macros);
        let symbols = &mut self.symbols;
        let mut preprocessor = Preprocessor::new(symbols, find, macros, settings.macros);
        let mut tokens = preprocessor.prelude(settings.prelude);
        tokens.extend(source.into_iter().flat_map(|it| preprocessor.file(it)));
        let mut notes = std::mem::take(&mut preprocessor.notes);
        let outside = std::mem::take(&mut preprocessor.outside);
        let files = std::mem::take(&mut preprocessor.files);
        self.macros = preprocessor.into_macros();
        self.declared.add(settings, symbols);
        let mut unit = parse::parse(tokens, symbols, &files, &mut self.declared);
        notes.append(&mut unit.notes);
        Unit {
            before: self.unit.clone(),
            outside,
            notes,
            ..unit
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::eval::STANDARD;
    use crate::syntax::ast::{NodeId, StmtKind};
    use crate::syntax::read;
    use a2lint_source::text::SourceText;

    const SHARED: Settings<'static> = Settings {
        before: None,
        macros: &[("WIDTH", "8")],
        prelude: "#define TWICE(x) (2 * (x))\nstruct Box { int side; };\ntemplate <int N> struct Row {};\n\
                  int half(int x) { return x / WIDTH; }",
        types: &["Opaque"],
        templates: &[],
        functions: &[],
    };

    fn texts(settings: &Settings<'_>) -> (Unit, String) {
        let source = Source {
            path: PathBuf::from("kernel.cpp"),
            text: SourceText::new(
                "Row<TWICE(3)> rows; Box box; int f(Opaque &x) { return half(SIDE); }",
            ),
            base: 0,
        };
        let unit = read(source, settings, &mut |_, _| None);
        assert_eq!((&unit.errors[..], &unit.notes[..]), (&[][..], &[][..]));
        let shown = format!("{:?}", unit.items);
        (unit, shown)
    }

    #[test]
    fn a_file_is_read_as_if_all_that_precedes_it_were_read_with_it() {
        let prelude = Prelude::of(SHARED);
        let macros = [("SIDE", "4")];
        let added = Settings {
            before: Some(&prelude),
            macros: &macros,
            ..Settings::default()
        };
        let (shared, shown) = texts(&added);
        let before = shared.before.as_ref().expect("it was shared");
        let (whole, _) = texts(&Settings {
            macros: &[("WIDTH", "8"), ("SIDE", "4")],
            ..SHARED
        });
        let all = format!("{:?}", whole.items);
        let known = format!("{:?}", before.items);
        let join = |a: &str, b: &str| {
            format!("{}, {}", a.trim_end_matches(']'), b.trim_start_matches('['))
        };
        assert_eq!(join(&known, &shown), all);
    }

    #[test]
    fn a_macro_that_the_prelude_uses_has_it_read_again() {
        let prelude = Prelude::of(SHARED);
        for name in ["half", "TWICE(x)", "Box", "WIDTH"] {
            let macros = [("SIDE", "4"), (name, "Row")];
            let added = Settings {
                before: Some(&prelude),
                macros: &macros,
                ..Settings::default()
            };
            assert!(!prelude.takes(&added), "{name}");
            let source = Source {
                path: PathBuf::from("kernel.cpp"),
                text: SourceText::new("int x;"),
                base: 0,
            };
            assert!(read(source, &added, &mut |_, _| None).before.is_none());
        }
    }

    #[test]
    fn numbers_of_statements_go_on() {
        let prelude = Prelude::of(Settings {
            prelude: STANDARD,
            ..Settings::default()
        });
        let last = prelude.unit.items.last().expect("a declaration").id;
        let source = Source {
            path: PathBuf::from("kernel.cpp"),
            text: SourceText::new("void f() { ; }"),
            base: 0,
        };
        let settings = Settings {
            before: Some(&prelude),
            ..Settings::default()
        };
        let unit = read(source, &settings, &mut |_, _| None);
        let StmtKind::Function(function) = &unit.items[0].kind else {
            panic!("{:?}", unit.items);
        };
        let inner = function.body.as_ref().expect("a body")[0].id;
        assert!(last < inner && inner < NodeId(u32::MAX));
    }
}
