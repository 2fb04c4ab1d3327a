//! Panic guards: a panic costs one file or one answer, not the run, and its message names kernel and rule.

use std::cell::{Cell, RefCell};
use std::hint::black_box;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;

/// Stack size in bytes of threads that check or trace: deeply nested sources need more than the usual 2 MiB.
pub const STACK_BYTES: usize = 16 << 20;
/// Stack that the evaluation of a file's host code may take, beside what the rest of a check takes.
pub const DEEP_STACK_BYTES: usize = 256 << 20;

thread_local! {
    /// The stack of this thread, where its size is known: the address at which it begins, and its bytes.
    static STACK: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
    /// `Some` while guarded code runs on this thread: the panic it ended with, if it has.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The kernel that is being worked on.
    static KERNEL: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The rule that is being run.
    static RULE: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Installs a panic hook that keeps panics of guarded code silent; others print as before. Further calls do nothing.
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

/// Runs `work` and turns a panic into an error: the kernel and the rule at work, the message and the location.
pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // Tells the hook that this thread is guarded; the text is used only if the hook has not been installed.
    CAUGHT.set(Some("panic".to_owned()));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let message = CAUGHT.take();
    if result.is_err() {
        // The panic skipped the code that resets them.
        KERNEL.take();
        RULE.take();
    }
    result.map_err(|_| message.unwrap_or_default())
}

/// Runs `work` with `name` as the kernel that panic messages name.
pub fn in_kernel<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let outside = KERNEL.replace(Some(name.to_owned()));
    let result = work();
    KERNEL.set(outside);
    result
}

/// Runs `work` with `name` as the rule that panic messages name.
pub fn in_rule<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    let outside = RULE.replace(Some(name));
    let result = work();
    RULE.set(outside);
    result
}

/// The payload with which a panic of another thread is raised again; its message has a location already.
struct ForwardedPanic(String);

/// Records that this thread, which has just started, has a stack of `bytes` bytes.
pub fn begin_thread(bytes: usize) {
    STACK.set(Some((stack_position(), bytes)));
}

/// Returns whether at least `bytes` bytes of this thread's stack are left.
fn has_room(bytes: usize) -> bool {
    let left = |(start, all): (usize, usize)| all.saturating_sub(start.abs_diff(stack_position()));
    STACK.get().is_some_and(|stack| left(stack) >= bytes)
}

/// Returns the address of the top of the stack, roughly.
#[inline(never)]
pub fn stack_position() -> usize {
    let here = 0u8;
    std::ptr::from_ref(black_box(&here)).addr()
}

/// Runs `work` with at least `bytes` bytes of stack: on this thread if it has them, else on a new one. If no thread can
/// be started, it runs on this one anyway. `work` is told whether it has the stack. A panic of the new thread is raised
/// again here.
pub fn with_stack<T: Send>(bytes: usize, work: impl FnOnce(bool) -> T + Send) -> T {
    if has_room(bytes) {
        return work(true);
    }
    let work = Mutex::new(Some(work));
    let run = |has_stack| {
        let taken = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.map(|work| work(has_stack))
    };
    let outcome = thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(bytes);
        let beside = || {
            begin_thread(bytes);
            guard(|| run(true))
        };
        match thread.spawn_scoped(scope, beside) {
            Ok(running) => running.join().unwrap_or_else(|it| panic::resume_unwind(it)),
            Err(_) => Ok(run(false)),
        }
    });
    match outcome {
        Ok(done) => done.expect("nothing else takes the work"),
        Err(message) => panic::panic_any(ForwardedPanic(message)),
    }
}

/// Runs `first` on a new thread and `second` on this one, or both on this one if only one thread may work. A panic of
/// `first` is raised again here.
pub fn both<A: Send, B>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    if !has_threads() {
        return (first(), second());
    }
    let first = Mutex::new(Some(first));
    let work = || {
        let taken = first.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.map(|work| work())
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES);
        let running = thread.spawn_scoped(scope, || guard(work));
        let second = second();
        let outcome = match running {
            Ok(running) => running.join().unwrap_or_else(|it| panic::resume_unwind(it)),
            // The thread could not be created.
            Err(_) => Ok(work()),
        };
        match outcome {
            Ok(first) => (first.expect("nobody else has taken the work"), second),
            Err(message) => panic::panic_any(ForwardedPanic(message)),
        }
    })
}

/// Applies `work` to each item, on two threads if several may work. Results are in the order of the items. A panic is
/// raised again here.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if items.len() < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let places = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let taken = places.map_while(|at| Some((at, work(items.get(at)?))));
        taken.collect::<Vec<(usize, R)>>()
    };
    let (mut done, others) = both(take, take);
    done.extend(others);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Returns whether several threads may work: by the size of the rayon pool that this thread belongs to, or else by the
/// number of cores.
fn has_threads() -> bool {
    match rayon::current_thread_index() {
        Some(_) => rayon::current_num_threads() > 1,
        None => thread::available_parallelism().is_ok_and(|threads| threads.get() > 1),
    }
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    if let Some(ForwardedPanic(message)) = payload.downcast_ref() {
        return message.clone();
    }
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
        let wanted = concat!("no such lane (", file!(), ":");
        assert!(message.starts_with(wanted), "{message}");
    }

    #[test]
    fn a_panic_on_a_larger_stack_is_one_here() {
        install();
        assert!(with_stack(1 << 20, |has_stack| has_stack));
        let message = guard(|| with_stack::<()>(1 << 20, |_| panic!("no such lane")));
        let message = message.unwrap_err();
        assert!(message.starts_with("no such lane ("), "{message}");
    }

    #[test]
    fn a_thread_with_room_is_not_left() {
        let begun = || {
            begin_thread(1 << 20);
            let here = thread::current().id();
            let runs_here = |bytes| with_stack(bytes, |_| thread::current().id() == here);
            [64 << 10, 1 << 20].map(runs_here)
        };
        let thread = thread::Builder::new().stack_size(1 << 20).spawn(begun);
        let runs_here = thread.unwrap().join().unwrap();
        // Of the whole stack, some is taken already.
        assert_eq!(runs_here, [true, false]);
        let here = thread::current().id();
        assert!(with_stack(1 << 20, |_| thread::current().id() != here));
    }

    #[test]
    fn a_panic_beside_is_one_here() {
        install();
        let work = || in_kernel("softmax", || panic!("no such lane"));
        let message = guard(|| both::<(), _>(work, || 1)).unwrap_err();
        let wanted = concat!("kernel `softmax`: no such lane (", file!(), ":");
        assert!(message.starts_with(wanted), "{message}");
        assert!(
            message.ends_with(')') && message.matches('(').count() == 1,
            "{message}"
        );
        assert_eq!(guard(|| both(|| 1, || 2)), Ok((1, 2)));
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

    #[test]
    fn each_item_is_worked_on_once_and_results_are_in_order() {
        for items in [0, 1, 2, 1000] {
            let items: Vec<usize> = (0..items).collect();
            let expected: Vec<usize> = items.iter().map(|it| it * 3).collect();
            assert_eq!(each(&items, |it| it * 3), expected);
        }
        let panics = guard(|| {
            each(&[1, 2, 3], |it| match it {
                2 => panic!("the second"),
                it => *it,
            })
        });
        assert!(panics.is_err_and(|message| message.contains("the second")));
    }
}
