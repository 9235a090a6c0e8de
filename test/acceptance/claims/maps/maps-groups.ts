import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { makeGroup } from '../../support/catalogue.ts';
import { once, process } from '../../support/datasets.ts';
import { tiffFile } from '../../support/files.ts';
import { elementsOf, fetchPicture, pathOf, placed, tileAt, type TileJson } from '../../support/maps.ts';

const tile = tileAt(71.4, 51, 8);

/** A group with rasters of two years and one without a date; the raster of 2023 is the freshest. */
const datedGroup = once(async (client) => {
  const { id: dg_id } = await makeGroup(client, { name: 'Снег & лёд' });
  const put = async (fields: Readonly<Record<string, string>>) => {
    const file = tiffFile({ width: 40, height: 30, corner: [71.2, 51.1] });
    return (await process(client, 'ready', file, { dg_id, ...fields })).id;
  };
  return {
    path: `/dataset-groups/${dg_id}`,
    newest: await put({ start_date: '2023-01-01', end_date: '2023-12-31' }),
    older: await put({ end_date: '2022-12-31' }),
    undated: await put({}),
  };
});

async function shownBy(client: Client, path: string): Promise<string> {
  const { headers } = await fetchPicture(client, path);
  return headers['content-location'] ?? '';
}

claim(
  ['D8 group tile'],
  'a tile of a group is that of its freshest raster, or of the day that is asked for, and says which',
  async (client) => {
    const { path, newest, older } = await datedGroup(client);
    const address = `${path}/tiles/${tile}`;
    assert.equal(await shownBy(client, `${address}.png`), `/datasets/${newest}/tiles/${tile}.png`);
    assert.equal(
      await shownBy(client, `${address}@2x.png?time=2022-12-31`),
      `/datasets/${older}/tiles/${tile}@2x.png`,
    );
    await client.refused(404, 'GET', `${address}.png?time=2021-12-31`);
    await client.refused(400, 'GET', `${address}.png?time=2022`);
    const { headers } = await fetchBytes(client, 200, `${address}.png`);
    assert.equal(headers['cache-control'], 'no-cache');
    await fetchBytes(client, 204, `${path}/tiles/8/0/0.png?empty=204`);
  },
);

claim(['D8 group tile'], 'a group follows what is put into it and taken out of it', async (client) => {
  const { id: dg_id } = await makeGroup(client);
  const path = `/dataset-groups/${dg_id}/tiles/${tile}.png`;
  await client.refused(404, 'GET', path);
  const file = tiffFile({ width: 40, height: 30, corner: [71.2, 51.1] });
  const first = await process(client, 'ready', file, { dg_id, end_date: '2020-01-01' });
  const second = await process(client, 'ready', file, { dg_id, end_date: '2021-01-01' });
  assert.match(await shownBy(client, path), new RegExp(second.id));
  await client.expect(204, 'DELETE', `/datasets/${second.id}`);
  assert.match(await shownBy(client, path), new RegExp(first.id));
  await client.refused(404, 'GET', `/dataset-groups/${randomUUID()}/tiles/${tile}.png`);
});

claim(
  ['D8 tilejson', 'D8 tilejson group'],
  'TileJSON has the bounds of a raster, zooms that suit it, and absolute addresses of tiles that are there',
  async (client) => {
    const { path, newest } = await datedGroup(client);
    for (const owner of [`/datasets/${newest}`, path]) {
      const described = await client.get<TileJson>(`${owner}/tilejson.json`);
      assert.equal(described.tilejson, '3.0.0');
      const near = (found: readonly number[], expected: readonly number[]) =>
        found.length === expected.length &&
        found.every((each, i) => Math.abs(each - (expected[i] ?? NaN)) < 1e-4);
      assert.ok(near(described.bounds, [71.2, 50.8, 71.6, 51.1]), described.bounds.join());
      assert.ok(near(described.center?.slice(0, 2) ?? [], [71.4, 50.95]));
      // A pixel of 0.01° is 1.1 km wide in Web Mercator, a pixel of zoom 8 is 0.6 km wide. A raster can be
      // seen at smaller zooms, however small it is.
      assert.deepEqual([described.minzoom, described.maxzoom], [6, 8]);
      const [address] = described.tiles;
      await fetchPicture(client, placed(pathOf(client, address), tile));
      assert.equal(pathOf(client, described.legend), `${owner}/legend.png`);
    }
    assert.equal((await client.get<TileJson>(`${path}/tilejson.json`)).name, 'Снег & лёд');
  },
);

claim(
  ['D8 wmts', 'D8 wmts group'],
  'the capabilities of WMTS are well-formed, with one layer, and the days of a group as its dimension',
  async (client) => {
    const { path, newest } = await datedGroup(client);
    for (const [owner, days] of [
      [`/datasets/${newest}`, []],
      [path, ['2022-12-31', '2023-12-31']],
    ] as const) {
      const { bytes, headers } = await fetchBytes(client, 200, `${owner}/wmts`);
      assert.equal(headers['content-type'], 'application/xml');
      const elements = elementsOf(bytes.toString());
      assert.equal(elements[0]?.name, 'Capabilities');
      const named = (name: string) => elements.filter((each) => each.name === name);
      assert.equal(named('Layer').length, 1);
      assert.deepEqual(
        named('Value').map(({ text }) => text),
        days,
      );
      const [resource] = named('ResourceURL');
      const template = resource?.attributes['template'] ?? '';
      assert.equal(template.includes('{Time}'), days.length > 0);
      const address = template
        .replace('{TileMatrix}/{TileCol}/{TileRow}', tile)
        .replace('{Time}', '2022-12-31');
      const { headers: ofTile } = await fetchPicture(client, pathOf(client, address));
      const [z, x, y] = tile.split('/');
      const byKeys = `${owner}/wmts?service=WMTS&Request=GetTile&TILEMATRIX=${z}&tilecol=${x}&TileRow=${y}${days.length > 0 ? '&TIME=2022-12-31' : ''}`;
      const { headers: led } = await fetchBytes(client, 302, byKeys);
      const { pathname, search } = new URL(led['location'] ?? '', client.baseUrl);
      const { headers: ofKeys } = await fetchPicture(client, pathname + search);
      assert.equal(ofKeys['etag'], ofTile['etag']);
      await fetchBytes(client, 400, `${owner}/wmts?REQUEST=GetFeatureInfo`);
      const [title] = named('ows:Title');
      if (days.length > 0) assert.equal(title?.text, 'Снег & лёд');
    }
  },
);
