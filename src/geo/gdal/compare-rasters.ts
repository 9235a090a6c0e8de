import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { childEnvironment } from '../sandbox/environment.ts';

const program = fileURLToPath(new URL('./raster/compare-program.ts', import.meta.url));
const Differences = z.array(z.string());

/**
 * Says in words, from a process of its own, what of a raster is not the same in its COG: size, types, place, metadata,
 * colours, nodata, scale, masks and every pixel. Nothing when they are equal.
 * @throws {Error} when one of them can not be read.
 */
export async function compareRasters(sourcePath: string, cogPath: string): Promise<readonly string[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'steppe-compare-'));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, sourcePath, cogPath, scratch], {
      env: childEnvironment({ scratch, skippedDrivers: [] }),
      cwd: scratch,
    });
    return Differences.parse(JSON.parse(stdout));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
