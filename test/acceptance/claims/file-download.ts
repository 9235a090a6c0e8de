import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { fetchBytes, rawUpload } from '../support/bytes.ts';
import { type Dataset, upload } from '../support/datasets.ts';
import { bytesOf, geojsonFile, repositoryFile, tiffFile } from '../support/files.ts';
import { failedTable } from '../support/shared.ts';

claim(
  ['4.4 download', 'D3 failed'],
  'a download gives back the bytes that were uploaded, of any type and state',
  async (client) => {
    const files = [
      await repositoryFile('examples/akmola-rayony.zip'),
      await repositoryFile('test/fixtures/vector/multi_layer.gpkg'),
      tiffFile({ width: 300, height: 200 }, 'no-crs.tif'),
      geojsonFile(' \n{"type":"FeatureCollection","features":[]}\r\n'),
      new File(['II*\0 broken'], 'broken.tif'),
    ];
    for (const file of files) {
      const { id } = await upload(client, file);
      const answer = await fetchBytes(client, 200, `/datasets/${id}/download`);
      assert.equal(answer.headers['content-type'], 'application/octet-stream');
      assert.ok(answer.bytes.equals(await bytesOf(file)), file.name);
    }
    const { id, size_bytes } = await failedTable(client);
    assert.equal((await fetchBytes(client, 200, `/datasets/${id}/download`)).bytes.length, size_bytes);
  },
);

const header = 'Content-Disposition: form-data; name="file"; ';
for (const [sent, fallback, extended] of [
  ['filename="plain name.tif"', 'plain name.tif', 'plain%20name.tif'],
  ['filename="Рельеф.tif"', '______.tif', '%D0%A0%D0%B5%D0%BB%D1%8C%D0%B5%D1%84.tif'],
  [String.raw`filename="a\"b\"c.tif"`, 'abc.tif', 'abc.tif'],
  [`filename="it's (1)*!.tif"`, "it's (1)*!.tif", 'it%27s%20%281%29%2A!.tif'],
  ['filename="100%; x=y.tif"', '100%; x=y.tif', '100%25%3B%20x%3Dy.tif'],
  ["filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x.tif", 'aSet-Cookie: x.tif', 'aSet-Cookie%3A%20x.tif'],
  ['filename="𐰴.tif"', '_.tif', '%F0%90%B0%B4.tif'],
  ['filename="😀\u2028\u202efit.tif"', '___fit.tif', '%F0%9F%98%80%E2%80%A8%E2%80%AEfit.tif'],
] as const) {
  claim(
    ['4.4 download Content-Disposition'],
    `a file sent with ${sent} is downloaded as ${fallback}, and in full as ${extended}`,
    async (client) => {
      const form = await rawUpload(client, [Buffer.from(header + sent)]);
      const { id } = await client.read<Dataset>(201, 'POST', '/datasets', form);
      const { headers } = await fetchBytes(client, 200, `/datasets/${id}/download`);
      const disposition = headers['content-disposition'] ?? '';
      const [, plain, encoded] =
        /^attachment; filename="([^"]*)"; filename\*=UTF-8''([^;\s]*)$/.exec(disposition) ?? [];
      assert.deepEqual([plain, encoded], [fallback, extended], disposition);
    },
  );
}
