//! Answers to requests, one file for each kind of request. All of them are functions of a snapshot.

mod call;
pub mod code_action;
pub mod code_lens;
pub mod completion;
pub mod folding;
pub mod hover;
pub mod inlay;
pub mod navigation;
pub mod pull;
pub mod rename;
pub mod semantic_tokens;
pub mod signature;
pub mod symbols;
mod target;
