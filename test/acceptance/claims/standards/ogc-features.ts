import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { sharedTable, sharedVector } from '../../support/shared.ts';

interface Page {
  readonly features: readonly { readonly id: unknown; readonly properties: Record<string, unknown> }[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

async function read<T>(client: Client, path: string): Promise<T> {
  return JSON.parse((await client.expect(200, 'GET', path)).text);
}

claim(
  ['OGC features', 'OGC features table'],
  'what workers have made of a vector and of a table are features of OGC API - Features',
  async (client) => {
    const relations = (await read<Page>(client, '/ogc')).links.map(({ rel }) => rel);
    assert.deepEqual(relations.slice(0, 5), ['self', 'service-desc', 'service-doc', 'conformance', 'data']);
    const { features } = await read<Page>(
      client,
      `/ogc/collections/${(await sharedVector(client)).id}/items`,
    );
    assert.deepEqual(
      features.map(({ properties }) => properties),
      [{ a: 1 }],
    );
    const items = `/ogc/collections/${(await sharedTable(client)).id}/items?limit=1000&datetime=../..`;
    const all = (await read<Page>(client, items)).features;
    assert.equal(all.length, 6);
    assert.ok(all.every(({ id: own, properties: { kato, date } }) => own === [kato, date].join('.')));
  },
);

checkedElsewhere('src/ogc/features/ogc-features.test.ts', {
  'are the units, and what has features; pages of them meet each once': ['OGC features'],
  'come page by page, each once, with all their values': ['OGC features pages'],
  'are those of a box, also across 180° and in Web Mercator': ['OGC features filter'],
  'are those with a value, by its name or by a filter': ['OGC features filter'],
  'say what may be filtered; a column of mixed types may not': ['OGC features filter'],
  'are refused where a parameter makes no sense, in both dialects': ['OGC features filter'],
  'are one of each unit, its latest, unless a time is named': ['OGC features table'],
});
