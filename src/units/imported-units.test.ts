import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import type { ChangeOptions } from './change.ts';
import { importDistricts } from './import.ts';
import type { DistrictColumns } from './rows.ts';
import { districts } from '../commands/districts.ts';
import { readConfig } from '../config.ts';
import { createCurrentFiles } from '../tables/kato-map/current-files.ts';
import { fingerprintOf, namesOnMap, type Unit, writeUnits } from '../../test/support/units/districts.ts';
import {
  geoJsonOf,
  type SyntheticOkrug,
  syntheticOkrugs,
} from '../../test/support/units/synthetic-okrugs.ts';
import { eventually } from '../../test/support/processes.ts';
import { readBorders, readUnitsAt } from './history/units-at.ts';
import { startTables } from '../../test/support/tables/tables.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';

const tables = await closeAfterTests(startTables());
const { db, engine, objectStore, folder } = tables;
const { signal } = new AbortController();

/** Imports units, by default by the columns `code` and `ru` and without replacing any. */
async function importFile(inputPath: string, wanted: Partial<DistrictColumns & ChangeOptions> = {}) {
  const scratch = await mkdtemp(join(folder, 'import-'));
  const usual = { kato: 'code', name: 'ru', replacement: 'none', dryRun: false } as const;
  const imported = await importDistricts(
    { db, engine },
    { inputPath, scratch, signal },
    { ...usual, ...wanted },
  );
  return imported.counts;
}

const write = async (name: string, units: readonly Unit[], shift?: number) =>
  await writeUnits(join(folder, name), units, shift);

async function unitOf(code: string) {
  return await db
    .selectFrom('districts')
    .select(['level', 'name', 'name_kk', 'name_en', 'geometry'])
    .where('kato_code', '=', code)
    .executeTakeFirstOrThrow();
}

test('an import changes units that are there, and keeps the names that it is not told of', async () => {
  const path = await write('rename.geojson', [{ code: '100000000', ru: 'Абай облысы' }]);
  assert.deepEqual(await importFile(path), { added: 0, changed: 1, removed: 0, total: 244 });
  const { geometry, ...names } = await unitOf('100000000');
  assert.deepEqual(names, { level: 'region', name: 'Абай облысы', name_kk: 'Абай', name_en: 'Abay' });
  assert.equal(
    geometry,
    '{"type":"Polygon","coordinates":[[[50,45],[51,45],[51,46],[50,46],[50,45]]]}',
    'its ring is turned',
  );
});

test('an import reads a zipped shapefile in windows-1251', async () => {
  const counts = await importFile('examples/akmola-rayony.zip', { kato: 'KATO', name: 'ADM2_RU' });
  assert.deepEqual(counts, { added: 0, changed: 20, removed: 0, total: 244 });
  const { name, name_en, geometry } = await unitOf('111000000');
  assert.deepEqual([name, name_en], ['Кокшетау', 'Kokshetau']);
  assert.ok(geometry.startsWith('{"type":"Polygon","coordinates":[[[69.'));
});

test('an import refuses as a whole a file with faulty rows, and one that has no units', async () => {
  const before = await fingerprintOf(db);
  const faulty = await write('faulty.geojson', [
    { code: '1', ru: 'а' },
    { code: ' ', ru: 'б' },
    { code: '3', ru: null },
    { code: 1, ru: 'г' },
    { code: '5', ru: 'д', geometry: null },
  ]);
  const broken = join(folder, 'broken.geojson');
  await writeFile(broken, '{"type":"FeatureCollection","features":[');
  for (const [path, wanted, message] of [
    [
      faulty,
      {},
      '4 of 5 rows cannot be districts, so nothing was changed: row 2 has no code; row 3 (3) has no name; ' +
        'row 4 has the code 1, as row 1 has; row 5 (5) has no geometry.',
    ],
    [await write('empty.geojson', []), {}, /no column "code"; it has none/],
    [broken, {}, /is not valid JSON: at line 1/],
    [faulty, { kato: 'kato' }, /--kato: the file has no column "kato"; it has code, ru/],
  ] as const) {
    const refused = importFile(path, { ...wanted, replacement: 'all-levels' });
    await assert.rejects(refused, { message });
  }
  assert.equal(await fingerprintOf(db), before);
});

test('half a command line is refused before anything is opened', async () => {
  const context = { config: readConfig({}), log: pino({ level: 'silent' }), shutdown: signal };
  const sound = await write('sound.geojson', [{ code: '1', ru: 'а' }]);
  const columns = ['--kato', 'code', '--name', 'ru'];
  for (const [args, message] of [
    [[sound, '--kato', 'code'], /--kato and --name/],
    [[sound, ...columns, '--level', 'village'], /--level: republic, region, district, okrug or settlement/],
    [[sound, ...columns, '--nam-kk', 'x'], /unknown option --nam-kk/],
    [[`${sound}.tif`, ...columns], /there is no file/],
    [['package.json', ...columns], /has to be one of \.geojson, \.gpkg, \.zip/],
    [[], /^say which file to import$/],
  ] as const)
    await assert.rejects(async () => await districts.read(['import', ...args])(context), { message });
});

test('an import of rural districts reports what they leave open, and changes nothing else', async () => {
  const [first, ...others] = syntheticOkrugs(new Set(['113400000']));
  assert.ok(first !== undefined && others.length > 5);
  const write = async (name: string, okrugs: readonly SyntheticOkrug[]) => {
    const path = join(folder, name);
    await writeFile(path, geoJsonOf(okrugs));
    return path;
  };
  const before = await db.selectFrom('districts').select('kato_code').execute();
  const usual = { kato: 'kato', name: 'name', nameKk: 'name_kk', level: 'okrug' } as const;
  const wanted = { ...usual, replacement: 'given-levels' } as const;
  const take = async (inputPath: string, dryRun = false) => {
    const scratch = await mkdtemp(join(folder, 'import-'));
    return await importDistricts({ db, engine }, { inputPath, scratch, signal }, { ...wanted, dryRun });
  };
  const whole = await write('okrugs.geojson', [first, ...others]);
  const tried = await take(whole, true);
  const all = await take(whole);
  assert.deepEqual(tried, all, 'a dry run says the same');
  assert.equal(all.counts.total, before.length + others.length + 1);
  const [report, none] = all.report;
  const [cover] = report?.covers ?? [];
  assert.ok(report !== undefined && cover !== undefined && none === undefined);
  assert.deepEqual(
    [report.level, report.bordered, report.classified, report.unknownCodes, report.unmeasured, cover.kato],
    ['okrug', others.length + 1, 2360, [], 0, '113400000'],
  );
  for (const land of [cover.gaps, cover.overlaps, cover.outside])
    assert.ok(land < 1e-4 * cover.area, `${land} km²`);
  assert.deepEqual(await unitOf(first.kato).then(({ level, name }) => [level, name]), ['okrug', first.name]);

  // One is missing, one is there twice under an unknown code, one is far away.
  const twice = { ...first, kato: '113499000' };
  const away = { ...first, kato: '998000000', name: 'Жоқ' };
  const faulty = await take(await write('faulty-okrugs.geojson', [twice, first, ...others.slice(1), away]));
  const [land] = faulty.report[0]?.covers ?? [];
  assert.ok(land !== undefined);
  const share = 1 / (others.length + 1);
  assert.ok(land.gaps > 0.2 * share * land.area, `gaps ${land.gaps} of ${land.area} km²`);
  assert.ok(land.overlaps > 0.2 * share * land.area, `overlaps ${land.overlaps} of ${land.area} km²`);
  assert.deepEqual(faulty.report[0]?.unknownCodes, ['113499000', '998000000']);
  assert.equal(faulty.report[0]?.unmeasured, 1);
  assert.equal(faulty.counts.removed, 1, 'the one that is missing, and no region or district');
  await db.deleteFrom('districts').where('level', '=', 'okrug').execute();
});

test('readers see the units of before or of after, whole, however often they ask', async () => {
  const codes = ['100000000', '990000000', '990100000'];
  const [first = '', second = ''] = await Promise.all(
    ['первый', 'второй'].map(async (word, index) => {
      const units = codes.map((code) => ({ code, ru: word }));
      return await write(`${index}.geojson`, units, index);
    }),
  );
  const id = await tables.uploadTable(codes.map((kato) => ({ kato, a: 1 })));
  await tables.mapColumns(id, 'kato', 'a');
  const { geoJsonKeysOf } = createCurrentFiles({ db, objectStore });
  const namesNow = async () => namesOnMap(await tables.readForms(await geoJsonKeysOf(id))).join();
  await importFile(first, { replacement: 'given-levels' });
  const importing = new AbortController();
  const seen: string[] = [];
  const readers = Array.from({ length: 4 }, async () => {
    while (!importing.signal.aborted) {
      seen.push(await namesNow());
      await pause(20);
    }
  });
  for (const path of [second, first, second]) {
    const { changed, total } = await importFile(path, { replacement: 'given-levels' });
    assert.deepEqual([changed, total], [3, 3]);
    const word = path === first ? 'первый' : 'второй';
    await eventually(`the units of ${word}`, async () => seen.at(-1) === [word, word, word].join());
  }
  importing.abort();
  await Promise.all(readers);
  assert.deepEqual([...new Set(seen)].toSorted(), ['второй,второй,второй', 'первый,первый,первый']);
  assert.equal(await namesNow(), 'второй,второй,второй');
});

test('an import with days keeps units of before beside those of today, with their borders', async () => {
  const path = await write('dated.geojson', [
    { code: '630000000', ru: 'Шығыс', from: null, to: '2022-06-08' },
    { code: '630000000', ru: 'Шығыс Қазақстан', from: '2022-06-08', to: null },
  ]);
  const wanted = { validFrom: 'from', validTo: 'to', level: 'region' } as const;
  const before = await db.selectFrom('districts').select('kato_code').execute();
  const counts = await importFile(path, wanted);
  assert.deepEqual(counts, { added: 1, changed: 0, removed: 0, total: before.length + 1, former: 1 });
  const snapshot = db.transaction().setAccessMode('read only');
  const [then, now] = await snapshot.execute(async (trx) => {
    const of = async (at: string | undefined) => {
      const units = await readUnitsAt(trx, { at, level: 'region' });
      const unit = units.find(({ kato }) => kato === '630000000') ?? assert.fail();
      return { name: unit.name, borders: (await readBorders(trx, [unit]))[0] };
    };
    return [await of('2020-01-01'), await of(undefined)] as const;
  });
  assert.deepEqual([then.name, now.name], ['Шығыс', 'Шығыс Қазақстан']);
  assert.notEqual(then.borders, null);
  assert.notEqual(then.borders, now.borders);
});
