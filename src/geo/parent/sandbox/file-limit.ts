import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether a file in these folders has grown to the limit of its size: the kernel writes up to it and not a byte more. */
export async function exceedsFileLimit(folders: readonly string[], fileBytes: number): Promise<boolean> {
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      if ((await stat(join(entry.parentPath, entry.name))).size >= fileBytes) return true;
    }
  }
  return false;
}
