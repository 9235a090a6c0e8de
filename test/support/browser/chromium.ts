import { existsSync } from 'node:fs';

/** Chromium without a window and what stands around it, which opens a page in a third of the time. */
const headless = '/usr/bin/chromium-headless-shell';
const whole = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The package of Debian with the one that opens pages faster. */
export const headlessPackage = 'chromium-headless-shell';

/** Path of Chromium, or of a browser that is built of it; undefined when there is none. The `whole` one has a window. */
export function findChromium(kind: 'headless' | 'whole' = 'headless'): string | undefined {
  return [...(kind === 'headless' ? [headless] : []), ...whole].find((path) => existsSync(path));
}
