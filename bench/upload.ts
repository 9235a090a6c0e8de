import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { MiB } from '../src/lib/units.ts';
import { hold, type Row, secondsOf } from './contest.ts';
import { memoryOf } from './memory.ts';
import { openBench } from './service.ts';

const run = promisify(execFile);
const chunkBytes = MiB;
const tiffHeader = 'II*\0';

export interface UploadSize {
  /** Size of the file in MiB; the goal applies to 1 GiB. */
  readonly mebibytes: number;
  readonly rounds: number;
}

/** Compares uploading a file with copying one of equal size beside the store, with fsync, in turn. */
export async function* uploadRows({ mebibytes, rounds }: UploadSize): AsyncGenerator<Row> {
  await using bench = await openBench();
  const { service, categoryId } = bench;
  const [source, copy] = ['source', 'copy'].map((name) => join(service.dataDir, name));
  assert.ok(source !== undefined && copy !== undefined);
  await writeNoise(source, mebibytes);
  const perSecond = (seconds: number): number => mebibytes / seconds;
  const row = await hold(
    {
      name: `upload of ${mebibytes} MiB`,
      peer: 'a copy to the same disk with fsync',
      unit: 'MiB/s',
      goal: { atLeast: 0.7 },
      async own() {
        let id = '';
        const seconds = await secondsOf(async () => {
          id = await sendFile(service.baseUrl, mebibytes, { file_type: 'raster', category_id: categoryId });
        });
        // Noise is not a valid raster: processing fails soon, and disk and page cache are freed.
        await fetch(`${service.baseUrl}/datasets/${id}`, { method: 'DELETE' });
        return perSecond(seconds);
      },
      async other() {
        const seconds = await secondsOf(
          async () => await run('dd', [`if=${source}`, `of=${copy}`, 'bs=1M', 'conv=fsync']),
        );
        await rm(copy);
        return perSecond(seconds);
      },
    },
    rounds,
  );
  const { peakMiB } = await memoryOf(service.pid);
  yield { ...row, facts: { apiPeakMiB: peakMiB } };
}

async function writeNoise(path: string, mebibytes: number): Promise<void> {
  const noise = randomFillSync(Buffer.alloc(chunkBytes));
  await using file = await open(path, 'w');
  for (let written = 0; written < mebibytes; written += 1) await file.write(noise);
}

/** Streams a form, of which only the current piece is in memory. Returns the id of the dataset. */
async function sendFile(
  baseUrl: string,
  mebibytes: number,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const edge = 'steppe-bench';
  const texts = Object.entries(fields).map(([name, value]) => {
    return `--${edge}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  });
  const head = `${texts.join('')}--${edge}\r\nContent-Disposition: form-data; name="file"; filename="large.tif"\r\n\r\n`;
  const tail = `\r\n--${edge}--\r\n`;
  const outgoing = request(`${baseUrl}/datasets`, {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${edge}`,
      'content-length': head.length + mebibytes * MiB + tail.length,
    },
  });
  const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.on('response', resolve).on('error', reject);
  await pipeline(Readable.from(formOf(head, mebibytes, tail), { objectMode: false }), outgoing);
  const answer = await answered;
  const text = Buffer.concat(await Array.fromAsync(answer)).toString();
  assert.equal(answer.statusCode, 201, text);
  const { id }: { id: string } = JSON.parse(text);
  return id;
}

/** Yields a TIFF header followed by noise: the api accepts the header, and noise cannot be compressed. */
function* formOf(head: string, mebibytes: number, tail: string): Generator<Buffer> {
  yield Buffer.from(head);
  const noise = randomFillSync(Buffer.alloc(chunkBytes));
  const first = Buffer.from(noise);
  first.write(tiffHeader, 'latin1');
  yield first;
  for (let sent = 1; sent < mebibytes; sent += 1) yield noise;
  yield Buffer.from(tail);
}
