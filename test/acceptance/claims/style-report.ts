import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { makeGroup } from '../support/catalogue.ts';
import { type Dataset, upload } from '../support/datasets.ts';
import { assertKeys } from '../support/fields.ts';
import { emptyLayer } from '../support/files.ts';

interface Report {
  readonly kind: string;
  readonly title: string;
  readonly entries: readonly object[];
  readonly left_out: readonly { readonly code: string; readonly message: string }[];
}

const styleOf = (rule: string, title = 'Heights') =>
  `<StyledLayerDescriptor version="1.0.0"><NamedLayer><UserStyle><Title>${title}</Title><FeatureTypeStyle><Rule>${rule}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
const colourMap = (type: string, entries: string) =>
  `<RasterSymbolizer><ColorMap type="${type}">${entries}</ColorMap></RasterSymbolizer>`;
const two =
  '<ColorMapEntry color="#FF0000" quantity="1.5" label="low"/><ColorMapEntry color="#00ff00" quantity="10" opacity="0.5"/>';

async function send(client: Client, path: string, sld: string): Promise<string | null> {
  const form = { file: new File([sld], 'style.sld') };
  return (await client.expect(200, 'POST', `${path}/sld`, { form })).headers.get('x-style-left-out');
}

claim(
  ['D8 left out', 'D8 style report'],
  'what of a style is not drawn is named when it is stored and in its report, which says what is drawn',
  async (client) => {
    const group = `/dataset-groups/${(await makeGroup(client)).id}`;
    const hillshade = `${colourMap('ramp', two)}<TextSymbolizer/>`;
    assert.equal(await send(client, group, styleOf(hillshade)), 'labels');
    const report = await client.get<Report>(`${group}/sld/report`);
    assertKeys(report, ['kind', 'title', 'entries', 'left_out']);
    assert.deepEqual([report.kind, report.title], ['raster', 'Heights']);
    assert.deepEqual(report.entries, [
      { colour: '#ff0000', value: 1.5, from: null, to: null, label: 'low' },
      { colour: '#00ff0080', value: 10, from: null, to: null, label: '' },
    ]);
    assert.deepEqual(
      report.left_out.map(({ code, message }) => [code, message.length > 10]),
      [['labels', true]],
    );
    assert.equal(await send(client, group, styleOf(colourMap('ramp', two))), null);
    assert.deepEqual((await client.get<Report>(`${group}/sld/report`)).left_out, []);
  },
);

claim(['D8 style report'], 'a report has ranges of values, rules of vectors, or nothing', async (client) => {
  const group = `/dataset-groups/${(await makeGroup(client)).id}`;
  const reportOf = async (rule: string) => {
    await send(client, group, styleOf(rule));
    return await client.get<Report>(`${group}/sld/report`);
  };
  assert.deepEqual((await reportOf(colourMap('intervals', two))).entries, [
    { colour: '#ff0000', value: null, from: null, to: 1.5, label: 'low' },
    { colour: '#00ff0080', value: null, from: 1.5, to: 10, label: '' },
  ]);
  const fill =
    '<PolygonSymbolizer><Fill><CssParameter name="fill">#0000ff</CssParameter></Fill></PolygonSymbolizer>';
  const { kind, entries } = await reportOf(`<Title>Lakes</Title>${fill}`);
  assert.equal(kind, 'vector');
  assert.deepEqual(entries, [{ colour: '#0000ff', value: null, from: null, to: null, label: 'Lakes' }]);
  const empty = await reportOf('');
  assert.deepEqual([empty.kind, empty.entries, empty.left_out], ['none', [], []]);
});

claim(
  ['D8 style report', 'D8 style report 404'],
  'the report of a dataset is about its own style, else about that of its group',
  async (client) => {
    const { id: dg_id } = await makeGroup(client);
    const { id } = await upload(client, emptyLayer(), { dg_id });
    const path = `/datasets/${id}`;
    await client.refused(404, 'GET', `${path}/sld/report`);
    await client.refused(404, 'GET', `/dataset-groups/${dg_id}/sld/report`);
    await send(client, `/dataset-groups/${dg_id}`, styleOf('', 'of the group'));
    assert.equal((await client.get<Report>(`${path}/sld/report`)).title, 'of the group');
    await send(client, path, styleOf('', 'its own'));
    assert.equal((await client.get<Report>(`${path}/sld/report`)).title, 'its own');
    await client.refused(404, 'GET', `/datasets/${randomUUID()}/sld/report`);
    await client.refused(404, 'GET', `/dataset-groups/${randomUUID()}/sld/report`);
    await client.refused(400, 'GET', '/datasets/x/sld/report');
  },
);

claim(['D8 style report', 'D7 language'], 'a report is in the language of the client', async (client) => {
  const { id }: Pick<Dataset, 'id'> = await makeGroup(client);
  await send(
    client,
    `/dataset-groups/${id}`,
    styleOf('<RasterSymbolizer><ShadedRelief/></RasterSymbolizer>'),
  );
  for (const [language, letters] of [
    ['en', /^[\p{Script=Latin}\P{L}]+$/u],
    ['ru', /\p{Script=Cyrillic}/u],
    ['kk', /[әғқңөұүһі]/iu],
  ] as const) {
    const headers = { 'accept-language': language };
    const answer = await client.expect(200, 'GET', `/dataset-groups/${id}/sld/report`, { headers });
    assert.match(answer.read<Report>().left_out[0]?.message ?? '', letters);
    assert.equal(answer.headers.get('content-language'), language);
  }
});
