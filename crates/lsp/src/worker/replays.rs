//! Replays of kernels. They run after the findings that need no replay are published.

use std::sync::Arc;
use std::time::Duration;

use tower_lsp::ls_types::MessageType;

use super::{Worker, by_use, may_start};
use crate::diagnostics::diagnostics;
use crate::event::{Event, Replayed};
use crate::snapshot::Snapshot;
use crate::{Probe, REPLAY};
use a2lint_run::Cancel;
use a2lint_source::guard::guard;

/// Number of `STEP`s for which an edited document must stay unchanged before it is replayed.
const STEPS: u32 = 5;
/// Interval at which the pause checks for cancellation.
const STEP: Duration = Duration::from_millis(10);

impl Worker {
    /// Starts the replays that are due: one per document and `AT_ONCE` in all. After an edit they wait for a pause,
    /// so that they do not compete with the analyses of a text that is being typed.
    pub(super) fn start_replays(&mut self) {
        let documents = self.documents.values();
        let mut running = documents.filter(|it| it.replaying.is_some()).count();
        for document in by_use(&mut self.documents, |it| it.due().is_some()) {
            if !may_start(document, running, self.uses) {
                continue;
            }
            let Some(snapshot) = document.due().cloned() else {
                continue;
            };
            running += 1;
            let cancel = Cancel::default();
            document.replaying = Some(cancel.clone());
            let (events, probe) = (self.events.clone(), self.options.probe.clone());
            let is_edited = document.is_edited;
            tokio::spawn(async move {
                if is_edited {
                    pause(&cancel).await;
                }
                let work = move || replay(snapshot, cancel, probe);
                if let Ok(replayed) = tokio::task::spawn_blocking(work).await {
                    let _ = events.send(Event::Replayed(replayed));
                }
            });
        }
    }

    pub(super) async fn replayed(&mut self, replayed: Replayed) {
        let Replayed {
            snapshot,
            conclusion,
            ..
        } = replayed;
        if let Some(panic) = replayed.panic {
            let name = snapshot.uri.as_str();
            let text = format!("{name} was not replayed, a defect of a2lint: {panic}");
            self.client.log_message(MessageType::ERROR, text).await;
        }
        let Some(document) = self.documents.get_mut(snapshot.uri.as_str()) else {
            return;
        };
        let own = document.replaying.as_ref();
        if !own.is_some_and(|it| it.is(&replayed.cancel)) {
            // The replay belongs to a document that was closed and opened again in the meantime.
            return;
        }
        document.replaying = None;
        let is_current = document
            .current()
            .is_some_and(|it| Arc::ptr_eq(it, &snapshot));
        let Some(conclusion) = conclusion.filter(|_| is_current) else {
            return;
        };
        let jobs = std::mem::take(&mut document.waiting_for_replay);
        let before = diagnostics(&snapshot);
        snapshot.settle(conclusion);
        let is_new = before != diagnostics(&snapshot);
        if is_new {
            self.publish(&snapshot).await;
        }
        self.tell_status(&snapshot).await;
        // Inlay hints and code lenses show the verdicts, which the replays may have changed.
        let verdicts = snapshot.settings.hints.verdicts;
        self.refresh(is_new && self.session.pulls, verdicts);
        for job in jobs {
            let snapshot = snapshot.clone();
            tokio::task::spawn_blocking(move || job(Some(snapshot)));
        }
    }
}

async fn pause(cancel: &Cancel) {
    for _ in 0..STEPS {
        if cancel.is_cancelled() {
            return;
        }
        tokio::time::sleep(STEP).await;
    }
}

fn replay(snapshot: Arc<Snapshot>, cancel: Cancel, probe: Option<Probe>) -> Replayed {
    let work = || {
        if let Some(probe) = probe {
            probe(REPLAY);
        }
        snapshot.replay(&cancel)
    };
    let (conclusion, panic) = match guard(work) {
        Ok(conclusion) => (conclusion, None),
        // After a panic, the findings so far are final.
        Err(panic) => (Some(snapshot.known_by_now()), Some(panic)),
    };
    Replayed {
        snapshot,
        conclusion,
        panic,
        cancel,
    }
}
