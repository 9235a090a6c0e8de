import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/for-tests.ts';
import { noChildren, noFindings } from '../../../test/support/hijacked-engine.ts';
import { EngineDied } from '../engine.ts';
import { createGdalEngine } from './gdal-engine.ts';
import { ownResult } from './sandbox/results.ts';

describe('A raster that is a COG already', () => {
  /** Has a child answer that the file at a path is the COG. */
  async function convert(inputPath: string, cogPath: string): Promise<string> {
    const engine = createGdalEngine({
      ...noChildren,
      ownResult,
      run: async ({ result }) => ({
        outcome: 'done',
        result: await result.parseAsync({ cogPath, bbox: [0, 0, 1, 1], needsView: false }),
        findings: noFindings,
      }),
    });
    const { signal } = new AbortController();
    return (await engine.convertRaster({ inputPath, scratch: await temporaryFolder(), signal })).cogPath;
  }

  test('is its own result', async () => {
    const path = join(await temporaryFolder(), 'input.tif');
    await writeFile(path, 'a COG');
    assert.equal(await convert(path, path), path);
  });

  test('is no other file, and no link to one', async () => {
    const folder = await temporaryFolder();
    const [path, other] = [join(folder, 'input.tif'), join(await temporaryFolder(), 'other.tif')];
    await writeFile(other, 'not of this upload');
    await symlink(other, path);
    await assert.rejects(convert(path, path), EngineDied);
    await assert.rejects(convert(path, other), EngineDied);
  });
});
