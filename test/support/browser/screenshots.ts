import { decode } from 'fast-png';
import type { Page } from 'playwright-core';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A screenshot of the window or of an element. */
export interface Screenshot {
  readonly width: number;
  readonly height: number;
  /** Colour of a pixel as `#rrggbb`. */
  colourAt(column: number, row: number): string;
  /** Colours and their numbers of pixels. */
  readonly colours: ReadonlyMap<string, number>;
}

/** Takes a screenshot of the window, or of the element of a selector. */
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

/** Formats red, green and blue as `#rrggbb`. */
export function colourName(parts: readonly (number | undefined)[]): string {
  return `#${parts.map((part = 0) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Folder for pictures of the page, relative to the root of the project; without it none are made. */
const folder = process.env['STEPPE_PICTURES'];
const quality = 85;

/** Makes a picture of the current window, as `NAME.webp`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  // The picture must not show a blinking cursor or a page without its fonts.
  await page.evaluate('document.activeElement?.blur()');
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  // Playwright does not write WebP.
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  await session.detach();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
}
