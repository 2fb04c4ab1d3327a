// Looks at what VS Code shows of flash attention and of a kernel with a mistake, and takes the pictures of the
// documentation. Run by vscode.sh with the address of code-server and the folder for the pictures.

const { chromium } = require("playwright-core");
const { check, lens, open, repair, run } = require("./page.cjs");

const [address, folder] = process.argv.slice(2);
const PATIENCE = 30_000;

/** The part of the page that counts: the editors, with or without the panel below. */
const EDITOR = { x: 48, y: 34, width: 1132, height: 690 };

async function picture(page, name, clip = EDITOR) {
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${folder}/vscode-${name}.png`, clip });
}

/** The middle of a word in the line of the editor that holds a text. */
async function place(page, text, word) {
  return page.evaluate(([text, word]) => {
    const plain = (node) => node.textContent.replaceAll("\u00a0", " ");
    const lines = [...document.querySelectorAll(".view-line")].filter((node) => plain(node).includes(text));
    for (const line of lines) {
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const at = plain(walker.currentNode).indexOf(word);
        if (at >= 0) {
          const range = document.createRange();
          range.setStart(walker.currentNode, at);
          range.setEnd(walker.currentNode, at + word.length);
          const box = range.getBoundingClientRect();
          return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        }
      }
    }
    return null;
  }, [text, word]);
}

/** The hover on a word, once it says something. */
async function hover(page, text, word, says) {
  const at = await place(page, text, word);
  check(at !== null, `\`${word}\` is in sight`);
  await page.mouse.move(600, 5);
  await page.waitForTimeout(300);
  await page.mouse.move(at.x, at.y);
  await page.mouse.move(at.x + 1, at.y);
  const box = page.locator(".monaco-hover:visible", { hasText: says }).first();
  await box.waitFor();
  check(true, `the hover on \`${word}\` says "${says}"`);
  return box;
}

async function flash(page) {
  await open(page, "flash_attention.py", 118);
  await page.getByText(/^(clean|open: .* proved)$/).first().waitFor();
  check(true, "a lens says what is proved of flash attention");
  await picture(page, "lens");
  await hover(page, "def flash_attention", "flash_attention", "kernel");
  await picture(page, "hover-kernel");
  await hover(page, "folded = Tensor", "folded", "written");
  await picture(page, "hover-tensor");
  await open(page, "flash_attention.py", 156);
  await hover(page, "units = Var", "units", "device variable");
  await picture(page, "hover-var");
  await open(page, "flash_attention.py", 208);
  await picture(page, "hints");
  await hover(page, "exp(shrink, shrink)", "exp", "after this statement");
  await picture(page, "hover");
}

async function report(page) {
  await open(page, "flash_attention.py", 103);
  await lens(page, /^(clean|open: .* proved)$/, ".quick-input-list .monaco-list-row");
  const launches = page.locator(".quick-input-list .monaco-list-row");
  await launches.nth(5).waitFor();
  check(true, "the launches of the file are there to choose from");
  await picture(page, "launches");
  await launches.nth(3).click();
  await page.locator(".tab", { hasText: "flash_attention – report" }).first().waitFor();
  const frame = page.frameLocator("iframe.webview").last().frameLocator("iframe");
  await frame.locator("#tabs button").first().waitFor();
  await frame.locator("[data-view=memory]").click();
  await frame.locator("[data-buffer]").first().waitFor();
  await picture(page, "report-memory");
  await frame.locator("[data-view=timeline]").click();
  await picture(page, "report-timeline");
  await frame.locator("[data-view=tiles]").click();
  await frame.locator("canvas").first().waitFor();
  await picture(page, "report-tiles");
  await page.locator(".tab", { hasText: "flash_attention.py" }).first().click();
  await run(page, "a2lint: Show the Memory Map of the Kernel at the Cursor");
  await page.locator(".tab", { hasText: "Memory of flash_attention" }).first().waitFor();
  await page.waitForTimeout(500);
  await picture(page, "memory-map");
  await run(page, "View: Close All Editors");
}

async function mistake(page) {
  await page.keyboard.press("Control+Shift+M");
  const problem = page.locator(".markers-panel .monaco-list-row", { hasText: "elements of `shift8`" });
  await problem.first().waitFor();
  check(true, "what is wrong in a file that is not open is among the problems");
  await open(page, "dup_narrow.py", 26);
  await page.locator(".squiggly-error").first().waitFor();
  await problem.first().click();
  const whole = { ...EDITOR, height: 850 };
  await picture(page, "problems", whole);
  await page.keyboard.press("Control+J");
  await open(page, "dup_narrow.py", 26);
  await hover(page, "dup(shift8", "dup", "dup() writes 64 of 512");
  await picture(page, "finding");
  await page.mouse.move(600, 5);
  await repair(page, "Fill all 512");
  await picture(page, "fix");
  await page.keyboard.press("Escape");
  await lens(page, /^wrong: /, ".quick-input-list .monaco-list-row");
  await page.locator(".quick-input-list .monaco-list-row").nth(1).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".tab", { hasText: "dup_narrow – report" }).first().waitFor();
  const frame = page.frameLocator("iframe.webview").last().frameLocator("iframe");
  await frame.getByText("Show the tiles").first().click();
  await frame.locator("canvas").first().waitFor();
  await picture(page, "report");
  await run(page, "View: Close All Editors");
}

async function walkthrough(page) {
  await run(page, "Welcome: Open Walkthrough");
  await page.locator(".quick-input-widget input").first().fill("a2lint");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "a2lint" }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("See a finding").first().waitFor();
  await picture(page, "walkthrough", { ...EDITOR, height: 850 });
  await page.getByText("Open the Example").first().click();
  await page.locator(".squiggly-error").first().waitFor();
  check(true, "the walkthrough opens an example, and a2lint finds its mistake");
}

async function completion(page) {
  await open(page, "flash_attention.py", 216);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("sub(tile_max, ");
  await page.keyboard.press("Control+Space");
  const items = page.locator(".suggest-widget.visible .monaco-list-row");
  await items.first().waitFor();
  const first = await items.first().textContent();
  check(/run_max|new_max|tile_max|shrink|float/.test(first), `completion begins with ${first}`);
  await picture(page, "completion");
}

async function main() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage({ viewport: { width: 1180, height: 900 } });
  page.setDefaultTimeout(PATIENCE);
  try {
    await page.goto(address, { timeout: 60_000 });
    await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor({ timeout: 60_000 });
    await page.keyboard.press("Control+B");
    await flash(page);
    await report(page);
    await mistake(page);
    await completion(page);
    await walkthrough(page);
  } catch (error) {
    await page.screenshot({ path: `${folder}/vscode-tour-failed.png` });
    throw error;
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(`FAILED: ${error.message}`);
  process.exit(1);
});
