// Debugging kernels: `a2lint dap` as a debug adapter.

import * as vscode from "vscode";
import { findBinary } from "./binary";

const TYPE = "a2lint";
/** Lines above the stop that show values. */
const SHOWN_LINES = 30;

/** What `a2lint.whoWrote` and `a2lint.nextRead` answer. */
interface Touch {
  found: boolean;
  text?: string;
  instant?: number;
}

/** What the server says of a kernel to be debugged. */
interface Kernel {
  uri: string;
  kernel?: string;
  launch?: number | string | null;
  bind?: Record<string, number>;
  stopAtLine?: number;
  stopAt?: string;
}

/** What a command of the view of variables is given. */
interface VariableContext {
  variable?: { name?: string; evaluateName?: string };
}

/** Registers the adapter, and the commands that it adds. */
export function registerDebugger(context: vscode.ExtensionContext): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: async () => {
        const binary = await findBinary(context);
        return new vscode.DebugAdapterExecutable(binary.path, ["dap"]);
      },
    }),
    vscode.debug.registerDebugConfigurationProvider(TYPE, { resolveDebugConfiguration }),
    readExpressions({ language: "python" }),
    readExpressionsInSessions({ language: "cpp" }),
    vscode.commands.registerCommand("a2lint.debugHere", debugHere),
    vscode.commands.registerCommand("a2lint.debug", debugKernel),
    vscode.commands.registerCommand("a2lint.whoWrote", (variable: VariableContext) =>
      touch("a2lint.whoWrote", variable, "Nothing has written it since the run began."),
    ),
    vscode.commands.registerCommand("a2lint.nextRead", (variable: VariableContext) =>
      touch("a2lint.nextRead", variable, "Nothing reads it before the run ends."),
    ),
  );
}

/** Reads the expressions of a language under the mouse, and shows scalars beside its lines. */
function readExpressions(selector: vscode.DocumentFilter): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerEvaluatableExpressionProvider(selector, { provideEvaluatableExpression }),
    vscode.languages.registerInlineValuesProvider(selector, { provideInlineValues }),
  );
}

/** The same while a run of ours is debugged: at other times, other debuggers read expressions in their own way. */
function readExpressionsInSessions(selector: vscode.DocumentFilter): vscode.Disposable {
  const running = new Set<string>();
  let readers: vscode.Disposable | undefined;
  const stop = () => {
    readers?.dispose();
    readers = undefined;
  };
  return vscode.Disposable.from(
    vscode.debug.onDidStartDebugSession((session) => {
      if (session.type === TYPE) {
        running.add(session.id);
        readers ??= readExpressions(selector);
      }
    }),
    vscode.debug.onDidTerminateDebugSession((session) => {
      if (running.delete(session.id) && running.size === 0) {
        stop();
      }
    }),
    { dispose: stop },
  );
}

/** The file of the editor, where no configuration says another one. */
function resolveDebugConfiguration(
  _folder: vscode.WorkspaceFolder | undefined,
  given: vscode.DebugConfiguration,
): vscode.DebugConfiguration | undefined {
  const editor = vscode.window.activeTextEditor;
  const program: string | undefined = given.program ?? editor?.document.uri.fsPath;
  if (!program) {
    void vscode.window.showErrorMessage("Open a kernel to debug it.");
    return undefined;
  }
  return { stopOnEntry: !given.type, ...given, type: TYPE, request: "launch", name: given.name ?? "Kernel", program };
}

/** The name under the mouse with the subscripts after it. */
function provideEvaluatableExpression(
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.EvaluatableExpression | undefined {
  const word = document.getWordRangeAtPosition(position, /[A-Za-z_]\w*/);
  if (!word) {
    return undefined;
  }
  if (vscode.debug.activeDebugSession?.type !== TYPE) {
    return new vscode.EvaluatableExpression(word);
  }
  const text = document.lineAt(word.end.line).text;
  let end = word.end.character;
  while (text[end] === "[") {
    let depth = 0;
    let at = end;
    do {
      depth += text[at] === "[" ? 1 : text[at] === "]" ? -1 : 0;
      at++;
    } while (depth > 0 && at < text.length);
    if (depth > 0) {
      break;
    }
    end = at;
  }
  return new vscode.EvaluatableExpression(word.with({ end: word.end.with({ character: end }) }));
}

/** Scalars beside the lines above the stop, where a run of ours has stopped. */
function provideInlineValues(
  document: vscode.TextDocument,
  viewPort: vscode.Range,
  context: vscode.InlineValueContext,
): vscode.InlineValue[] {
  if (vscode.debug.activeDebugSession?.type !== TYPE) {
    return [];
  }
  const comment = document.languageId === "python" ? /#.*/ : /\/\/.*/;
  const last = context.stoppedLocation.end.line;
  const first = Math.max(viewPort.start.line, last - SHOWN_LINES, 0);
  const values: vscode.InlineValue[] = [];
  for (let line = first; line <= Math.min(last, document.lineCount - 1); line++) {
    const text = document.lineAt(line).text.replace(comment, "");
    const seen = new Set<string>();
    for (const found of text.matchAll(/[A-Za-z_]\w*(?!\w|\s*[(.])/g)) {
      const name = found[0];
      if (!seen.has(name)) {
        seen.add(name);
        const range = new vscode.Range(line, found.index, line, found.index + name.length);
        values.push(new vscode.InlineValueVariableLookup(range, name, true));
      }
    }
  }
  return values;
}

/** Debugs the kernel of the file, stopped before its first step. */
async function debugHere(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor) {
    await debugKernel({ uri: editor.document.uri.toString() });
  }
}

/** Debugs a kernel, stopped where somebody asks for it, or before its first step. */
async function debugKernel({ uri, launch, ...given }: Kernel): Promise<void> {
  const file = vscode.Uri.parse(uri);
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), {
    ...given,
    type: TYPE,
    request: "launch",
    name: given.kernel ?? "Kernel",
    program: file.fsPath,
    stopOnEntry: given.stopAtLine === undefined,
    ...(launch === undefined || launch === null ? {} : { launch }),
  });
}

/** Says who accesses a variable, and offers to go there. */
async function touch(request: string, context: VariableContext, nobody: string): Promise<void> {
  const session = vscode.debug.activeDebugSession;
  const expression = context.variable?.evaluateName;
  if (!session || !expression) {
    return;
  }
  const item = vscode.debug.activeStackItem;
  const frameId = item instanceof vscode.DebugStackFrame ? item.frameId : undefined;
  try {
    const found: Touch = await session.customRequest(request, { expression, frameId });
    if (!found.found) {
      void vscode.window.showInformationMessage(`${expression}: ${nobody}`);
      return;
    }
    const text = `${expression}: ${found.text?.replaceAll("\n", ", ")}`;
    if ((await vscode.window.showInformationMessage(text, "Go There")) === "Go There") {
      await session.customRequest("a2lint.goTo", { instant: found.instant });
    }
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}

/** Where a run of ours has stopped, in the frame that is chosen. */
export async function stoppedAt(): Promise<{ uri: vscode.Uri; line: number } | undefined> {
  const item = vscode.debug.activeStackItem;
  if (item?.session.type !== TYPE) {
    return undefined;
  }
  const answer = await item.session.customRequest("stackTrace", { threadId: item.threadId });
  const frames: { id: number; line: number; source?: { path?: string } }[] = answer.stackFrames;
  const frame = frames.find((it) => item instanceof vscode.DebugStackFrame && it.id === item.frameId) ?? frames[0];
  const path = frame?.source?.path;
  if (!path) {
    return undefined;
  }
  // The editor turns the paths of an adapter into addresses, where it sees them.
  const uri = /^[a-z][a-z0-9+.-]+:\/\//i.test(path) ? vscode.Uri.parse(path) : vscode.Uri.file(path);
  return { uri, line: frame.line };
}
