import { decode } from 'fast-png';
import type { Page } from 'playwright-core';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What of a page is in the window. */
export interface Screenshot {
  readonly width: number;
  readonly height: number;
  /** The colour of a pixel, as `#rrggbb`. */
  colourAt(column: number, row: number): string;
  /** Colours with how many pixels have them. */
  readonly colours: ReadonlyMap<string, number>;
}

/** Takes what is in the window, or the element of a selector. */
export async function takeScreenshot(page: Page, selector?: string): Promise<Screenshot> {
  const png = await (selector === undefined ? page.screenshot() : page.locator(selector).screenshot());
  const { width, height, data, channels } = decode(png);
  const colourAt = (column: number, row: number): string => {
    const at = (row * width + column) * channels;
    return colourName([data[at], data[at + 1], data[at + 2]]);
  };
  const colours = new Map<string, number>();
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const colour = colourAt(column, row);
      colours.set(colour, (colours.get(colour) ?? 0) + 1);
    }
  }
  return { width, height, colourAt, colours };
}

/** Writes red, green and blue as `#rrggbb`. */
export function colourName(parts: readonly (number | undefined)[]): string {
  return `#${parts.map((part = 0) => part.toString(16).padStart(2, '0')).join('')}`;
}

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
