import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { byRanges, openArchiveServer, openBucketServer } from '../../test/support/http/archive-server.ts';
import { readReferenceBucket } from '../object-store/s3/location.ts';
import { kindsOf, readsAll, refusedWith, right, sizes, validators } from './behaviours.for-tests.ts';
import { bucketPlaceOf } from './bucket-files.ts';
import { RemoteFault } from './remote-answer.ts';
import { createRemoteFiles } from './remote-files.ts';

const server = await closeAfterTests(openBucketServer('archive'));
const other = await closeAfterTests(openArchiveServer());

/** Opens a reader of buckets; those of the server by default. */
function readerOf(urls: readonly string[] = [server.url], deadlineMs = 120_000) {
  const refusals: string[] = [];
  const reader = createRemoteFiles({
    hosts: [],
    buckets: urls.map(readReferenceBucket),
    onRefusal: (bucket) => void refusals.push(bucket),
    deadlineMs,
    pausesMs: [],
  });
  return { ...reader, refusals, [Symbol.dispose]: () => reader.close() };
}

const patient = readerOf();
await closeAfterTests(Promise.resolve({ close: async () => patient.close() }));

describe('an object of a bucket is read right, or refused with a sentence', () => {
  // The tests of hosts try every size with every validator.
  for (const [index, [name, behaviour, sentence]] of kindsOf(other.port).entries()) {
    test(name, async () => {
      const bytes = randomBytes(sizes[index % sizes.length] ?? 1);
      const file = { bytes, ...validators[index % 2] };
      const address = server.serve(`${index}/снимок 1.tif`, file, byRanges);
      const own = server.serve(encodeURI(`${index}/снимок 1.tif`), file, behaviour);
      assert.notEqual(address, own);
      const before = other.requests();
      if (name.includes('redirection'))
        await assert.rejects(patient.probe(address), (error) =>
          refusedWith(error, /status 30\d|cannot be read/),
        );
      else if (sentence === right) await readsAll(patient, address, file);
      else await assert.rejects(patient.probe(address), (error) => refusedWith(error, sentence));
      assert.equal(other.requests(), before);
    });
  }

  test('that changes is another version', async () => {
    const before = { bytes: randomBytes(1000), etag: '"1"', lastModified: 'Mon, 30 Nov 2026 10:00:00 GMT' };
    const address = server.serve('changing.tif', before);
    const { head: _, ...version } = await patient.probe(address);
    for (const file of [
      { ...before, etag: '"2"' },
      { ...before, lastModified: 'Mon, 30 Nov 2026 10:00:01 GMT' },
      { ...before, bytes: randomBytes(999) },
    ]) {
      server.serve('changing.tif', file);
      await assert.rejects(patient.read(version, { start: 100, end: 199 }), (error) => {
        assert.ok(error instanceof RemoteFault);
        assert.equal(error.state, 'changed');
        return refusedWith(error, /not the one that was registered/);
      });
    }
  });

  test('whose server does not answer', async () => {
    using hasty = readerOf([server.url], 300);
    const address = server.serve('slow.tif', { bytes: Buffer.alloc(10) }, () => undefined);
    await assert.rejects(hasty.probe(address), (error) => refusedWith(error, /did not answer in time/));
    const half = server.serve('half.tif', { bytes: Buffer.alloc(10) }, (_file, _request, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-9/10', 'content-length': 10 });
      response.write('12345');
    });
    await assert.rejects(hasty.probe(half), (error) => refusedWith(error, /did not answer in time/));
  });
});

describe('a bucket', () => {
  test('is never read unless the operator has listed it, and below its prefix alone', async () => {
    const [bucket = '', parameters = ''] = server.url.split('?');
    using reader = readerOf([`${bucket}/open/?${parameters}`]);
    const file = { bytes: randomBytes(10) };
    assert.deepEqual((await reader.probe(server.serve('open/a.tif', file))).head, file.bytes);
    const before = server.requests();
    for (const address of [
      's3://another/open/a.tif',
      server.serve('secret.tif', file),
      's3://archive/openly.tif',
    ])
      await assert.rejects(reader.probe(address), (error) =>
        refusedWith(error, /has not listed this part of the bucket/),
      );
    for (const address of [
      's3://archive/open/../secret.tif',
      's3://archive/open/./a.tif',
      's3://archive',
      's3://archive/',
      's3://ARCHIVE/open/a.tif',
      's3://key:secret@archive/open/a.tif',
      's3://archive:9000/open/a.tif',
      `s3://archive/${'a'.repeat(1100)}`,
    ])
      await assert.rejects(
        reader.probe(address),
        (error) => refusedWith(error, /must be an https address/),
        address,
      );
    assert.equal(server.requests(), before);
  });

  test('names its objects as they are, with signs that have a meaning in a URL', async () => {
    assert.deepEqual(bucketPlaceOf('s3://archive/a%20b/c#d?e.tif'), {
      bucket: 'archive',
      key: 'a%20b/c#d?e.tif',
    });
    const file = { bytes: randomBytes(10) };
    server.serve(`${encodeURIComponent('a%20b')}/${encodeURIComponent('c#d?e.tif')}`, file);
    assert.deepEqual((await patient.probe('s3://archive/a%20b/c#d?e.tif')).head, file.bytes);
  });

  test('that refuses its credentials, or is elsewhere, says so to the operator as well', async () => {
    const failing = (status: number, code: string) => (_file: object, _request: object, response: Response) =>
      void response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
    for (const [status, code, sentence] of [
      [403, 'InvalidAccessKeyId', /refuses to give the file/],
      [404, 'NoSuchBucket', /settings and credentials/],
      [301, 'PermanentRedirect', /settings and credentials/],
    ] as const) {
      using reader = readerOf();
      const address = server.serve('kept.tif', { bytes: Buffer.alloc(10) }, failing(status, code));
      await assert.rejects(reader.probe(address), (error) => refusedWith(error, sentence), code);
      assert.deepEqual(reader.refusals, ['archive']);
    }
    using gone = readerOf(['s3://archive?endpoint=http://127.0.0.1:9&path_style=true&anonymous=true']);
    await assert.rejects(gone.probe('s3://archive/a.tif'), (error) =>
      refusedWith(error, /connection .* failed/i),
    );
  });
});

type Response = Parameters<Parameters<typeof server.serve>[2] & object>[2];
