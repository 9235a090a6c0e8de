import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/for-tests.ts';
import { noChildren, noFindings, noValue } from '../../../test/support/hostile/hijacked-engine.ts';
import { MiB } from '../../lib/units.ts';
import { EngineDied } from '../engine.ts';
import { maxMeshBytes } from '../../../common/maps/raster/mesh.ts';
import { createGdalEngine } from './gdal-engine.ts';
import { ownResult } from './sandbox/supervise.ts';

describe('The view of a raster', () => {
  /** Makes a child name these result files; both are in the scratch folder unless they are paths. */
  async function view(names: { readonly meshPath?: string; readonly viewPath?: string }, meshBytes = 100) {
    const folder = await temporaryFolder();
    const inputPath = join(folder, 'input.tif');
    const scratch = await temporaryFolder();
    await writeFile(inputPath, 'a COG');
    await writeFile(join(scratch, 'view.mesh'), Buffer.alloc(meshBytes));
    await writeFile(join(scratch, 'view.tif'), 'a COG');
    const engine = createGdalEngine({
      ...noChildren,
      ownResult,
      run: async ({ result }) => ({
        outcome: 'done',
        result: await result.parseAsync(names),
        findings: noFindings,
      }),
    });
    const { signal } = new AbortController();
    const made = await engine.makeView({ inputPath, scratch, signal });
    return [made.meshPath, made.viewPath].map((path) => path && basename(path));
  }

  test('is what the child has written into its folder, or missing', async () => {
    assert.deepEqual(await view({ meshPath: 'view.mesh', viewPath: 'view.tif' }), ['view.mesh', 'view.tif']);
    assert.deepEqual(await view({ meshPath: 'view.mesh' }), ['view.mesh', undefined]);
    assert.deepEqual(await view({}), [undefined, undefined]);
  });

  test('is not another file, and not a mesh that is larger than any', async () => {
    await assert.rejects(view({ meshPath: '/etc/hostname' }), EngineDied);
    await assert.rejects(view({ meshPath: 'view.mesh', viewPath: '../input.tif' }), EngineDied);
    assert.deepEqual(await view({ meshPath: 'view.mesh' }, maxMeshBytes), ['view.mesh', undefined]);
    await assert.rejects(view({ meshPath: 'view.mesh' }, maxMeshBytes + 1), EngineDied);
  });
});

describe('The counts of a raster', () => {
  const band = { index: 1, valid: 2, nodata: 0, min: 1, max: 3, mean: 2, p2: 1, p98: 3, no_data_ha: null };
  const histogram = { min: 1, max: 5, counts: [1, 1] };

  /** Makes a child answer with these counts of a raster of two pixels. */
  async function count(counted: object) {
    const folder = await temporaryFolder();
    const inputPath = join(folder, 'input.tif');
    await writeFile(inputPath, 'a COG');
    const bands = [{ ...band, histogram, classes: null, ...counted }];
    const engine = createGdalEngine({
      ...noChildren,
      run: async ({ result }) => ({
        outcome: 'done',
        result: await result.parseAsync({ width: 2, height: 1, area_ha: null, bands }),
        findings: noFindings,
      }),
    });
    const { signal } = new AbortController();
    return await engine.countPixels({ inputPath, scratch: folder, signal });
  }

  test('are taken when they add up', async () => {
    assert.deepEqual((await count({})).bands[0]?.histogram, histogram);
  });

  test('are refused when they do not, or are not counts', async () => {
    await assert.rejects(count({ valid: 3 }), EngineDied);
    await assert.rejects(count({ histogram: { ...histogram, counts: [1, 2] } }), EngineDied);
    await assert.rejects(count({ valid: 2.5 }), /int/);
    await assert.rejects(
      count({ histogram: { ...histogram, counts: Array.from({ length: 257 }, () => 0) } }),
      /256/,
    );
  });
});

describe('A raster that is a COG already', () => {
  /** Makes a child name a path as its COG. */
  async function convert(inputPath: string, cogPath: string): Promise<string> {
    const engine = createGdalEngine({
      ...noChildren,
      ownResult,
      run: async ({ result }) => ({
        outcome: 'done',
        result: await result.parseAsync({ cogPath, bbox: [0, 0, 1, 1], place: 'earth', needsView: false }),
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

  test('is not another file, and not a link to one', async () => {
    const folder = await temporaryFolder();
    const [path, other] = [join(folder, 'input.tif'), join(await temporaryFolder(), 'other.tif')];
    await writeFile(other, 'not of this upload');
    await symlink(other, path);
    await assert.rejects(convert(path, path), EngineDied);
    await assert.rejects(convert(path, other), EngineDied);
  });
});

describe('A raster of more values than every one may have', () => {
  /** Makes a child request time for each of these numbers of values before it counts; returns the granted numbers. */
  async function count(asked: readonly number[]) {
    const folder = await temporaryFolder();
    const inputPath = join(folder, 'input.tif');
    await writeFile(inputPath, Buffer.alloc(2 * MiB));
    const granted: unknown[] = [];
    const engine = createGdalEngine({
      ...noChildren,
      async run({ request, result, limits, deadlineSeconds }) {
        granted.push([request['grantedValues'], limits?.cpuSeconds, deadlineSeconds]);
        const values = asked[granted.length - 1];
        return values === undefined
          ? { outcome: 'done', result: await result.parseAsync(noValue), findings: noFindings }
          : { outcome: 'needs-time', values };
      },
    });
    const { signal } = new AbortController();
    const counting = engine.countPixels({ inputPath, scratch: folder, signal });
    return {
      failure: await counting.then(
        () => undefined,
        (error: unknown) => error,
      ),
      granted,
    };
  }
  const first = [1e9, 720, 62];

  test('gets the time for them in a second child, and the next file does not', async () => {
    assert.deepEqual(await count([]), { failure: undefined, granted: [first] });
    const { failure, granted } = await count([27e9]);
    assert.deepEqual([failure, granted], [undefined, [first, [27e9, 54_720, 27_062]]]);
  });

  test('gets no more than the largest may have, and only once', async () => {
    const { failure, granted } = await count([1e15, 1e15]);
    assert.deepEqual(granted, [first, [64e9, 128_720, 64_062]]);
    assert.ok(failure instanceof EngineDied, String(failure));
  });
});
