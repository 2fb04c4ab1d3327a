#![no_main]

include!("../entry.rs");
