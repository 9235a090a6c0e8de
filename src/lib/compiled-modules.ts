import { fileURLToPath } from 'node:url';

/**
 * Folder of the V8 compile cache, which halves the start time of a process. It lies in node_modules: write access to it
 * is write access to the programs anyway.
 */
export const compiledModules = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));
