//! Panics cost one file or one answer, not the run.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

thread_local! {
    /// `Some` while guarded code runs on this thread: the panic it ended with, if it has.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes panics of guarded code silent; others print as ever.
pub fn install() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let guarded = CAUGHT
            .with_borrow_mut(|caught| caught.as_mut().map(|text| *text = describe(info)).is_some());
        if !guarded {
            print(info);
        }
    }));
}

/// Runs `work`; a panic becomes its message and place.
pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    CAUGHT.set(Some("panic".to_owned()));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let message = CAUGHT.take();
    result.map_err(|_| message.unwrap_or_default())
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    let message = owned.or_else(|| payload.downcast_ref::<&str>().copied());
    let message = message.unwrap_or("panic");
    match info.location() {
        Some(place) => format!("{message} ({}:{})", place.file(), place.line()),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message_and_place() {
        install();
        assert_eq!(guard(|| 1), Ok(1));
        let message = guard(|| panic!("no such lane")).unwrap_err();
        assert!(
            message.starts_with("no such lane (src/guard.rs:"),
            "{message}"
        );
    }
}
