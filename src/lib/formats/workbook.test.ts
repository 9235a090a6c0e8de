import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { gzipped } from './packing.ts';
import { sheetLimits, writeWorkbook } from './workbook.ts';

/** Reads the members of an archive through its central directory, as other programs do. */
function membersOf(archive: Buffer): ReadonlyMap<string, string> {
  const end = archive.length - 22;
  const members = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed = 0, , name = 0] = [20, 24, 28].map((where) =>
      where === 28 ? archive.readUInt16LE(at + where) : archive.readUInt32LE(at + where),
    );
    const head = archive.readUInt32LE(at + 42);
    const from = head + 30 + archive.readUInt16LE(head + 26) + archive.readUInt16LE(head + 28);
    const text = inflateRawSync(archive.subarray(from, from + packed)).toString();
    members.set(archive.toString('utf8', at + 46, at + 46 + name), text);
    at += 46 + name + archive.readUInt16LE(at + 30);
  }
  return members;
}

const one = { name: 'Table', widths: [12, 20], head: ['code', '2020'] };

describe('a workbook', () => {
  it('has texts that no program takes for formulas or numbers', async () => {
    const texts = ['=1+1', '  a & <b>', 'a\r\nb', '_x0041_', 'bad\u0001\ud800', 'x'.repeat(40_000)];
    const rows = [
      [{ value: '010000000', style: 'code' as const }, 1e21],
      ...texts.map((text) => [text, null]),
    ];
    const sheet =
      membersOf(await buffer(writeWorkbook([{ ...one, rows: [rows] }]))).get('xl/worksheets/sheet1.xml') ??
      '';
    for (const part of [
      '<c r="A1" s="1" t="inlineStr"><is><t xml:space="preserve">code</t></is></c>',
      '<c r="A2" s="3" t="inlineStr"><is><t xml:space="preserve">010000000</t></is></c><c r="B2"><v>1e+21</v></c>',
      '<t xml:space="preserve">=1+1</t>',
      '<t xml:space="preserve">  a &amp; &lt;b&gt;</t>',
      'a&#13;\nb',
      '_x005F_x0041_',
      'bad\ufffd\ufffd',
      `>${'x'.repeat(sheetLimits.characters)}<`,
    ])
      assert.ok(sheet.includes(part), part);
    assert.ok(!sheet.includes('<f>'));
  });

  it('goes on in another sheet where one is full, and names both', async () => {
    const rows = Array.from({ length: 11 }, (_, index) => [index]);
    const batches = [rows.slice(0, 3), [], rows.slice(3)];
    const members = membersOf(await buffer(writeWorkbook([{ ...one, rows: batches }], { maxRows: 7 })));
    const numbers = [1, 2].map((number) => {
      const sheet = members.get(`xl/worksheets/sheet${number}.xml`) ?? '';
      return [...sheet.matchAll(/<c r="(A\d+)"><v>(\d+)/g)].map(([, cell, value]) => `${cell} ${value}`);
    });
    assert.deepEqual(numbers, [
      ['A2 0', 'A3 1', 'A4 2', 'A5 3', 'A6 4', 'A7 5'],
      ['A2 6', 'A3 7', 'A4 8', 'A5 9', 'A6 10'],
    ]);
    assert.match(members.get('xl/worksheets/sheet2.xml') ?? '', /<row r="1"><c r="A1" s="1"/);
    assert.match(members.get('xl/workbook.xml') ?? '', /name="Table".*name="Table \(2\)"/);
    assert.equal(members.has('xl/worksheets/sheet3.xml'), false);
  });

  it('names columns as spreadsheets do', async () => {
    const rows = [Array.from({ length: 703 }, (_, index) => index)];
    const sheet =
      membersOf(await buffer(writeWorkbook([{ ...one, rows: [rows] }]))).get('xl/worksheets/sheet1.xml') ??
      '';
    for (const cell of ['"Z2"><v>25', '"AA2"><v>26', '"ZZ2"><v>701', '"AAA2"><v>702'])
      assert.ok(sheet.includes(cell), cell);
  });

  it('takes no row before the bytes of earlier ones are taken, and lets go of them', async () => {
    let [taken, isOver] = [0, false];
    async function* rows() {
      try {
        for (; ; taken += 1) yield [['x'.repeat(1000)]];
      } finally {
        isOver = true;
      }
    }
    let bytes = 0;
    for await (const piece of writeWorkbook([{ ...one, rows: rows() }])) {
      bytes += piece.length;
      if (taken > 300) break;
    }
    assert.ok(bytes > 0 && taken < 1000, String(taken));
    assert.equal(isOver, true);
  });
});

describe('a packed text', () => {
  it('is one that any reader of gzip unpacks', async () => {
    const pieces = Array.from(
      { length: 2000 },
      (_, index) => `строка ${index}, ${'x'.repeat(index % 300)}\r\n`,
    );
    async function* text() {
      yield* pieces;
    }
    assert.equal(gunzipSync(await buffer(gzipped(text()))).toString(), pieces.join(''));
  });
});
