// The VS Code client: starts `a2lint lsp` and shows what its commands answer.

import * as vscode from "vscode";
import {
  LanguageClient,
  LanguageClientOptions,
  ServerOptions,
  State,
  StaticFeature,
} from "vscode-languageclient/node";
import { Binary, findBinary } from "./binary";
import { registerDebugger, stoppedAt } from "./debug";
import { Documents, Report, Rule, SCHEME } from "./documents";
import { Page, Pages } from "./pages";
import { Status } from "./status";

const LANGUAGES = ["python", "cpp", "cuda", "cuda-cpp", "ptx", "pto", "mlir"];
const SELECTOR = LANGUAGES.flatMap((language) => [
  { language, scheme: "file" },
  { language, scheme: "untitled" },
]);
/** Words that Python and C++ files must hold to be worth starting a server for. */
const FACADE = /^\s*(from|import)\s+(easyasc|ascriptor)\b|import_module\(\s*f?["']ascriptor\./m;
const ASCENDC = /\bkernel_operator\.h\b|\b__aicore__\b|\bAscendC\b/;
const MASKS = /TSEL|TCMP|TASSIGN|tcgen05/;

/** Tells the server that links to rules and commands open here, and that pages are shown. */
const LINKS: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = {
      ...capabilities.experimental,
      a2lint: { ruleLinks: true, commandLinks: true, pages: true, debugger: true, status: true },
    };
  },
  initialize: () => {},
  getState: () => ({ kind: "static" }),
  clear: () => {},
};

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("a2lint", { log: true });
  const own = new Session(context, log);
  session = own;
  context.subscriptions.push(
    log,
    own,
    registerDebugger(context),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, own.documents),
    vscode.commands.registerCommand("a2lint.restart", () => own.restart()),
    vscode.commands.registerCommand("a2lint.showLog", () => log.show()),
    vscode.commands.registerCommand("a2lint.simulateHere", () => own.runLens("a2lint.run")),
    vscode.commands.registerCommand("a2lint.reportHere", () => own.runLens("a2lint.report")),
    vscode.commands.registerCommand("a2lint.openTiles", () => own.openTiles()),
    vscode.commands.registerCommand("a2lint.memoryHere", () => own.runLens("a2lint.run", "a2lint.showMemory")),
    vscode.commands.registerCommand("a2lint.testHere", () => own.runLens("a2lint.run", "a2lint.test")),
    vscode.commands.registerCommand("a2lint.openExample", () => openExample(context)),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      showButtons(editor);
      own.status.turn(editor);
    }),
    vscode.workspace.onDidOpenTextDocument((document) => own.consider(document)),
    vscode.workspace.onDidChangeTextDocument((event) => own.consider(event.document)),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("a2lint.path")) {
        await own.restart();
      }
    }),
  );
  showButtons(vscode.window.activeTextEditor);
  for (const document of vscode.workspace.textDocuments) {
    await own.consider(document);
  }
}

/** Shows the buttons of the editor's title where there are kernels. */
function showButtons(editor: vscode.TextEditor | undefined): void {
  const document = editor?.document;
  const hasKernels = document !== undefined && isForUs(document) && holdsKernels(document);
  void vscode.commands.executeCommand("setContext", "a2lint.hasKernels", hasKernels);
}

/** Opens a kernel with a mistake, as a text that is not saved. */
async function openExample(context: vscode.ExtensionContext): Promise<void> {
  const file = vscode.Uri.joinPath(context.extensionUri, "walkthrough", "example.py");
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const document = await vscode.workspace.openTextDocument({ language: "python", content });
  await vscode.window.showTextDocument(document);
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

/** Asks which launch is meant where there are several; false where nobody chooses. */
async function chooseLaunch(args: { launch?: number | null; launches?: string[] }[]): Promise<boolean> {
  const about = args[0];
  if (!about?.launches || about.launches.length < 2) {
    return true;
  }
  const items = about.launches.map((label, launch) => ({ label: label.trim(), launch }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: "Which launch?" });
  about.launch = chosen?.launch;
  return chosen !== undefined;
}

/** The server and everything around it. */
class Session implements vscode.Disposable {
  readonly documents = new Documents((rule) => this.explain(rule));
  private readonly pages = new Pages();
  readonly status = new Status(SELECTOR);
  private client: LanguageClient | undefined;
  private starting: Promise<void> | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Starts the server with the first document that is for it. */
  async consider(document: vscode.TextDocument): Promise<void> {
    if (!this.starting && isForUs(document)) {
      this.starting = this.start();
    }
    await this.starting;
  }

  private async start(): Promise<void> {
    let binary: Binary;
    try {
      binary = await findBinary(this.context);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.error(message);
      this.status.fail(message);
      const choice = await vscode.window.showErrorMessage(message, "Open Settings");
      if (choice) {
        await vscode.commands.executeCommand("workbench.action.openSettings", "a2lint.path");
      }
      return;
    }
    this.log.info(`a2lint ${binary.version} (${binary.source}): ${binary.path}`);
    const server: ServerOptions = { command: binary.path, args: ["lsp"] };
    const client = new LanguageClient("a2lint", "a2lint", server, this.options());
    client.registerFeature(LINKS);
    client.onNotification("a2lint/lookedAt", ({ uri, text }: { uri: string; text: string }) =>
      this.status.note(uri, text),
    );
    client.onDidChangeState(({ newState }) => this.status.show(newState, binary));
    this.client = client;
    this.status.show(State.Starting, binary);
    try {
      await client.start();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.error(message);
      this.status.fail(message);
    }
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: SELECTOR,
      outputChannel: this.log,
      markdown: {
        isTrusted: { enabledCommands: ["a2lint.run", "a2lint.report", "a2lint.showMemory"] },
      },
      initializationOptions: vscode.workspace.getConfiguration("a2lint"),
      synchronize: { configurationSection: "a2lint" },
      middleware: {
        // Lenses are run by the server; what they answer is shown here.
        executeCommand: async (command, args, next) => {
          if (!(await chooseLaunch(args))) {
            return undefined;
          }
          const answer = (await next(command, args)) as (Report & Page & Rule) | undefined;
          if (answer && typeof answer.html === "string") {
            this.pages.show(answer);
          }
          if (answer && typeof answer.markdown === "string") {
            await this.documents.open(answer.title);
          }
          if (answer && typeof answer.text === "string") {
            await this.documents.show(answer);
          }
          return answer;
        },
      },
    };
  }

  /** Shows the tiles of the line where a run of ours has stopped. */
  async openTiles(): Promise<void> {
    const place = await stoppedAt();
    if (place) {
      const document = await vscode.workspace.openTextDocument(place.uri);
      const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
      const at = new vscode.Position(place.line - 1, 0);
      editor.selection = new vscode.Selection(at, at);
      this.pages.want(place.line);
      await this.runLens("a2lint.report");
    }
  }

  /** Runs the lens of the kernel around the cursor, or another command for the kernel of that lens. */
  async runLens(command: string, other = command): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) {
      return;
    }
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      editor.document.uri,
      100,
    );
    const wanted = lenses.filter((lens) => lens.command?.command === command);
    const above = wanted.filter((lens) => lens.range.start.line <= editor.selection.active.line);
    const line = above.at(-1)?.range.start.line;
    const found = above.find((lens) => lens.range.start.line === line) ?? wanted[0];
    if (found?.command) {
      const [kernel, ...rest] = found.command.arguments ?? [];
      // Only what the lens itself does needs a launch to be chosen.
      const taken = other === command ? kernel : { ...kernel, launches: undefined };
      await vscode.commands.executeCommand(other, taken, ...rest);
    } else {
      vscode.window.showInformationMessage("There is no kernel here.");
    }
  }

  private async explain(rule: string): Promise<string> {
    const answer = await this.client?.sendRequest<{ markdown: string }>("workspace/executeCommand", {
      command: "a2lint.explain",
      arguments: [rule],
    });
    return answer?.markdown ?? "The a2lint server is not running.";
  }

  async restart(): Promise<void> {
    await this.stop();
    this.starting = this.start();
    await this.starting;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await this.starting?.catch(() => undefined);
    this.starting = undefined;
    await client?.dispose();
  }

  dispose(): void {
    this.status.dispose();
    void this.stop();
  }
}

/** Whether a document that is for us may hold kernels, and not tiles alone. */
function holdsKernels(document: vscode.TextDocument): boolean {
  const isCpp = document.languageId === "cpp" && /\b__aicore__\b/.test(document.getText());
  return document.languageId === "python" || isCpp;
}

/** Whether a document is one that a2lint has something to say about. */
function isForUs(document: vscode.TextDocument): boolean {
  if (!LANGUAGES.includes(document.languageId) || document.uri.scheme.startsWith("vscode-notebook")) {
    return false;
  }
  switch (document.languageId) {
    case "python":
      return FACADE.test(document.getText());
    case "ptx":
    case "pto":
    case "mlir":
      return true;
    case "cpp":
      return ASCENDC.test(document.getText()) || MASKS.test(document.getText());
    default:
      return MASKS.test(document.getText());
  }
}
