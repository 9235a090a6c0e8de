import assert from 'node:assert/strict';
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';
import { startTestApp } from '../../../test/support/app.ts';
import { type DatasetBody, insertCategory } from '../../../test/support/datasets.ts';
import { memoryInUse } from '../../../test/support/memory.ts';
import { MiB } from '../../lib/units.ts';

const fileBytes = 224 * MiB;
/** More than the buffers take, and far below the size of the file. */
const maxGrowthBytes = 96 * MiB;

test('the memory of an upload stays flat, whatever its size, also when the file comes first', async () => {
  await using app = await startTestApp();
  const category = await insertCategory(app.services.db);
  const field = (name: string, value: string): string =>
    `\r\n--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
  const before = memoryInUse().buffers;
  let highest = before;
  async function* body(): AsyncGenerator<Buffer> {
    yield Buffer.from('--edge\r\nContent-Disposition: form-data; name="file"; filename="a.tif"\r\n\r\n');
    yield Buffer.from('II*\0');
    for (let sent = 4; sent < fileBytes; sent += MiB) {
      yield Buffer.alloc(Math.min(MiB, fileBytes - sent), sent % 251);
      if (sent % (8 * MiB) === 4) highest = Math.max(highest, memoryInUse().buffers);
    }
    yield Buffer.from(`${field('file_type', 'raster')}${field('category_id', category)}\r\n--edge--\r\n`);
  }
  const outgoing = request(`${app.baseUrl}/datasets`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    agent: false,
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.on('response', resolve).on('error', reject);
  await pipeline(Readable.from(body()), outgoing);
  const incoming = await promise;
  const answer = await text(incoming);
  assert.equal(incoming.statusCode, 201, answer);
  const dataset: DatasetBody = JSON.parse(answer);
  assert.equal(dataset['size_bytes'], fileBytes);
  assert.ok(highest - before < maxGrowthBytes, `${(highest - before) / MiB} MiB more`);
});
