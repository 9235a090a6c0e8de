import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GiB, MiB } from '../src/common/units.ts';
import { createClient } from '../test/support/client.ts';
import { startService } from '../test/support/service.ts';
import { memoryOf, round } from './memory.ts';

const fileBytes = GiB;
const chunkBytes = MiB;
const sampleEveryMs = 100;
/** Limit of resident memory for the api while it takes the file. */
const targetMiB = 200;

/** Uploads 1 GiB to a fresh service and prints what the api process needed for it, as one line of JSON. */
export async function benchUpload(): Promise<void> {
  await using service = await startService({ env: { LOG_LEVEL: 'warn' } });
  const categoryId = await createClient(service.baseUrl).createCategory('bench');
  const before = await memoryOf(service.pid);
  const samples: number[] = [];
  const sampling = setInterval(() => {
    void memoryOf(service.pid).then(({ residentMiB }) => samples.push(residentMiB));
  }, sampleEveryMs);
  const startedMs = performance.now();
  await sendFile(service.baseUrl, { file_type: 'raster', category_id: categoryId });
  const seconds = (performance.now() - startedMs) / 1000;
  clearInterval(sampling);
  const { peakMiB } = await memoryOf(service.pid);
  const figures = {
    bench: 'upload',
    fileMiB: fileBytes / MiB,
    seconds: round(seconds),
    mibPerSecond: round(fileBytes / MiB / seconds),
    residentBeforeMiB: before.residentMiB,
    residentHighestMiB: Math.max(...samples),
    residentPeakMiB: peakMiB,
    targetMiB,
  };
  console.log(JSON.stringify(figures));
  if (peakMiB >= targetMiB) process.exitCode = 1;
}

/** Streams a form; nothing of the file ever exists but the piece that is being sent. */
async function sendFile(baseUrl: string, fields: Readonly<Record<string, string>>): Promise<void> {
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
      'content-length': head.length + fileBytes + tail.length,
    },
  });
  const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.on('response', resolve).on('error', reject);
  await pipeline(Readable.from(formOf(head, tail), { objectMode: false }), outgoing);
  const answer = await answered;
  const text = Buffer.concat(await Array.fromAsync(answer)).toString();
  assert.equal(answer.statusCode, 201, text);
}

/** A TIFF header and noise after it: what the api looks at is right, and nothing on the way can shrink it. */
function* formOf(head: string, tail: string): Generator<Buffer> {
  yield Buffer.from(head);
  const noise = randomFillSync(Buffer.alloc(chunkBytes));
  const first = Buffer.from(noise);
  first.write('II*\0', 'latin1');
  yield first;
  for (let sent = chunkBytes; sent < fileBytes; sent += chunkBytes) yield noise;
  yield Buffer.from(tail);
}
