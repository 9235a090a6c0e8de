import assert from 'node:assert/strict';
import { StacItem } from '../../support/stac-schemas.ts';
import { claim } from '../claim.ts';
import { fetchBytes } from '../support/bytes.ts';
import type { Client } from '../client.ts';
import { getDataset } from '../support/datasets.ts';
import { nowhereRaster, sharedRaster, sharedTable, sharedVector } from '../support/shared.ts';

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

claim(
  ['D8 stac search'],
  'a search finds a raster by its box and not beside it, and tables and vectors by the land that they have',
  async (client) => {
    for (const { id } of [
      await sharedRaster(client),
      await sharedVector(client),
      await sharedTable(client),
    ]) {
      const { bbox = [] } = await itemOf(client, id);
      const [west = 0, south = 0, east = 0, north = 0] = bbox;
      const inside = await search(client, { ids: id, bbox: [west, south, east, north].join() });
      assert.deepEqual(
        inside.features.map((item) => item.id),
        [id],
      );
      const beside = await search(client, {
        ids: id,
        bbox: [east + 0.01, north + 0.01, east + 0.02, north + 0.02].join(),
      });
      assert.deepEqual(beside.features, []);
    }
    const nowhere = await itemOf(client, (await nowhereRaster(client)).id);
    assert.deepEqual([nowhere.geometry, nowhere.bbox], [null, undefined]);
  },
);

claim(
  ['D8 stac parameters', 'D8 stac errors'],
  'below /stac an unknown parameter is 400, a limit that is too large is the largest, and errors have code and description',
  async (client) => {
    await client.refused(400, 'GET', '/stac/search?colour=red');
    const { error, code, description } = await client.read<Record<string, string>>(
      400,
      'GET',
      '/stac/search?limit=0',
    );
    assert.deepEqual([code, description], ['InvalidParameterValue', error]);
    await client.get('/stac/search?limit=100000');
    await client.read(404, 'GET', '/stac/collections/nothing-of-this-name');
  },
);

claim(
  ['D8 stac pages'],
  'pages of a search follow each other by tokens, and no item comes twice',
  async (client) => {
    const ids = [await sharedRaster(client), await sharedVector(client), await sharedTable(client)].map(
      ({ id }) => id,
    );
    const seen: string[] = [];
    let next: URL | undefined = new URL(`http://steppe/stac/search?limit=1&ids=${ids.join()}`);
    while (next !== undefined) {
      const page: Page = await client.get(next.pathname + next.search);
      seen.push(...page.features.map(({ id }) => id));
      const href = page.links.find(({ rel }) => rel === 'next')?.href;
      next = href === undefined ? undefined : new URL(href);
    }
    assert.deepEqual(seen.toSorted(), ids.toSorted());
  },
);

claim(['D8 stac api'], 'the catalogue describes itself in OpenAPI 3.0', async (client) => {
  const { openapi } = await client.get<{ openapi: string }>('/stac/api');
  assert.match(openapi, /^3\.0\./);
});
