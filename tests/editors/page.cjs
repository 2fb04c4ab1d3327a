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

/** Does something until the page shows what it opens, since an editor that is about to draw anew takes no input. */
async function until(shown, act) {
  for (let attempt = 0; attempt < 6; attempt++) {
    await act();
    try {
      await shown.first().waitFor({ timeout: 5_000 });
      return;
    } catch (error) {
      if (error.name !== "TimeoutError") throw error;
    }
  }
  throw new Error(`${shown} does not come`);
}

/** Clicks a lens. `selector` and `text` find what it opens. */
async function lens(page, title, selector, text) {
  const opened = text ? page.locator(selector, { hasText: text }) : page.locator(selector);
  const shown = typeof title === "string" ? page.getByText(title, { exact: true }) : page.getByText(title);
  await until(opened, () => shown.first().click());
}

/** Opens the light bulb at the cursor, and returns the repair with a text. */
async function repair(page, text) {
  const fix = page.locator(".action-widget .monaco-list-row", { hasText: text });
  await until(fix, async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+.");
  });
  return fix;
}

module.exports = { check, lens, open, repair, run };
