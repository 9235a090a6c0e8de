import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GiB } from '../../src/lib/units.ts';

/**
 * Creates a temporary folder, in memory if there is space: databases and object stores of tests write much
 * that is never read again, and would wait for a disk.
 */
export async function makeMemoryFolder(prefix: string): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined);
  const isRoomy = memory !== undefined && memory.bavail * memory.bsize > 4 * GiB;
  return await mkdtemp(join(isRoomy ? '/dev/shm' : tmpdir(), prefix));
}
