// Debugs flash attention in VS Code: a breakpoint, values, steps, steps back, a watch, and who wrote. Run by vscode.sh
// with the address of code-server and the folder for the pictures.

const { chromium } = require("playwright-core");
const { check, open, run } = require("./page.cjs");

const [address, folder] = process.argv.slice(2);
const PATIENCE = 60_000;

async function picture(page, name) {
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${folder}/vscode-debug-${name}.png` });
}

/** Waits until the run stands before a line that holds a text. */
async function standsAt(page, text) {
  await page.waitForFunction((text) => {
    const mark = document.querySelector(".debug-top-stack-frame-line");
    if (!mark) {
      return false;
    }
    const top = mark.getBoundingClientRect().top;
    const plain = (node) => node.textContent.replaceAll("\u00a0", " ");
    return [...document.querySelectorAll(".view-line")].some(
      (line) => Math.abs(line.getBoundingClientRect().top - top) < 4 && plain(line).includes(text),
    );
  }, text);
}

/** Presses a button of the toolbar: steps back are in no palette. */
async function press(page, label) {
  await page.locator(`.debug-toolbar [aria-label*="${label}"]`).first().click();
}

/** What the console answers to a line. */
async function ask(page, text) {
  await page.locator(".repl-input-wrapper .monaco-editor").first().click();
  await page.keyboard.type(text);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
}

async function main() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(PATIENCE);
  try {
    await page.goto(address);
    await page.locator(".monaco-workbench").waitFor();
    await open(page, "flash_attention.py", 213);
    await page.waitForTimeout(3000);
    await page.keyboard.press("F9");
    await page.locator(".codicon-debug-breakpoint, .codicon-debug-breakpoint-unverified").first().waitFor();
    await run(page, "a2lint: Debug the Kernel of this File");
    await page.locator(".debug-toolbar").waitFor();
    await page.locator(".debug-top-stack-frame-line").first().waitFor();
    check(true, "it stops before the first step");
    await run(page, "Debug: Continue");
    await standsAt(page, "vmax(folded");
    check(true, "it stops at the breakpoint");
    const tensors = page.locator(".debug-variables .monaco-list-row", { hasText: "Tensors on chip" });
    await tensors.first().waitFor();
    await tensors.first().click();
    await page.locator(".debug-variables .monaco-list-row", { hasText: "ub_s" }).first().waitFor();
    await picture(page, "stopped");
    await run(page, "Debug: Step Over");
    await standsAt(page, "cmax(tile_max");
    check(true, "it goes a line further");
    await press(page, "Step Back");
    await standsAt(page, "vmax(folded");
    check(true, "it goes back");
    await ask(page, "max(ub_s[first])");
    await ask(page, "who ub_s[first][0, 0]");
    await page.locator(".repl .monaco-list-row", { hasText: "line 208: muls" }).first().waitFor();
    check(true, "the console says who wrote it");
    await picture(page, "console");
    const watch = page.locator(".pane", { hasText: "Watch" }).first();
    await watch.locator(".pane-header").first().hover();
    await page.locator('[aria-label="Add Expression"]').first().click();
    await page.keyboard.type("undefined(ub_s[first])");
    await page.keyboard.press("Enter");
    await page.locator(".debug-watch .monaco-list-row", { hasText: "undefined(ub_s[first])" }).first().waitFor();
    await page.waitForTimeout(500);
    const watched = await page.locator(".debug-watch .monaco-list-row").first().textContent();
    check(/0$/.test(watched.trim()), "a watched expression has its value");
    // A hover takes the subscripts, too.
    const word = page.locator(".view-line", { hasText: "vmax(folded" }).locator("span", { hasText: /^ub_s$/ }).first();
    if (await word.count()) {
      await word.hover();
      await page.locator(".debug-hover-widget").waitFor({ timeout: 5000 }).catch(() => {});
      await picture(page, "hover");
    }
    await page.mouse.move(400, 890);
    const rows = (text) => page.locator(".debug-variables .monaco-list-row", { hasText: text }).first();
    const fold = async (text, open) => {
      if ((await rows(text).getAttribute("aria-expanded")) !== String(open)) {
        await rows(text).click();
      }
    };
    await fold("Scalars", false);
    await fold("Tensors on chip", true);
    await rows("ub_o").waitFor();
    await picture(page, "tensors");
    // A data breakpoint, from the menu of a tensor.
    await rows("ub_o").click({ button: "right" });
    const item = page.locator(".monaco-menu .action-item", { hasText: "Break on Value Change" }).first();
    await item.waitFor();
    await picture(page, "menu");
    await item.click({ delay: 300 });
    await page.locator(".debug-breakpoints .monaco-list-row", { hasText: "ub_o" }).first().waitFor();
    // The breakpoint of the line comes up on other lanes before.
    const written = page.locator(".debug-call-stack .state.label", { hasText: /watchpoint/i });
    for (let stops = 0; stops < 8 && !(await written.count()); stops++) {
      await run(page, "Debug: Continue");
      await page.waitForTimeout(1000);
    }
    check(await written.count(), "it stops where a tensor is written");
    await picture(page, "data");
    await run(page, "Debug: Step Over");
    await standsAt(page, "add(acc, acc, ub_o)");
    await run(page, "a2lint: Show the Tiles of This Line");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "S1=128" }).first().waitFor();
    await page.keyboard.press("Enter");
    const inside = page.frameLocator("iframe.webview").frameLocator("iframe");
    await inside.locator('[data-view="tiles"][aria-selected="true"]').waitFor();
    check(true, "the report shows the tiles of the line");
    await picture(page, "tiles");
    await press(page, "Reverse");
    await page.waitForTimeout(2000);
    await picture(page, "start");
    await press(page, "Stop");
    await page.locator(".debug-toolbar").waitFor({ state: "hidden" });
    check(true, "it ends");
  } catch (error) {
    await picture(page, "failed");
    throw error;
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
