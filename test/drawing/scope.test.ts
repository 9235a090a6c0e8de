import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { squaresCog } from '../support/drawn-cogs.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { eventually } from '../support/processes.ts';
import { runSteppe } from '../support/service.ts';
import { askPatiently, startDrawing, tileAt, type TileJson } from '../support/tiles.ts';

const drawing = await closeAfterTests(startDrawing({ AUTH_MODE: 'token' }));
const { baseUrl, service } = drawing;
const scopes = ['data:read', 'data:write', 'catalog:write', 'landscape:run'] as const;
const all = await tokenOf(scopes);
const reader = await tokenOf(['data:read']);
const others = await tokenOf(scopes.filter((scope) => scope !== 'data:read'));
const id = await uploaded();
const place = await placeOfTile();
/** Everything that a picture of a dataset, or a hint at it, can be had from. */
const paths = [
  [`tiles/${place}.png`, `tiles/${place}@2x.png`, 'tilejson.json'],
  ['legend.png', 'legend.json', 'thumbnail.png'],
].flat();

async function tokenOf(granted: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { dataDir } = service;
  const args = ['token', 'create', '--name', 'map', '--scopes', granted.join(',')];
  const { code, stdout, output } = await runSteppe(args, { dataDir });
  assert.equal(code, 0, output);
  return { authorization: `Bearer ${stdout.trimEnd()}` };
}

/** The tile in the middle of the raster, at its own scale. */
async function placeOfTile(): Promise<string> {
  const { bytes } = await askPatiently(`${baseUrl}/datasets/${id}/tilejson.json`, reader);
  const { bounds, maxzoom }: TileJson = JSON.parse(bytes.toString());
  return tileAt((bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2, maxzoom).join('/');
}

async function uploaded(): Promise<string> {
  const send = async (path: string, body: FormData | string): Promise<string> => {
    const response = await fetch(baseUrl + path, { method: 'POST', body, headers: all });
    const text = await response.text();
    assert.equal(response.status, 201, text);
    const created: { id: string } = JSON.parse(text);
    return created.id;
  };
  const form = new FormData();
  form.set('file_type', 'raster');
  form.set('category_id', await send('/categories', JSON.stringify({ code: 'maps', name: 'maps' })));
  form.set('file', new File([await squaresCog({ side: 300 })], 'squares.tif'));
  const created = await send('/datasets', form);
  await eventually('ready', async () => {
    const response = await fetch(`${baseUrl}/datasets/${created}/status`, { headers: all });
    return (await response.text()).includes('"ready"');
  });
  return created;
}

describe('with AUTH_MODE=token', () => {
  for (const path of paths) {
    test(`${path} needs data:read, as the COG does`, async () => {
      for (const url of [`${baseUrl}/datasets/${id}/${path}`, `${baseUrl}/datasets/${id}.cog`]) {
        assert.equal((await fetch(url)).status, 401);
        assert.equal((await fetch(url, { headers: others })).status, 403);
        const { status, bytes } = await askPatiently(url, reader);
        assert.equal(status, 200, `${url} ${bytes.toString('latin1', 0, 200)}`);
      }
    });

    test(`${path} of a dataset that is none does not say so without a token`, async () => {
      const url = `${baseUrl}/datasets/00000000-0000-4000-8000-000000000000/${path}`;
      assert.equal((await fetch(url)).status, 401);
      assert.equal((await fetch(url, { headers: others })).status, 403);
      assert.equal((await fetch(url, { headers: reader })).status, 404);
    });
  }

  test('no token is taken from the address, and a shared cache keeps no tile', async () => {
    const token = reader['authorization']?.slice('Bearer '.length) ?? '';
    const tile = `${baseUrl}/datasets/${id}/tiles/${place}.png`;
    for (const name of ['token', 'access_token', 'api_key']) {
      assert.equal((await fetch(`${tile}?${name}=${token}`)).status, 401);
    }
    const { headers } = await askPatiently(`${tile}?v=1`, reader);
    assert.doesNotMatch(headers.get('cache-control') ?? '', /public/);
  });
});
