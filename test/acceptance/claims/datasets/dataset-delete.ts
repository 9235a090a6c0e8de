import assert from 'node:assert/strict';
import type { Client } from '../../client.ts';
import { squaresGeoJson } from '../../../support/geo/generated-files.ts';
import { checkedElsewhere, claim } from '../../claim.ts';
import { assertError } from '../../support/errors.ts';
import { makeCategory } from '../../support/catalogue.ts';
import { countDatasets, makeMapped, process, upload } from '../../support/datasets.ts';
import { tiffFile } from '../../support/files.ts';

const suffixes = [
  '',
  '/status',
  '/download',
  '/sld',
  '/observations',
  '/series',
  '/statistics',
  '/report',
  '.geojson',
  '.cog',
];

async function assertGone(client: Client, id: string): Promise<void> {
  for (const suffix of suffixes) await client.refused(404, 'GET', `/datasets/${id}${suffix}`);
  await client.refused(404, 'DELETE', `/datasets/${id}`);
}

claim(
  ['4.4 delete'],
  'DELETE answers 204 without a body, once of ten at once, and every path of the dataset is 404',
  async (client) => {
    const { id } = await process(client, 'ready', tiffFile({ width: 8, height: 8, corner: [70, 50] }));
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => await client.ask('DELETE', `/datasets/${id}`)),
    );
    const [done, ...others] = answers.toSorted((one, other) => one.status - other.status);
    assert.deepEqual([done?.status, done?.text], [204, '']);
    for (const answer of others) {
      assert.equal(answer.status, 404);
      assertError(answer);
    }
    await assertGone(client, id);
  },
);

claim(['4.4 delete'], 'a mapped table goes with its observations', async (client) => {
  const { id } = await makeMapped(client, [{ kato: '710000000', y: 1 }], 'y');
  await client.expect(204, 'DELETE', `/datasets/${id}`);
  await assertGone(client, id);
});

claim(['D3 delete while processing'], 'what is deleted right after its upload stays away', async (client) => {
  const { id: category_id } = await makeCategory(client);
  const squares = squaresGeoJson(200);
  const large = tiffFile({ width: 600, height: 500, corner: [60, 50] });
  const table = { category_id, file_type: 'vector_with_kato' };
  const made = await Promise.all([
    upload(client, new File([squares], 'squares.geojson'), { category_id }),
    upload(client, large, { category_id }),
    upload(client, new File([squares], 'table.geojson'), table),
  ]);
  for (const { id } of made) await client.expect(204, 'DELETE', `/datasets/${id}`);
  // once the next one is ready, the workers have passed the deleted ones
  await process(client, 'ready', large);
  for (const { id } of made) await assertGone(client, id);
  assert.equal(await countDatasets(client, category_id), 0);
  await client.expect(204, 'DELETE', `/categories/${category_id}`);
});

claim(['D3 failed'], 'a failed dataset can be downloaded and deleted', async (client) => {
  const { id } = await process(client, 'failed', new File(['{"type":"nothing"}'], 'strange.geojson'));
  assert.equal((await client.expect(200, 'GET', `/datasets/${id}/download`)).text, '{"type":"nothing"}');
  await client.expect(204, 'DELETE', `/datasets/${id}`);
  await assertGone(client, id);
});

checkedElsewhere('test/http/leftovers.test.ts', {
  'a deletion leaves no row, object, ledger entry or live job, whatever the dataset had': ['4.4 delete'],
});
