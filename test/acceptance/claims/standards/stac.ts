import assert from 'node:assert/strict';
import { StacItem } from '../../../support/standards/stac-schemas.ts';
import { checkedElsewhere, claim } from '../../claim.ts';
import { fetchBytes } from '../../support/bytes.ts';
import type { Client } from '../../client.ts';
import { getDataset } from '../../support/datasets.ts';
import { nowhereRaster, sharedRaster, sharedTable, sharedVector } from '../../support/shared.ts';

interface Page {
  readonly features: readonly { readonly id: string }[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

const search = async (client: Client, query: Readonly<Record<string, string>>): Promise<Page> =>
  await client.get<Page>(`/stac/search?${new URLSearchParams(query).toString()}`);

async function itemOf(client: Client, id: string) {
  const { features } = await search(client, { ids: id });
  return StacItem.parse(features[0]);
}

claim(
  ['D8 stac', 'D8 stac item', 'D8 stac links'],
  'each ready dataset is an item of STAC whose files and links are there',
  async (client) => {
    const { conformsTo } = await client.get<{ conformsTo: readonly string[] }>('/stac');
    assert.ok(conformsTo.includes('https://api.stacspec.org/v1.0.0/item-search'));
    for (const { id } of [
      await sharedRaster(client),
      await sharedVector(client),
      await sharedTable(client),
      await nowhereRaster(client),
    ]) {
      const item = await itemOf(client, id);
      const addresses = [...Object.values(item.assets), ...item.links].map(({ href }) => new URL(href));
      for (const { pathname } of addresses) {
        if (!pathname.includes('%7B')) await fetchBytes(client, 200, pathname, { method: 'HEAD' });
      }
      const size = item.assets['original']?.['file:size'];
      assert.equal(size, (await getDataset(client, id)).size_bytes);
    }
  },
);

checkedElsewhere('src/stac/stac.test.ts', {
  'by ${JSON.stringify(query)} finds ${expected.length}': ['D8 stac search'],
  'by a body finds the same': ['D8 stac search', 'D8 stac parameters'],
  'refuses ${query.slice(0, 60)}': ['D8 stac parameters', 'D8 stac errors'],
  'leads from page to page in any order, and each item is there once': ['D8 stac pages'],
});
checkedElsewhere('src/stac/stac-items.test.ts', {
  'has no dead link: each link of each of its pages is answered': ['D8 stac links'],
  'is in its own collection alone': ['D8 stac errors'],
  'is described in OpenAPI 3.0': ['D8 stac api'],
});
