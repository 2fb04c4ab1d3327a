//! Progress of long-running work.

use tower_lsp::ls_types::notification::Progress;
use tower_lsp::ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin,
};

use super::{PATIENCE, Worker};
use crate::event::Event;

impl Worker {
    /// Asks the client to show work under a token of the server, without waiting for the answer.
    pub(super) fn create_progress(&mut self, token: ProgressToken, begin: WorkDoneProgressBegin) {
        self.progress.insert(token.clone(), false);
        if !self.session.shows_progress {
            return;
        }
        let (client, events) = (self.client.clone(), self.events.clone());
        tokio::spawn(async move {
            let asked = client.create_work_done_progress(token.clone());
            let answer = tokio::time::timeout(PATIENCE, asked).await;
            let begin = matches!(answer, Ok(Ok(()))).then_some(begin);
            let _ = events.send(Event::ProgressCreated(token, begin));
        });
    }

    pub(super) async fn progress_created(
        &mut self,
        token: ProgressToken,
        begin: Option<WorkDoneProgressBegin>,
    ) {
        // Short work may have ended before the client has answered.
        if let Some(begin) = begin
            && let Some(is_shown) = self.progress.get_mut(&token)
        {
            *is_shown = true;
            self.progress(token, WorkDoneProgress::Begin(begin)).await;
        }
    }

    pub(super) async fn progress(&mut self, token: ProgressToken, value: WorkDoneProgress) {
        let is_end = matches!(value, WorkDoneProgress::End(_));
        let own = match is_end {
            true => self.progress.remove(&token),
            false => self.progress.get(&token).copied(),
        };
        if own == Some(false) {
            return;
        }
        let value = ProgressParamsValue::WorkDone(value);
        let params = ProgressParams { token, value };
        self.client.send_notification::<Progress>(params).await;
    }
}
