//! Declarations that precede every file, read once for all of them.

use std::fmt;
use std::sync::Arc;

use super::ast::Unit;
use super::parse::{self, Declared};
use super::preprocess::{Lexed, Macros, Preprocessor};
use super::symbols::Symbols;
use super::{Finder, Settings, Source};

/// Macros and declarations that were read before any file.
pub struct Prelude {
    settings: Settings<'static>,
    spelled: Spelled,
    state: State,
}

/// Reads translation units of the same files. Texts that several of them include become tokens once.
pub struct Reader<'p> {
    before: Option<&'p Prelude>,
    spelled: Spelled,
}

/// Spellings as numbers, and the tokens of files in these numbers.
#[derive(Clone, Default)]
struct Spelled {
    symbols: Symbols,
    lexed: Lexed,
}

/// What the texts that were read leave to those after them.
#[derive(Clone, Default)]
struct State {
    macros: Macros,
    declared: Declared,
    unit: Option<Arc<Unit>>,
}

impl Prelude {
    /// Reads declarations with the macros that the compiler defines in any case.
    pub fn of(settings: Settings<'static>) -> Prelude {
        let mut spelled = Spelled::default();
        let mut state = State::default();
        let unit = state.read(&mut spelled, None, &settings, &mut |_, _| None);
        state.unit = Some(Arc::new(unit));
        Prelude {
            settings,
            spelled,
            state,
        }
    }

    /// Returns whether what settings add could not have changed what was read: it uses none of their names.
    fn takes(&self, settings: &Settings<'_>) -> bool {
        let macros = settings.macros.iter().map(|(name, _)| {
            let name = name.trim_start();
            let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
            end.and_then(|end| name.get(..end)).unwrap_or(name)
        });
        let lists = [settings.types, settings.templates, settings.functions];
        let mut names = macros.chain(lists.into_iter().flatten().copied());
        names.all(|name| self.spelled.symbols.known(name).is_none())
    }

    /// Reads a file with these settings and those that this was read with.
    fn read_again<'a>(
        &self,
        source: Source,
        settings: &Settings<'_>,
        find: &'a mut Finder<'a>,
    ) -> Unit {
        let known = &self.settings;
        let prelude = format!("{}\n{}", known.prelude, settings.prelude);
        let all = Settings {
            macros: &[known.macros, settings.macros].concat(),
            prelude: &prelude,
            types: &[known.types, settings.types].concat(),
            templates: &[known.templates, settings.templates].concat(),
            functions: &[known.functions, settings.functions].concat(),
        };
        Reader::default().read(source, &all, find)
    }
}

impl Default for Reader<'_> {
    /// Creates a reader of files that nothing precedes.
    fn default() -> Self {
        Reader {
            before: None,
            spelled: Spelled::default(),
        }
    }
}

impl<'p> Reader<'p> {
    /// Creates a reader of files that declarations precede.
    pub fn after(prelude: &'p Prelude) -> Reader<'p> {
        Reader {
            before: Some(prelude),
            spelled: prelude.spelled.clone(),
        }
    }

    /// Reads a translation unit. `settings` add to what precedes it.
    pub fn read<'a>(
        &mut self,
        source: Source,
        settings: &Settings<'_>,
        find: &'a mut Finder<'a>,
    ) -> Unit {
        let mut state = match self.before {
            Some(before) if before.takes(settings) => before.state.clone(),
            // What the compiler defines may change what precedes the file.
            Some(before) => return before.read_again(source, settings, find),
            None => State::default(),
        };
        state.read(&mut self.spelled, Some(source), settings, find)
    }
}

impl fmt::Debug for Prelude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prelude").finish_non_exhaustive()
    }
}

impl State {
    /// Reads the prelude of settings and a file.
    fn read<'a>(
        &mut self,
        spelled: &'a mut Spelled,
        source: Option<Source>,
        settings: &Settings<'_>,
        find: &'a mut Finder<'a>,
    ) -> Unit {
        let Spelled { symbols, lexed } = spelled;
        let macros = std::mem::take(&mut self.macros);
        let mut preprocessor =
            Preprocessor::new((&mut *symbols, lexed), find, macros, settings.macros);
        let mut tokens = preprocessor.prelude(settings.prelude);
        tokens.extend(source.into_iter().flat_map(|it| preprocessor.file(it)));
        let mut notes = std::mem::take(&mut preprocessor.notes);
        let outside = std::mem::take(&mut preprocessor.outside);
        let skipped = std::mem::take(&mut preprocessor.skipped);
        let files = std::mem::take(&mut preprocessor.files);
        self.macros = preprocessor.into_macros();
        self.declared.add(settings, symbols);
        let mut unit = parse::parse(tokens, symbols, &files, &mut self.declared);
        notes.append(&mut unit.notes);
        Unit {
            before: self.unit.clone(),
            outside,
            skipped,
            notes,
            ..unit
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use a2lint_source::text::SourceText;

    const SHARED: Settings<'static> = Settings {
        macros: &[("WIDTH", "8")],
        prelude: "#define TWICE(x) (2 * (x))\nstruct Box { int side; };\ntemplate <int N> struct Row {};\n\
                  int half(int x) { return x / WIDTH; }",
        types: &["Opaque"],
        templates: &[],
        functions: &[],
    };

    fn source(text: &str) -> Source {
        Source {
            path: PathBuf::from("kernel.cpp"),
            text: SourceText::new(text),
            base: 0,
        }
    }

    fn read(reader: &mut Reader<'_>, text: &str, settings: &Settings<'_>) -> Unit {
        let unit = reader.read(source(text), settings, &mut |_, _| None);
        assert_eq!((&unit.errors[..], &unit.notes[..]), (&[][..], &[][..]));
        unit
    }

    /// Returns the declarations of a unit and of what precedes it.
    fn shown(unit: &Unit) -> Vec<String> {
        let before = unit.before.iter().flat_map(|before| &before.items);
        let all = before.chain(&unit.items);
        all.map(|item| format!("{item:?}")).collect()
    }

    #[test]
    fn a_file_is_read_as_if_all_that_precedes_it_were_read_with_it() {
        let text = "Row<TWICE(3)> rows; Box box; int f(Opaque &x) { return half(SIDE); }";
        let prelude = Prelude::of(SHARED);
        let mut reader = Reader::after(&prelude);
        // The second unit takes the tokens of the first.
        for side in ["4", "5"] {
            let macros = [("SIDE", side)];
            let added = Settings {
                macros: &macros,
                ..Settings::default()
            };
            let shared = read(&mut reader, text, &added);
            assert!(shared.before.is_some());
            let whole = Settings {
                macros: &[("WIDTH", "8"), ("SIDE", side)],
                ..SHARED
            };
            let whole = read(&mut Reader::default(), text, &whole);
            assert!(whole.before.is_none());
            assert_eq!(shown(&shared), shown(&whole));
        }
    }

    #[test]
    fn a_macro_that_the_prelude_uses_has_it_read_again() {
        let prelude = Prelude::of(SHARED);
        for name in ["half", "TWICE(x)", "Box", "WIDTH"] {
            let macros = [("SIDE", "4"), (name, "Row")];
            let added = Settings {
                macros: &macros,
                ..Settings::default()
            };
            let mut reader = Reader::after(&prelude);
            let unit = reader.read(source("int x;"), &added, &mut |_, _| None);
            assert!(unit.before.is_none(), "{name}");
        }
    }
}
