import type { Page } from 'playwright-core';

/**
 * Waits for a press of a key, and then for the frame in which both the map and the sums of the table have changed. What is
 * measured ends one frame later, when they have been painted.
 */
const arm = `(() => {
  const small = document.createElement('canvas');
  [small.width, small.height] = [64, 64];
  const context = small.getContext('2d', { willReadFrequently: true });
  const picture = () => {
    context.drawImage(document.querySelector('.map-data canvas'), 0, 0, 64, 64);
    return context.getImageData(0, 0, 64, 64).data.join();
  };
  const sums = () => document.querySelector('.judge-units tfoot').textContent;
  const before = [picture(), sums()];
  globalThis.repainted = new Promise((resolve) => {
    const onKey = ({ timeStamp }) => {
      const look = () => {
        if (picture() === before[0] || sums() === before[1]) requestAnimationFrame(look);
        else requestAnimationFrame(() => resolve(performance.now() - timeStamp));
      };
      requestAnimationFrame(look);
    };
    addEventListener('keydown', onKey, { once: true, capture: true });
  });
})()`;

/** Presses Enter on what has the focus; gives the milliseconds until map and table are painted once more. */
export async function measureRepaint(page: Page): Promise<number> {
  await page.evaluate(arm);
  await page.keyboard.press('Enter');
  return await page.evaluate<number>('globalThis.repainted');
}
