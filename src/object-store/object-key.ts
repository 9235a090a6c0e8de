const maxKeyLength = 512;
const segment = /^[a-z0-9][a-z0-9.-]*$/;

/** The ending of the name of an unfinished file; no key ends so. */
export const partialSuffix = '.partial';

/** No segment can be empty, start with a dot, or look like an unfinished file, so no key leads out of its folder. */
export function isKey(key: string): boolean {
  if (key.length > maxKeyLength) return false;
  return key.split('/').every((part) => segment.test(part) && !part.endsWith(partialSuffix));
}
