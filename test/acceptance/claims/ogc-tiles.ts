import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { fetchBytes } from '../support/bytes.ts';
import { sharedRaster, sharedVector } from '../support/shared.ts';

interface Linked {
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

async function read<T>(client: Client, path: string): Promise<T> {
  return JSON.parse((await client.expect(200, 'GET', path)).text);
}

const relation = (name: string) => `http://www.opengis.net/def/rel/ogc/1.0/${name}`;
const pathOf = ({ links }: Linked, rel: string) =>
  links.find((link) => link.rel === rel)?.href.replace(/^.*(?=\/ogc)/, '') ?? assert.fail(rel);

/** The template of the tiles of a collection, by the links that lead to it. */
async function templateOf(client: Client, id: string, kind: 'map' | 'vector'): Promise<string> {
  const collection = await read<Linked>(client, `/ogc/collections/${id}`);
  const list = await read<{ tilesets: readonly Linked[] }>(
    client,
    pathOf(collection, relation(`tilesets-${kind}`)),
  );
  const tileset = await read<Linked>(client, pathOf(list.tilesets[0] ?? { links: [] }, 'self'));
  return pathOf(tileset, 'item');
}

claim(
  ['OGC tiles'],
  'clients of OGC API - Tiles find the map tiles of a raster and the vector tiles of a vector, and draw them',
  async (client) => {
    const landing = await read<Linked>(client, '/ogc');
    const sets = await read<{ tileMatrixSets: readonly Linked[] }>(
      client,
      pathOf(landing, relation('tiling-schemes')),
    );
    const scheme = pathOf(sets.tileMatrixSets[0] ?? { links: [] }, 'self');
    assert.equal((await read<{ id: string }>(client, scheme)).id, 'WebMercatorQuad');
    for (const [{ id }, kind, form, place] of [
      [await sharedRaster(client), 'map', 'png', { z: 8, y: 85, x: 178 }],
      [await sharedVector(client), 'vector', 'mvt', { z: 6, y: 21, x: 44 }],
    ] as const) {
      const { z: zoom, x, y } = place;
      const tile = (await templateOf(client, id, kind))
        .replace('{tileMatrix}', String(zoom))
        .replace('{tileRow}', String(y))
        .replace('{tileCol}', String(x));
      const { bytes } = await fetchBytes(client, 200, tile);
      const own = await fetchBytes(client, 200, `/datasets/${id}/tiles/${zoom}/${x}/${y}.${form}`);
      assert.ok(bytes.length > 0);
      assert.equal(Buffer.compare(bytes, own.bytes), 0);
    }
  },
);
