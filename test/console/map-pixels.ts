import type { Page } from 'playwright-core';

/** Opaque colours of the data on the map as `#rrggbb`, and their numbers of pixels. */
export async function coloursOf(page: Page): Promise<ReadonlyMap<string, number>> {
  const counts = await page.evaluate<Readonly<Record<string, number>>>(`(() => {
    const canvas = document.querySelector('.map-data canvas');
    const found = {};
    if (canvas === null) return found;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const counts = new Map();
    for (const pixel of new Uint32Array(data.buffer)) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    for (const [pixel, count] of counts) {
      if (pixel >>> 24 === 0) continue;
      const parts = [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
      const name = '#' + parts.map((part) => part.toString(16).padStart(2, '0')).join('');
      found[name] = (found[name] ?? 0) + count;
    }
    return found;
  })()`);
  return new Map(Object.entries(counts));
}

interface Places {
  /** Leftmost pixel. */
  readonly left: readonly [x: number, y: number];
  readonly middle: readonly [x: number, y: number];
}

/** Positions in the window of a colour of the data. */
export async function placesOf(page: Page, colour: string): Promise<Places> {
  return await page.evaluate<Places>(`(() => {
    const canvas = document.querySelector('.map-data canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const wanted = Number('0x' + '${colour}'.slice(1));
    const sum = { x: 0, y: 0, count: 0 };
    let left;
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] === 0 || (data[at] << 16 | data[at + 1] << 8 | data[at + 2]) !== wanted) continue;
      const [x, y] = [(at / 4) % canvas.width, Math.floor(at / 4 / canvas.width)];
      if (left === undefined || x < left[0]) left = [x, y];
      sum.x += x;
      sum.y += y;
      sum.count += 1;
    }
    const box = canvas.getBoundingClientRect();
    const place = ([x, y]) => [
      box.left + ((x + 0.5) * box.width) / canvas.width,
      box.top + ((y + 0.5) * box.height) / canvas.height,
    ];
    return { left: place(left), middle: place([sum.x / sum.count, sum.y / sum.count]) };
  })()`);
}

/** Waits until the map shows data that no longer change. */
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
