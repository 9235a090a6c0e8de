import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWorkbook } from './read.ts';
import { type FaultCode, type Sheet, SpreadsheetFault } from '../model/types.ts';
import { textOf, zipOf } from './zip.ts';

const about: Readonly<Record<string, string>> = {
  '_rels/.rels':
    '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="/xl/workbook.xml"/></Relationships>',
  'xl/_rels/workbook.xml.rels': `<Relationships>
    <Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>
    <Relationship Id="r2" Type="x/worksheet" Target="worksheets/sheet2.xml"/>
    <Relationship Id="r3" Type="x/sharedStrings" Target="sharedStrings.xml"/>
    <Relationship Id="r4" Type="x/styles" Target="styles.xml"/>
    <Relationship Id="r5" Type="x/externalLink" TargetMode="External" Target="file:///etc/passwd"/></Relationships>`,
  'xl/workbook.xml':
    '<workbook><sheets><sheet name="Лист &amp; 1" r:id="r1"/><sheet name="B" state="hidden" r:id="r2"/></sheets></workbook>',
  'xl/sharedStrings.xml':
    '<sst><si><t>Абай</t></si><si><r><t>Ақ</t></r><r><t>мола</t></r><rPh><t>x</t></rPh></si><si><t/></si></sst>',
  'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot; г.&quot;"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
  'xl/worksheets/sheet2.xml': '<worksheet><sheetData/></worksheet>',
};

const sheetOf = (rows: string, more = ''): string =>
  `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>${rows}</sheetData>${more}</worksheet>`;

async function workbook(parts: Readonly<Record<string, string>>): Promise<Uint8Array<ArrayBuffer>> {
  const files = Object.entries({ ...about, ...parts });
  const zip = await zipOf(files.map(([name, text]) => ({ name, data: new Blob([text]), isPacked: false })));
  return new Uint8Array(await zip.arrayBuffer());
}

async function firstSheet(sheet: string, parts: Readonly<Record<string, string>> = {}): Promise<Sheet> {
  const bytes = await workbook({ 'xl/worksheets/sheet1.xml': sheet, ...parts });
  const [first] = (await readWorkbook(bytes, 'a.xlsx')).sheets;
  assert.ok(first !== undefined);
  return first;
}

const fault = (code: FaultCode) => (error: unknown) =>
  error instanceof SpreadsheetFault && error.code === code;

test('cells of every type are read as a person sees them', async () => {
  const sheet = await firstSheet(
    sheetOf(
      `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="D2" t="s"><v>2</v></c></row>
       <row><c s="1"><v>43831</v></c><c s="2"><v>0.125</v></c><c s="3"><v>43831</v></c><c><v>0.30000000000000004</v></c></row>
       <row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="str"><f>A1</f><v>a&lt;b</v></c><c><f>A1</f></c><c t="inlineStr"><is><t>x_x000D_y</t></is></c></row>`,
      '<mergeCells><mergeCell ref="A2:B3"/></mergeCells><dataValidations><dataValidation sqref="A1:XFD1048576"/></dataValidations>',
    ),
  );
  assert.deepEqual(sheet.rows, [
    [],
    ['Абай', 'Ақмола'],
    ['2020-01-01', '12.5%', '2020', 0.3],
    ['TRUE', '#N/A', 'a<b', null, 'x\ry'],
  ]);
  assert.equal(sheet.name, 'Лист & 1');
  assert.equal(sheet.formulasWithoutValue, 1);
  assert.deepEqual(sheet.merges, [{ top: 1, left: 0, bottom: 2, right: 1 }]);
});

test('dates count from 1904 where the workbook says so', async () => {
  const sheets = '<sheets><sheet name="A" r:id="r1"/></sheets>';
  const parts = { 'xl/workbook.xml': `<workbook><workbookPr date1904="1"/>${sheets}</workbook>` };
  const rows = '<row><c s="1"><v>42369</v></c></row>';
  assert.deepEqual((await firstSheet(sheetOf(rows), parts)).rows, [['2020-01-01']]);
});

test('a million empty rows, and one cell at the end of the sheet, cost little', async () => {
  const empty = await firstSheet(sheetOf('<row r="1"/>'.repeat(50_000)));
  assert.equal(empty.rows.length, 0);
  const last = await firstSheet(sheetOf('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'));
  assert.equal(last.rows.length, 1_048_576);
});

test('what only a hostile workbook has is refused in a word', async () => {
  const one = '<row><c><v>1</v></c></row>';
  const cases: readonly (readonly [FaultCode, Readonly<Record<string, string>>])[] = [
    ['documentType', { 'xl/workbook.xml': '<!DOCTYPE x [<!ENTITY a "b">]><workbook/>' }],
    ['damaged', { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData>' }],
    ['damaged', { 'xl/worksheets/sheet1.xml': sheetOf('<row r="99999999999"><c><v>1</v></c></row>') }],
    [
      'tooManyCells',
      { 'xl/worksheets/sheet1.xml': sheetOf('<row><c r="XFD1"><v>1</v></c></row>'.repeat(300)) },
    ],
    ['noSheets', { 'xl/workbook.xml': '<workbook/>' }],
  ];
  for (const [code, parts] of cases) {
    const bytes = await workbook({
      'xl/worksheets/sheet1.xml': sheetOf(one),
      'xl/worksheets/sheet2.xml': parts['xl/worksheets/sheet1.xml'] ?? sheetOf(one),
      ...parts,
    });
    await assert.rejects(readWorkbook(bytes, 'a.xlsx'), fault(code), code);
  }
});

test('a sheet that cannot be read leaves the others', async () => {
  const bytes = await workbook({ 'xl/worksheets/sheet1.xml': '<worksheet><sheetData>' });
  const [first, second] = (await readWorkbook(bytes, 'a.xlsx')).sheets;
  assert.equal(first?.fault?.code, 'damaged');
  assert.deepEqual([second?.fault, second?.isHidden], [undefined, true]);
});

test('a part that unpacks to too much is given up while it unpacks', async () => {
  const stream = new Blob([' '.repeat(12 * 1024 * 1024)])
    .stream()
    .pipeThrough(new CompressionStream('deflate-raw'));
  const member = { name: 'a', method: 8, packed: await new Response(stream).bytes(), checksum: 0 };
  const unpack = async (bytes: number): Promise<number> => {
    let length = 0;
    for await (const { length: more } of textOf(member, { bytes })) length += more;
    return length;
  };
  await assert.rejects(unpack(Infinity), fault('tooTight'));
  await assert.rejects(unpack(1024 * 1024), fault('tooLarge'));
});

test('other files are told apart', async () => {
  const bytes = (...values: number[]) => new Uint8Array([...values, ...new Uint8Array(100)]);
  await assert.rejects(readWorkbook(new Uint8Array(), 'a.csv'), fault('empty'));
  await assert.rejects(readWorkbook(bytes(0xd0, 0xcf, 0x11, 0xe0), 'a.xls'), fault('damaged'));
  await assert.rejects(readWorkbook(bytes(0x50, 0x4b, 3, 4), 'a.xlsx'), fault('damaged'));
  await assert.rejects(readWorkbook(bytes(0x89, 0x50), 'a.csv'), fault('notSpreadsheet'));
  const binary = await zipOf([{ name: 'xl/workbook.bin', data: new Blob(['x']), isPacked: false }]);
  await assert.rejects(readWorkbook(await binary.bytes(), 'a.xlsb'), fault('otherSpreadsheet'));
});

test('text is read by its delimiter, quotes and charset', async () => {
  const read = async (content: string | Uint8Array<ArrayBuffer>) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const { sheets, encoding } = await readWorkbook(bytes, 'x/Лист.csv');
    assert.equal(sheets[0]?.name, 'Лист');
    return { rows: sheets[0].rows, encoding };
  };
  const rows = [
    ['код', 'имя'],
    ['1', 'а;б'],
  ];
  assert.deepEqual(await read('\uFEFFкод;имя\r\n1;"а;б"\r\n'), { rows, encoding: 'utf-8' });
  assert.deepEqual((await read('sep=,\nкод,имя\n1,а;б')).rows, rows);
  assert.deepEqual((await read('код\tимя\n="1"\tа;б\n')).rows, rows);
  const utf16 = new Uint8Array(Buffer.from('код\tимя\n1\tа;б\n', 'utf16le'));
  assert.deepEqual(await read(utf16), { rows, encoding: 'utf-16le' });
  const cyrillic = Uint8Array.from(Buffer.from('\xea\xee\xe4;\xe8\xec\xff\n1;"\xe0;\xe1"', 'latin1'));
  assert.deepEqual(await read(cyrillic), { rows, encoding: 'windows-1251' });
  // Decimal commas make no columns, and a quote that is not closed is a character.
  assert.deepEqual((await read('a;b\n1,5;2,5\n3,5;4,5\n')).rows, [
    ['a', 'b'],
    ['1,5', '2,5'],
    ['3,5', '4,5'],
  ]);
  assert.deepEqual((await read('a;"b\nc;"d ""e"""\n')).rows, [
    ['a', '"b'],
    ['c', 'd "e"'],
  ]);
});
