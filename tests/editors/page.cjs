// What the scripts that drive VS Code in a browser have in common.

function check(condition, message) {
  if (!condition) {
    throw new Error(message);
  }
  console.log(`ok: ${message}`);
}

/** Runs a command of the palette. */
async function run(page, command) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").first().fill(`>${command}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: command }).first().waitFor();
  await page.keyboard.press("Enter");
}

/** Opens a file at a line, which comes to the middle. */
async function open(page, name, line) {
  await page.keyboard.press("Control+P");
  await page.locator(".quick-input-widget input").first().fill(name);
  // Enter takes the row that is chosen; a line by itself would be one of the file that is open.
  const chosen = page.locator(".quick-input-list .monaco-list-row.focused", { hasText: name }).first();
  await chosen.waitFor();
  await page.keyboard.type(`:${line}`);
  await chosen.waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", { hasText: name }).waitFor();
  await page.waitForTimeout(500);
}

module.exports = { check, open, run };
