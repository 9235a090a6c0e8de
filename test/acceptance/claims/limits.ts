import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { unreadable } from '../support/catalogue.ts';
import { type Dataset, process, settle, upload } from '../support/datasets.ts';
import { readDescription } from '../support/description.ts';
import { tiffFile } from '../support/files.ts';

claim(
  ['8 wait'],
  'wait may be 0 to 60 seconds, 25 when nothing is said; so it is described',
  async (client) => {
    const { id } = await upload(client, unreadable.raster);
    for (const wait of [0, 1, 59, 60]) await client.expect(200, 'GET', `/datasets/${id}/status?wait=${wait}`);
    for (const wait of [61, -1]) await client.expect(400, 'GET', `/datasets/${id}/status?wait=${wait}`);
    const { paths } = await readDescription(client);
    const parameters = paths['/datasets/{id}/status']?.['get']?.parameters ?? [];
    const { minimum, maximum, default: usual } = parameters.find(({ name }) => name === 'wait')?.schema ?? {};
    assert.deepEqual([minimum, maximum, usual], [0, 60, 25]);
  },
);

claim(
  ['8 wait'],
  'a status that does not change is held for 25 seconds when nothing is said, and with 0 not at all',
  async (client) => {
    const { id } = await upload(client, unreadable.raster);
    const { status } = await settle(client, id);
    assert.equal(status, 'failed');
    const startedAt = performance.now();
    await client.expect(200, 'GET', `/datasets/${id}/status?current=failed&wait=0`);
    const answeredAt = performance.now();
    await client.expect(200, 'GET', `/datasets/${id}/status?current=failed`);
    const heldMs = performance.now() - answeredAt;
    // Generous: it must be neither none of it nor the longest that can be asked for.
    assert.ok(answeredAt - startedAt < 20_000);
    assert.ok(heldMs > 24_000 && heldMs < 57_000, `${heldMs}`);
  },
);

claim(
  ['8 name length', 'D1 lengths', 'D1 422 fields'],
  'the name of a dataset may have 255 characters in PUT, PATCH and upload, not 256, and must not be blank',
  async (client) => {
    const { id, category_id } = await upload(client, unreadable.raster, { name: '😀'.repeat(255) });
    const put = { category_id, description: '', unit: '' };
    for (const letter of ['x', '😀']) {
      const name = letter.repeat(255);
      for (const [method, json] of [
        ['PATCH', { name }],
        ['PUT', { ...put, name }],
      ] as const) {
        const said = await client.read<Dataset>(200, method, `/datasets/${id}`, { json });
        assert.equal(said.name, name);
        for (const wrong of [letter.repeat(256), '', ' ', '\u00A0', 'a\u0000', '\ud800', null, 1]) {
          await client.invalid(['name'], method, `/datasets/${id}`, { json: { ...json, name: wrong } });
        }
      }
    }
  },
);

claim(['8 bbox'], 'the bbox of a raster is exactly four numbers', async (client) => {
  const { bbox } = await process(client, 'ready', tiffFile({ width: 5, height: 7, corner: [71, 51] }));
  assert.equal(bbox?.length, 4);
  for (const number of bbox ?? []) assert.ok(Number.isFinite(number));
});
