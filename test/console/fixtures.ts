import { fileURLToPath } from 'node:url';

/** The path of a file below `test/fixtures/`. */
export const fixturePath = (path: string): string =>
  fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url));
