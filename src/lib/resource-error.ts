import { codeOf } from './error-facts.ts';

/** The machine is to blame, not what was sent: a full or broken disk. Trying again makes sense once that is mended. */
export class ResourceError extends Error {
  override readonly name: string = 'ResourceError';
}

const resourceCodes = ['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG', 'EROFS', 'EMFILE', 'ENFILE'];

/** Returns whether an error is about the machine: one that says so, or one of the file system's. */
export function isResourceError(error: unknown): boolean {
  if (error instanceof ResourceError) return true;
  return resourceCodes.includes(codeOf(error) ?? '');
}
