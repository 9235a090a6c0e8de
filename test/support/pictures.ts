import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Pictures of the page go into this folder, from the root of the project; without it none are made. */
const folder = process.env['STEPPE_PICTURES'];
const quality = 85;

/** Makes a picture of what is in the window now, as `NAME.webp`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  // A blinking cursor, and letters that have not come, would be in the picture.
  await page.evaluate('document.activeElement?.blur()');
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  // Playwright has no WebP of its own.
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  await session.detach();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
}
