// The status item: version, state, and what is known of the document.

import * as vscode from "vscode";
import { State } from "vscode-languageclient/node";
import { Binary } from "./binary";

/** Shows what the server is up to; a click opens the log. */
export class Status implements vscode.Disposable {
  private readonly item: vscode.LanguageStatusItem;
  private readonly known = new Map<string, string>();
  private source = "";

  constructor(selector: vscode.DocumentSelector) {
    this.item = vscode.languages.createLanguageStatusItem("a2lint", selector);
    this.item.name = "a2lint";
    this.item.command = { title: "Show Log", command: "a2lint.showLog" };
    this.item.text = "a2lint";
  }

  /** Notes what is known of a document. */
  note(uri: string, text: string): void {
    this.known.set(vscode.Uri.parse(uri).toString(), text);
    this.turn(vscode.window.activeTextEditor);
  }

  /** Says what is known of the document of an editor. */
  turn(editor: vscode.TextEditor | undefined): void {
    const text = editor && this.known.get(editor.document.uri.toString());
    if (text !== undefined) {
      this.item.detail = text || "no kernels";
    } else if (this.source) {
      this.item.detail = `running (${this.source})`;
    }
  }

  show(state: State, binary: Binary): void {
    this.item.text = `a2lint ${binary.version}`;
    this.item.busy = state === State.Starting;
    this.source = state === State.Running ? binary.source : "";
    this.item.detail = {
      [State.Starting]: "starting",
      [State.StartFailed]: "could not be started",
      [State.Running]: `running (${binary.source})`,
      [State.Stopped]: "stopped",
    }[state];
    this.item.severity =
      state === State.Stopped || state === State.StartFailed
        ? vscode.LanguageStatusSeverity.Error
        : vscode.LanguageStatusSeverity.Information;
  }

  fail(message: string): void {
    this.item.busy = false;
    this.item.detail = message;
    this.item.severity = vscode.LanguageStatusSeverity.Error;
  }

  dispose(): void {
    this.item.dispose();
  }
}
