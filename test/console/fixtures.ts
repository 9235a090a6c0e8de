import { fileURLToPath } from 'node:url';

/** Path of a file below `test/fixtures/`. */
export const fixturePath = (path: string): string =>
  fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url));
