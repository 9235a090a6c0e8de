import { deflateRawSync } from 'node:zlib';
import { hostileZip } from '../../support/hostile/hostile-zip.ts';
import { workbook, workbookParts, xmlHead } from '../../support/tables/workbooks.ts';
import {
  blown,
  type Hostile,
  honest,
  main,
  mebibyte,
  sheetOne,
  sheetXml,
  texts,
  withParts,
} from './parts.ts';

const far = 'A1:XFD1048576';

export const costly: readonly Hostile[] = [
  {
    name: 'validations and formats over billions of cells',
    file: 'validations.xlsx',
    ends: ['table'],
    bytes: () =>
      workbook([
        {
          ...honest,
          tail: `<conditionalFormatting sqref="${far}"><cfRule type="expression" priority="1"><formula>1</formula></cfRule></conditionalFormatting><dataValidations count="65534">${`<dataValidation type="list" sqref="${far}"><formula1>"да,нет"</formula1></dataValidation>`.repeat(65_534)}</dataValidations>`,
        },
      ]),
  },
  {
    name: 'a dimension of all cells, a merge over all of them, a value in the last one',
    file: 'dimension.xlsx',
    ends: ['table', 'tooManyCells'],
    bytes: () =>
      withParts({
        [sheetOne]: {
          bytes: sheetXml(
            `<dimension ref="${far}"/><cols><col min="1" max="16384" width="9"/></cols><sheetData><row r="1" spans="1:16384"><c r="A1" t="inlineStr"><is><t>КАТО</t></is></c><c r="B1"><v>2022</v></c></row><row r="2"><c r="A2"><v>113200000</v></c><c r="B2"><v>12.5</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData><mergeCells count="1"><mergeCell ref="${far}"/></mergeCells>`,
          ),
        },
      }),
  },
  {
    name: 'a million merges over all cells',
    file: 'merges.xlsx',
    ends: ['table', 'tooManyCells', 'tooLarge', 'tooTight'],
    bytes: () => workbook([{ ...honest, merges: Array.from({ length: 1_000_000 }, () => 'A1:XFD1048576') }]),
  },
  {
    name: 'a million empty rows',
    file: 'empty-rows.xlsx',
    ends: ['table', 'tooTight'],
    bytes: () =>
      withParts({
        [sheetOne]: {
          bytes: sheetXml(
            `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>КАТО</t></is></c><c r="B1"><v>2022</v></c></row><row r="2"><c r="A2"><v>113200000</v></c><c r="B2"><v>12.5</v></c></row>${Array.from({ length: 1_000_000 }, (_, index) => `<row r="${index + 3}" s="7" customFormat="1"/>`).join('')}</sheetData>`,
          ),
        },
      }),
  },
  {
    name: 'cells in a format, and nothing in them, to the end of the sheet',
    file: 'empty-cells.xlsx',
    ends: ['tooManyCells', 'tooTight', 'tooLarge', 'damaged'],
    bytes: () =>
      withParts({
        [sheetOne]: {
          bytes: sheetXml(`<sheetData><row r="1">${'<c s="1"/>'.repeat(4_000_000)}</row></sheetData>`),
        },
      }),
  },
  {
    name: 'a sheet of a quarter of a gigabyte of blanks',
    file: 'bomb.xlsx',
    ends: ['tooTight', 'tooLarge', 'damaged'],
    bytes: () => {
      const unpackedBytes = 256 * mebibyte;
      const bytes = blown(' ', unpackedBytes);
      bytes.write(`<worksheet xmlns="${main}"><sheetData>`);
      const packed = deflateRawSync(bytes, { level: 1 });
      return withParts({ [sheetOne]: { bytes: '', packed, says: { unpackedBytes } } });
    },
  },
  {
    name: 'a bomb that says that it is small',
    file: 'lying.xlsx',
    ends: ['damaged', 'tooTight', 'tooLarge'],
    bytes: () =>
      withParts({
        [sheetOne]: {
          bytes: '',
          packed: deflateRawSync(blown(' ', 256 * mebibyte), { level: 1 }),
          says: { unpackedBytes: 2000 },
        },
      }),
  },
  {
    name: 'a part that says that it is four gigabytes',
    file: 'boasting.xlsx',
    ends: ['damaged', 'tooTight', 'tooLarge', 'table'],
    bytes: () => withParts({ [sheetOne]: { says: { unpackedBytes: 0xff_ff_ff_fe } } }),
  },
  {
    name: 'many sheets in the bytes of one',
    file: 'overlapping.xlsx',
    ends: ['damaged', 'tooTight', 'tooLarge', 'tooManyFiles'],
    bytes: () => overlapping(),
  },
  {
    name: 'a hundred thousand files',
    file: 'files.xlsx',
    ends: ['tooManyFiles', 'damaged'],
    bytes: () =>
      hostileZip([
        ...workbookParts([honest]),
        ...Array.from({ length: 60_000 }, (_, index) => ({ name: `xl/x/${index}`, bytes: '', method: 0 })),
      ]),
  },
  {
    name: 'ten million shared texts',
    file: 'texts.xlsx',
    ends: ['tooTight', 'tooLarge', 'tooManyCells'],
    bytes: () =>
      withParts({
        [texts]: {
          bytes: `${xmlHead}<sst xmlns="${main}" count="4294967295" uniqueCount="4294967295">${'<si><t/></si>'.repeat(10_000_000)}</sst>`,
        },
      }),
  },
  {
    name: 'a million formats',
    file: 'formats.xlsx',
    ends: ['tooTight', 'tooLarge', 'tooManyCells', 'table'],
    bytes: () =>
      withParts({
        'xl/styles.xml': {
          bytes: `${xmlHead}<styleSheet xmlns="${main}"><numFmts>${Array.from({ length: 300_000 }, (_, index) => `<numFmt numFmtId="${index}" formatCode="yyyy${index}"/>`).join('')}</numFmts><cellXfs>${'<xf numFmtId="14"/>'.repeat(1_000_000)}</cellXfs></styleSheet>`,
        },
      }),
  },
  {
    name: 'elements in each other, a million deep',
    file: 'deep.xlsx',
    ends: ['damaged', 'tooTight', 'tooLarge', 'tooManyCells'],
    bytes: () => withParts({ [sheetOne]: { bytes: sheetXml('<a>'.repeat(1_000_000)) } }),
  },
  {
    name: 'ten thousand sheets',
    file: 'sheets.xlsx',
    ends: ['table', 'tooManyFiles', 'tooManyCells', 'tooTight'],
    bytes: () => workbook(Array.from({ length: 10_000 }, (_, index) => ({ ...honest, name: `Л${index}` }))),
  },
  {
    name: 'a text of a hundred megabytes in a cell',
    file: 'long-text.xlsx',
    ends: ['tooTight', 'tooLarge', 'damaged'],
    bytes: () =>
      withParts({
        [sheetOne]: {
          bytes: Buffer.concat([
            Buffer.from(
              `${xmlHead}<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>`,
            ),
            blown('a1 ', 33 * mebibyte),
            Buffer.from('</t></is></c></row></sheetData></worksheet>'),
          ]),
        },
      }),
  },
  {
    name: 'texts that are slow to judge',
    file: 'slow.xlsx',
    ends: ['table', 'noTable', 'noKey', 'tooSlow'],
    bytes: () => {
      const shapes = [
        '1 '.repeat(16_000),
        ' '.repeat(32_000),
        '2020-'.repeat(6000),
        '01.'.repeat(10_000),
        `1${'\u00a0'.repeat(32_000)}1`,
        'январь '.repeat(4000),
        '1'.repeat(32_000),
        "'".repeat(32_000),
        'на '.repeat(10_000),
        '='.repeat(32_000),
        '/'.repeat(32_000),
        'район '.repeat(5000),
      ];
      return workbook([
        {
          name: 'Лист1',
          rows: [
            ['КАТО', ...shapes],
            ...Array.from({ length: 12 }, (_, index) => [
              `11320000${index % 10}`,
              ...shapes.map((shape) => `${shape}${index}`),
            ]),
          ],
        },
      ]);
    },
  },
];

/** A workbook of 200 sheets whose entries all begin at the bytes of the first one, which unpack to 20 MiB each. */
function overlapping(): Uint8Array {
  const many = Array.from({ length: 200 }, (_, index) => ({ ...honest, name: `Л${index}` }));
  const parts = workbookParts(many);
  const before = hostileZip(parts.slice(0, 4));
  const offset = before.readUInt32LE(before.length - 6);
  const bytes = blown(' ', 20 * mebibyte);
  const packed = deflateRawSync(bytes);
  return hostileZip(
    parts.map((part, index) => {
      if (!String(part.name).startsWith('xl/worksheets/')) return part;
      if (index === 4) return { ...part, bytes, packed };
      return {
        ...part,
        bytes: '',
        packed: Buffer.alloc(0),
        says: { offset, packedBytes: packed.length, unpackedBytes: bytes.length },
      };
    }),
  );
}
