import type { Page } from 'playwright-core';

/** Opaque colours of the data on the map with how many pixels have them, as `#rrggbb`. */
export async function coloursOf(page: Page): Promise<ReadonlyMap<string, number>> {
  const counts = await page.evaluate<Readonly<Record<string, number>>>(`(() => {
    const canvas = document.querySelector('.map-data canvas');
    const found = {};
    if (canvas === null) return found;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] === 0) continue;
      const parts = [data[at], data[at + 1], data[at + 2]];
      const name = '#' + parts.map((part) => part.toString(16).padStart(2, '0')).join('');
      found[name] = (found[name] ?? 0) + 1;
    }
    return found;
  })()`);
  return new Map(Object.entries(counts));
}

/** Waits until the data on the map has stopped changing and there is some. */
export async function drawn(page: Page): Promise<ReadonlyMap<string, number>> {
  let last = '';
  for (let round = 0; round < 100; round += 1) {
    const colours = await coloursOf(page);
    const now = JSON.stringify([...colours]);
    if (colours.size > 0 && now === last) return colours;
    last = now;
    await page.waitForTimeout(300);
  }
  throw new Error(`the map did not come to rest: ${last}`);
}
