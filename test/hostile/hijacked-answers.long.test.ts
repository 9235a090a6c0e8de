import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { getReport } from '../../src/datasets/report.ts';
import { getDataset } from '../../src/datasets/queries.ts';
import { type Dataset, toDataset } from '../../src/datasets/schema.ts';
import type { FileType } from '../../src/database/tables/tables.ts';
import { type Bbox, type RasterCounts, UnprocessableFile } from '../../src/geo/engine.ts';
import type { Findings } from '../../src/geo/findings.ts';
import { MiB } from '../../src/lib/units.ts';
import { createHijackedEngine, type Lie, noFindings, noValue } from '../support/hostile/hijacked-engine.ts';
import { eventually } from '../support/processes.ts';
import { forgetRows, startProcessing } from '../support/processing.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const lies = new Map<string, readonly Lie[]>();
const processing = await closeAfterTests(startProcessing({ engine: createHijackedEngine(lies) }));

/** Uploads a file that makes the engine return these lies. */
async function upload(fileType: FileType, ...told: readonly Lie[]): Promise<string> {
  const name = randomUUID();
  lies.set(name, told);
  const path = join(processing.folder, `${name}.geojson`);
  await writeFile(path, name);
  return await processing.upload(path, fileType);
}

/** Waits until the status of the dataset no longer changes by itself. */
async function untilEnd(id: string): Promise<Dataset> {
  return await eventually(`dataset ${id} at an end`, async () => {
    const dataset = toDataset(await getDataset(processing.db, id));
    return ['ready', 'failed', 'awaiting_mapping'].includes(dataset.status) ? dataset : undefined;
  });
}

async function outcome(fileType: FileType, ...told: readonly Lie[]): Promise<Dataset> {
  return await untilEnd(await upload(fileType, ...told));
}

/** Uploads a table and maps its columns `kato` and those of years, for which the file is read again. */
async function mapped(told: readonly Lie[], years: readonly string[] = ['2020']) {
  const id = await upload('vector_with_kato', ...told);
  assert.equal((await untilEnd(id)).status, 'awaiting_mapping');
  await forgetRows(processing.db, id);
  const year_columns = years.map((column) => ({ column, start_date: `${column}-01-01` }));
  await processing.map(id, { kato_column: 'kato', year_columns });
  return { dataset: await untilEnd(id), observations: await processing.observations(id) };
}

const gaveUp = /^Reading this file ended the geodata engine three times in a row.* upload it again\.$/;

function assertFailed({ status, parse_error }: Dataset, reason: RegExp): void {
  assert.equal(status, 'failed');
  assert.match(parse_error ?? '', reason);
  assert.doesNotMatch(parse_error ?? '', /[\p{Cc}\u202a-\u202e]/u);
  assert.ok((parse_error ?? '').length <= 2001);
}

function* repeated(piece: string, count: number): Generator<string> {
  for (let done = 0; done < count; done += 1) yield piece;
}

describe('bounds that a taken-over engine gives', () => {
  const foreign: Bbox = JSON.parse('[0,0,1]');
  const wrong: readonly Bbox[] = [
    [Number.NaN, 0, 1, 1],
    [0, 0, Number.POSITIVE_INFINITY, 1],
    [0, Number.NEGATIVE_INFINITY, 1, 1],
    [0, 2, 1, 1],
    [2000, 0, 1000, 1],
    foreign,
  ];
  for (const bbox of wrong) {
    it(`[${bbox.join(', ')}]: failed`, async () => {
      const dataset = await outcome('raster', { bbox });
      assertFailed(dataset, gaveUp);
      assert.equal(dataset.bbox, undefined);
    });
  }

  it('may go across the antimeridian, and be one point', async () => {
    for (const bbox of [[170, -10, -170, 10] as const, [5, 5, 5, 5] as const]) {
      assert.deepEqual((await outcome('raster', { bbox })).bbox, [...bbox]);
    }
  });
});

describe('counts of a taken-over engine', () => {
  const raster: NonNullable<Findings['raster']> = {
    width: 1,
    height: 1,
    bands: 1,
    data_type: 'Byte',
    nodata: null,
    scale: null,
    offset: null,
    crs: null,
    proj: null,
    extent: null,
    resolution: null,
    cog: null,
  };
  const stateOf = async (counts: RasterCounts) => {
    const { id, status } = await outcome('raster', { counts, findings: { ...noFindings, raster } });
    assert.equal(status, 'ready');
    return await eventually('an end of counting', async () => {
      const { state } = await processing.db
        .selectFrom('raster_statistics')
        .select('state')
        .where('dataset_id', '=', id)
        .executeTakeFirstOrThrow();
      return state === 'pending' ? undefined : state;
    });
  };

  it('that add up: taken as they are', async () => {
    assert.equal(await stateOf(noValue), 'counted');
  });

  it('that contradict each other, or are of another raster: none, and the raster is ready', async () => {
    const [band] = noValue.bands;
    assert.ok(band !== undefined);
    assert.equal(await stateOf({ ...noValue, bands: [{ ...band, valid: 7 }] }), 'failed');
    assert.equal(await stateOf({ ...noValue, width: 2, bands: [{ ...band, nodata: 2 }] }), 'failed');
  });
});

const source: NonNullable<Findings['source']> = {
  driver: 'GeoJSON',
  layer: null,
  layers: [],
  crs: null,
  extent: null,
  encoding: null,
  encoding_from: null,
};

describe('findings of a taken-over engine', () => {
  const nonsense: Readonly<Record<string, string>> = {
    'no findings': 'null',
    'a text': '"findings"',
    nothing: '{}',
    'a number that is none': '{"source":null,"raster":null,"timings":{"a":1e999},"warnings":[]}',
    'an unknown warning': '{"source":null,"raster":null,"timings":{},"warnings":[{"code":"x","message":""}]}',
    'a width of 1.5': JSON.stringify({ ...noFindings, raster: { width: 1.5 } }),
  };
  for (const [name, text] of Object.entries(nonsense)) {
    it(`${name}: failed`, async () => {
      const findings: Findings = JSON.parse(text);
      assertFailed(await outcome('vector', { findings }), gaveUp);
    });
  }

  const long = `\u0000\u001b[2J\u202e\ud800${'я'.repeat(3 * MiB)}`;
  const longTexts = { driver: long, layer: long, crs: long, encoding: long, encoding_from: long };
  const layer = { name: long.slice(0, 300), features: 1, geometry_types: [] };
  const large: Readonly<Record<string, Partial<Findings>>> = {
    'a warning of 3 million characters': { warnings: [{ code: 'crs_assumed', message: long }] },
    '100,000 warnings': {
      warnings: Array.from({ length: 100_000 }, (_, n) => ({ code: 'crs_assumed', message: `${n}` })),
    },
    '100,000 layers': { source: { ...source, layers: Array.from({ length: 100_000 }, () => layer) } },
    'texts of 3 million characters': {
      source: { ...source, ...longTexts, layers: [{ name: long, features: 0, geometry_types: [long] }] },
    },
    '100,000 timings': {
      timings: Object.fromEntries(
        Array.from({ length: 100_000 }, (_, n) => [`${n}${long.slice(0, 300)}`, n]),
      ),
    },
    'a timing of __proto__': JSON.parse('{"timings":{"__proto__":1}}'),
  };
  for (const [name, findings] of Object.entries(large)) {
    it(`${name}: ready, and the report is one to read`, async () => {
      const dataset = await outcome('vector', { findings: { ...noFindings, ...findings } });
      assert.deepEqual([dataset.status, dataset.parse_error], ['ready', null]);
      const report = JSON.stringify(await getReport(processing.db, dataset.id));
      assert.ok(report.length < MiB, `${report.length} characters`);
      assert.doesNotMatch(report, /\\u0000|\\u001b|\\ud800|\u202e/);
    });
  }
});

describe('a sentence of a taken-over engine', () => {
  const sentences: Readonly<Record<string, readonly [string, RegExp]>> = {
    'an empty one': ['', /upload it again\.$/],
    'one of blanks and NUL': [' \0\n\u2028', /upload it again\.$/],
    'one of 3 million characters': ['a'.repeat(3 * MiB), /^a{2000}…$/],
    'one of control characters': ['The file\u001b[2J is\r\nbad\u202e.', /^The file \[2J is {2}bad \.$/],
    'one of half a pair': [`${'a'.repeat(1999)}😀`, /^a{1999}\ufffd…$/],
  };
  for (const [name, [sentence, wanted]] of Object.entries(sentences)) {
    it(`${name}: failed, with a reason to read`, async () => {
      const thrown = (): Error => new UnprocessableFile(sentence, noFindings);
      assertFailed(await outcome('vector', { thrown }), wanted);
    });
  }
});

const row = '["710000000",1]\n';

describe('a table of a taken-over engine', () => {
  const given: Readonly<Record<string, readonly [Lie, RegExp]>> = {
    'more rows than announced': [{ rows: row.repeat(3), rowCount: 2 }, gaveUp],
    'fewer rows than announced': [{ rows: row, rowCount: 2 }, gaveUp],
    '10^12 rows': [{ rows: row, rowCount: 1e12 }, gaveUp],
    '-1 rows': [{ rows: row, rowCount: -1 }, gaveUp],
    '1.5 rows': [{ rows: row, rowCount: 1.5 }, gaveUp],
    'as many rows as no number': [{ rows: row, rowCount: Number.NaN }, gaveUp],
    'more cells than columns': [{ rows: '["710000000",1,2]\n' }, gaveUp],
    'a million cells': [{ rows: `[${'1,'.repeat(1e6)}1]\n` }, gaveUp],
    'a text that does not end': [{ rows: '["710000000]\n' }, gaveUp],
    'a text with a control character in it': [{ rows: '["71","a\u0001b"]\n' }, gaveUp],
    'two texts in one cell': [{ rows: '["a" "b"]\n' }, gaveUp],
    'an object as a row': [{ rows: '{"kato":1}\n' }, gaveUp],
    'HTML as a row': [{ rows: '<html>\n' }, gaveUp],
    'a row that does not end': [
      { rows: repeated('a'.repeat(MiB), 40), rowCount: 1 },
      /^Row 1 of the attribute table has more than 32 million characters; shorten/,
    ],
    '50,001 columns': [{ columns: Array.from({ length: 50_001 }, (_, n) => `${n}`) }, gaveUp],
    'more cells than a table may have': [
      { columns: Array.from({ length: 10_000 }, (_, n) => `${n}`), rowCount: 20_001 },
      gaveUp,
    ],
    'names of columns of 64 MiB': [
      { columns: ['kato', 'a'.repeat(64 * MiB)] },
      /^The names of the columns have more than a million characters together; shorten/,
    ],
    'no columns': [{ columns: [] }, /^The file has no columns/],
  };
  for (const [name, [lie, wanted]] of Object.entries(given)) {
    it(`${name}: failed`, async () => {
      assertFailed(await outcome('vector_with_kato', lie), wanted);
    });
  }

  const strange = ['\u0000', '\ud800', '__proto__', 'constructor', '\u202e\u001b'];
  const columns = [...strange, '', 'a', 'a', 'x'.repeat(10_000)];
  it('absurd names of columns: kept as far as a database can, in answers that can be read', async () => {
    const dataset = await outcome('vector_with_kato', { columns, rows: '["1,5","2,345"]\n' });
    assert.equal(dataset.status, 'awaiting_mapping');
    assert.deepEqual(
      dataset.attribute_columns?.map(({ name }) => name),
      ['\ufffd', '\ufffd_2', ...columns.slice(2)],
    );
    await getReport(processing.db, dataset.id);
  });

  const harmless: Readonly<
    Record<string, readonly [string | Iterable<string | Buffer>, number, readonly string[]]>
  > = {
    'a million levels': [`[${'['.repeat(1e6)}${']'.repeat(1e6)}]\n`, 1, [`${'['.repeat(200)}…`]],
    'brackets that close too much': ['[]]]]\n', 1, [']]]']],
    'a million empty lines': [['\n'.repeat(1e6), '[1]'], 1, ['1']],
    'bytes that are no UTF-8': [[Buffer.from([0x5b, 0x22, 0xff, 0xc0, 0x22, 0x5d])], 1, ['\ufffd\ufffd']],
    'words that JSON does not know': ['[NaN]\n[undefined]\n', 2, ['NaN', 'undefined']],
    'NUL and halves of pairs': ['["\\u0000\\ud800"]\n', 1, ['\ufffd\ufffd']],
    'a number of a million digits': [`[${'9'.repeat(1e6)}]\n`, 1, [`${'9'.repeat(200)}…`]],
    'an exponent without bounds': ['[1e999999999]\n', 1, ['1e999999999']],
  };
  for (const [name, [rows, rowCount, samples]] of Object.entries(harmless)) {
    it(`${name}: samples like any other`, async () => {
      const dataset = await outcome('vector_with_kato', { columns: ['kato'], rows, rowCount });
      assert.equal(dataset.parse_error, null);
      assert.deepEqual(dataset.attribute_columns, [{ name: 'kato', samples }]);
    });
  }
});

describe('a table that is another one when it is read again', () => {
  const honest: Lie = { rows: row };
  const second: Readonly<Record<string, readonly [Lie, RegExp]>> = {
    'without its columns': [{ columns: ['a'], rows: '[1]\n' }, /^The file has no column "kato" any more/],
    'with more rows than it says': [{ rows: row.repeat(100_000), rowCount: 1 }, gaveUp],
    'with a cell that is not JSON': [{ rows: '["710000000","]\n' }, gaveUp],
    'with a row that does not end': [
      { rows: repeated('a'.repeat(MiB), 40), rowCount: 1 },
      /^Row 1 of the attribute table has more than 32 million/,
    ],
    'with a code of a million characters': [
      { rows: `["${'7'.repeat(1e6)}",1]\n` },
      /^Column "kato" contains a text of 1000000 characters in row 1; .*KATO codes\.$/,
    ],
    'with a value of a million characters': [
      { rows: `${row}["710000000","${'a'.repeat(1e6)}"]\n` },
      /^Column "2020" contains a text of 1000000 characters in row 2; .*values\.$/,
    ],
  };
  for (const [name, [lie, wanted]] of Object.entries(second)) {
    it(`${name}: failed, and nothing of it is stored`, async () => {
      const { dataset, observations } = await mapped([honest, lie]);
      assertFailed(dataset, wanted);
      assert.equal(observations.length, 0);
    });
  }

  it('with values that no number can be: they stay texts', async () => {
    const cells = ['"1e999"', '1e999', '"\\u0000"', '-1e-999', 'NaN'];
    const rows = cells.map((cell) => `["710000000",${cell}]\n`).join('');
    const { dataset, observations } = await mapped([honest, { rows }]);
    assert.equal(dataset.status, 'ready');
    const values = observations.map(({ value, value_text }) => String(value ?? value_text));
    assert.deepEqual(values.toSorted(), ['1e999', '1e999', '\ufffd', '0', 'NaN'].toSorted());
  });

  it('with more text for one code than a map can show: failed, and says for which', async () => {
    const years = Array.from({ length: 100 }, (_, n) => `${1900 + n}`);
    const rows = `["710000000",${years.map(() => `"${'a'.repeat(60_000)}"`).join()}]\n`;
    const { dataset } = await mapped([{ columns: ['kato', ...years], rows }], years);
    assertFailed(dataset, /^The texts of code "710000000" have more than 4 MiB together.* values\.$/);
  });

  it('with much text, but for many rows of one date: ready', async () => {
    const rows = `["710000000","${'a'.repeat(60_000)}"]\n`.repeat(100);
    assert.equal((await mapped([{ rows }])).dataset.status, 'ready');
  });
});

it('others are served as ever, and nothing is left behind', async () => {
  const { dataset, observations } = await mapped([{ rows: row }]);
  assert.equal(dataset.status, 'ready');
  assert.deepEqual(
    observations.map(({ kato_code, value }) => [kato_code, value]),
    [['710000000', 1]],
  );
  // Pixels are counted after a raster is ready, and the folder is removed after the job has ended.
  const busy = processing.db.selectFrom('jobs').select('id').where('state', 'in', ['queued', 'running']);
  await eventually('no job that waits', async () => (await busy.execute()).length === 0);
  const isEmpty = async (): Promise<boolean> =>
    (await readdir(join(processing.folder, 'scratch'))).length === 0;
  await eventually('an empty scratch', isEmpty);
});
