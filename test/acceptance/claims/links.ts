import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import type { Page } from '../support/catalogue.ts';
import { fiveDatasets, linksOf, lists } from '../support/lists.ts';
import type { Dataset } from '../support/datasets.ts';

async function read(client: Client, path: string): Promise<Page<Dataset>> {
  return await client.get(path);
}

async function links({ expect }: Client, path: string): Promise<Readonly<Record<string, string>>> {
  return linksOf(await expect(200, 'GET', path));
}

claim(
  ['D4 Link', 'D4 Link past the end'],
  'links of a list lead to its pages, stay relative, and keep every other parameter as it was meant',
  async (client) => {
    const { category, ids } = await fiveDatasets(client);
    const rest = `category_id=${category.id}&q=%2B%26%20.tif&q2=a&q2=b&page_size=2`;
    const plain = `/datasets?category_id=${category.id}&page_size=2`;
    const relations = async (page: number) =>
      Object.keys(await links(client, `${plain}&page=${page}`)).toSorted();
    assert.deepEqual(await relations(1), ['first', 'last', 'next']);
    assert.deepEqual(await relations(2), ['first', 'last', 'next', 'prev']);
    assert.deepEqual(await relations(3), ['first', 'last', 'prev']);
    assert.deepEqual(await relations(9), ['first', 'last', 'prev']);
    const pageOf = (link = ''): string | null =>
      new URLSearchParams(link.slice(link.indexOf('?'))).get('page');
    const past = await links(client, `${plain}&page=9`);
    assert.deepEqual([pageOf(past['first']), pageOf(past['prev']), pageOf(past['last'])], ['1', '3', '3']);
    const kept = await links(client, `/datasets?${rest}`);
    assert.deepEqual(Object.keys(kept), ['first']); // nothing is called that
    const target = new URL(kept['first'] ?? '', `${client.baseUrl}/datasets`);
    const expected = [...new URLSearchParams(`${rest}&page=1`)];
    assert.deepEqual([...target.searchParams], expected);
    assert.equal(target.pathname, new URL(`${client.baseUrl}/datasets`).pathname);
    const found: string[] = [];
    for (let next: string | undefined = plain.slice('/datasets'.length); next !== undefined;) {
      const path: string = `/datasets${next.slice(next.indexOf('?'))}`;
      found.push(...(await read(client, path)).data.map(({ id }) => id));
      next = (await links(client, path))['next'];
    }
    assert.deepEqual(found, ids.toReversed());
  },
);

claim(
  ['D4 Link', 'D4 Link empty'],
  'every paginated list has links, an empty one to its first page only',
  async (client) => {
    for (const path of await lists(client)) {
      assert.ok('first' in (await links(client, path)), path);
      const past = await links(client, `${path}page=1000000`);
      const { total } = await read(client, `${path}page_size=1`);
      if (total === 0) assert.deepEqual(Object.keys(past), ['first'], path);
      else assert.deepEqual(Object.keys(past).toSorted(), ['first', 'last', 'prev'], path);
    }
  },
);

claim(
  ['D4 Link'],
  'links to a list of a very long query never make an answer that clients cannot read',
  async (client) => {
    const { category } = await fiveDatasets(client);
    for (const length of [500, 4000, 15_000]) {
      const path = `/datasets?category_id=${category.id}&page_size=2&page=2&x=${'x'.repeat(length)}`;
      const { headers } = await client.expect(200, 'GET', path);
      assert.ok((headers.get('link') ?? '').length <= 8192);
    }
  },
);
