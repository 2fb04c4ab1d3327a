//! Handlers of requests and notifications. A handler waits only for the answer to its own request.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::*;
use tower_lsp::{Client, LanguageServer};

use super::capabilities::introduction;
use super::event::{Asking, Event, Query};
use super::requests::{
    code_action, code_lens, completion, folding, hover, inlay, navigation, pull, rename,
    semantic_tokens, signature, symbols,
};
use super::screen::Unreadable;
use super::session::Session;
use super::snapshot::Snapshot;
use super::worker::Worker;
use super::{Options, commands, tasks};
use a2lint_run::Cancel;
use a2lint_source::guard::{self, guard};
use a2lint_source::language::Language;

/// Implements the protocol: passes the client's messages to the worker.
pub struct Entrance {
    events: mpsc::UnboundedSender<Event>,
    options: Options,
    tasks: tasks::Tasks,
}

impl Entrance {
    /// Starts the worker for a client.
    pub fn new(client: Client, options: Options) -> Entrance {
        guard::install();
        let (events, inbox) = mpsc::unbounded_channel();
        let worker = Worker::new(client, events.clone(), inbox, options.clone());
        tokio::spawn(worker.run());
        Entrance {
            events,
            options,
            tasks: tasks::Tasks::default(),
        }
    }

    fn tell(&self, event: Event) {
        // The worker lives as long as the client's connection, so this cannot fail before the end.
        let _ = self.events.send(event);
    }

    /// Answers a request from the snapshot of a document's current version; `None` if the document is not open.
    async fn ask<T: Send + 'static>(
        &self,
        method: &'static str,
        uri: Uri,
        answer: impl FnOnce(&Arc<Snapshot>, &Asking) -> T + Send + 'static,
    ) -> Result<Option<T>> {
        self.ask_when(method, uri, false, answer).await
    }

    /// As [`ask`](Self::ask); if `waits_for_replay`, the answer waits until all replays have finished.
    async fn ask_when<T: Send + 'static>(
        &self,
        method: &'static str,
        uri: Uri,
        waits_for_replay: bool,
        answer: impl FnOnce(&Arc<Snapshot>, &Asking) -> T + Send + 'static,
    ) -> Result<Option<T>> {
        let (sender, receiver) = oneshot::channel();
        let asking = Asking {
            cancel: Cancel::default(),
            events: self.events.clone(),
        };
        let _guard = asking.cancel.on_drop();
        let probe = self.options.probe.clone();
        let job = move |snapshot: Option<Arc<Snapshot>>| {
            if asking.cancel.is_cancelled() {
                return;
            }
            let work = || {
                if let Some(probe) = probe {
                    probe(method);
                }
                snapshot.map(|snapshot| answer(&snapshot, &asking))
            };
            // The handler is dropped if the client cancels the request.
            let _ = sender.send(guard(work));
        };
        let job = Box::new(job);
        self.tell(Event::Query(Query {
            uri,
            job,
            waits_for_replay,
        }));
        match receiver.await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(panic)) => Err(self.broken(method, panic)),
            Err(_) => Err(Error::request_cancelled()),
        }
    }

    /// Logs a panic, and returns the error response.
    fn broken(&self, method: &str, panic: String) -> Error {
        let message = format!("{method} failed, a defect of a2lint: {panic}");
        self.tell(Event::Logged(MessageType::ERROR, message.clone()));
        Error {
            code: ErrorCode::InternalError,
            message: message.into(),
            data: None,
        }
    }

    /// Answers and logs a request that could not be parsed.
    pub async fn unreadable_request(&self, params: Unreadable) -> Result<()> {
        let error = Error {
            message: params.reason.clone().into(),
            ..Error::parse_error()
        };
        self.unreadable(params).await;
        Err(error)
    }

    /// Logs a message that could not be parsed. The messages after it are processed as usual.
    pub async fn unreadable(&self, params: Unreadable) {
        self.tell(Event::Logged(MessageType::ERROR, params.reason));
    }

    /// Cancels a task whose progress the client shows.
    pub async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        self.tasks.cancel(&params.token);
    }
}

impl LanguageServer for Entrance {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let session = Session::of(params);
        let answer = introduction(&session);
        self.tell(Event::Session(Box::new(session)));
        Ok(answer)
    }

    async fn initialized(&self, _: InitializedParams) {
        self.tell(Event::Ready);
    }

    async fn shutdown(&self) -> Result<()> {
        self.tasks.cancel_all();
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.tell(Event::Opened(params.text_document));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.tell(Event::Changed(params));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.tell(Event::Closed(params.text_document.uri));
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {}

    async fn notebook_did_open(&self, _: DidOpenNotebookDocumentParams) {}

    async fn notebook_did_change(&self, _: DidChangeNotebookDocumentParams) {}

    async fn notebook_did_save(&self, _: DidSaveNotebookDocumentParams) {}

    async fn notebook_did_close(&self, _: DidCloseNotebookDocumentParams) {}

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.tell(Event::SettingsChanged(params.settings));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        let is_source =
            |event: &FileEvent| Language::of_path(Path::new(event.uri.path().as_str())).is_some();
        let (sources, settings): (Vec<_>, Vec<_>) = params.changes.into_iter().partition(is_source);
        if !settings.is_empty() || sources.is_empty() {
            self.tell(Event::FilesChanged);
        }
        if !sources.is_empty() {
            self.tell(Event::NeighboursChanged(sources));
        }
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.tell(Event::FoldersChanged(params.event));
        // Configuration files are searched for from each file upwards, so they must be read again for changed
        // folders.
        self.tell(Event::FilesChanged);
    }

    async fn diagnostic(
        &self,
        params: DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult> {
        let uri = params.text_document.uri;
        let known = params.previous_result_id;
        let answer = self.ask("textDocument/diagnostic", uri, move |snapshot, _| {
            pull::report(snapshot, known.as_deref())
        });
        Ok(answer.await?.unwrap_or_else(pull::nothing))
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let at = params.text_document_position_params;
        let answer = self.ask(
            "textDocument/hover",
            at.text_document.uri,
            move |snapshot, asking| hover::hover(snapshot, at.position, &asking.cancel),
        );
        Ok(answer.await?.flatten())
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let uri = params.text_document.uri.clone();
        // An editor that asks for all fixes at once expects those of replayed kernels as well.
        let waits_for_replay = code_action::asks_for_all(&params);
        let answer = move |snapshot: &Arc<Snapshot>, asking: &Asking| {
            code_action::code_actions(snapshot, &params, &|| asking.cancel.is_cancelled())
        };
        self.ask_when("textDocument/codeAction", uri, waits_for_replay, answer)
            .await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let uri = params.text_document.uri;
        self.ask("textDocument/codeLens", uri, |snapshot, _| {
            code_lens::code_lenses(snapshot)
        })
        .await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        let order = commands::Order::read(&params)?;
        let commands::Order::About(target) = order else {
            return order.answer().map(Some);
        };
        let token = params.work_done_progress_params.work_done_token;
        let task = self.tasks.start(token);
        let uri = target.uri.clone();
        let answer = self.ask("workspace/executeCommand", uri, move |snapshot, asking| {
            target.answer(snapshot, asking, task)
        });
        match answer.await? {
            Some(answer) => answer.map(Some),
            None => Err(Error::invalid_params("the document is not open")),
        }
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let uri = params.text_document.uri;
        self.ask("textDocument/inlayHint", uri, move |snapshot, _| {
            inlay::inlay_hints(snapshot, params.range)
        })
        .await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let at = params.text_document_position;
        let answer = self.ask(
            "textDocument/completion",
            at.text_document.uri,
            move |snapshot, _| completion::completions(snapshot, at.position),
        );
        Ok(answer.await?.map(CompletionResponse::Array))
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        let at = params.text_document_position_params;
        let uri = at.text_document.uri;
        let answer = self.ask("textDocument/signatureHelp", uri, move |snapshot, _| {
            signature::signature_help(snapshot, at.position)
        });
        Ok(answer.await?.flatten())
    }

    async fn document_symbol(
        &self,
        params: DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>> {
        let uri = params.text_document.uri;
        let answer = self.ask("textDocument/documentSymbol", uri, |snapshot, _| {
            symbols::document_symbols(snapshot)
        });
        Ok(answer.await?.map(DocumentSymbolResponse::Nested))
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        let uri = params.text_document.uri;
        self.ask("textDocument/foldingRange", uri, |snapshot, _| {
            folding::folding_ranges(snapshot)
        })
        .await
    }

    async fn goto_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        let at = params.text_document_position_params;
        let uri = at.text_document.uri;
        let answer = self.ask("textDocument/definition", uri, move |snapshot, _| {
            navigation::definition(snapshot, at.position)
        });
        Ok(answer.await?.flatten().map(GotoDefinitionResponse::Scalar))
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let at = params.text_document_position;
        let with_declaration = params.context.include_declaration;
        let uri = at.text_document.uri;
        self.ask("textDocument/references", uri, move |snapshot, _| {
            navigation::references(snapshot, at.position, with_declaration)
        })
        .await
    }

    async fn document_highlight(
        &self,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        let at = params.text_document_position_params;
        let uri = at.text_document.uri;
        self.ask("textDocument/documentHighlight", uri, move |snapshot, _| {
            navigation::highlights(snapshot, at.position)
        })
        .await
    }

    async fn prepare_rename(
        &self,
        at: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>> {
        let uri = at.text_document.uri;
        let answer = self.ask("textDocument/prepareRename", uri, move |snapshot, _| {
            rename::prepare(snapshot, at.position)
        });
        Ok(answer.await?.flatten())
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let at = params.text_document_position;
        let uri = at.text_document.uri;
        let answer = self.ask("textDocument/rename", uri, move |snapshot, _| {
            rename::rename(snapshot, at.position, &params.new_name)
        });
        answer.await?.transpose().map(Option::flatten)
    }

    async fn semantic_tokens_full(
        &self,
        params: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>> {
        let uri = params.text_document.uri;
        let answer = self.ask("textDocument/semanticTokens/full", uri, |snapshot, _| {
            semantic_tokens::tokens(snapshot, None)
        });
        let tokens = answer.await?.flatten();
        Ok(tokens.map(SemanticTokensResult::Tokens))
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        let uri = params.text_document.uri;
        let range = params.range;
        let answer = self.ask(
            "textDocument/semanticTokens/range",
            uri,
            move |snapshot, _| semantic_tokens::tokens(snapshot, Some(range)),
        );
        let tokens = answer.await?.flatten();
        Ok(tokens.map(SemanticTokensRangeResult::Tokens))
    }
}
