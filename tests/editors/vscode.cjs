// Drives VS Code in a headless Chromium: squiggle, Problems, hover, hints, lens, quick fix.
// Run by vscode.sh with the address of code-server and the file for the screenshot.

const { chromium } = require("playwright-core");
const { check, lens, repair } = require("./page.cjs");

const [address, screenshot] = process.argv.slice(2);
const PATIENCE = 30_000;

/** The editor line that holds a text. VS Code writes spaces as no-break spaces. */
function line(page, text) {
  const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s"));
  return page.locator(".view-line", { hasText: pattern }).first();
}

async function main() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage({ viewport: { width: 1500, height: 1100 } });
  page.setDefaultTimeout(PATIENCE);
  try {
    await drive(page);
  } catch (error) {
    await page.screenshot({ path: screenshot.replace(/\.png$/, "-failed.png") });
    throw error;
  } finally {
    await browser.close();
  }
}

async function drive(page) {
  await page.goto(address, { timeout: 60_000 });
  const row = page.locator(".explorer-folders-view .monaco-list-row", { hasText: "broken.py" });
  await row.waitFor({ timeout: 60_000 });
  await row.dblclick();
  await line(page, "dup(bias, 0.25)").waitFor();

  await page.locator(".squiggly-error").first().waitFor();
  check(true, "the error has a squiggle");

  await page.getByText("[64, 64] 16 KB").first().waitFor();
  check(true, "allocations have inlay hints");
  await page.getByText("▶ Simulate", { exact: true }).first().waitFor();
  check(true, "the kernel has a lens");
  await page.getByText(/^wrong: /).first().waitFor();
  check(true, "and one that says what is known of it");

  await page.locator("[id='status.languageStatus']").first().click();
  const status = page.locator(".hover-language-status", { hasText: "wrong" }).first();
  await status.waitFor();
  check((await status.textContent()).includes("scale: wrong"), "the line of status says what is known of the file");
  await page.screenshot({ path: screenshot.replace(/\.png$/, "-status.png") });
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+Shift+M");
  const problem = page.locator(".markers-panel .monaco-list-row", { hasText: "elements of `bias`" });
  await problem.first().waitFor();
  const shown = await problem.first().textContent();
  check(shown.includes("dup-coverage") && shown.includes("a2lint"), "Problems names the rule");
  const replayed = page.locator(".markers-panel .monaco-list-row", { hasText: "gm-out-of-bounds" });
  await replayed.first().waitFor();
  check((await problem.count()) === 1, "what the machine shows joins what was found before");
  await page.screenshot({ path: screenshot.replace(/\.png$/, "-problems.png") });
  await page.keyboard.press("Control+Shift+M");

  await page.locator(".view-line span", { hasText: /^dup$/ }).first().hover();
  const hover = page.locator(".monaco-hover:visible", { hasText: "after this statement" }).first();
  await hover.waitFor();
  const text = await hover.textContent();
  check(text.includes("64 of 512"), "the hover shows what is covered");
  check(text.includes("0.2500"), "the hover shows values");
  check((await hover.locator(".monaco-tokenized-source").count()) >= 2, "operands and values stand in columns");
  await page.screenshot({ path: screenshot });
  await page.mouse.move(5, 5);

  await lens(page, "▶ Simulate", ".tab", "scale (the launch");
  await line(page, "error[gm-out-of-bounds]").waitFor();
  check(true, "the lens runs the kernel and shows its report");
  await page.screenshot({ path: screenshot.replace(/\.png$/, "-run.png") });

  await page.locator(".tab", { hasText: "broken.py" }).first().click();
  await lens(page, /^wrong: /, ".tab", "scale – report");
  check(true, "the lens opens the report");
  await page.screenshot({ path: screenshot.replace(/\.png$/, "-report.png") });

  await page.locator(".tab", { hasText: "broken.py" }).first().click();
  await line(page, "dup(bias, 0.25)").click();
  const fix = await repair(page, "Fill all 512 elements");
  await page.screenshot({ path: screenshot.replace(/\.png$/, "-fix.png") });
  await fix.first().click();
  await line(page, "count=512").waitFor();
  await page.keyboard.press("Control+Shift+M");
  await problem.first().waitFor({ state: "detached" });
  // What the machine shows follows.
  await replayed.first().waitFor();
  check(true, "the quick fix removes its problem and no other");
}

main().catch((error) => {
  console.error(`FAILED: ${error.message}`);
  process.exit(1);
});
