import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { metadataOf, octets, tus } from '../../support/tus.ts';
import { checkedElsewhere, claim } from '../claim.ts';
import type { Answer, Client } from '../client.ts';
import { type Dataset, discard, getDataset, sharedCategory } from '../support/datasets.ts';
import { smallRaster } from '../support/files.ts';

type Values = Readonly<Record<string, string>>;

async function detailsOf(client: Client): Promise<Values> {
  return { filename: 'relief.tif', file_type: 'raster', category_id: await sharedCategory(client) };
}

const start = (length: number, values: Values) => ({
  headers: { ...tus, 'upload-length': String(length), 'upload-metadata': metadataOf(values) },
});

async function begin(client: Client, length: number, values: Values): Promise<string> {
  const answer = await client.expect(201, 'POST', '/uploads', start(length, values));
  return answer.headers.get('location') ?? assert.fail('no location');
}

const rest = (offset: number, body: Uint8Array<ArrayBuffer>, headers: Values = {}) => ({
  headers: { ...octets, 'upload-offset': String(offset), ...headers },
  body,
});

const offsetIn = ({ headers }: Answer): number => Number(headers.get('upload-offset'));

claim(
  ['D7 resumable', 'D7 resumable progress', 'D7 resumable checksum', 'D7 resumable end'],
  'a file that comes in pieces becomes the same dataset as one that comes at once',
  async (client) => {
    const bytes = new Uint8Array(await smallRaster().arrayBuffer());
    const path = await begin(client, bytes.length, await detailsOf(client));
    const half = Math.floor(bytes.length / 2);
    const [head, tail] = [bytes.slice(0, half), bytes.slice(half)];
    assert.equal(offsetIn(await client.expect(204, 'PATCH', path, rest(0, head))), half);
    const asked = await client.expect(200, 'HEAD', path, { headers: tus });
    assert.deepEqual([offsetIn(asked), asked.headers.get('upload-length')], [half, String(bytes.length)]);
    const sha1 = (of: Uint8Array) => ({
      'upload-checksum': `sha1 ${createHash('sha1').update(of).digest('base64')}`,
    });
    await client.refused(460, 'PATCH', path, rest(half, tail, sha1(head)));
    assert.equal(offsetIn(await client.expect(200, 'HEAD', path, { headers: tus })), half);
    const last = await client.expect(204, 'PATCH', path, rest(half, tail, sha1(tail)));
    const location = last.headers.get('location') ?? assert.fail('no dataset');
    const { dataset_id: id, received } = await client.get<{ dataset_id: string; received: number }>(path);
    assert.deepEqual([`/datasets/${id}`, received], [location, bytes.length]);
    const made = await getDataset(client, id);
    const { filename, size_bytes: sizeBytes, file_type: type }: Dataset = made;
    assert.deepEqual([filename, sizeBytes, type], ['relief.tif', bytes.length, 'raster']);
    await discard(client, { id });
  },
);

claim(
  ['D7 resumable refusals', 'D7 resumable termination'],
  'an upload in pieces is refused before its bytes come, goes on only where it is, and goes with DELETE',
  async (client) => {
    const details = await detailsOf(client);
    await client.invalid(
      ['file', 'file_type'],
      'POST',
      '/uploads',
      start(9, { ...details, file_type: 'x', filename: 'a.png' }),
    );
    await client.refused(404, 'POST', '/uploads', start(9, { filename: 'a.tif', slot: 'none' }));
    await client.refused(413, 'POST', '/uploads', start(9e14, details));
    await client.refused(412, 'POST', '/uploads', { headers: { 'tus-resumable': '0.2.2' } });
    const path = await begin(client, 9, details);
    const bytes = new Uint8Array(9).fill(120);
    await client.refused(409, 'PATCH', path, rest(1, bytes.slice(1)));
    await client.refused(413, 'PATCH', path, rest(0, new Uint8Array(10)));
    await client.refused(415, 'PATCH', path, rest(0, bytes, { 'content-type': 'application/json' }));
    await client.invalid(['file'], 'PATCH', path, rest(0, bytes));
    await client.refused(404, 'GET', path);
    const other = await begin(client, 9, details);
    await client.expect(204, 'DELETE', other, { headers: tus });
    await client.refused(404, 'PATCH', other, rest(0, bytes));
    const { headers } = await client.expect(204, 'OPTIONS', '/uploads');
    assert.match(headers.get('tus-extension') ?? '', /creation,.*expiration,checksum,termination/);
  },
);

checkedElsewhere('test/http/resumable-uploads.test.ts', {
  'keeps what has come of a connection that breaks': ['D7 resumable'],
  'is taken over by the later of two requests': ['D7 resumable two'],
  'becomes a dataset all the same': ['D7 resumable end'],
  'bytes that expire are 410 and leave nothing': ['D7 resumable expiry'],
  'what never ends takes a bounded number of rows and bytes': ['D7 resumable bounds'],
});
