//! The capabilities that the client has announced.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::*;

use super::settings;
use super::text::Encoding;

/// The result of the `initialize` handshake.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// The unit in which positions count characters.
    pub encoding: Encoding,
    /// Whether the client requests diagnostics (and can be asked to do so again), instead of having them published.
    pub pulls: bool,
    /// Whether the client answers `workspace/configuration`.
    pub has_configuration: bool,
    /// Whether the client can watch files for the server.
    pub watches_files: bool,
    /// Whether the client sends changed settings if the server registers for them.
    pub registers_configuration: bool,
    /// Whether the client shows the progress of work that the server starts.
    pub shows_progress: bool,
    /// Whether the client can be asked to request inlay hints again.
    pub refreshes_hints: bool,
    /// Whether the client can be asked to request code lenses again.
    pub refreshes_lenses: bool,
    /// The links that the client supports.
    pub links: Links,
    /// Whether the client shows the verdicts on a document's kernels, see [`LookedAt`].
    pub shows_status: bool,
    /// The open folders.
    pub folders: Vec<PathBuf>,
    /// The `initializationOptions` of the client.
    pub options: Option<serde_json::Value>,
}

/// The kinds of links that a client supports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Whether it follows links to rules: `a2lint:/rules/NAME.md`.
    pub rules: bool,
    /// Whether it follows links to commands in hovers: `command:a2lint.run?…`.
    pub commands: bool,
    /// Whether it has pages: it shows the answer to `a2lint.report`, and lets the user choose a launch.
    pub pages: bool,
    /// Whether it has debug sessions: it debugs the run that `a2lint.debug` names.
    pub debugs: bool,
}

/// The notification `a2lint/lookedAt`: the verdicts on the kernels of a document, for a status line.
pub enum LookedAt {}

/// Parameters of [`LookedAt`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Status {
    /// The document.
    pub uri: Uri,
    /// The verdicts in one line; empty for a document without kernels.
    pub text: String,
}

impl Notification for LookedAt {
    type Params = Status;
    const METHOD: &'static str = "a2lint/lookedAt";
}

impl Session {
    /// Reads the parameters of `initialize`.
    pub fn of(params: InitializeParams) -> Session {
        let folders = folders(&params);
        let general = params.capabilities.general.unwrap_or_default();
        let document = params.capabilities.text_document.unwrap_or_default();
        let workspace = params.capabilities.workspace.unwrap_or_default();
        let experimental = params.capabilities.experimental.unwrap_or_default();
        let window = params.capabilities.window.unwrap_or_default();
        let refreshes = workspace.diagnostics.and_then(|it| it.refresh_support);
        let hints = workspace.inlay_hint.and_then(|it| it.refresh_support);
        let lenses = workspace.code_lens.and_then(|it| it.refresh_support);
        let watched = workspace.did_change_watched_files;
        let configuration = workspace.did_change_configuration;
        Session {
            encoding: Encoding::negotiated(general.position_encodings.as_deref()),
            pulls: document.diagnostic.is_some() && refreshes == Some(true),
            has_configuration: workspace.configuration == Some(true),
            watches_files: watched.and_then(|it| it.dynamic_registration) == Some(true),
            registers_configuration: configuration.and_then(|it| it.dynamic_registration)
                == Some(true),
            shows_progress: window.work_done_progress == Some(true),
            refreshes_hints: hints == Some(true),
            refreshes_lenses: lenses == Some(true),
            folders,
            links: Links {
                rules: experimental["a2lint"]["ruleLinks"] == true,
                commands: experimental["a2lint"]["commandLinks"] == true,
                pages: experimental["a2lint"]["pages"] == true,
                debugs: experimental["a2lint"]["debugger"] == true,
            },
            shows_status: experimental["a2lint"]["status"] == true,
            options: params.initialization_options,
        }
    }
}

/// Returns the folders that a client has open. Clients older than `workspaceFolders` send one root.
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    match &params.workspace_folders {
        Some(folders) => paths(folders),
        #[allow(deprecated, reason = "clients still say it")]
        None => params.root_uri.iter().filter_map(settings::path).collect(),
    }
}

/// Returns the paths of those folders that are on disk.
pub fn paths(folders: &[WorkspaceFolder]) -> Vec<PathBuf> {
    let uris = folders.iter().map(|folder| &folder.uri);
    uris.filter_map(settings::path).collect()
}
