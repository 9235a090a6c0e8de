import { existsSync } from 'node:fs';

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of Chromium, or of a browser that is built of it; undefined when there is none. */
export function findChromium(): string | undefined {
  return programs.find((path) => existsSync(path));
}
