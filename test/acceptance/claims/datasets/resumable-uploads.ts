import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { metadataOf, octets, tus } from '../../../support/http/tus.ts';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Answer, Client } from '../../client.ts';
import { type Dataset, discard, getDataset, sharedCategory } from '../../support/datasets.ts';
import { smallRaster } from '../../support/files.ts';

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

checkedElsewhere('src/datasets/resumable/resumable-uploads.test.ts', {
  'keeps what has come of a connection that breaks': ['D7 resumable'],
  'is refused before its bytes by the rules of one that comes at once': ['D7 resumable refusals'],
  'goes on only where it is, and only to its end': ['D7 resumable refusals'],
  'is given up when its first bytes are not those of its name': ['D7 resumable refusals'],
  'asks for tus 1.0.0, and says what it can do': ['D7 resumable refusals'],
  'goes with DELETE, also under another method': ['D7 resumable termination'],
  'is taken over by the later of two requests': ['D7 resumable two'],
  'becomes a dataset all the same': ['D7 resumable end'],
  'bytes that expire are 410 and leave nothing': ['D7 resumable expiry'],
  'what never ends takes a bounded number of rows and bytes': ['D7 resumable bounds'],
});
