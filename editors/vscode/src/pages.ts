// Pages about kernels, as panels beside the editor.

import * as vscode from "vscode";

/** What `a2lint.report` answers. */
export interface Page {
  title: string;
  /** The document that it is about. */
  uri: string;
  html: string;
}

/** Shows pages; a newer one of the same title takes the panel of the old one. */
export class Pages {
  private readonly panels = new Map<string, vscode.WebviewPanel>();
  /** The line whose tiles the next page shows once it is there. */
  private wanted: number | undefined;

  /** Has the next page show what a line does. */
  want(line: number): void {
    this.wanted = line;
  }

  show(page: Page): void {
    let panel = this.panels.get(page.title);
    if (!panel) {
      panel = vscode.window.createWebviewPanel(
        "a2lint.report",
        page.title,
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: true, localResourceRoots: [] },
      );
      panel.onDidDispose(() => this.panels.delete(page.title));
      const own = panel;
      panel.webview.onDidReceiveMessage((message: { line?: unknown; ready?: unknown }) => {
        if (typeof message.line === "number") {
          void reveal(page.uri, message.line);
        }
        if (message.ready && this.wanted !== undefined) {
          void own.webview.postMessage({ line: this.wanted });
          this.wanted = undefined;
        }
      });
      this.panels.set(page.title, panel);
    }
    panel.webview.html = page.html;
    panel.reveal(undefined, true);
  }
}

/** Goes to a line of a document, in the editor that shows it. */
async function reveal(uri: string, line: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const shown = vscode.window.visibleTextEditors.find((it) => it.document === document);
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.window.showTextDocument(document, {
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One,
    selection: new vscode.Range(at, at),
    preserveFocus: true,
  });
}
