import type { Page } from 'playwright-core';

/**
 * Returns the seconds from the start of the navigation, or from the last press, until the last change of a data pixel. This includes
 * everything that a reader waits for: a process for the page, its scripts, the requests, the drawing. Scripts and fonts come from the
 * browser's cache, as on every visit but the first. The time for detecting that nothing changes any more is not included; neither is the
 * browser's time for presenting a finished canvas.
 */
export async function secondsToStill(page: Page): Promise<number> {
  return await page.evaluate<number>(waitUntilStill);
}

/**
 * Observes a checksum of some rows of the data canvas, which takes about a millisecond; a checksum of all rows took a third of the time
 * of the page. The canvas counts as still after a second without changes: on a busy machine, tiles arrive with pauses.
 */
const waitUntilStill = `new Promise((resolve) => {
  const start = window.pressedAt ?? 0;
  let [last, since] = [undefined, performance.now()];
  const look = () => {
    const canvas = document.querySelector('.map-data canvas');
    const now = performance.now();
    if (canvas !== null && canvas.width > 0) {
      const context = canvas.getContext('2d');
      let sum = 0;
      for (let row = 8; row < canvas.height; row += 32) {
        const { data } = context.getImageData(0, row, canvas.width, 1);
        for (let at = 0; at < data.length; at += 16) sum = (sum * 31 + data[at] + data[at + 1] + data[at + 3]) % 1000003;
      }
      if (sum !== last) [last, since] = [sum, now];
    }
    if (last !== undefined && last !== 0 && now - since > 1000) resolve((since - start) / 1000);
    else setTimeout(look, 20);
  };
  addEventListener('pointerdown', () => (window.pressedAt = performance.now()), { capture: true });
  look();
})`;
