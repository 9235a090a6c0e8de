import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { process } from '../support/datasets.ts';
import { collection, geojsonFile, point } from '../support/files.ts';
import { sharedTable } from '../support/shared.ts';

interface Page {
  readonly features: readonly { readonly id: unknown; readonly properties: Record<string, unknown> }[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

async function read<T>(client: Client, path: string, status = 200): Promise<T> {
  return JSON.parse((await client.expect(status, 'GET', path)).text);
}

claim(
  ['OGC features', 'OGC features pages', 'OGC features filter'],
  'clients of OGC API - Features find the features of a vector, page by page, by box and by value',
  async (client) => {
    const features = Array.from({ length: 25 }, (_, i) => ({
      properties: { i, name: i % 2 === 0 ? 'even' : 'odd' },
      geometry: point(60 + i, 50),
    }));
    const { id } = await process(client, 'ready', geojsonFile(collection(features)));
    const { links } = await read<Page>(client, '/ogc');
    assert.deepEqual(
      links.map(({ rel }) => rel),
      [
        'self',
        'service-desc',
        'service-doc',
        'conformance',
        'data',
        'http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes',
      ],
    );
    assert.equal((await read<{ openapi: string }>(client, '/ogc/api')).openapi, '3.0.3');
    const items = `/ogc/collections/${id}/items`;
    const found: unknown[] = [];
    for (let path: string | undefined = `${items}?limit=10`; path !== undefined;) {
      const page: Page = await read<Page>(client, path);
      found.push(...page.features.map(({ properties }) => properties['i']));
      path = page.links.find(({ rel }) => rel === 'next')?.href.replace(/^.*(?=\/ogc)/, '');
    }
    assert.deepEqual(
      found.toSorted((one, other) => Number(one) - Number(other)),
      features.map(({ properties: { i } }) => i),
    );
    assert.equal((await read<Page>(client, `${items}?limit=99999`)).features.length, 25);
    assert.equal(
      (await read<Page>(client, `${items}?limit=99&name=odd&bbox=59,49,64.5,51`)).features.length,
      2,
    );
    const filter = encodeURIComponent("name = 'even' and i > 20");
    assert.equal((await read<Page>(client, `${items}?filter=${filter}`)).features.length, 2);
    const { properties } = await read<{ properties: object }>(client, `/ogc/collections/${id}/queryables`);
    assert.deepEqual(properties, { i: { type: 'number' }, name: { type: 'string' } });
    const error = await read<object>(client, `${items}?other=1`, 400);
    assert.deepEqual(Object.keys(error), ['error', 'code', 'description']);
  },
);

claim(['OGC features table'], 'a table by KATO has a feature for each unit and date', async (client) => {
  const { id } = await sharedTable(client);
  const items = `/ogc/collections/${id}/items?limit=1000`;
  const latest = (await read<Page>(client, items)).features;
  const all = (await read<Page>(client, `${items}&datetime=../..`)).features;
  assert.ok(latest.length > 0 && all.length >= latest.length);
  const units = latest.map(({ properties }) => properties['kato']);
  assert.equal(new Set(units).size, units.length);
  assert.ok(all.every(({ id: own, properties: { kato, date } }) => own === [kato, date].join('.')));
});
