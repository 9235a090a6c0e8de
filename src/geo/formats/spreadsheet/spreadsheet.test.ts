import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { hostileZip, type ZipEntry } from '../../../../test/support/hostile/hostile-zip.ts';
import { Problem } from '../../../lib/errors.ts';
import type { CellValue } from '../../spreadsheet.ts';
import { fillOds, readOds } from './ods.ts';
import { openPackage, writePackage } from './package.ts';
import { fillXlsx, readXlsx } from './xlsx.ts';

const folder = await temporaryFolder();

async function open(parts: readonly ZipEntry[] | Buffer) {
  const path = join(folder, 'book');
  await writeFile(path, Buffer.isBuffer(parts) ? parts : hostileZip(parts));
  return await openPackage(path);
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const xlsx = (sheet: string, changed: Readonly<Record<string, string>> = {}): readonly ZipEntry[] =>
  Object.entries({
    '[Content_Types].xml': `<Types><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships><Relationship Id="a" Type="${relations}/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${relations}"><sheets><sheet name="S" sheetId="1" r:id="x"/></sheets><definedNames><definedName name="n">S!$B$2</definedName></definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="x" Type="${relations}/worksheet" Target="worksheets/a.xml"/></Relationships>`,
    'xl/worksheets/a.xml': `<worksheet>${sheet}</worksheet>`,
    'xl/media/picture.png': 'pixels',
    ...changed,
  }).map(([name, bytes]) => ({ name, bytes }));

const uri = (name: string) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`;
const ods = (rows: string, changed: Readonly<Record<string, string>> = {}): readonly ZipEntry[] =>
  Object.entries({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:document-content ${uri('office')} ${uri('table')} ${uri('text')}><office:body><office:spreadsheet><table:table table:name="S">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`,
    'META-INF/manifest.xml': '<manifest/>',
    ...changed,
  }).map(([name, bytes]) => ({ name, bytes, ...(name === 'mimetype' ? { method: 0 } : {}) }));

const value = (row: number, column: number, written: number | string): CellValue => ({
  sheet: 0,
  row,
  column,
  value: written,
});

async function filledXlsx(sheet: string, values: readonly CellValue[]): Promise<string> {
  const changed = fillXlsx(await open(xlsx(`<sheetData>${sheet}</sheetData>`)), values);
  const text = changed.get('xl/worksheets/a.xml') ?? '';
  return text.replace(/^.*<sheetData>(.*)<\/sheetData>.*$/, '$1');
}

async function filledOds(rows: string, values: readonly CellValue[]): Promise<string> {
  const text = fillOds(await open(ods(rows)), values).get('content.xml') ?? '';
  return text.replace(/^.*<table:table table:name="S">(.*)<\/table:table>.*$/, '$1');
}

const inline = (text: string) => `t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;

describe('A workbook that is filled', () => {
  it('keeps each part that is not filled as it lies in the archive', async () => {
    const before = await open(xlsx('<sheetData/>'));
    const after = await open(writePackage(before, fillXlsx(before, [value(0, 0, 1)])));
    const unchanged = [
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/media/picture.png',
    ];
    for (const name of unchanged) assert.deepEqual(after.find(name)?.packed, before.find(name)?.packed, name);
    assert.deepEqual(
      after.parts.map(({ name }) => name),
      before.parts.map(({ name }) => name),
    );
    assert.match(after.text('xl/workbook.xml'), /<\/definedNames><calcPr fullCalcOnLoad="1"\/><\/workbook>$/);
  });

  it('has values in the places of its cells, new cells and new rows (.xlsx)', async () => {
    const sheet =
      '<row r="2" spans="1:2" ht="9"><c r="A2" s="4" t="s"><v>0</v></c><c r="C2"><f>A2*2</f><v>7</v></c></row><row r="9"/>';
    const values = [
      value(1, 0, 1.5),
      value(1, 1, '=1+1'),
      value(1, 3, '  &<'),
      value(4, 0, 5),
      value(8, 1, 6),
      value(9, 0, 7),
    ];
    assert.equal(
      await filledXlsx(sheet, values),
      `<row r="2" ht="9"><c r="A2" s="4"><v>1.5</v></c><c r="B2" ${inline('=1+1')}<c r="C2"><f>A2*2</f></c><c r="D2" ${inline('  &amp;&lt;')}</row>` +
        '<row r="5"><c r="A5"><v>5</v></c></row><row r="9"><c r="B9"><v>6</v></c></row><row r="10"><c r="A10"><v>7</v></c></row>',
    );
  });

  it('keeps formulas, also of an array, and drops their results (.xlsx)', async () => {
    const sheet =
      '<row r="1"><c r="A1" t="str"><f t="array" ref="A1:B1">x</f><v>a</v></c><c r="B1"><v>2</v></c><c r="C1"><v>3</v></c></row>';
    assert.equal(
      await filledXlsx(sheet, [value(0, 0, 1), value(0, 1, 1)]),
      '<row r="1"><c r="A1"><f t="array" ref="A1:B1">x</f></c><c r="B1"></c><c r="C1"><v>3</v></c></row>',
    );
  });

  it('divides repeated rows and cells (.ods)', async () => {
    const rows =
      '<table:table-row table:number-rows-repeated="3" table:style-name="r"><table:table-cell table:style-name="c" table:number-columns-repeated="3"/></table:table-row>';
    const cell = (more: string, inside = '') =>
      `<table:table-cell table:style-name="c"${more}${inside === '' ? '/>' : `>${inside}</table:table-cell>`}`;
    const number = ' office:value-type="float" office:value="2"';
    assert.equal(
      await filledOds(rows, [value(1, 1, 2), value(3, 1, '@x')]),
      `<table:table-row table:style-name="r">${cell(' table:number-columns-repeated="3"')}</table:table-row>` +
        `<table:table-row table:style-name="r">${cell('')}${cell(number, '<text:p>2</text:p>')}${cell('')}</table:table-row>` +
        `<table:table-row table:style-name="r">${cell(' table:number-columns-repeated="3"')}</table:table-row>` +
        '<table:table-row><table:table-cell/><table:table-cell office:value-type="string"><text:p>@x</text:p></table:table-cell></table:table-row>',
    );
  });

  it('keeps notes and formulas, and drops results (.ods)', async () => {
    const rows =
      '<table:table-row><table:table-cell office:value-type="float" office:value="1"><office:annotation><text:p>n</text:p></office:annotation><text:p>1</text:p></table:table-cell><table:table-cell table:formula="of:=[.A1]" office:value-type="float" office:value="1"><text:p>1</text:p></table:table-cell></table:table-row>';
    assert.equal(
      await filledOds(rows, [value(0, 0, 'a'), value(0, 1, 9)]),
      '<table:table-row><table:table-cell office:value-type="string"><office:annotation><text:p>n</text:p></office:annotation><text:p>a</text:p></table:table-cell><table:table-cell table:formula="of:=[.A1]"></table:table-cell></table:table-row>',
    );
  });
});

describe('A workbook that is not safe', () => {
  const refused = async (
    parts: readonly ZipEntry[] | Buffer,
    sentence: RegExp,
    read: 'xlsx' | 'ods' = 'xlsx',
  ) => {
    const work = async () => {
      const opened = await open(parts);
      return read === 'xlsx' ? readXlsx(opened) : readOds(opened);
    };
    await assert.rejects(work, (error: unknown) => {
      assert.ok(error instanceof Problem && error.code === 'invalid', String(error));
      assert.match(error.message, sentence);
      return true;
    });
  };
  const typed = (type: string) => ({
    '[Content_Types].xml': `<Types><Override ContentType="${types}.sheet.main+xml"/><Override ContentType="${type}"/></Types>`,
  });
  const linked = (type: string, more = '') => ({
    'xl/worksheets/_rels/a.xml.rels': `<Relationships><Relationship Id="y" Type="${relations}/${type}" Target="x"${more}/></Relationships>`,
  });

  it('is refused with a sentence (.xlsx)', async () => {
    for (const [changed, sentence] of [
      [typed('application/vnd.ms-excel.sheet.macroEnabled.main+xml'), /macros/],
      [typed('application/vnd.ms-office.vbaProject'), /macros/],
      [{ 'xl/vbaProject.bin': 'x' }, /macros/],
      [{ 'xl/macrosheets/a.xml': '<a/>' }, /macros/],
      [linked('control'), /macros or controls/],
      [linked('externalLink'), /other files/],
      [linked('image', ' TargetMode="External"'), /other files/],
      [linked('oleObject'), /embedded/],
      [linked('queryTable'), /connections/],
      [
        {
          '_xmlsignatures/origin.rels': `<Relationships><Relationship Type="${relations}/digital-signature/origin"/></Relationships>`,
        },
        /signed/,
      ],
      [{ 'xl/styles.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }, /document type in xl\/styles\.xml/],
      [{ 'xl/styles.xml': '\uFEFF<a/>', 'xl/theme.xml': '\xFF\xFE<\0' }, /UTF-8|document/],
      [{ 'xl/WORKBOOK.xml': '<a/>' }, /two parts/],
      [{ '[Content_Types].xml': '<Types/>' }, /not a workbook/],
    ] as const) {
      const isText = Object.values(changed).some((text) => text.startsWith('\uFEFF'));
      await refused(
        isText
          ? [...xlsx('<sheetData/>'), { name: 'xl/theme.xml', bytes: Buffer.from('\xFF\xFE<\0', 'latin1') }]
          : xlsx('<sheetData/>', changed),
        sentence,
      );
    }
    for (const formula of [
      '[1]S!A1',
      "'[b.xlsx]S'!A1",
      'WEBSERVICE("http://x")',
      "cmd|'/c calc'!A0",
      "'file:///x'#$S.A1",
    ])
      await refused(
        xlsx(
          `<sheetData><row r="1"><c r="A1"><f>${formula.replaceAll('"', '&quot;')}</f></c></row></sheetData>`,
        ),
        /formula in A1/,
      );
    const harmless = `<sheetData><row r="1"><c r="A1"><f>SUM(T[Area],"a|b!c")+S!A1+'S'!B1</f></c></row></sheetData>`;
    assert.equal(readXlsx(await open(xlsx(harmless))).sheets[0]?.cells.length, 1);
  });

  it('is refused with a sentence (.ods)', async () => {
    for (const [rows, changed, sentence] of [
      ['', { 'Basic/a.xml': '<a/>' }, /macros/],
      ['', { 'META-INF/documentsignatures.xml': '<a/>' }, /signed/],
      ['', { 'META-INF/manifest.xml': '<a><manifest:encryption-data/></a>' }, /encrypted/],
      ['', { mimetype: 'application/vnd.oasis.opendocument.text' }, /not a workbook/],
      ['<table:table-source xlink:href="x"/>', {}, /other files/],
      ['<draw:image xlink:href="http://x/y.png"/>', {}, /other files/],
      ['<draw:object-ole xlink:href="./Object 1"/>', {}, /embedded/],
      ['<script:event-listener/>', {}, /macros/],
      [
        '<table:table-row><table:table-cell table:formula="of:=DDE(&quot;a&quot;;&quot;b&quot;)"/></table:table-row>',
        {},
        /formula/,
      ],
      ['<table:table-row table:number-rows-repeated="9999999"/>', {}, /damaged/],
      [
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell></table:table-row>',
        {},
        /200000 cells/,
      ],
      ['&undefined;', {}, /damaged/],
      ['', { 'content.xml': '<a/>' }, /unusual/],
    ] as const)
      await refused(ods(rows, changed), sentence, 'ods');
  });

  it('is refused for its archive', async () => {
    const sheet = xlsx('<sheetData/>');
    await refused(Buffer.from('PK\u0003\u0004 and nothing else'), /cannot be read.*damaged or cut short/s);
    await refused([...sheet, { name: 'a', bytes: 'abc', says: { unpackedBytes: 2 } }], /damaged in a/);
    await refused([...sheet, { name: 'a', bytes: 'abc', says: { crc: 1 } }], /damaged in a/);
    await refused([...sheet, { name: 'a', bytes: Buffer.alloc(20 * 2 ** 20) }], /grow more than 200 times/);
    await refused(
      [...sheet, { name: 'a', bytes: 'a', says: { unpackedBytes: 2 ** 31 } }],
      /grow more|MiB together/,
    );
    await refused([...sheet, { name: 'a', bytes: 'a', says: { flags: 1 } }], /encrypted/);
  });
});
