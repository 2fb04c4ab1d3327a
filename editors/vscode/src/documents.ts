// Texts of the server as read-only documents: results of runs, memory maps, rules.

import * as vscode from "vscode";

/** What a command about a kernel answers. */
export interface Report {
  title: string;
  text: string;
  summary?: string;
}

/** What the command that explains rules answers. */
export interface Rule {
  title: string;
  markdown: string;
}

/** Scheme of the documents. */
export const SCHEME = "a2lint";

/** Serves `a2lint:/rules/NAME.md` and `a2lint:/reports/TITLE.txt`. */
export class Documents implements vscode.TextDocumentContentProvider {
  private readonly reports = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly explain: (rule: string) => Promise<string>) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const rule = /^\/rules\/(.+)\.md$/.exec(uri.path);
    if (rule) {
      return this.explain(rule[1]);
    }
    return this.reports.get(uri.path) ?? "";
  }

  /** Opens the documentation of a rule, rendered. */
  async open(rule: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/rules/${rule}.md` });
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  }

  /** Opens a report beside the editor; a newer one of the same title takes its place. */
  async show(report: Report): Promise<void> {
    const path = `/reports/${report.title.replaceAll("/", "∕")}.txt`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path });
    this.reports.set(path, report.text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preview: true,
      preserveFocus: true,
    });
  }
}
