//! Error-tolerant parsing into typed syntax trees of Python, PTO and PTX. That of C++ is the work of `a2lint-cpp`.
//!
//! Each language has a folder. Syntax nodes carry spans of the text as it is; nothing is normalised away.
//!
//! # Modules
//! - `python`: tree-sitter to `ast::File`. A file is read in pieces (`pieces`): each definition at its outermost
//!   level, and the code between them. A bracket that is never closed affects its own definition only.
//!   `Syntax::again` parses the pieces that an edit has changed and shifts the others (`shift`). `mend` and `indent`
//!   repair common mistakes before a second attempt. `comments` blanks long comments, over which the grammar's
//!   scanner takes quadratic time. `scopes` resolves names by Python's rules, `queries` finds kernels, allocations
//!   and what editors highlight.
//! - `pto`: PTO assembly and the MLIR around it, by a hand-written parser: no grammar accepts the bare form.
//! - `ptx`: modules and the text of `asm` statements, by a hand-written parser that knows the shape of PTX and not its
//!   vocabulary. A statement that could not be read whole is *damaged*, up to its semicolon or the end of its line.
//!
//! # What it must not know
//! Names of the DSLs, of device APIs and of libraries.
//!
//! # Where to start reading
//! `python::Syntax::of` and `Syntax::again` in `python/reading.rs`; `python/ast.rs`; `ptx::parse`.
//!
//! # Invariants
//! - Parsing never fails and never panics; an error does not affect distant code (`cut_at_every_token`,
//!   `one_broken_line_leaves_the_other_lines_alone` in `tests/it/syntax.rs`; `mistakes_cost_no_more_than_themselves`;
//!   `tests/it/robustness.rs`, `tests/it/fuzz.rs`).
//! - The syntax of a piece depends on its text alone (`pieces_come_to_the_same_as_the_whole`), and incremental
//!   parsing gives the same result as parsing from scratch (`what_is_known_is_moved_and_the_rest_is_read`).
//! - Blanking keeps every offset (`every_byte_of_a_long_comment_becomes_a_blank`).
//! - PTX of every form is read whole (`samples_are_read_whole`, `every_form_is_read` in `tests/it/ptx.rs`).
//!
//! # What it can miss
//! Texts above 512 KiB of Python, 4 MiB of PTO or 16 MiB of PTX, and pieces on which the parser's
//! budget of steps ends: `Syntax::given_up` and `None` of the other parsers say so, and the check reports them as not
//! analysed. Nesting beyond 200 levels of Python and 64 of PTX expressions is an error node.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod pto;
pub mod ptx;
pub mod python;
