// Finding the a2lint binary: setting, environment, PATH, bundled.

import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";

/** A binary that answers, with where it was found. */
export interface Binary {
  path: string;
  source: "setting" | "environment" | "PATH" | "bundled";
  version: string;
}

const NAME = process.platform === "win32" ? "a2lint.exe" : "a2lint";

/** The first binary that answers; throws with everything that was tried where none does. */
export async function findBinary(context: vscode.ExtensionContext): Promise<Binary> {
  const tried: string[] = [];
  for (const [source, candidate] of candidates(context)) {
    try {
      return { path: candidate, source, version: await version(candidate) };
    } catch (error) {
      tried.push(`${source}: ${candidate}: ${error instanceof Error ? error.message : error}`);
      // What the user names is meant: nothing else stands in for it.
      if (source === "setting" || source === "environment") {
        break;
      }
    }
  }
  throw new Error(`No a2lint binary found. ${tried.join("; ") || "Nothing to try."}`);
}

function* candidates(context: vscode.ExtensionContext): Generator<[Binary["source"], string]> {
  const setting = vscode.workspace.getConfiguration("a2lint").get<string>("path", "").trim();
  if (setting) {
    yield ["setting", expand(setting)];
  }
  if (process.env.A2LINT) {
    yield ["environment", expand(process.env.A2LINT)];
  }
  const onPath = which();
  if (onPath) {
    yield ["PATH", onPath];
  }
  yield ["bundled", context.asAbsolutePath(path.join("bin", NAME))];
}

/** `~` and `${workspaceFolder}`. */
function expand(text: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const home = text.startsWith("~/") ? path.join(os.homedir(), text.slice(2)) : text;
  return home.replaceAll("${workspaceFolder}", folder);
}

function which(): string | undefined {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, NAME)).find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** What `a2lint --version` says. */
function version(file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, ["--version"], { timeout: 5000 }, (error, stdout) => {
      const found = /^a2lint (\S+)/.exec(stdout);
      if (error || !found) {
        reject(error ?? new Error("it is not a2lint"));
      } else {
        resolve(found[1]);
      }
    });
  });
}
