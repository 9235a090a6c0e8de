import { existsSync } from 'node:fs';

/** Chromium without a window, which opens a page in a third of the time. */
const headless = '/usr/bin/chromium-headless-shell';
const whole = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Debian package of the Chromium that opens pages faster. */
export const headlessPackage = 'chromium-headless-shell';

/** Path of Chromium or of a browser built from it; undefined when none is installed. The `whole` one has a window. */
export function findChromium(kind: 'headless' | 'whole' = 'headless'): string | undefined {
  return [...(kind === 'headless' ? [headless] : []), ...whole].find((path) => existsSync(path));
}
