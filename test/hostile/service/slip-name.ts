import { randomUUID } from 'node:crypto';

/** Occurs in the names of files that want to be written outside of their folder. */
export const slipName = `slip-${randomUUID()}`;
