import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { closeAfterTests, temporaryFolder } from '../../test/support/for-tests.ts';
import { startS3 } from '../../test/support/services/s3.ts';
import { readReferenceBucket, readS3Url } from '../object-store/s3/location.ts';
import { createS3ObjectStore } from '../object-store/s3/store.ts';
import { refusedWith } from './behaviours.for-tests.ts';
import { RemoteFault } from './remote-answer.ts';
import { createRemoteFiles } from './remote-files.ts';

const s3 = await closeAfterTests(startS3(await temporaryFolder()));
const { credentials } = s3;
const store = createS3ObjectStore(readS3Url(s3.url), { credentials, onRefusal: () => undefined });
const put = async (key: string, bytes: Buffer) => await store.put(key, Readable.from([bytes]));

function readerOf(keys = credentials) {
  const reader = createRemoteFiles({
    hosts: [],
    buckets: [readReferenceBucket(s3.url)],
    credentials: keys,
    pausesMs: [],
  });
  return { ...reader, [Symbol.dispose]: () => reader.close() };
}

describe('an object of a real store', () => {
  test('is read by ranges, and noticed when it is replaced or removed', async () => {
    using reader = readerOf();
    const bytes = randomBytes(300_000);
    await put('archive/a.tif', bytes);
    const address = 's3://steppe/archive/a.tif';
    const { head, ...version } = await reader.probe(address);
    assert.deepEqual(head, bytes.subarray(0, 16_384));
    assert.equal(version.sizeBytes, bytes.length);
    assert.ok(version.etag !== undefined && version.lastModified !== undefined);
    for (const [start, end] of [
      [0, 299_999],
      [299_999, 299_999],
      [1000, 200_000],
    ] as const)
      assert.deepEqual(await reader.read(version, { start, end }), bytes.subarray(start, end + 1));
    await store.remove('archive/a.tif');
    await assert.rejects(reader.read(version, { start: 0, end: 9 }), (error) =>
      refusedWith(error, /has no file/),
    );
    await put('archive/a.tif', randomBytes(300_000));
    await assert.rejects(reader.read(version, { start: 0, end: 9 }), (error) => {
      assert.ok(error instanceof RemoteFault);
      return refusedWith(error, /not the one that was registered/);
    });
  });

  test('is refused without the right credentials, and while the store is gone', async () => {
    await put('archive/b.tif', randomBytes(10));
    using stranger = readerOf({ ...credentials, secretAccessKey: 'another' });
    await assert.rejects(stranger.probe('s3://steppe/archive/b.tif'), RemoteFault);
    using reader = readerOf();
    await s3.process.stop('SIGKILL');
    await assert.rejects(reader.probe('s3://steppe/archive/b.tif'), (error) =>
      refusedWith(error, /connection to steppe failed/i),
    );
    await s3.restart();
    assert.equal((await reader.probe('s3://steppe/archive/b.tif')).sizeBytes, 10);
    store.close?.();
  });
});
