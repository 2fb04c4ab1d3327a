//! What client and server can do.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::*;

use super::settings;
use super::text::Encoding;

/// What was agreed on with the client.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// What positions count.
    pub encoding: Encoding,
    /// Whether the client asks for diagnostics rather than being sent them.
    pub pulls: bool,
    /// Whether it can be asked for settings.
    pub has_configuration: bool,
    /// Whether it watches files for the server.
    pub watches_files: bool,
    /// Whether it tells of changed settings once the server has registered for that.
    pub registers_configuration: bool,
    /// Whether it shows the progress of work that the server starts.
    pub shows_progress: bool,
    /// Whether it can be asked to ask for inlay hints anew.
    pub refreshes_hints: bool,
    /// Whether it can be asked to ask for lenses anew.
    pub refreshes_lenses: bool,
    /// What it does with links.
    pub links: Links,
    /// Whether it shows what is known of a document, see [`LookedAt`].
    pub shows_status: bool,
    /// The folders that are open.
    pub folders: Vec<PathBuf>,
    /// Settings that came with the introduction.
    pub options: Option<serde_json::Value>,
}

/// Links that a client follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// To rules: `a2lint:/rules/NAME.md`.
    pub rules: bool,
    /// To commands, in hovers: `command:a2lint.run?…`.
    pub commands: bool,
    /// To pages: it shows what `a2lint.report` answers, and lets people choose a launch.
    pub pages: bool,
    /// To runs: it debugs what `a2lint.debug` names.
    pub debugs: bool,
}

/// `a2lint/lookedAt`: what is known of the kernels of a document, for a line of status.
pub enum LookedAt {}

/// What [`LookedAt`] says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Status {
    /// The document.
    pub uri: Uri,
    /// What is known, in one line; nothing of a document without kernels.
    pub text: String,
}

impl Notification for LookedAt {
    type Params = Status;
    const METHOD: &'static str = "a2lint/lookedAt";
}

impl Session {
    /// What a client's introduction says.
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

/// The folders that a client has open. Those before there were several have one root.
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    match &params.workspace_folders {
        Some(folders) => paths(folders),
        #[allow(deprecated, reason = "clients still say it")]
        None => params.root_uri.iter().filter_map(settings::path).collect(),
    }
}

/// The paths of folders that are on disk.
pub fn paths(folders: &[WorkspaceFolder]) -> Vec<PathBuf> {
    let uris = folders.iter().map(|folder| &folder.uri);
    uris.filter_map(settings::path).collect()
}
