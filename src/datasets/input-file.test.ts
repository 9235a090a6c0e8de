import assert from 'node:assert/strict';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../test/support/for-tests.ts';
import type { GeoEngine } from '../geo/engine.ts';
import type { Attempt } from '../jobs/handler.ts';
import { createDirectoryObjectStore } from '../object-store/directory.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { fetchInput } from './input-file.ts';

const folder = await temporaryFolder();
const objects = join(folder, 'objects');
const store = createDirectoryObjectStore(objects);
const key = 'originals/1/source.tif';
await store.put(key, Readable.from([Buffer.from('pixels')]));

const unused = (): never => assert.fail('nothing else is asked of it');

async function fetchWith(guardsInput: boolean, objectStore: ObjectStore, storageKey = key) {
  const engine: GeoEngine = {
    version: 'none',
    proj: null,
    projFiles: [],
    guardsInput,
    convertRaster: unused,
    makeView: unused,
    countPixels: unused,
    countAreas: unused,
    countValues: unused,
    makePolygons: unused,
    assembleRasters: unused,
    composeRasters: unused,
    assembleVector: unused,
    writeFeatures: unused,
    readTable: unused,
    readFeatures: unused,
    readWorkbook: unused,
    fillWorkbook: unused,
    inspectSource: unused,
    makeRasters: unused,
  };
  const attempt: Attempt = {
    jobId: '1',
    number: 1,
    refId: '1',
    scratch: await mkdtemp(join(folder, 'scratch-')),
    signal: new AbortController().signal,
    fenced: unused,
    publish: unused,
    postpone: unused,
    store: unused,
  };
  const original = { kind: 'original', encoding: 'identity', key: storageKey, madeFrom: null } as const;
  const file = { files: [original], filename: 'Степь.TIF' };
  return await fetchInput({ objectStore, engine }, attempt, file);
}

async function isStoredFile(path: string): Promise<boolean> {
  return (await stat(path)).ino === (await stat(join(objects, key))).ino;
}

describe('The input of the engine', () => {
  it('is the stored file itself where the child cannot write to it', async () => {
    const { inputPath } = await fetchWith(true, store);
    assert.ok(await isStoredFile(inputPath));
    assert.match(inputPath, /input\.tif$/i);
  });

  it('is a copy where the child could write to it, and where the store links nothing', async () => {
    for (const { inputPath } of [
      await fetchWith(false, store),
      await fetchWith(true, { ...store, link: async () => await Promise.resolve(false) }),
    ]) {
      assert.equal(await readFile(inputPath, 'utf8'), 'pixels');
      assert.ok(!(await isStoredFile(inputPath)));
    }
  });

  it('is refused in words when the stored file is gone, linked or not', async () => {
    for (const guards of [true, false])
      await assert.rejects(fetchWith(guards, store, 'originals/2/source.tif'), { name: 'Problem' });
  });
});
