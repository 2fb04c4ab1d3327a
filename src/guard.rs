//! Panics cost one file or one answer, not the run, and say what they came from.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    /// `Some` while guarded code runs on this thread: the panic it ended with, if it has.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The kernel at hand.
    static KERNEL: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The rule at hand.
    static RULE: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Makes panics of guarded code silent; others print as ever. Once in a process is enough.
pub fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let told = |caught: &mut Option<String>| {
                caught.as_mut().map(|text| *text = describe(info)).is_some()
            };
            if !CAUGHT.with_borrow_mut(told) {
                print(info);
            }
        }));
    });
}

/// Runs `work`; a panic becomes its message and place, behind the rule and the kernel at hand.
pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    CAUGHT.set(Some("panic".to_owned()));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let message = CAUGHT.take();
    if result.is_err() {
        KERNEL.take();
        RULE.take();
    }
    result.map_err(|_| message.unwrap_or_default())
}

/// Runs `work` on a kernel.
pub fn in_kernel<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let outside = KERNEL.replace(Some(name.to_owned()));
    let result = work();
    KERNEL.set(outside);
    result
}

/// Runs `work` of a rule.
pub fn in_rule<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    let outside = RULE.replace(Some(name));
    let result = work();
    RULE.set(outside);
    result
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    let message = owned.or_else(|| payload.downcast_ref::<&str>().copied());
    let message = message.unwrap_or("panic");
    let at = match info.location() {
        Some(place) => format!("{message} ({}:{})", place.file(), place.line()),
        None => message.to_owned(),
    };
    let rule = RULE.get().map(|rule| format!("rule `{rule}`: "));
    let kernel = KERNEL.with_borrow(|kernel| kernel.as_ref().map(|it| format!("kernel `{it}`: ")));
    [kernel, rule, Some(at)].into_iter().flatten().collect()
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

    #[test]
    fn a_panic_names_kernel_and_rule_and_the_next_one_its_own() {
        install();
        let rule = || in_rule("dup-coverage", || panic!("no such lane"));
        let message = guard(|| in_kernel("softmax", rule)).unwrap_err();
        let wanted = "kernel `softmax`: rule `dup-coverage`: no such lane (";
        assert!(message.starts_with(wanted), "{message}");
        let behind = || {
            in_kernel("softmax", || in_rule("dup-coverage", || ()));
            panic!("later")
        };
        let message = guard::<()>(behind).unwrap_err();
        assert!(message.starts_with("later ("), "{message}");
    }
}
