import { closeSync, openSync } from 'node:fs';

/** More than any child may open: `geo/parent/sandbox/limits.ts`. */
const mostDescriptors = 4096;

/**
 * Runs a synchronous call during which this process can open no file and no connection, because all its descriptors are in use: a file of
 * HDF or Erdas Imagine may name others as the place of its values.
 * @throws {Error} if the system does not limit the descriptors, so that the call would be unguarded.
 */
export function withoutOpeningFiles<T>(work: () => T): T {
  const held: number[] = [];
  try {
    if (!fill(held)) throw new Error('the number of open files is not limited');
    return work();
  } finally {
    for (const descriptor of held) closeSync(descriptor);
  }
}

/** Opens descriptors until the system refuses. */
function fill(held: number[]): boolean {
  while (held.length < mostDescriptors) {
    try {
      held.push(openSync('/dev/null', 'r'));
    } catch {
      return true;
    }
  }
  return false;
}
