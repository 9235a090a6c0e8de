import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';
import { fixture } from '../../../test/support/geo/engine.ts';
import { openArchiveServer, readerOfArchive } from '../../../test/support/http/archive-server.ts';
import { filledSlots, refer } from '../../../test/support/landscape/referred-inputs.ts';
import { type Faults, startRuns } from '../../../test/support/landscape/runs.ts';
import { measureFile } from '../../object-store/measure.ts';
import { createBlockDigests, writePin } from '../../remote/pin.ts';
import { withReferences } from '../../remote/referenced-objects.ts';
import { createSparseFiles } from '../spread/sources/sparse-file.ts';
import { leaves } from '../model/leaves.ts';
import { replaceRecord } from '../runs/record.ts';
import type { LandscapeRun } from '../runs/schema.ts';

const archive = await closeAfterTests(openArchiveServer());
const remoteFiles = readerOfArchive(archive.port, { deadlineMs: 120_000, pausesMs: [1] });
await closeAfterTests(Promise.resolve({ close: async () => remoteFiles.close() }));
const sparseFolder = await temporaryFolder();
const runs = await closeAfterTests(startRuns());
const { db, store } = runs;
for (const { key } of leaves) await runs.fill(key);
const ofUploads = await runs.execute({ from_stage: 0 });

const references = new Map<string, string>();
for (const [leaf, bytes] of await filledSlots(runs)) {
  const group = `landscape-in-${leaf}`;
  const address = archive.serve(`/${leaf}.tif`, { bytes, etag: `"${leaf}"` });
  references.set(group, await refer(runs, remoteFiles, { group, address, bytes }));
}
const overrides = Object.fromEntries(references);
const remote: Faults = { store: { ...withReferences(store, remoteFiles), put: store.put } };

async function digestsOf({
  nodes,
}: LandscapeRun): Promise<readonly (readonly [string, string | undefined])[]> {
  return await Promise.all(
    (nodes ?? []).map(async ({ node_code: code, outputs }) => {
      const row = await db
        .selectFrom('dataset_files')
        .innerJoin('objects', 'objects.key', 'object_key')
        .select('sha256')
        .where('dataset_id', '=', outputs?.[0]?.dataset_id ?? '')
        .where('kind', '=', 'cog')
        .executeTakeFirst();
      return [code, row?.sha256?.toString('hex')] as const;
    }),
  );
}

describe('a run over files of other servers', () => {
  test('is byte-equal to the run over uploads, and is not adopted before they are copied', async () => {
    const run = await runs.execute({ from_stage: 0, overrides }, remote);
    assert.deepEqual([run.status, run.error], ['succeeded', null]);
    assert.ok(archive.requests() >= leaves.length);
    const [own, other] = [await digestsOf(run), await digestsOf(ofUploads)];
    assert.equal(own.length, 19);
    assert.ok(own.every(([, digest]) => digest !== undefined));
    assert.deepEqual(own, other);
    const body = { name: 'variant', state: 'adopted' };
    const change = { body, author: { name: null, credentials: null }, isExpected: () => true };
    await assert.rejects(replaceRecord(db, run.id, change), (error: Error) => {
      assert.match(error.message, /stay on other servers.*POST \/datasets\/\{id\}\/copy/);
      return true;
    });
    assert.equal((await replaceRecord(db, ofUploads.id, change)).state, 'adopted');
  });

  test('fails with the reason if one has changed', async () => {
    const { sizeBytes } = await measureFile(fixture('landscape/golden/ndvi.tif'));
    archive.serve('/ndvi.tif', { bytes: Buffer.alloc(sizeBytes, 7), etag: '"ndvi"' });
    const run = await runs.execute({ from_stage: 0, overrides }, remote);
    assert.equal(run.status, 'failed');
    assert.match(
      run.error ?? '',
      /input group landscape-in-ndvi: The file on archive\.test:\d+ is not the one/,
    );
  });
});

test('a worker of a spread run brings only the blocks that its windows need', async () => {
  const path = fixture('raster/cog_already.tif');
  const bytes = await readFile(path);
  const address = archive.serve('/tiled.tif', { bytes });
  const blocks = createBlockDigests();
  blocks.push(bytes);
  const pin = writePin({ address, sizeBytes: bytes.length, digests: blocks.end() });
  const key = `references/${randomUUID()}/1.tif`;
  await store.put(key, Readable.from([pin], { objectMode: false }));
  const sparse = createSparseFiles(withReferences(store, remoteFiles));
  const { signal } = new AbortController();
  const windows = [{ x: 0, y: 0, width: 8, height: 8 }];
  const brought = join(sparseFolder, 'sparse.tif');
  const length = await sparse.bring({ key, path: brought, windows, signal });
  assert.ok(length !== undefined && length < bytes.length, `${length} bytes of ${bytes.length}`);
  const sparseBytes = await readFile(brought);
  assert.equal(sparseBytes.length, bytes.length);
  // The rest is a hole of zeros.
  assert.ok(sparseBytes.every((byte, at) => byte === 0 || byte === bytes[at]));
});
