import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Finding, messageOf, sizeOf } from './finding.ts';

/** Whether the service can keep its files in a folder, which its first start makes. */
export async function examineFolder(title: string, folder: string): Promise<Finding> {
  try {
    const existing = await nearestExisting(folder);
    const isThere = existing === folder;
    if (!(await stat(existing)).isDirectory()) {
      return { title, lines: [`${folder} can not be used: ${existing} is no folder`], isFault: true };
    }
    const fault = await access(existing, constants.R_OK | constants.W_OK | constants.X_OK).then(
      () => undefined,
      () => (isThere ? 'this account can not write there' : `this account can not make it in ${existing}`),
    );
    if (fault !== undefined) return { title, lines: [`${folder}: ${fault}`], isFault: true };
    const { bavail, bsize } = await statfs(existing);
    const state = isThere ? 'can be written' : 'is made by the first start';
    return { title, lines: [`${folder}: ${state}, ${sizeOf(bavail * bsize)} free`] };
  } catch (error) {
    return { title, lines: [`${folder} can not be used: ${messageOf(error)}`], isFault: true };
  }
}

/** The folder itself, or what there is of the way to it. */
export async function nearestExisting(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    const isThere = await stat(folder).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
        throw error;
      },
    );
    if (isThere) return folder;
  }
}
