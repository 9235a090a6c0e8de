import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { installDebianPackages } from '../../../scripts/debian-packages.ts';
import { MiB } from '../../../src/lib/units.ts';
import type { Properties } from '../../../common/maps/style/filter.ts';
import { readSld, takenRules } from '../../../common/maps/style/sld-read.ts';
import { createAcceptanceClient } from '../../acceptance/client.ts';
import { fetchBytes } from '../../acceptance/support/bytes.ts';
import { settle, upload } from '../../acceptance/support/datasets.ts';
import { box, collection, geojsonFile, point, repositoryFile } from '../../acceptance/support/files.ts';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { eventually } from '../../support/processes.ts';
import { startService } from '../../support/service.ts';
import { runGdal } from './gdal-tools.ts';

installDebianPackages(['gdal-bin', 'python3-gdal', 'python3-qgis', 'qgis-providers']);

const service = await closeAfterTests(startService());
const client = createAcceptanceClient(service.baseUrl);
const folder = await temporaryFolder();

/** A layer as QGIS reads it. */
interface Seen {
  readonly isValid: boolean;
  readonly type: string;
  readonly crs: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly rules: readonly {
    readonly label: string;
    readonly colour: string | null;
    readonly filter: string;
    readonly error: string | null;
    readonly scales: readonly [number, number];
  }[];
  /** Numbers of the rules that draw a feature, by its id. */
  readonly features: Readonly<Record<string, readonly number[]>>;
}

function seenByQgis(...packages: readonly string[]): readonly (readonly Seen[])[] {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    QT_QPA_PLATFORM: 'offscreen',
  };
  const program = join(import.meta.dirname, 'geopackage-program.py');
  const input = JSON.stringify({ packages });
  return JSON.parse(
    execFileSync('/usr/bin/python3', [program], { cwd: folder, env, input, encoding: 'utf8' }),
  );
}

let files = 0;

/**
 * Uploads a vector with its style, and downloads its GeoPackage.
 * @returns its id, and the path of the file
 */
async function packageOf(file: File, sld?: string) {
  const { id } = await upload(client, file, { file_type: 'vector' });
  assert.equal((await settle(client, id)).status, 'ready');
  if (sld !== undefined) {
    const body = new FormData();
    body.append('file', new File([sld], 'style.sld'));
    const response = await fetch(`${service.baseUrl}/datasets/${id}/sld`, { method: 'POST', body });
    assert.equal(response.status, 200, await response.text());
  }
  const path = join(folder, `${(files += 1)}.gpkg`);
  await writeFile(path, (await fetchBytes(client, 200, `/datasets/${id}.gpkg`)).bytes);
  return { id, path };
}

const condition = (name: string, property: string, literal: string) =>
  `<ogc:${name}><ogc:PropertyName>${property}</ogc:PropertyName><ogc:Literal>${literal}</ogc:Literal></ogc:${name}>`;
const polygonSign = (colour: string) =>
  `<PolygonSymbolizer><Fill><CssParameter name="fill">${colour}</CssParameter></Fill>
    <Stroke><CssParameter name="stroke">#222222</CssParameter><CssParameter name="stroke-dasharray">4 2</CssParameter></Stroke></PolygonSymbolizer>`;
const pointSign = (colour: string) =>
  `<PointSymbolizer><Graphic><Mark><WellKnownName>square</WellKnownName><Fill><CssParameter name="fill">${colour}</CssParameter></Fill></Mark><Size>9</Size></Graphic></PointSymbolizer>`;
const rule = (title: string, filter: string, signs: string, more = '') =>
  `<Rule><Title>${title}</Title>${filter === 'else' ? '<ElseFilter/>' : filter === '' ? '' : `<ogc:Filter>${filter}</ogc:Filter>`}${more}${signs}</Rule>`;
const sldOf = (...layers: readonly string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>a</Name><UserStyle>
${layers.map((rules) => `<FeatureTypeStyle>${rules}</FeatureTypeStyle>`).join('')}</UserStyle></NamedLayer></StyledLayerDescriptor>`;

const hue = (i: number) => `#${(0x10_30_50 + i * 0x05_0b_07).toString(16).padStart(6, '0')}`;

test('QGIS opens districts with the colours of their style, and GDAL finds the features of the FlatGeobuf', async () => {
  const names = ['Zharkain', 'Esil', 'O\'"\\n<&'];
  const rules = names.map((name, i) =>
    rule(
      name.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      condition('PropertyIsEqualTo', 'NAME', name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
      polygonSign(hue(i)),
    ),
  );
  const sld = sldOf(rules.join('') + rule('Прочие', 'else', polygonSign('#abcdef')));
  const { id, path } = await packageOf(await repositoryFile('examples/akmola-rayony.zip'), sld);
  const [[layer, ...others] = []] = seenByQgis(path);
  assert.ok(layer !== undefined && others.length === 0);
  assert.deepEqual([layer.isValid, layer.type, layer.crs], [true, 'RuleRenderer', 'EPSG:4326']);
  const legend = await client.get<{ readonly entries: readonly { label: string; colour: string }[] }>(
    `/datasets/${id}/legend.json`,
  );
  assert.deepEqual(
    layer.rules.map(({ label, colour }) => [label, colour]),
    legend.entries.map(({ label, colour }) => [label, colour]),
  );
  const fgb = join(folder, 'source.fgb');
  await writeFile(fgb, (await fetchBytes(client, 200, `/datasets/${id}.fgb`)).bytes);
  const asText = (source: string) =>
    runGdal(folder, ['ogr2ogr', '-f', 'CSV', '-lco', 'GEOMETRY=AS_WKT', '/vsistdout/', source, 'features']);
  assert.equal(asText(path), asText(fgb));
  // GDAL's validator of the standard, its warnings while it reads each value, and those while its SQL updates
  // the index.
  const silent = [
    ['/usr/bin/python3', '-m', 'osgeo_utils.samples.validate_gpkg', path],
    ['ogrinfo', '-ro', '-al', path],
    ['ogrinfo', path, '-sql', 'delete from features where fid = 1'],
  ] as const;
  for (const [command, ...args] of silent) {
    const { status, stderr } = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * MiB,
    });
    assert.deepEqual([status, stderr], [0, '']);
  }
  using database = new DatabaseSync(path, { readOnly: true });
  assert.deepEqual(
    { ...database.prepare('select min(id) as first from rtree_features_geom').get() },
    { first: 2 },
  );
});

const values: readonly unknown[] = [
  1,
  1.5,
  -2,
  0,
  '1',
  '01',
  'a',
  'A',
  'Ә',
  '',
  null,
  true,
  false,
  '2020-01-01',
  '2020-01-01T00:00:00Z',
  '2020-01-02',
  'a%b_c',
  "it's",
  'x\\y',
  'a\nb',
  [1],
  { a: 1 },
  1e21,
  '1e3',
];
const kinds = ['mix', 'text', 'number', 'whole', 'is'] as const;
const valuesOf = (kind: (typeof kinds)[number]) =>
  values.filter(
    (value) =>
      kind === 'mix' ||
      (kind === 'text' && (typeof value === 'string' || value === null)) ||
      (kind === 'number' && (typeof value === 'number' || value === null)) ||
      (kind === 'whole' && Number.isInteger(value) && Number(value) < 100) ||
      (kind === 'is' && (typeof value === 'boolean' || value === null)),
  );
const literals = [
  '1',
  '01',
  '1.0',
  '-2',
  'a',
  'Ә',
  'true',
  '2020-01-01',
  '2020-01-01T00:00:00Z',
  '1000',
  "it's",
  'x\\y',
  '0',
];
const like = (property: string, pattern: string, more = '') =>
  `<ogc:PropertyIsLike wildCard="*" singleChar="#" escapeChar="!"${more}><ogc:PropertyName>${property}</ogc:PropertyName><ogc:Literal>${pattern}</ogc:Literal></ogc:PropertyIsLike>`;

test('rules take in QGIS the features that they take on the maps of the service', async () => {
  const features = kinds.flatMap((kind) =>
    valuesOf(kind).flatMap((value) =>
      ['1', 'a', null].map((other) => ({
        [kind]: value,
        'other "name"': other,
        ...(kind === 'whole' && { far: 2 ** 40 }),
      })),
    ),
  );
  const filters = kinds.flatMap((kind) => [
    ...literals.flatMap((literal) =>
      ['EqualTo', 'NotEqualTo', 'LessThan', 'GreaterThanOrEqualTo'].map((sign) =>
        condition(`PropertyIs${sign}`, kind, literal),
      ),
    ),
    `<ogc:PropertyIsNull><ogc:PropertyName>${kind}</ogc:PropertyName></ogc:PropertyIsNull>`,
    `<ogc:Not>${condition('PropertyIsEqualTo', kind, '1')}</ogc:Not>`,
    `<ogc:PropertyIsBetween><ogc:PropertyName>${kind}</ogc:PropertyName><ogc:LowerBoundary><ogc:Literal>0</ogc:Literal></ogc:LowerBoundary><ogc:UpperBoundary><ogc:Literal>1.5</ogc:Literal></ogc:UpperBoundary></ogc:PropertyIsBetween>`,
    ...['*', 'a*', '#', '*b*c', 'a!*', '1', '*-01', 'x\\y'].map((pattern) => like(kind, pattern)),
    like(kind, 'A*', ' matchCase="false"'),
    `<ogc:PropertyIsEqualTo><ogc:PropertyName>${kind}</ogc:PropertyName><ogc:PropertyName>other "name"</ogc:PropertyName></ogc:PropertyIsEqualTo>`,
    `<ogc:PropertyIsGreaterThan><ogc:Add><ogc:PropertyName>${kind}</ogc:PropertyName><ogc:Literal>1</ogc:Literal></ogc:Add><ogc:Literal>1</ogc:Literal></ogc:PropertyIsGreaterThan>`,
  ]);
  filters.push(
    condition('PropertyIsEqualTo', 'nothing', '1'),
    condition('PropertyIsEqualTo', 'far', String(2 ** 40)),
  );
  filters.push('<ogc:And></ogc:And>', '<ogc:Or></ogc:Or>');
  const rules = filters.map((filter, i) => rule(String(i), filter, pointSign(hue(i % 9))));
  const half = rules.length >> 1;
  const far = '<MinScaleDenominator>6000000</MinScaleDenominator>';
  const sld = sldOf(
    rules.slice(0, half).join('') +
      rule('rest 1', 'else', pointSign('#ff0000')) +
      rule('far', '', pointSign('#00ff00'), far),
    rules.slice(half).join('') + rule('rest 2', 'else', pointSign('#0000ff')),
  );
  const { id, path } = await packageOf(
    geojsonFile(
      collection(features.map((properties, i) => ({ properties, geometry: point(60 + i / 100, 45) }))),
    ),
    sld,
  );
  const [[layer] = []] = seenByQgis(path);
  assert.ok(layer !== undefined);
  assert.deepEqual(
    layer.rules.flatMap(({ error, filter }) => (error === null ? [] : [filter])),
    [],
  );
  const read = readSld(sld);
  assert.equal(layer.rules.length, read.rules.length);
  assert.deepEqual(
    layer.rules.map(({ label }) => label),
    read.rules.map(({ title }) => title),
  );
  assert.deepEqual(layer.rules.find(({ label }) => label === 'far')?.scales, [6_000_000, 0]);
  const numbers = new Map(read.rules.map((each, i) => [each, i]));
  // Features are in the order of the file that the service made.
  const { features: inOrder } = await client.get<{
    readonly features: readonly { readonly properties: Properties }[];
  }>(`/ogc/collections/${id}/items?limit=10000`);
  const wrong = inOrder.flatMap(({ properties }, i) => {
    const expected = takenRules(read.rules, properties, 5e6).map((each) => numbers.get(each));
    const found = layer.features[String(i + 1)] ?? [];
    const differ = [
      ...found.filter((each) => !expected.includes(each)),
      ...expected.filter((each) => !found.includes(each ?? -1)),
    ];
    return differ.map((each) => ({
      properties,
      title: read.rules[each ?? -1]?.title,
      expression: JSON.stringify(read.rules[each ?? -1]?.expression),
      filter: layer.rules[each ?? -1]?.filter,
      inQgis: found.includes(each ?? -1),
    }));
  });
  assert.deepEqual(wrong.slice(0, 12), [], `${wrong.length} differ`);
});

test('features without a style, and of several kinds, are drawn as the service draws them', async () => {
  const shapes = [
    point(60, 45),
    {
      type: 'LineString',
      coordinates: [
        [60, 45],
        [61, 46],
      ],
    },
    box(62, 45, 63, 46),
  ];
  const all = shapes.map((geometry, i) => ({ properties: { i }, geometry }));
  const plain = await Promise.all(all.map(async (each) => await packageOf(geojsonFile(collection([each])))));
  const mixed = await packageOf(geojsonFile(collection(all)));
  const sld = sldOf(
    rule('two', condition('PropertyIsEqualTo', 'i', '2'), polygonSign('#112233')) +
      rule('zero', 'else', pointSign('#445566')),
  );
  const styled = await packageOf(geojsonFile(collection(all)), sld);
  const [first, second, third, several, drawn] = seenByQgis(
    ...plain.map(({ path }) => path),
    mixed.path,
    styled.path,
  );
  for (const layers of [first, second, third])
    assert.deepEqual(
      layers?.map(({ rules }) => rules.map(({ colour }) => colour)),
      [['#1f6a52']],
    );
  assert.equal(several?.length, 3);
  for (const { rules, features: taken } of several ?? []) {
    assert.equal(rules.length, 3);
    assert.deepEqual(
      Object.values(taken).map(({ length }) => length),
      [1],
    );
  }
  const colours = drawn?.flatMap(({ rules, features: taken }) =>
    Object.values(taken).flatMap((numbers) => numbers.map((number) => rules[number]?.colour)),
  );
  assert.deepEqual(colours?.toSorted(), ['#112233', '#445566', null]);
});

test('clients that go away free their places and the disk; HEAD makes nothing', async () => {
  const many = Array.from({ length: 60_000 }, (_, i) => ({
    properties: { i, text: 'x'.repeat(200) },
    geometry: point(60 + (i % 300) / 100, 45 + i / 1e5),
  }));
  const { id } = await packageOf(geojsonFile(collection(many)));
  const address = `${service.baseUrl}/datasets/${id}.gpkg`;
  // Before the first byte of the answer, and after it.
  for (let i = 0; i < 6; i += 1) {
    const leaving = new AbortController();
    const asked = fetch(address, { signal: leaving.signal });
    if (i % 2 === 0) setTimeout(() => leaving.abort(), 50 + 20 * i);
    else {
      const reader = (await asked).body?.getReader();
      await reader?.read();
      leaving.abort();
    }
    await asked.catch(() => undefined);
  }
  const head = await eventually('a place', async () => {
    const answer = await fetch(address, { method: 'HEAD' });
    return answer.status === 200 && answer;
  });
  const whole = await fetch(address, { headers: { 'if-match': head.headers.get('etag') ?? '' } });
  assert.equal(whole.status, 200);
  assert.ok((await whole.arrayBuffer()).byteLength > 12e6);
  assert.deepEqual(await readdir(join(service.dataDir, 'scratch', 'packages')), []);
  const open = await readdir(`/proc/${service.pid}/fd`);
  const left = await Promise.all(
    open.map(async (each) => await readlink(`/proc/${service.pid}/fd/${each}`).catch(() => '')),
  );
  assert.deepEqual(
    left.filter((path) => path.includes('package-')),
    [],
  );
});
