import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../../claim.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { makeGroup } from '../../support/catalogue.ts';
import { once, process } from '../../support/datasets.ts';
import { assertKeys } from '../../support/errors.ts';
import { tiffFile } from '../../support/files.ts';
import { fetchPicture, pathOf, redAndGreen } from '../../support/maps.ts';
import { failedRaster, nowhereRaster, readyOnes, sharedVector } from '../../support/shared.ts';

interface Legend {
  readonly title: string;
  readonly unit: string | null;
  readonly kind: string;
  readonly entries: readonly { readonly label: string; readonly colour: string }[];
  readonly no_data: { readonly label: string; readonly drawn: boolean } | null;
  readonly left_out: readonly string[];
}

/** A raster of two colours in its own group, which has the style. */
const styled = once(async (client) => {
  const group = await makeGroup(client, { name: 'Two classes' });
  const file = tiffFile({ width: 40, height: 30, corner: [71.2, 51.1] });
  const fields = { dg_id: group.id, name: 'One of them', unit: 'm' };
  const { id } = await process(client, 'ready', file, fields);
  await client.expect(200, 'POST', `/dataset-groups/${group.id}/sld`, { form: { file: redAndGreen } });
  return { dataset: `/datasets/${id}`, group: `/dataset-groups/${group.id}` };
});

const letters = {
  en: /^[\p{Script=Latin}\P{L}]+$/u,
  ru: /\p{Script=Cyrillic}/u,
  kk: /[әғқңөұүһі]/iu,
} as const;

claim(
  ['D8 legend', 'D8 legend languages'],
  'a legend has the classes of the effective style, and speaks the language of the query, else of the client',
  async (client) => {
    const { dataset, group } = await styled(client);
    for (const [owner, title] of [
      [dataset, 'One of them'],
      [group, 'Two classes'],
    ] as const) {
      for (const [lang, words] of Object.entries(letters)) {
        const asked = await client.expect(200, 'GET', `${owner}/legend.json?lang=${lang}`);
        const headers = { 'accept-language': lang };
        const preferred = await client.expect(200, 'GET', `${owner}/legend.json`, { headers });
        assert.equal(preferred.text, asked.text);
        assert.deepEqual(
          [preferred.headers.get('content-language'), preferred.headers.get('vary')],
          [lang, 'Accept-Language'],
        );
        const legend = asked.read<Legend>();
        assertKeys(legend, ['title', 'unit', 'kind', 'entries', 'no_data', 'left_out']);
        assert.deepEqual([legend.title, legend.unit, legend.kind], [title, 'm', 'classes']);
        assert.deepEqual(
          legend.entries.map(({ colour, label }) => [colour, label]),
          [
            ['#ff0000', 'low'],
            ['#00ff00', 'high'],
          ],
        );
        assert.match(legend.no_data?.label ?? '', words);
        assert.deepEqual(legend.left_out, []);
      }
    }
    await client.refused(400, 'GET', `${dataset}/legend.json?lang=de`);
    await client.refused(400, 'GET', `${dataset}/legend.png?scale=3`);
  },
);

claim(
  ['D8 legend', 'D8 legend languages'],
  'its picture has the colours, is another one in each language, and has twice the pixels at scale 2',
  async (client) => {
    const { dataset, group } = await styled(client);
    for (const path of [`${dataset}/legend.png`, `${group}/legend.png`]) {
      const pictures = await Promise.all(
        Object.keys(letters).map(async (lang) => await fetchPicture(client, `${path}?lang=${lang}`)),
      );
      for (const { colours } of pictures) {
        for (const colour of ['#ffffff', '#ff0000', '#00ff00']) assert.ok(colours.has(colour), colour);
      }
      assert.equal(new Set(pictures.map(({ headers }) => headers['etag'])).size, 3);
      const [english] = pictures;
      const large = await fetchPicture(client, `${path}?lang=en&scale=2`);
      assert.deepEqual([large.width, large.height], [2 * (english?.width ?? 0), 2 * (english?.height ?? 0)]);
    }
  },
);

claim(
  ['D8 legend'],
  'every ready dataset has a legend without a style too; what is not ready is 409',
  async (client) => {
    for (const { id, name } of await readyOnes(client)) {
      const { title } = await client.get<Legend>(`/datasets/${id}/legend.json`);
      assert.equal(title, name);
      await fetchPicture(client, `/datasets/${id}/legend.png`);
    }
    const { id } = await failedRaster(client);
    for (const form of ['png', 'json']) {
      await client.refused(409, 'GET', `/datasets/${id}/legend.${form}`);
      await client.refused(404, 'GET', `/datasets/${randomUUID()}/legend.${form}`);
      await client.refused(404, 'GET', `/dataset-groups/${(await makeGroup(client)).id}/legend.${form}`);
    }
  },
);

claim(
  ['D8 thumbnail'],
  'a thumbnail shows all of a dataset of any type, in a square of 256 to 1024 pixels',
  async (client) => {
    for (const { id } of await readyOnes(client)) {
      const path = `/datasets/${id}/thumbnail.png`;
      const { width, height, colours, headers } = await fetchPicture(client, path);
      assert.deepEqual([width, height], [256, 256]);
      assert.ok(colours.has('none') && colours.size >= 2, [...colours].join());
      const known = { 'if-none-match': headers['etag'] ?? '' };
      await fetchBytes(client, 304, path, { headers: known });
    }
  },
);

claim(
  ['D8 thumbnail'],
  'a raster that lies nowhere has a thumbnail and a legend; what is not ready has none, and other sizes are 400',
  async (client) => {
    const { id } = await nowhereRaster(client);
    assert.ok((await fetchPicture(client, `/datasets/${id}/thumbnail.png`)).colours.size > 10);
    assert.equal((await fetchPicture(client, `/datasets/${id}/thumbnail.png?size=1024`)).width, 1024);
    await fetchPicture(client, `/datasets/${id}/legend.png`);
    await client.refused(409, 'GET', `/datasets/${(await failedRaster(client)).id}/thumbnail.png`);
    for (const size of ['255', '1025', 'x', '']) {
      await client.refused(
        400,
        'GET',
        `/datasets/${(await sharedVector(client)).id}/thumbnail.png?size=${size}`,
      );
    }
    await client.refused(404, 'GET', `/datasets/${randomUUID()}/thumbnail.png`);
  },
);

claim(['D8 style'], 'a map is a style of MapLibre with its tiles', async (client) => {
  const { dataset, group } = await styled(client);
  const { id: vector } = await sharedVector(client);
  for (const [owner, type, tiles] of [
    [dataset, 'raster', /\/tiles\/\{z\}\/\{x\}\/\{y\}\.png\?v=\w+$/],
    [group, 'raster', /\/tiles\/\{z\}\/\{x\}\/\{y\}\.png$/],
    [`/datasets/${vector}`, 'vector', /\/tiles\/\{z\}\/\{x\}\/\{y\}\.mvt\?v=\w+$/],
  ] as const) {
    const style = await client.get<{
      version: number;
      sources: Readonly<Record<string, { type: string; tiles: readonly string[] }>>;
      layers: readonly { source?: string }[];
    }>(`${owner}/style.json`);
    assert.equal(style.version, 8);
    const [[name, source] = ['', undefined]] = Object.entries(style.sources);
    assert.equal(source?.type, type);
    const path = pathOf(client, source.tiles[0]);
    assert.ok(path.startsWith(owner));
    assert.match(path, tiles);
    assert.ok(style.layers.some((layer) => layer.source === name));
  }
  await client.refused(409, 'GET', `/datasets/${(await failedRaster(client)).id}/style.json`);
  await client.refused(404, 'GET', `/dataset-groups/${(await makeGroup(client)).id}/style.json`);
});
