import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../../claim.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { process } from '../../support/datasets.ts';
import { tiffFile } from '../../support/files.ts';
import { fetchPicture, redAndGreen, tileAt } from '../../support/maps.ts';
import {
  failedRaster,
  nowhereRaster,
  sharedRaster,
  sharedTable,
  sharedVector,
} from '../../support/shared.ts';

/** A tile in the middle of the shared raster. */
const tile = tileAt(71.4, 51, 8);

claim(
  ['D8 tile', 'D8 tile conditions'],
  'a tile of an uploaded raster is a PNG of 256 pixels, or of 512, with an ETag that spares what is known',
  async (client) => {
    const path = `/datasets/${(await sharedRaster(client)).id}/tiles/${tile}`;
    const small = await fetchPicture(client, `${path}.png`);
    const large = await fetchPicture(client, `${path}@2x.png`);
    assert.deepEqual([small.width, small.height, large.width, large.height], [256, 256, 512, 512]);
    for (const { colours } of [small, large]) assert.ok(colours.has('none') && colours.size > 50);
    const { etag = '', 'cache-control': caching } = small.headers;
    assert.match(etag, /^"[^"]+"$/);
    assert.notEqual(etag, large.headers['etag']);
    assert.equal(caching, 'no-cache');
    const known = await fetchBytes(client, 304, `${path}.png`, { headers: { 'if-none-match': etag } });
    assert.deepEqual([known.bytes.length, known.headers['etag']], [0, etag]);
    await fetchBytes(client, 412, `${path}.png`, { headers: { 'if-match': '"other"' } });
    const head = await fetchBytes(client, 200, `${path}.png`, { method: 'HEAD' });
    assert.deepEqual([head.bytes.length, head.headers['etag']], [0, etag]);
    assert.equal(head.headers['content-length'], small.headers['content-length']);
  },
);

claim(
  ['D8 tile', 'D8 tile conditions'],
  'another style gives a tile other colours and another ETag',
  async (client) => {
    const file = tiffFile({ width: 40, height: 30, corner: [71.2, 51.1] }, 'styled.tif');
    const { id } = await process(client, 'ready', file);
    const path = `/datasets/${id}/tiles/${tile}.png`;
    const before = await fetchPicture(client, path);
    await client.expect(200, 'POST', `/datasets/${id}/sld`, { form: { file: redAndGreen } });
    const after = await fetchPicture(client, path);
    assert.deepEqual([...after.colours].toSorted(), ['#00ff00', '#ff0000', 'none']);
    assert.notEqual(after.headers['etag'], before.headers['etag']);
  },
);

claim(
  ['D8 tile version'],
  'a tile of the version that TileJSON names may be kept for ever, one of any other may not',
  async (client) => {
    const path = `/datasets/${(await sharedRaster(client)).id}`;
    const { tiles } = await client.get<{ tiles: readonly string[] }>(`${path}/tilejson.json`);
    const version = new URL(tiles[0] ?? '').searchParams.get('v') ?? '';
    const cachingOf = async (query: string) =>
      (await fetchBytes(client, 200, `${path}/tiles/${tile}.png${query}`)).headers['cache-control'];
    assert.equal(await cachingOf(`?v=${version}`), 'public, max-age=31536000, immutable');
    assert.equal(await cachingOf(`?v=${version}x`), 'no-cache');
  },
);

claim(
  ['D8 tile empty'],
  'where nothing of the raster is, a tile is a clear picture, or 204 for who wants that',
  async (client) => {
    const path = `/datasets/${(await sharedRaster(client)).id}/tiles/8/0/0`;
    for (const [name, side] of [
      ['.png', 256],
      ['@2x.png', 512],
    ] as const) {
      const { width, colours } = await fetchPicture(client, path + name);
      assert.deepEqual([width, ...colours], [side, 'none']);
      assert.equal((await fetchBytes(client, 204, `${path}${name}?empty=204`)).bytes.length, 0);
    }
    const { id } = await sharedRaster(client);
    await fetchBytes(client, 200, `/datasets/${id}/tiles/${tile}.png?empty=204`);
    await client.refused(400, 'GET', `${path}.png?empty=200`);
  },
);

claim(
  ['D8 tile 400', 'D8 tile 404'],
  'the place of a tile is in plain decimal digits and within its zoom',
  async (client) => {
    const path = `/datasets/${(await sharedRaster(client)).id}/tiles`;
    for (const place of [
      '25/0/0',
      '-1/0/0',
      '1e1/0/0',
      '01/0/0',
      '0x1/0/0',
      '1/x/0',
      '1/0/+1',
      '1/0/0@3x',
      '٣/0/0',
    ]) {
      await client.refused(400, 'GET', `${path}/${place}.png`);
    }
    for (const place of ['0/1/0', '0/0/1', '1/2/0', '3/0/8@2x']) {
      await client.refused(404, 'GET', `${path}/${place}.png`);
    }
    await fetchPicture(client, `${path}/24/16777215/16777215.png`);
    await client.refused(400, 'GET', `${path}/%31/0/0.png`);
    assert.equal((await fetchPicture(client, `${path}/0/0/0%402x.png`)).width, 512);
    await client.refused(404, 'GET', `/datasets/${randomUUID()}/tiles/0/0/0.png`);
    await client.refused(400, 'GET', '/datasets/x/tiles/0/0/0.png');
  },
);

claim(
  ['D8 tile 409', 'D8 tile 422'],
  'what is not a raster, lies nowhere or is not ready has no tiles of pixels',
  async (client) => {
    const nowhere = await nowhereRaster(client);
    for (const { id } of [await sharedVector(client), await sharedTable(client), nowhere]) {
      await client.refused(422, 'GET', `/datasets/${id}/tiles/0/0/0.png`);
      await client.refused(422, 'GET', `/datasets/${id}/wmts`);
    }
    await client.refused(422, 'GET', `/datasets/${nowhere.id}/tilejson.json`);
    await client.refused(409, 'GET', `/datasets/${(await failedRaster(client)).id}/tiles/0/0/0.png`);
  },
);
