import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GiB } from '../../src/lib/units.ts';

/**
 * Makes a temporary folder, in memory where that has room: databases and object stores of tests write much that nothing reads
 * again, and would wait for a disk to take it.
 */
export async function makeMemoryFolder(prefix: string): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined);
  const isRoomy = memory !== undefined && memory.bavail * memory.bsize > 4 * GiB;
  return await mkdtemp(join(isRoomy ? '/dev/shm' : tmpdir(), prefix));
}
