import { fileURLToPath } from 'node:url';

/**
 * The folder of compiled modules, which halve the time in which a process starts. It is beside the packages, because who
 * can write there can write to the programs as well.
 */
export const compiledModules = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));
