import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, reasonOf } from '../../lib/error-facts.ts';
import { MiB } from '../../lib/units.ts';
import { type Finding, sizeOf } from './finding.ts';

/** Space for a new database, its log, and a few small files. */
const leastFreeBytes = 512 * MiB;
/** `f_type` of pseudo file systems in statfs: proc, sysfs and cgroup2. */
const kernelFileSystems: readonly number[] = [0x9fa0, 0x62656572, 0x63677270];

/**
 * Examines whether the service can store files in a folder, which its first start creates.
 * @param leastBytes minimum free space.
 */
export async function examineFolder(
  title: string,
  folder: string,
  leastBytes = leastFreeBytes,
): Promise<Finding> {
  try {
    const existing = await nearestExisting(folder);
    const isThere = existing === folder;
    if (!(await stat(existing)).isDirectory()) {
      return { title, lines: [`${folder} cannot be used: ${existing} is no folder`], isFault: true };
    }
    const { bavail, bsize, blocks, type } = await statfs(existing);
    if (kernelFileSystems.includes(type)) {
      return { title, lines: [`${folder} cannot be used: ${existing} keeps no files`], isFault: true };
    }
    const fault = await access(existing, constants.R_OK | constants.W_OK | constants.X_OK).then(
      () => undefined,
      () => (isThere ? 'this account cannot write there' : `this account cannot make it in ${existing}`),
    );
    if (fault !== undefined) return { title, lines: [`${folder}: ${fault}`], isFault: true };
    const state = isThere ? 'can be written' : 'is made by the first start';
    // Some network file systems do not report their size.
    if (blocks === 0) return { title, lines: [`${folder}: ${state}`] };
    const freeBytes = bavail * bsize;
    const isFault = freeBytes < leastBytes;
    const need = isFault ? `; Steppe needs ${sizeOf(leastBytes)} or more` : '';
    return { title, lines: [`${folder}: ${state}, ${sizeOf(freeBytes)} free${need}`], isFault };
  } catch (error) {
    return { title, lines: [`${folder} cannot be used: ${reasonOf(error)}`], isFault: true };
  }
}

/** Returns the path itself, or its nearest existing ancestor. */
export async function nearestExisting(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    const isThere = await stat(folder).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) === 'ENOENT') return false;
        throw error;
      },
    );
    if (isThere) return folder;
  }
}
