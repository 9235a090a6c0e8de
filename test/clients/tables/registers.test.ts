import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RegisterComparison } from '../../../src/registers/schema.ts';
import { MiB } from '../../../src/lib/units.ts';
import { createClient } from '../../support/client.ts';
import { temporaryFolder } from '../../support/for-tests.ts';
import { writeRaster } from '../../support/geo/geotiffs.ts';
import { eventually } from '../../support/processes.ts';
import { projectRoot } from '../../support/project.ts';
import { startService } from '../../support/service.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';

const program = fileURLToPath(new URL('registers.py', import.meta.url));
const seeds = join(projectRoot, 'seeds/districts');
const tools = { name: 'registers', packages: ['rasterio==1.4.4', 'shapely==2.1.2'] } as const;

/** Over the south-east of the country; its pixels are 0.03° by 0.02°, and its west has no data. */
const pixels = {
  width: 250,
  height: 200,
  affine: [75, 0.03, 0, 46.5, 0, -0.02],
  epsg: 4326,
  dataType: 'Byte',
  noData: 0,
  value: (column: number, row: number) => (column < 12 ? 0 : 1 + ((column * 7 + row * 3) % 4)),
} as const;

type Cell = number | string | null;
type Values = Readonly<Record<string, readonly [first: Cell, second: Cell]>>;

/** The examples by name: values of the first, of the second, and their difference, by unit. */
type Expected = Readonly<Record<string, Readonly<Record<string, readonly [Cell, Cell, Cell]>>>>;

test('the differences of two registers are those of an independent program, to the hectare', async () => {
  const python = join(installPythonTools(tools), 'python');
  await using service = await startService();
  const client = createClient(service.baseUrl);
  const folder = await temporaryFolder();
  const category = await client.createCategory('registers');
  const settle = async (id: string, wanted: string) =>
    await eventually(wanted, async () => {
      const { status, parse_error: error } = await client.status(id);
      assert.notEqual(status, 'failed', error ?? '');
      return status === wanted;
    });
  async function uploadTable(name: string, unit: string, values: Values): Promise<string> {
    const features = Object.entries(values).map(([kato, [first, second]]) => ({
      type: 'Feature',
      geometry: null,
      properties: { kato, '2020': first, '2023': second },
    }));
    const text = JSON.stringify({ type: 'FeatureCollection', features });
    await writeFile(join(folder, name), text);
    const id = await client.upload(category, 'vector_with_kato', new File([text], name), { name, unit });
    await settle(id, 'awaiting_mapping');
    const year_columns = ['2020', '2023'].map((column) => ({ column, start_date: `${column}-01-01` }));
    await client.map(id, { kato_column: 'kato', year_columns });
    await settle(id, 'ready');
    return id;
  }
  const lines = (await readFile(join(seeds, 'districts.geojsonl'), 'utf8')).trim().split('\n');
  const codes = lines.map((line): string => JSON.parse(line).properties.kato);
  const tableOf = (listed: readonly string[], valueOf: (index: number) => Cell): Values =>
    Object.fromEntries(listed.map((kato, index) => [kato, [valueOf(index + 5), valueOf(index)]]));
  const { changes }: { changes: readonly { kind: string; act: string; from: string; to: string }[] } =
    JSON.parse(await readFile(join(seeds, 'history.json'), 'utf8'));
  const recodes = changes.filter(({ kind, act }) => kind === 'recode' && act === 'regions-2022');
  const former = recodes.map(({ from }) => from);
  const kept = codes.filter((code) => !recodes.some(({ from, to }) => code === from || code === to));
  // Each table lacks units that the other one has, and has texts in place of numbers.
  const first = await uploadTable(
    'first.geojson',
    'га',
    tableOf(codes.slice(0, 150), (index) => (index % 17 === 3 ? 'н/д' : index * 1234.5 + 0.25)),
  );
  const second = await uploadTable(
    'second.geojson',
    'ha',
    tableOf(codes.slice(30), (index) => (index % 23 === 4 ? null : index * index * 11.75)),
  );
  const thousand = await uploadTable(
    'thousand.geojson',
    'тыс. га',
    tableOf(codes, (index) => (index % 19 === 2 ? '…' : 40 + ((index * 37.3) % 900))),
  );
  const earlier = await uploadTable(
    'former.geojson',
    'га',
    tableOf([...former, ...kept.slice(0, 40)], (index) => index * 321.5),
  );
  const path = join(folder, 'raster.tif');
  writeRaster(path, pixels);
  const raster = await client.upload(category, 'raster', new File([await readFile(path)], 'raster.tif'));
  await settle(raster, 'ready');
  const run = promisify(execFile);
  const { stdout } = await run(python, [program, folder, seeds], { maxBuffer: 16 * MiB });
  const expected: Expected = JSON.parse(stdout);
  for (const [example, asked] of [
    ['tables', `${first}/compare/${second}?`],
    ['raster', `${thousand}/compare/${raster}?a_factor=1000&b_class=2,3&`],
    ['borders', `${earlier}/compare/${second}?a_date=2020-01-01&`],
  ] as const) {
    const found = await eventually(example, async () => {
      const { status, body } = await client.json<RegisterComparison>(`/datasets/${asked}by=district&wait=30`);
      return status === 200 && body;
    });
    const wanted = expected[example] ?? {};
    assert.deepEqual(found.rows.map(({ kato }) => kato).toSorted(), Object.keys(wanted).toSorted(), example);
    for (const { kato, ...row } of found.rows)
      for (const [place, member] of (['a', 'b', 'difference'] as const).entries()) {
        const [one, other] = [row[member], wanted[kato]?.[place] ?? null];
        const where = `${example}: ${member} of ${kato} is ${one}, not ${other}`;
        if (one === null || typeof other !== 'number') assert.equal(one, other, where);
        else assert.ok(Math.abs(one - other) < 0.5, where);
      }
    const both = Object.values(wanted).flatMap(([, , difference]) =>
      typeof difference === 'number' ? [difference] : [],
    );
    const sum = both.reduce((all, difference) => all + difference, 0);
    assert.ok(both.length > 9 && Math.abs(sum - found.total.difference) < 1, `${example}: ${sum}`);
    assert.equal(found.total.units, both.length);
  }
});
