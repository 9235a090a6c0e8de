import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { createFindings } from '../../gather-findings.ts';
import { charsetNamed } from '../../../../common/charset/charset.ts';
import { fits } from './charset/choose.ts';
import { readDbfRows, surveyDbf } from './dbf.ts';
import { openVectorEngineHere } from '../../../../test/support/geo/engine-here.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { createAsking, packed } from '../../../../test/support/hostile/hostile-vectors.ts';
import { dbfOf, type FieldOfDbf, shapefileOf } from '../../../../test/support/geo/shapefiles.ts';
import { repetitions } from '../../../../test/support/tier.ts';

/** A cell as bytes, and its expected JSON text; numbers are compared digit by digit. */
interface Cell {
  readonly bytes: Uint8Array;
  readonly json: string;
}

/** A column with its cells; undefined for one that is reported and left out. */
interface Column {
  readonly field: Omit<FieldOfDbf, 'name'>;
  readonly cell: fc.Arbitrary<Cell>;
  readonly isRead?: false;
}

const letters = {
  'windows-1251': 'Қазақ'.slice(1, 2) + 'абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЯЁё№«»',
  CP866: 'абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЯЁё№',
  'windows-1252': 'äöüßéèàçñÄÖÜÉ',
  'UTF-8': 'қәғңұүөіҚӘабвгдÄ中文🙂',
} as const;
type CharsetName = keyof typeof letters;
const ascii = 'abc XYZ 019 [{"\\,;:\'<>\t\u007f';
const charsetNames: readonly CharsetName[] = ['windows-1251', 'CP866', 'windows-1252', 'UTF-8'];

function encoderOf(name: CharsetName): (text: string) => Uint8Array {
  if (name === 'UTF-8') return (text) => Buffer.from(text);
  const charset = charsetNamed(name) ?? assert.fail(name);
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [charset.decode(Uint8Array.of(byte)), byte] as const),
  );
  return (text) =>
    Uint8Array.from(text, (letter) => bytes.get(letter) ?? assert.fail(`${letter} in ${name}`));
}

const nothing = (...texts: readonly string[]) =>
  fc.constantFrom(...texts).map((text): Cell => ({ bytes: Buffer.from(text), json: 'null' }));
const oneOf = fc.oneof;

/** Texts that fit, without trailing blanks, which a .dbf cannot distinguish from padding. */
const textsOf = (name: CharsetName, maxBytes: number): fc.Arbitrary<Cell> => {
  const encode = encoderOf(name);
  return fc
    .array(fc.constantFrom(...new Set(letters[name] + ascii)), { maxLength: maxBytes })
    .map((some) => some.join('').replaceAll(/^ +| +$/g, ''))
    .map((text) => ({ bytes: encode(text), json: text === '' ? 'null' : JSON.stringify(text) }))
    .filter(({ bytes }) => bytes.length <= maxBytes);
};

const digits = fc.stringMatching(/^\d{1,20}$/);
const trimmed = (whole: string) => whole.replace(/^0+(?=\d)/, '');
const padded = fc.constantFrom(
  (text: string) => text,
  (text: string) => `  ${text}`,
  (text: string) => `${text}  `,
  (text: string) => `${text}\0\0`,
);
const numberTexts = oneOf(
  digits.map((whole) => [whole, trimmed(whole)]),
  digits.map((whole) => [`-${whole}`, `-${trimmed(whole)}`]),
  digits.map((whole) => [`+${whole}`, trimmed(whole)]),
  fc.tuple(digits, digits).map(([whole, rest]) => [`${whole}.${rest}`, `${trimmed(whole)}.${rest}`]),
  digits.map((rest) => [`-.${rest}`, `-0.${rest}`]),
  digits.map((whole) => [`${whole}.`, trimmed(whole)]),
  fc
    .tuple(digits, fc.integer({ min: -300, max: 280 }))
    .map(([whole, power]) => [
      `${whole}E${power < 0 ? '' : '+'}${power}`,
      `${trimmed(whole)}E${power < 0 ? '' : '+'}${power}`,
    ]),
).chain(([text = '', json = '']) => padded.map((pad): Cell => ({ bytes: Buffer.from(pad(text)), json })));
const noNumbers = fc
  .constantFrom(
    '12,5',
    '1 234,56',
    '12.7.1',
    '-',
    '.',
    '1e',
    'n/a',
    '0x1F',
    '1_000',
    '12a',
    '1/2',
    'inf',
    '-1.#INF',
    '1 2',
  )
  .map((text): Cell => ({ bytes: Buffer.from(text), json: JSON.stringify(text) }));
const numbers = oneOf(
  numberTexts,
  noNumbers,
  nothing('', '*', '****', '\0\0', 'nan', 'NaN', '-1.#IND', '1.#QNAN'),
);

const dates = oneOf(
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date): Cell => {
      const text = date.toISOString().slice(0, 10);
      return { bytes: Buffer.from(text.replaceAll('-', '')), json: JSON.stringify(text) };
    }),
  nothing('', '00000000', '********', '0', '\0'),
  fc
    .constantFrom('20201340', '20210229', '00000101', '31.12.20', '2020', 'н/д'.slice(1, 2))
    .map((text): Cell => ({ bytes: Buffer.from(text), json: JSON.stringify(text) })),
);
const logicals = oneOf(
  nothing('', '?', '*', '\0'),
  fc.constantFrom('T', 'F', 't', 'f', 'Y', 'N', 'y', 'n', '1').map((text): Cell => {
    return { bytes: Buffer.from(text), json: JSON.stringify(text) };
  }),
);

const binary = (length: number, write: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(length);
  write(bytes);
  return bytes;
};
const integers = fc
  .integer()
  .map((value): Cell => ({ bytes: binary(4, (at) => at.writeInt32LE(value)), json: String(value) }));
const doubles = fc.double().map((value): Cell => {
  const json = Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'null' : `"${String(value)}"`;
  return { bytes: binary(8, (at) => at.writeDoubleLE(value)), json };
});
const money = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value): Cell => {
  const sign = value < 0n ? '-' : '';
  const text = String(value < 0n ? -value : value).padStart(5, '0');
  return {
    bytes: binary(8, (at) => at.writeBigInt64LE(value)),
    json: `${sign}${text.slice(0, -4)}.${text.slice(-4)}`,
  };
});
const times = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date): Cell => {
    const [days, ms] = [
      Math.floor(date.getTime() / 86_400_000),
      ((date.getTime() % 86_400_000) + 86_400_000) % 86_400_000,
    ];
    const bytes = binary(8, (at) => at.writeUInt32LE(ms, at.writeUInt32LE(days + 2_440_588, 0)));
    return { bytes, json: JSON.stringify(date.toISOString().replace(/(?:\.000)?Z$/, '')) };
  });
const blanks = nothing('');
const pointers = fc
  .integer({ min: 1, max: 999 })
  .map((at): Cell => ({ bytes: Buffer.from(String(at)), json: 'null' }));

const columnOf = (charset: CharsetName): fc.Arbitrary<Column> => {
  const plain = (type: string, length: number, cell: fc.Arbitrary<Cell>): Column => ({
    field: { type, length },
    cell,
  });
  return oneOf(
    fc.constantFrom(0, 1, 2, 10, 80, 254, 255).map((length) => plain('C', length, textsOf(charset, length))),
    fc.constant<Column>({ field: { type: 'C', length: 44, decimals: 1 }, cell: textsOf(charset, 300) }),
    fc
      .constantFrom(...'NF')
      .map((type): Column => ({ field: { type, length: 50, decimals: 3 }, cell: numbers })),
    fc.constant(plain('D', 8, dates)),
    fc.constant(plain('L', 1, logicals)),
    fc.constant(plain('I', 4, oneOf(integers, blanks))),
    fc.constant(plain('B', 8, oneOf(doubles, blanks))),
    fc.constant(plain('Y', 8, oneOf(money, blanks))),
    fc.constantFrom('T', '@').map((type) => plain(type, 8, oneOf(times, blanks))),
    fc
      .constantFrom('M', 'G', 'P', 'B')
      .map((type): Column => ({ ...plain(type, 10, pointers), isRead: false })),
    fc.constant(plain('M', 10, blanks)),
    fc
      .constantFrom('+', 'O', 'Q', 'W')
      .map((type): Column => ({ ...plain(type, 4, integersThatShow), isRead: false })),
    fc.constant(plain('X', 12, textsOf(charset, 12))),
  );
};
const integersThatShow = fc
  .integer({ min: 1 })
  .map((value): Cell => ({ bytes: binary(4, (at) => at.writeInt32LE(value)), json: 'null' }))
  .filter(({ bytes }) => bytes.some((byte) => byte !== 0 && byte !== 32));

const choices = charsetNames.map((charset) => ({ charset, column: columnOf(charset) }));

const tables = fc
  .constantFrom(...choices)
  .chain(({ charset, column }) =>
    fc.tuple(fc.constant(charset), fc.array(column, { minLength: 1, maxLength: 6 })),
  )
  .chain(([charset, columns]) => {
    const row = fc.record({ cells: fc.tuple(...columns.map(({ cell }) => cell)), isDeleted: fc.boolean() });
    return fc.record({
      charset: fc.constant(charset),
      columns: fc.constant(columns),
      rows: fc.array(row, { minLength: 1, maxLength: 4 }),
      languageByte: fc.constantFrom(0, 3, 0x57, 0x65, 0xc9),
      version: fc.constantFrom(0x03, 0x30, 0x31, 0x83, 0x8b, 0xf5),
    });
  });
type Table = typeof tables extends fc.Arbitrary<infer T> ? T : never;

/** All but the last row may be deleted, so that each column has a cell that counts. */
const isDeleted = ({ rows }: Table, index: number) =>
  rows[index]?.isDeleted === true && index < rows.length - 1;

function written(table: Table): Buffer {
  const fields = table.columns.map(({ field }, index) => ({ ...field, name: Buffer.from(`c${index}`) }));
  const rows = table.rows.map(({ cells }, index) => {
    return { cells: cells.map(({ bytes }) => bytes), isDeleted: isDeleted(table, index) };
  });
  return dbfOf({ ...table, fields, rows });
}

const exactNumber = (json: string) => {
  const [, sign, whole = '', rest = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(json) ?? [];
  if (sign === undefined) return json;
  const all = `${whole}${rest}`.replace(/^0+/, '');
  const bare = all.replace(/0+$/, '');
  return bare === '' ? '0' : `${sign}${bare}e${Number(power) - rest.length + all.length - bare.length}`;
};

/** Expected properties of each row. */
function expected(table: Table): readonly (readonly string[])[] {
  return table.rows
    .filter((_, index) => !isDeleted(table, index))
    .map(({ cells }) =>
      cells.flatMap(({ json }, index) => {
        if (table.columns[index]?.isRead === false) return [];
        const exact = table.columns[index]?.field.length === 0 ? 'null' : exactNumber(json);
        return [`"c${index}":${exact}`];
      }),
    );
}

/** Splits an object into its members, which contain no objects. */
const membersOf = (text: string): readonly string[] =>
  Array.from(
    text.matchAll(/"(c\d+)":("(?:[^"\\]|\\.)*"|[^,}]+)/g),
    ([, name = '', json = '']) => `"${name}":${exactNumber(json)}`,
  );

describe('Random tables of every type', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steppe-dbf-'));
  after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'table.dbf');

  test('come back value for value, or their columns are named', () => {
    fc.assert(
      fc.property(tables, (table) => {
        writeFileSync(path, written(table));
        const survey = surveyDbf(path);
        assert.ok(typeof survey === 'object');
        const charset = charsetNamed(table.charset) ?? assert.fail(table.charset);
        const names = survey.columns.map(({ name }) => name.toString());
        const findings = createFindings();
        const rows = [...readDbfRows(survey, { charset, names, findings })].filter(
          (row) => row !== undefined,
        );
        assert.deepEqual(rows.map(String).map(membersOf), expected(table));
        const leftOut = table.columns.flatMap(({ isRead }, index) => (isRead === false ? [`c${index}`] : []));
        assert.deepEqual(
          survey.columns.filter((field) => survey.unreadable.has(field)).map(({ name }) => name.toString()),
          leftOut,
        );
      }),
      { numRuns: repetitions('TABLES', 250, 1200) },
    );
  });

  test('do so as uploads, with their shapes and their warnings, for a map and for a table', async () => {
    const engine = await closeAfterTests(openVectorEngineHere());
    const asking = createAsking(engine);
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const dbf = written(table);
        writeFileSync(path, dbf);
        const survey = surveyDbf(path);
        assert.ok(typeof survey === 'object');
        // Random letters are not a language: the reader may overrule the .cpg.
        fc.pre(fits(charsetNamed(table.charset) ?? assert.fail(table.charset), survey.evidence));
        const points = table.rows.map((_, index) => [60 + index, 50] as const);
        const { shp, shx } = shapefileOf({ points, texts: [] });
        const parts = new Map([
          ['.shp', shp],
          ['.shx', shx],
          ['.dbf', dbf],
          ['.cpg', Buffer.from(table.charset)],
        ]);
        const zip = await asking.put(packed(parts));
        const { text, findings } = await asking.vector(zip);
        const kept = expected(table);
        const [properties = ''] = /(?<="properties":)[^\n]*(?:\n\{[^\n]*)*/.exec(text) ?? [];
        assert.deepEqual(membersOf(properties), kept.flat());
        const { features } = JSON.parse(text);
        const places = table.rows.flatMap((_, index) => (isDeleted(table, index) ? [] : [[60 + index, 50]]));
        const { coordinates } = features[0].geometry;
        assert.deepEqual(places.length === 1 ? [coordinates] : coordinates, places);
        const warned = findings.warnings.find(({ code }) => code === 'columns_left_out')?.message ?? '';
        for (const [index, { isRead }] of table.columns.entries())
          assert.equal(warned.includes(`c${index}`), isRead === false);
        if (kept[0]?.length === 0) return;
        const { rowCount } = await asking.table(zip);
        assert.equal(rowCount, kept.length);
      }),
      { numRuns: repetitions('UPLOADS', 10, 25) },
    );
  });
});
