import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { openVectorEngineHere } from '../../../../test/support/geo/engine-here.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { createAsking, packed } from '../../../../test/support/hostile/hostile-vectors.ts';
import { type Dbf, dbfOf, shapefileOf } from '../../../../test/support/geo/shapefiles.ts';

const engine = await closeAfterTests(openVectorEngineHere());
const asking = createAsking(engine);

/** Reads an upload as a vector and as a table. */
async function read(path: string) {
  const { text, findings } = await asking.vector(path);
  const { columns, rowsPath } = await asking.table(path);
  const [properties = ''] = /(?<="properties":).*?(?=\n,"geometry")/s.exec(text) ?? [];
  return {
    properties,
    columns,
    cells: (await readFile(rowsPath, 'utf8')).trimEnd().split('\n'),
    source: findings.source,
    warnings: findings.warnings.map(({ code, message }) => `${code}: ${message}`),
  };
}
const known = async (name: string) => await read(fixture(`vector/${name}.zip`));

/** Writes a zipped shapefile with as many points as the table has rows. */
async function put(dbf: Dbf | Buffer, rows: number, cpg?: string): Promise<string> {
  const points = Array.from({ length: rows }, (_, index) => [60 + index, 50] as const);
  const { shp, shx } = shapefileOf({ points, texts: [] });
  const table = Buffer.isBuffer(dbf) ? dbf : dbfOf(dbf);
  const parts = { '.shp': shp, '.shx': shx, '.dbf': table, ...(cpg !== undefined && { '.cpg': cpg }) };
  return await asking.put(packed(new Map(Object.entries(parts))));
}
const field = (name: string, type: string, length: number, more = {}) => {
  return { name: Buffer.from(name), type, length, ...more };
};
const rowOf = (...cells: readonly (string | Uint8Array)[]) => ({
  cells: cells.map((cell) => (typeof cell === 'string' ? Buffer.from(cell) : cell)),
});

describe('A cell of a .dbf', () => {
  test('that marks what is missing is null in every row, and an impossible date stays a text', async () => {
    const { properties, cells, warnings } = await known('dbf_nulls');
    const rows = [
      ['"one"', '12.50', '7', '"2020-01-31"', '"T"', '1.500'],
      ['"stars"', 'null', 'null', 'null', 'null', 'null'],
      ['"zerodate"', '0.00', '0', 'null', '"N"', 'null'],
      ['"blank"', 'null', 'null', 'null', 'null', 'null'],
      ['"exp"', '1.5e+3', '12', '"20201340"', '"Y"', 'null'],
      ['"nan"', 'null', '-0', '"1899-12-31"', '"f"', 'null'],
    ];
    assert.deepEqual(
      cells,
      rows.map((row) => `[${row.join(',')}]`),
    );
    const names = ['NAME', 'AREA', 'CNT', 'DT', 'OK', 'F'];
    const objects = rows.map((row) => `{${row.map((cell, index) => `"${names[index]}":${cell}`).join(',')}}`);
    assert.equal(properties, `{"rows":[${objects.join(',\n')}]}`);
    assert.deepEqual(warnings, [
      'dates_impossible: One cell of the date column DT contains no date of the calendar; it was kept as text.',
    ]);
  });

  test('in columns of one name keeps its own, and the new names are said', async () => {
    const { columns, cells, warnings } = await known('dbf_same_names');
    assert.deepEqual(columns, ['KATO', 'Население_', 'Население__2', 'POP_TOTAL_', 'POP_TOTAL__2']);
    assert.deepEqual(cells, ['["110000000",1,2,3,4]', '["150000000",5,6,7,8]']);
    assert.deepEqual(warnings, [
      "names_truncated: A .dbf file stores only ten bytes of a column's name. These names were restored: Население__2, POP_TOTAL__2.",
    ]);
  });

  test('that a .cpg file lies about is read by its letters, and a warning names both encodings', async () => {
    for (const [name, said, charset, from] of [
      ['cpg_1251_data_utf8', 'windows-1251', 'UTF-8', 'strict UTF-8'],
      ['cpg_1252_data_1251', 'windows-1252', 'windows-1251', 'guess'],
      ['cpg_866_data_1251', 'CP866', 'windows-1251', 'guess'],
      ['cpg_iso88591_data_1251', 'ISO-8859-1', 'windows-1251', 'guess'],
      ['cpg_utf8_data_1251', 'UTF-8', 'windows-1251', 'guess'],
    ] as const) {
      const { cells, source, warnings } = await known(name);
      assert.deepEqual(cells, ['["Алматы облысы"]', '["Щучинск Ёлки"]'], name);
      assert.deepEqual([source?.encoding, source?.encoding_from], [charset, from], name);
      assert.deepEqual(warnings, [
        `encoding_overruled: The .cpg file names the encoding ${said}, but the bytes of the texts do not fit it; they were read as ${charset}. Correct it if the letters are right.`,
      ]);
    }
  });

  test('whose encoding has an unknown name is guessed, and the warning says why', async () => {
    const texts = { fields: [field('NAME', 'C', 20)], rows: [rowOf(Buffer.from('d1e5ece5e9', 'hex'))] };
    const { cells, warnings } = await read(await put(texts, 1, 'KLINGON'));
    assert.deepEqual(cells, ['["Семей"]']);
    assert.deepEqual(
      warnings.filter((warning) => warning.startsWith('encoding')),
      [
        'encoding_guessed: The .cpg file names no known encoding; by their letters the texts were read as windows-1251. Correct it to be sure.',
      ],
    );
  });

  test('of Visual FoxPro may be marked as null, or be a text that ends in blanks', async () => {
    const number = Buffer.alloc(4);
    number.writeInt32LE(-7);
    const short = Buffer.from('ab        ');
    short.writeUInt8(3, 9);
    const { columns, cells } = await read(
      await put(
        {
          version: 0x32,
          fields: [
            field('N', 'I', 4, { flags: 2 }),
            field('V', 'V', 10, { flags: 2 }),
            field('W', 'V', 10),
            field('_NullFlags', '0', 1, { flags: 5 }),
          ],
          // Bits: N is null, V is short, V is null, W is short.
          rows: [
            rowOf(number, short, 'abcdefghij', Uint8Array.of(0b0010)),
            rowOf(number, short, short, Uint8Array.of(0b1101)),
          ],
        },
        2,
      ),
    );
    assert.deepEqual(columns, ['N', 'V', 'W']);
    assert.deepEqual(cells, ['[-7,"ab ","abcdefghij"]', '[null,null,"ab "]']);
  });

  test('of a type that only another program understands is left out with its column, which is named', async () => {
    const { columns, cells, warnings } = await read(
      await put(
        {
          fields: [field('A', 'N', 3), field('NOTE', 'M', 10), field('AUTO', '+', 4), field('WHEN', 'T', 8)],
          rows: [rowOf('1', '        12', Uint8Array.of(128, 0, 0, 1), Buffer.alloc(8, 0x7f))],
        },
        1,
      ),
    );
    assert.deepEqual([columns, cells], [['A'], ['[1]']]);
    assert.deepEqual(
      warnings.filter((warning) => warning.startsWith('columns')),
      [
        'columns_left_out: These columns of the .dbf file were left out, because their cells are not stored as text, numbers or dates: NOTE, AUTO, WHEN. Copy them to columns of text to keep them.',
      ],
    );
  });

  test('is not looked for in a table that is shorter than it says, or of dBase 7', async () => {
    const rows = ['a', 'b', 'c'].map((text) => rowOf(text));
    const table = dbfOf({ fields: [field('NAME', 'C', 9)], rows });
    await asking.refused(
      await put(table.subarray(0, table.length - 5), 3),
      /its \.dbf file has 2 rows, its \.shp file 3 shapes/,
    );
    const seven = Buffer.alloc(200);
    seven.writeUInt8(4);
    seven.writeUInt32LE(1, 4);
    seven.writeUInt16LE(68 + 48 + 1, 8);
    seven.writeUInt16LE(11, 10);
    seven.write('DBWINUS0', 32);
    seven.write('NAME', 68);
    seven.write('C\n', 100);
    seven.writeUInt8(0x0d, 116);
    await asking.refused(await put(seven, 1), /dBase 7, which is not read here\. Save the table as dBase IV/);
  });

  test('beside no other column than those left out leaves rows without properties', async () => {
    const note = { fields: [field('NOTE', 'M', 10)], rows: [rowOf('1'), rowOf('2')] };
    const { text } = await asking.vector(await put(note, 2));
    assert.match(text, /"properties":\{"rows":\[\{\},\n\{\}\]\}/);
  });
});
