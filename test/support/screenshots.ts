import { decode } from 'fast-png';
import type { Page } from 'playwright-core';

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
