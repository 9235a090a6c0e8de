import type { Answer, Client } from '../client.ts';
import { makeCategory, unreadable } from './catalogue.ts';
import { once, upload } from './datasets.ts';

/** A category with five datasets, oldest first. */
export const fiveDatasets = once(async (client) => {
  const category = await makeCategory(client);
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1)
    ids.push((await upload(client, unreadable.raster, { category_id: category.id })).id);
  return { category, ids };
});

/** A list of each kind: of these all but the runs have rows that no other claim adds to. */
export async function lists(client: Client): Promise<readonly string[]> {
  const { category, ids } = await fiveDatasets(client);
  const observations = `/datasets/${ids[0]}/observations?`;
  return ['/dataset-groups?', `/datasets?category_id=${category.id}&`, observations, '/landscape/runs?'];
}

/** The relations of a Link header, and what they lead to. */
export function linksOf({ headers }: Pick<Answer, 'headers'>): Readonly<Record<string, string>> {
  const found = (headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"/g);
  return Object.fromEntries([...found].map(([, target = '', relation = '']) => [relation, target]));
}
