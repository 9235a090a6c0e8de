import assert from 'node:assert/strict';
import type { Asked, Client } from '../client.ts';
import { claim } from '../claim.ts';
import { fetchBytes } from '../support/bytes.ts';
import { type Dataset, sharedCategory } from '../support/datasets.ts';
import { readyOnes } from '../support/shared.ts';

interface Frame {
  readonly boundary?: string;
  readonly type?: string;
  readonly before?: string;
  readonly after?: string;
  readonly fileHeaders?: string;
  readonly content?: string;
}

/** An upload whose body is written by hand around a file part. */
async function framed(client: Client, frame: Frame): Promise<Asked> {
  const { boundary = 'edge', before = '', after = '', content = 'II*\0 x' } = frame;
  const { type = `multipart/form-data; boundary=${boundary}` } = frame;
  const { fileHeaders = 'Content-Disposition: form-data; name="file"; filename="a.tif"' } = frame;
  const field = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const fields = field('file_type', 'raster') + field('category_id', await sharedCategory(client));
  const body = `${before}${fields}--${boundary}\r\n${fileHeaders}\r\n\r\n${content}\r\n--${boundary}--${after}`;
  return { body, headers: { 'content-type': type } };
}

for (const [what, frame] of [
  ['text before the first part', { before: 'This is a message\r\nin several parts.\r\n' }],
  ['text after the last part', { after: '\r\nand so on\r\n--edge\r\n' }],
  ['nothing after its last boundary', { after: '' }],
  ['a boundary in quotes', { type: 'multipart/form-data; charset=utf-8; boundary="edge"' }],
  [
    'a boundary with signs',
    { boundary: "a'()+_,-./:=?b", type: `multipart/form-data; boundary="a'()+_,-./:=?b"` },
  ],
  ['a media type in capitals', { type: 'Multipart/Form-Data; Boundary=edge' }],
  [
    'headers in any case and order, and others',
    {
      fileHeaders:
        'X-Other: y\r\ncontent-type: image/tiff\r\nCONTENT-DISPOSITION: Form-Data; FileName="a.tif"; NAME="file"',
    },
  ],
  ['a header without quotes', { fileHeaders: 'Content-Disposition: form-data; name=file; filename=a.tif' }],
  ['a file that holds what looks like a boundary', { content: 'II*\0 \r\n--edg\r\n--edgex\r\n-- edge--' }],
] as const) {
  claim(['4.4 upload', '4.4 upload file'], `an upload may have ${what}`, async (client) => {
    const upload = await framed(client, frame);
    const { filename, size_bytes, id } = await client.read<Dataset>(201, 'POST', '/datasets', upload);
    const content = 'content' in frame ? frame.content : 'II*\0 x';
    assert.deepEqual([filename, size_bytes], ['a.tif', content.length]);
    const { bytes } = await fetchBytes(client, 200, `/datasets/${id}/download`);
    assert.equal(bytes.toString('latin1'), content);
  });
}

claim(['4.4 upload file'], 'an upload of a file part without a name is 422 on file', async (client) => {
  const fileHeaders = 'Content-Disposition: form-data; filename="a.tif"';
  await client.invalid(['file'], 'POST', '/datasets', await framed(client, { fileHeaders }));
});

claim(
  ['4.4 get', '4.4 geojson', '4.4 cog', '4.4 status', '4.4 download', '4.4 observations'],
  'an id means the same in capitals, on every path',
  async (client) => {
    for (const { id, file_type } of await readyOnes(client)) {
      const output = file_type === 'raster' ? '.cog' : '.geojson';
      for (const suffix of ['', output, '/status', '/download', '/observations', '/report']) {
        const [lower, upper] = [id, id.toUpperCase()].map(
          async (each) => await fetchBytes(client, 200, `/datasets/${each}${suffix}`),
        );
        assert.equal((await upper)?.status, 200, suffix);
        assert.equal((await upper)?.headers.etag, (await lower)?.headers.etag);
      }
      assert.ok((await client.expect(200, 'GET', `/datasets/${id.toUpperCase()}/status`)).text.includes(id));
    }
  },
);
