import assert from 'node:assert/strict';
import { claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { process } from '../../support/datasets.ts';
import { box, collection, geojsonFile } from '../../support/files.ts';
import { nowhereRaster, sharedRaster, sharedTable } from '../../support/shared.ts';

interface Metadata {
  readonly is_complete: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly missing: readonly {
    readonly element: string;
    readonly level: string;
    readonly message: string;
    readonly set_with: { readonly method: string; readonly path: string; readonly field: string } | null;
  }[];
}
interface Catalogue {
  readonly '@type': string;
  readonly 'dcat:dataset': readonly Readonly<Record<string, unknown>>[];
  readonly 'hydra:view': Readonly<Record<string, { readonly '@id': string }>>;
}

const makeVector = async (client: Client) =>
  await process(
    client,
    'ready',
    geojsonFile(collection([{ properties: { a: 1 }, geometry: box(70, 50, 71, 51) }]), 'parcels <&".geojson'),
  );
const missingOf = ({ missing }: Metadata) => missing.map(({ element }) => element);
const record = async (client: Client, id: string, query = '') =>
  (await client.expect(200, 'GET', `/datasets/${id}/metadata.xml${query}`)).text;

claim(
  ['D7 metadata', 'D7 metadata refusals', 'D7 metadata record'],
  'a record is complete once what it lacks is set where the list says',
  async (client) => {
    const { id } = await makeVector(client);
    const path = `/datasets/${id}/metadata`;
    const before = await client.get<Metadata>(path);
    assert.ok(!before.is_complete);
    for (const element of ['abstract', 'lineage', 'topic_category', 'period', 'keywords'])
      assert.ok(missingOf(before).includes(element), element);
    const lacking = await record(client, id);
    assert.match(lacking, /<gmd:abstract gco:nilReason="missing"\/>/);
    assert.match(lacking, /parcels &lt;&amp;/);
    assert.match(lacking, /<gmd:westBoundLongitude><gco:Decimal>70<\/gco:Decimal>/);
    const fields = {
      organisation: 'Институт <почв> & воды',
      email: 'data@soil.example',
      licence: 'https://creativecommons.org/licenses/by/4.0/',
      topic_category: 'farming',
      lineage: 'Digitised in 1987',
      purpose: null,
      scale_denominator: 300_000,
      keywords: ['почвы'],
    };
    const values = new Map<string, unknown>(Object.entries(fields));
    values.set('description', 'Parcels').set('start_date', '2020-01-01');
    // Each element is set with the request that the list names.
    for (const { set_with: where } of before.missing) {
      assert.ok(where);
      const json = where.method === 'PUT' ? fields : { [where.field]: values.get(where.field) };
      await client.expect(200, where.method, where.path, { json });
    }
    const after = await client.get<Metadata>(path);
    assert.deepEqual([after.is_complete, after.missing, after.fields], [true, [], fields]);
    const whole = await record(client, id);
    assert.doesNotMatch(whole, /nilReason="missing"/);
    assert.match(whole, /Институт &lt;почв&gt; &amp; воды/);
    assert.match(whole, /<gml:beginPosition>2020-01-01<\/gml:beginPosition>/);
    const places = [...whole.matchAll(/<gmd:URL>[^<#]*?(\/datasets\/[^<#]+)<\/gmd:URL>/g)];
    const forms = places.map(([, place = '']) => place.slice(`/datasets/${id}`.length));
    assert.deepEqual(forms, ['.gpkg', '.fgb', '.parquet', '.geojson', '/download']);
    for (const form of forms) await client.expect(200, 'GET', `/datasets/${id}${form}`);
    await client.invalid(['email', 'scale_denominator', 'topic_category'], 'PUT', path, {
      json: { email: 'nowhere', topic_category: 'maps', scale_denominator: 0 },
    });
    assert.deepEqual((await client.get<Metadata>(path)).fields, fields);
    await client.expect(204, 'DELETE', `/datasets/${id}`);
    await client.refused(404, 'GET', path);
  },
);

claim(
  ['D7 metadata'],
  'what a file does not say is missing in the language of the request',
  async (client) => {
    const { id } = await nowhereRaster(client);
    const headers = { 'accept-language': 'ru' };
    const { missing } = await client.read<Metadata>(200, 'GET', `/datasets/${id}/metadata`, { headers });
    const system = missing.find(({ element }) => element === 'reference_system');
    assert.match(system?.message ?? '', /Система координат неизвестна/);
    assert.equal(system?.set_with, null);
  },
);

claim(
  ['D7 metadata record', 'D7 metadata ETag'],
  'a record is in one language, with a strong ETag',
  async (client) => {
    const { id } = await sharedRaster(client);
    const path = `/datasets/${id}/metadata.xml`;
    const { text, headers } = await client.expect(200, 'GET', `${path}?lang=kk`);
    assert.match(text, /codeListValue="kaz"/);
    assert.match(text, /http:\/\/www\.opengis\.net\/def\/crs\/EPSG\/0\/4326/);
    assert.match(text, /<gmd:dimensionSize><gco:Integer>40<\/gco:Integer>/);
    const etag = headers.get('etag') ?? assert.fail();
    assert.match(etag, /^"/);
    await client.expect(304, 'GET', `${path}?lang=kk`, { headers: { 'if-none-match': etag } });
    await client.expect(412, 'GET', `${path}?lang=ru`, { headers: { 'if-match': etag } });
  },
);

claim(['D7 catalogue', 'D7 metadata ETag'], 'pages of the catalogue follow each other', async (client) => {
  const own = [await sharedRaster(client), await sharedTable(client)];
  const seen = new Set<unknown>();
  let path: string | undefined = '/catalog.jsonld?page_size=2';
  while (path !== undefined && seen.size < 1000) {
    const page: Catalogue = await client.get<Catalogue>(path);
    assert.equal(page['@type'], 'dcat:Catalog');
    for (const dataset of page['dcat:dataset']) {
      assert.ok(!seen.has(dataset['dct:identifier']));
      seen.add(dataset['dct:identifier']);
      assert.ok(dataset['dct:title'] && dataset['dct:description'] && dataset['dcat:distribution']);
    }
    const next: string | undefined = page['hydra:view']['hydra:next']?.['@id'];
    path = next?.slice(next.indexOf('/catalog.jsonld'));
    if (own.every(({ id }) => seen.has(id))) path = undefined;
  }
  for (const { id } of own) assert.ok(seen.has(id));
  const { headers } = await client.expect(200, 'GET', '/catalog.jsonld?page_size=1');
  const etag = headers.get('etag') ?? '';
  assert.match(etag, /^"/);
  assert.match(headers.get('content-type') ?? '', /^application\/ld\+json/);
  await client.refused(400, 'GET', '/catalog.jsonld?after=nowhere');
});
