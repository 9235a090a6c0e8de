import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { makeGroup } from '../../support/catalogue.ts';
import { type Dataset, makeTable, map, process, upload } from '../../support/datasets.ts';
import { assertKeys } from '../../support/errors.ts';
import { box, collection, emptyLayer, geojsonFile } from '../../support/files.ts';

interface Report {
  readonly kind: string;
  readonly title: string;
  readonly entries: readonly object[];
  readonly left_out: readonly {
    readonly code: string;
    readonly message: string;
    readonly rules?: readonly RuleInReport[];
  }[];
}

interface RuleInReport {
  readonly number: number;
  readonly name: string;
  readonly properties?: readonly string[];
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

claim(
  ['D8 style report', 'D8 left out', 'D8 style properties'],
  'rules may name code, name, value, dates and columns of a table; of other properties the report says which rules name them',
  async (client) => {
    const { id: dg_id } = await makeGroup(client);
    const rows = [
      { code: '110000000', y2022: 788, note: 'x' },
      { code: '710000000', y2022: 1354.5, note: 'y' },
    ];
    const { id } = await makeTable(client, rows);
    await map(client, id, 'code', [{ column: 'y2022', start_date: '2022-12-31' }]);
    await client.expect(200, 'PATCH', `/datasets/${id}`, { json: { dg_id } });
    const fill = '<PolygonSymbolizer><Fill/></PolygonSymbolizer>';
    const over = (property: string) =>
      `<Title>over ${property}</Title><Filter><PropertyIsGreaterThan><PropertyName>${property}</PropertyName><Literal>5</Literal></PropertyIsGreaterThan></Filter>${fill}`;
    const named = ['kato', 'name', 'value', '2022-12-31', 'y2022', 'code'];
    const rulesOver = (properties: readonly string[]) => properties.map(over).join('</Rule><Rule>');
    assert.equal(await send(client, `/datasets/${id}`, styleOf(rulesOver(named))), null);
    assert.deepEqual((await client.get<Report>(`/datasets/${id}/sld/report`)).left_out, []);
    const sld = styleOf(rulesOver([...named, 'note', 'Y2022']));
    assert.equal(await send(client, `/datasets/${id}`, sld), 'missing_properties');
    const missing = await client.get<Report>(`/datasets/${id}/sld/report`);
    assert.deepEqual(
      missing.left_out.map(({ code, rules }) => [code, rules]),
      [
        [
          'missing_properties',
          [
            { number: 7, name: 'over note', properties: ['note'] },
            { number: 8, name: 'over Y2022', properties: ['Y2022'] },
          ],
        ],
      ],
    );
    const style = await client.expect(200, 'GET', `/datasets/${id}/style.json`);
    assert.equal(style.headers.get('x-style-left-out'), 'missing_properties');
    // The attributes of the features of a group are unknown.
    assert.equal(await send(client, `/dataset-groups/${dg_id}`, sld), null);
  },
);

claim(
  ['D8 style report', 'D8 style properties', 'D9 style property'],
  'of a vector, the report names the rules over attributes that it does not have',
  async (client) => {
    const { id } = await process(
      client,
      'ready',
      geojsonFile(
        collection([{ properties: { depth: 5, 'addr:street': 'x' }, geometry: box(70, 50, 71, 51) }]),
      ),
    );
    const rule = (property: string) =>
      `<Filter><PropertyIsEqualTo><PropertyName>${property}</PropertyName><Literal>5</Literal></PropertyIsEqualTo></Filter><PolygonSymbolizer><Fill/></PolygonSymbolizer>`;
    const rules = ['depth', 'app:depth', '"depth"', 'addr:street', 'Depth'].map(rule).join('</Rule><Rule>');
    assert.equal(await send(client, `/datasets/${id}`, styleOf(rules)), 'missing_properties');
    const { left_out: leftOut } = await client.get<Report>(`/datasets/${id}/sld/report`);
    assert.deepEqual(
      leftOut.map(({ rules: named }) => named),
      [[{ number: 5, name: '', properties: ['Depth'] }]],
    );
  },
);

claim(
  ['D8 style report', 'D8 left out', 'D9 style part'],
  'each part that is not drawn is named with its rules; defaults of an environment are drawn',
  async (client) => {
    const group = `/dataset-groups/${(await makeGroup(client)).id}`;
    const environment = colourMap(
      "${env('mode','ramp')}",
      `<ColorMapEntry color="\${env('low','#00FF00')}" quantity="\${env('lowq',0)}" label="low"/><ColorMapEntry color="\${env('high','#FF0000')}" quantity="\${env('highq',200)}"/>`,
    );
    assert.equal(await send(client, group, styleOf(environment)), null);
    assert.deepEqual((await client.get<Report>(`${group}/sld/report`)).entries, [
      { colour: '#00ff00', value: 0, from: null, to: null, label: 'low' },
      { colour: '#ff0000', value: 200, from: null, to: null, label: '' },
    ]);
    const computed = `<Title>towns</Title><PolygonSymbolizer><Fill><CssParameter name="fill">\${colour}</CssParameter></Fill></PolygonSymbolizer></Rule><Rule><TextSymbolizer/>`;
    assert.equal(await send(client, group, styleOf(computed)), 'labels, expressions');
    const { left_out: leftOut } = await client.get<Report>(`${group}/sld/report`);
    assert.deepEqual(
      leftOut.map(({ code, rules }) => [code, rules]),
      [
        ['labels', [{ number: 2, name: '' }]],
        ['expressions', [{ number: 1, name: 'towns' }]],
      ],
    );
  },
);

claim(
  ['D8 style report', 'D7 language', 'D9 languages'],
  'a report is in the language of the client',
  async (client) => {
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
  },
);
