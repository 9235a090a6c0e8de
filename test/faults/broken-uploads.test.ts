import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, test } from 'node:test';
import type { UploadProgress } from '../../src/datasets/resumable/routes.ts';
import { inParallel } from '../../src/lib/concurrency/limiter.ts';
import { ignore } from '../../src/lib/concurrency/promises.ts';
import { GiB, MiB } from '../../src/lib/units.ts';
import { measureFile } from '../../src/object-store/measure.ts';
import { afterTests, temporaryFolder } from '../support/for-tests.ts';
import { eventually, memoryOf } from '../support/processes.ts';
import { installNodeTool } from '../support/tools/node-tools.ts';
import { installPythonTools } from '../support/tools/python-tools.ts';
import { assertNoDamage, openDataDir, startService } from '../support/service.ts';
import { append, begin, metadataOf, octets, offsetOf, tus } from '../support/http/tus.ts';

/** STEPPE_UPLOAD_BYTES=8589934592 tests 8 GiB on disk, which needs twice as much space. */
const length = Number(process.env['STEPPE_UPLOAD_BYTES'] ?? 128 * MiB) + 12_345;
const base = randomBytes(MiB);
const place = { filename: 'dem.tif', slot: 'landscape-in-dem' };

/** A megabyte of the file, different for each index; the last one may be shorter. */
function megabyte(index: number): Buffer {
  const bytes = Buffer.from(base.subarray(0, Math.min(MiB, length - index * MiB)));
  if (index === 0) bytes.write('II*\0', 'latin1');
  else bytes.writeUInt32LE(index);
  return bytes;
}

function digestOfFile(): string {
  const hash = createHash('sha256');
  for (let index = 0; index * MiB < length; index += 1) hash.update(megabyte(index));
  return hash.digest('hex');
}

/**
 * Sends the file from an offset; once `upTo` bytes are written, `end` determines the fate of the connection.
 * Returns the status of the answer.
 */
async function sendFrom(
  url: string,
  { offset, upTo }: { readonly offset: number; readonly upTo: number },
  end: (destroy: () => void) => Promise<void>,
): Promise<number | undefined> {
  const headers = { ...octets, 'upload-offset': offset, 'content-length': length - offset };
  const sending = request(url, { method: 'PATCH', headers });
  const answered = Promise.withResolvers<number | undefined>();
  sending.on('response', (answer) => {
    answer.resume();
    answered.resolve(answer.statusCode);
  });
  sending.on('error', ignore).on('close', () => answered.resolve(undefined));
  async function* bytes(): AsyncGenerator<Buffer> {
    for (let at = offset; at < upTo;) {
      const index = Math.floor(at / MiB);
      const chunk = megabyte(index).subarray(at - index * MiB);
      yield chunk;
      at += chunk.length;
    }
    if (upTo < length) await end(() => void sending.destroy());
  }
  await pipeline(Readable.from(bytes()), sending).catch(ignore);
  return await answered.promise;
}

const keysOf = async (dataDir: string): Promise<string[]> =>
  await readdir(join(dataDir, 'objects/uploads'), { recursive: true }).catch(() => []);

/** Creates a temporary DATA_DIR; that of a large file is not in memory. */
async function openRoomyDataDir(): Promise<string> {
  const dataDir = length > GiB ? await temporaryFolder() : await openDataDir();
  afterTests(async () => await rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** Most memory that an api may use, whatever the size of a file. */
const maxPeakBytes = 400 * MiB;

async function progressOf(url: string): Promise<UploadProgress> {
  return JSON.parse(await (await fetch(url)).text());
}

describe('an upload that breaks off five times', () => {
  test('goes on each time in memory that does not grow, and is the same byte for byte', async (t) => {
    const dataDir = await openRoomyDataDir();
    const startedAt = performance.now();
    const note = (what: string): void =>
      t.diagnostic(`${what} after ${Math.round((performance.now() - startedAt) / 1000)} s`);
    await using services = new AsyncDisposableStack();
    const start = async () => services.use(await startService({ dataDir }));
    let service = await start();
    const path = await begin(service.baseUrl, length, place);
    const offsets = [0];
    for (let round = 1; round <= 5; round += 1) {
      const upTo = Math.floor((length * round) / 6);
      // Bytes of the previous request may still arrive; the offset is then outdated.
      await eventually('the request breaks off', async () => {
        let hasBroken = false;
        const offset = await offsetOf(service.baseUrl + path);
        await sendFrom(service.baseUrl + path, { offset, upTo }, async (destroy) => {
          hasBroken = true;
          if (round % 2 === 0) await service.kill9();
          else destroy();
        });
        return hasBroken;
      });
      if (round % 2 === 0) service = await start();
      offsets.push(await offsetOf(service.baseUrl + path));
      note(`${offsets.at(-1)} of ${length} bytes have come`);
    }
    // Whatever was lost, the upload does not start again from 0.
    assert.deepEqual(
      offsets,
      offsets.toSorted((one, other) => one - other),
    );
    assert.ok((offsets.at(-1) ?? 0) > length / 3, `${offsets.at(-1)} bytes have come`);
    // The rest of the aborted request may still move the offset.
    await eventually('the rest is accepted', async () => {
      const offset = await offsetOf(service.baseUrl + path);
      const status = await sendFrom(service.baseUrl + path, { offset, upTo: length }, async () => {});
      assert.ok([204, 409, undefined].includes(status), `${status}`); // undefined: refused while bytes were still being sent
      return status === 204;
    });
    note('all bytes have come');
    // Assembling a large file may take longer than the last request stays unanswered.
    const made = async () => (await progressOf(service.baseUrl + path)).dataset_id ?? undefined;
    const id = await eventually('the dataset is made', made, 300);
    const { peak } = await memoryOf(service.pid);
    note(`the dataset is made, with at most ${Math.round(peak / MiB)} MiB in memory,`);
    assert.ok(peak < maxPeakBytes, `${peak} bytes`);
    const { sha256, sizeBytes } = await measureFile(join(dataDir, `objects/originals/${id}/source.tif`));
    assert.deepEqual([sizeBytes, sha256.toString('hex')], [length, digestOfFile()]);
    await service.stop();
    await assertNoDamage(dataDir);
  });
});

test('a thousand starts that never end leave the disk bounded, and nothing once they have expired', async () => {
  const heldBytes = 16 * MiB;
  const env = { RESUMABLE_HELD_BYTES: String(heldBytes), RESUMABLE_EXPIRY_SECONDS: '40' };
  await using service = await startService({ env });
  const starts = { limit: 16, signal: AbortSignal.timeout(60_000) };
  const begun = await inParallel(Array.from({ length: 1000 }), starts, async () => {
    const headers = { ...tus, 'upload-length': String(length), 'upload-metadata': metadataOf(place) };
    const answer = await fetch(`${service.baseUrl}/uploads`, { method: 'POST', headers });
    await answer.arrayBuffer();
    return answer.headers.get('location');
  });
  const paths = begun.filter((path) => path !== null);
  assert.ok(paths.length >= 500 && paths.length < 1000, `${paths.length} have begun`);
  let stored = 0;
  for (const path of paths.slice(-40)) {
    const answer = await append(service.baseUrl + path, 0, new Uint8Array(megabyte(0)));
    stored += answer.status === 204 ? 1 : 0;
    await answer.arrayBuffer();
  }
  assert.ok(stored > 0 && stored * MiB <= heldBytes, `${stored} MiB are held`);
  const isEmpty = async () => (await keysOf(service.dataDir)).every((name) => !/\/[0-9a-f-]{36}/.test(name));
  await eventually('no piece is left', isEmpty, 120);
  await service.stop();
  await assertNoDamage(service.dataDir);
});

/** Sends three megabytes to a service with the client of another project, which prints the address of the upload. */
async function assertSends(command: string, ...args: readonly string[]): Promise<void> {
  await using service = await startService();
  const file = join(await temporaryFolder(), 'dem.tif');
  await writeFile(file, Buffer.concat([megabyte(0), megabyte(1), megabyte(2)]));
  const ran = spawnSync(command, [...args, service.baseUrl, file], { encoding: 'utf8', timeout: 60_000 });
  assert.equal(ran.status, 0, ran.stderr);
  const { received, dataset_id: id } = await progressOf(ran.stdout.trim());
  assert.equal(received, 3 * MiB);
  const stored = await measureFile(join(service.dataDir, `objects/originals/${id}/source.tif`));
  assert.deepEqual(stored, await measureFile(file));
}

describe('a client of others sends a file in pieces, and goes on with it', () => {
  test('tuspy', async () => {
    const tuspy = { name: 'tuspy', packages: ['tuspy==1.1.0'] } as const;
    const program = `
import sys, json
from tusclient import client
url, path = sys.argv[1:]
tus = client.TusClient(url + '/uploads')
meta = json.loads(${JSON.stringify(JSON.stringify(place))})
first = tus.uploader(path, chunk_size=1000000, metadata=meta, upload_checksum=True)
first.upload_chunk()
again = tus.uploader(path, chunk_size=1000000, url=first.url, upload_checksum=True)
assert again.offset == 1000000, again.offset
again.upload()
print(first.url)
`;
    await assertSends(join(installPythonTools(tuspy), 'python'), '-c', program);
  });

  test('tus-js-client', async () => {
    const folder = installNodeTool('tus-js-client', '4.3.1');
    const program = join(folder, 'send.mjs');
    await writeFile(
      program,
      `
import assert from 'node:assert/strict';
import { createReadStream, statSync } from 'node:fs';
import { Upload } from 'tus-js-client';
const [url, path] = process.argv.slice(2);
const settings = {
  endpoint: url + '/uploads', chunkSize: 1000000, uploadSize: statSync(path).size, metadata: ${JSON.stringify(place)}, retryDelays: null,
};
const send = (more, onChunk) => new Promise((resolve, reject) => {
  const upload = new Upload(createReadStream(path), {
    ...settings, ...more, onSuccess: () => resolve(upload.url), onError: reject,
    onChunkComplete: (size, sent) => onChunk(upload, sent, resolve),
  });
  upload.start();
});
  const first = await send({}, (upload, sent, resolve) => void upload.abort().then(() => resolve(upload.url)));
  let from;
  const second = await send({ uploadUrl: first }, (upload, sent) => { from ??= sent; });
  assert.deepEqual([second, from], [first, 2000000]);
  console.log(second);
`,
    );
    await assertSends(process.execPath, program);
  });
});
