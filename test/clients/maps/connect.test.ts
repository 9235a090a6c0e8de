import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { programsOf } from '../../../console/src/pages/connect/programs.ts';
import type { Subject } from '../../../console/src/pages/connect/subject.ts';
import { installDebianPackages } from '../../../scripts/debian-packages.ts';
import { temporaryFolder } from '../../support/for-tests.ts';
import { eventually } from '../../support/processes.ts';
import { projectRoot } from '../../support/project.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';
import { openMaps } from './maps.ts';

installDebianPackages(['gdal-bin', 'python3-qgis', 'qgis-providers']);
const python = installPythonTools({
  name: 'connect',
  packages: ['pandas==3.1.1', 'geopandas==1.2.0', 'rasterio==1.4.4', 'requests==2.34.2'],
});

const { baseUrl, client, zoning } = await openMaps();
const folder = await temporaryFolder();
const category = await client.createCategory('connect');
const upload = async (type: string, name: string) =>
  await client.upload(category, type, new File([await readFile(join(projectRoot, 'examples', name))], name));
const settled = async (id: string, wanted: string) =>
  await eventually(wanted, async () => (await client.status(id)).status === wanted);
const [vector, table] = await Promise.all([
  upload('vector', 'akmola-rayony.zip'),
  upload('vector_with_kato', 'population-by-region.geojson'),
]);
await settled(table, 'awaiting_mapping');
const years = ['2022', '2023'].map((column) => ({ column, start_date: `${column}-12-31` }));
await client.map(table, { kato_column: 'kato', year_columns: years });
await settled(table, 'ready');
await settled(vector, 'ready');
const { body: runs } = await client.json<{ data: readonly { id: string }[] }>('/landscape/runs');
const runId = runs.data[0]?.id ?? assert.fail();

const service: Subject = {
  kind: 'service',
  id: '',
  name: 'Steppe',
  base: baseUrl,
  hasTokens: false,
  maps: [],
};
const raster = zoning.dataset.slice(-36);
const maps = [{ name: 'Zones <&> "все"', address: zoning.address }];
const group: Subject = { ...service, kind: 'group', id: zoning.group, name: 'Zones <&>', maps };
const subjects: Readonly<Record<string, Subject>> = {
  service,
  run: { ...service, kind: 'run', id: runId, maps: [{ name: '34', address: zoning.dataset }] },
  table: { ...service, kind: 'dataset', id: table, type: 'vector_with_kato' },
  vector: { ...service, kind: 'dataset', id: vector, type: 'vector' },
  raster: {
    ...service,
    kind: 'dataset',
    id: raster,
    type: 'raster',
    maps: [{ name: '34', address: zoning.dataset }],
  },
};

test('QGIS loads the layer file of a group, and its connections lead to maps', async () => {
  const [qgis] = programsOf(group);
  const paths = await Promise.all(
    (qgis?.files ?? []).map(async ({ kind, name, text }) => {
      await writeFile(join(folder, name), text);
      return [kind, join(folder, name)] as const;
    }),
  );
  const input = JSON.stringify({ ...Object.fromEntries(paths), layer: zoning.group });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    QT_QPA_PLATFORM: 'offscreen',
  };
  const program = join(import.meta.dirname, 'connect-program.py');
  const seen = JSON.parse(
    execFileSync('/usr/bin/python3', [program], { cwd: folder, env, input, encoding: 'utf8' }),
  );
  const drawn = { isValid: true, provider: 'wms' };
  assert.deepEqual(seen, {
    loaded: true,
    error: '',
    groups: ['Zones <&>'],
    layers: [{ name: maps[0]?.name, ...drawn }],
    tiles: { name: `Steppe: ${maps[0]?.name}`, ...drawn },
    wmts: { name: `Steppe: ${maps[0]?.name}`, ...drawn },
  });
});

describe('the code for Python', () => {
  /** Last line of the output of each example, with values of the data. */
  const printed: Readonly<Record<string, RegExp>> = {
    service: /vector_with_kato/,
    run: /kato\s+name\s+V1\s+V2\s+V3/,
    table: /start_date\s+2022-12-31\s+2023-12-31/,
    vector: /(?:MULTI)?POLYGON.*\n.*POLYGON/s,
    raster: /^EPSG:\d+ \(/,
  };
  for (const [name, subject] of Object.entries(subjects)) {
    test(`of ${name} runs as it stands`, () => {
      const snippet = programsOf(subject).find(({ key }) => key === 'python')?.snippet ?? assert.fail();
      const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
      const shown = execFileSync(join(python, 'python'), ['-c', snippet], { env, encoding: 'utf8' });
      assert.match(shown, printed[name] ?? assert.fail());
    });
  }
});

test('every address that this service has answers, with the file that its label names', async () => {
  const types = {
    wmts: /xml/,
    cog: /tiff/,
    geojson: /geo\+json/,
    geoPackage: /geopackage/,
    flatgeobuf: /flatgeobuf/,
    geoParquet: /parquet/,
    parquet: /parquet/,
    csv: /csv/,
    features: /json/,
    stac: /json/,
    style: /json/,
    tileJson: /json/,
    record: /xml/,
    dcat: /ld\+json/,
    openApi: /json/,
  };
  const known = new Map<string, RegExp>(Object.entries(types));
  let count = 0;
  for (const subject of Object.values(subjects))
    for (const { label, url } of programsOf(subject).flatMap(({ addresses }) => addresses)) {
      const type = known.get(label);
      if (type === undefined) continue;
      const answer = await fetch(url);
      assert.equal(answer.status, 200, url);
      assert.match(answer.headers.get('content-type') ?? '', type, url);
      await answer.body?.cancel();
      count += 1;
    }
  assert.ok(count >= 24, String(count));
});
