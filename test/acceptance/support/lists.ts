import assert from 'node:assert/strict';
import type { Answer, Client } from '../client.ts';
import { makeCategory, makeGroup } from './catalogue.ts';
import { type Dataset, once, settle, upload } from './datasets.ts';
import { emptyLayer, smallRaster } from './files.ts';

/** Five datasets a to e, made one after the other, in a category of their own. */
export const fiveDatasets = once(async (client) => {
  const { id: category_id, code } = await makeCategory(client);
  const { id: dg_id } = await makeGroup(client);
  const [raster, vector] = [smallRaster(), emptyLayer()];
  const datasets: Dataset[] = [];
  for (const [file, fields] of [
    [raster, { name: 'a', start_date: '2020-01-01', end_date: '2020-12-31' }],
    [raster, { name: 'b', automated: 'true', dg_id, start_date: '2021-01-01' }],
    [vector, { name: 'c', automated: 'true', end_date: '2021-12-31' }],
    [vector, { name: 'd', dg_id, description: 'Озёра', unit: 'га' }],
    [
      new File(['II*\0 broken'], 'broken.tif'),
      { name: 'e', start_date: '2022-01-01', end_date: '2022-01-01' },
    ],
  ] as const) {
    datasets.push(await upload(client, file, { category_id, ...fields }));
  }
  assert.equal((await settle(client, datasets[4]?.id ?? '')).status, 'failed');
  return { code, category_id, dg_id, datasets, ids: datasets.map(({ id }) => id) };
});

/** A list of each kind: of these all but the runs have rows that no other claim adds to. */
export async function lists(client: Client): Promise<readonly string[]> {
  const { category_id, ids } = await fiveDatasets(client);
  const observations = `/datasets/${ids[0]}/observations?`;
  return ['/dataset-groups?', `/datasets?category_id=${category_id}&`, observations, '/landscape/runs?'];
}

/** The relations of a Link header, and what they lead to. */
export function linksOf({ headers }: Pick<Answer, 'headers'>): Readonly<Record<string, string>> {
  const found = (headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"/g);
  return Object.fromEntries([...found].map(([, target = '', relation = '']) => [relation, target]));
}
