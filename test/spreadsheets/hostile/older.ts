import { compoundFile, placesOfCompound } from '../../support/tables/compound-files.ts';
import { odsContent, odsWith, odsWorkbook } from '../../support/tables/ods-workbooks.ts';
import { olderWorkbook, record, workbookStream } from '../../support/tables/older-workbooks.ts';
import { xmlHead } from '../../support/tables/workbooks.ts';
import { blown, type Hostile, honest, mebibyte } from './parts.ts';

const sectorBytes = 512;
const stream = workbookStream([honest]);
const endRecord = record(0x0a);
/** The stream of an honest workbook with records at the end of its sheet. */
const withRecords = (...records: readonly Uint8Array[]): Buffer =>
  Buffer.concat([stream.subarray(0, -endRecord.length), ...records, endRecord]);
/** A workbook with records before the end of its globals. */
const withGlobals = (...records: readonly Uint8Array[]): Buffer => {
  const at = stream.indexOf(endRecord);
  return Buffer.concat([stream.subarray(0, at), ...records, stream.subarray(at)]);
};
const inFile = (bytes: Uint8Array): Buffer => compoundFile([{ name: 'Workbook', bytes }]);
const shorts = (...values: readonly number[]): Buffer =>
  Buffer.from(values.flatMap((value) => [value & 0xff, (value >> 8) & 0xff]));
/** A workbook in whole sectors, with numbers of its header, tables or directory changed. */
const changed = (change: (bytes: Buffer) => void): Buffer => {
  const bytes = inFile(Buffer.concat([stream, Buffer.alloc(20_000)]));
  change(bytes);
  return bytes;
};
const placeOf = (bytes: Buffer, field: number): number => (bytes.readUInt32LE(field) + 1) * sectorBytes;

const one = '<table:table-cell office:value-type="float" office:value="1"/>';
const honestRows = ['КАТО,Район,2022', '113200000,Аккольский,12.5', '113400000,Аршалынский,13.5']
  .map((line) =>
    line
      .split(',')
      .map(
        (text) => `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`,
      ),
  )
  .map((cells) => `<table:table-row>${cells.join('')}</table:table-row>`)
  .join('');
const sheet = (rows: string) => `<table:table table:name="A">${rows}</table:table>`;
const content = (bytes: string | Uint8Array) => odsWith('', [{ name: 'content.xml', bytes }]);
const laughs = `<!DOCTYPE x [<!ENTITY a "${'ха'.repeat(50)}">${[...'bcdefghij'].map((letter, index) => `<!ENTITY ${letter} "${`&${'abcdefghi'[index]};`.repeat(10)}">`).join('')}]>`;

/** Workbooks of older Excel and of OpenDocument that lie, or want more than a reader gives. */
export const olderLying: readonly Hostile[] = [
  {
    name: '.xls: sectors that lead back to the first',
    file: 'loop.xls',
    ends: ['damaged'],
    bytes: () => changed((bytes) => bytes.writeUInt32LE(0, placeOf(bytes, placesOfCompound.firstTable) + 4)),
  },
  {
    name: '.xls: a sector that names itself',
    file: 'self.xls',
    ends: ['damaged'],
    bytes: () => changed((bytes) => bytes.writeUInt32LE(3, placeOf(bytes, placesOfCompound.firstTable) + 12)),
  },
  {
    name: '.xls: a sector behind the end of the file',
    file: 'behind.xls',
    ends: ['damaged'],
    bytes: () =>
      changed((bytes) => bytes.writeUInt32LE(0x7fffffff, placeOf(bytes, placesOfCompound.firstTable) + 8)),
  },
  {
    name: '.xls: tables that lead back to themselves',
    file: 'tables.xls',
    ends: ['damaged'],
    bytes: () => changed((bytes) => bytes.writeUInt32LE(2, placesOfCompound.moreTables)),
  },
  {
    name: '.xls: one table named a hundred times',
    file: 'again.xls',
    ends: ['damaged'],
    bytes: () =>
      changed((bytes) => {
        const first = bytes.readUInt32LE(placesOfCompound.firstTable);
        for (let at = 1; at < 109; at += 1) bytes.writeUInt32LE(first, placesOfCompound.firstTable + at * 4);
      }),
  },
  {
    name: '.xls: entries that lead back to each other',
    file: 'entries.xls',
    ends: ['table'],
    bytes: () =>
      changed((bytes) => {
        const entry = placeOf(bytes, placesOfCompound.directory) + 128;
        for (const field of [68, 72, 76]) bytes.writeUInt32LE(1, entry + field);
      }),
  },
  {
    name: '.xls: a stream of four gigabytes',
    file: 'size.xls',
    ends: ['damaged'],
    bytes: () =>
      changed((bytes) => bytes.writeUInt32LE(0xfffffff0, placeOf(bytes, placesOfCompound.directory) + 248)),
  },
  {
    name: '.xls: sectors of a size that does not exist',
    file: 'sectors.xls',
    ends: ['damaged'],
    bytes: () => changed((bytes) => bytes.writeUInt16LE(31, placesOfCompound.sectorBits)),
  },
  {
    name: '.xls: half a file',
    file: 'half.xls',
    ends: ['damaged'],
    bytes: () => changed(() => undefined).subarray(0, 9000),
  },
  {
    name: '.xls: a header alone',
    file: 'header.xls',
    ends: ['damaged'],
    bytes: () => inFile(stream).subarray(0, 512),
  },
  {
    name: '.xls: a record that is longer than the stream',
    file: 'record.xls',
    ends: ['damaged'],
    bytes: () => inFile(Buffer.concat([stream.subarray(0, -4), Buffer.from([3, 2, 0xff, 0xff, 0, 0])])),
  },
  {
    name: '.xls: a record that is too short for its kind',
    file: 'short.xls',
    ends: ['damaged'],
    bytes: () => inFile(withRecords(record(0x203, shorts(1)))),
  },
  {
    name: '.xls: more shared texts than there are, and cells with the missing ones',
    file: 'texts.xls',
    ends: ['damaged'],
    bytes: () => inFile(withRecords(record(0xfd, shorts(9, 9, 0, 0xffff, 0x7fff)))),
  },
  {
    name: '.xls: a text with four gigabytes of notes on pronunciation',
    file: 'phonetic.xls',
    ends: ['damaged'],
    bytes: () =>
      inFile(withGlobals(record(0xfc, shorts(1, 0, 1, 0, 1), Buffer.from([4, 255, 255, 255, 255, 65])))),
  },
  {
    name: '.xls: a cell in column 65,535',
    file: 'column.xls',
    ends: ['damaged'],
    bytes: () => inFile(withRecords(record(0x203, shorts(0, 0xffff, 0), Buffer.alloc(8)))),
  },
  {
    name: '.xls: sheets that are all the same bytes',
    file: 'same.xls',
    ends: ['table'],
    bytes: () => {
      const count = 900;
      const at = stream.indexOf(endRecord) + endRecord.length;
      const named = (by: number) => record(0x85, shorts(at + by, 0, 0), Buffer.from([1, 0, 65]));
      const by = named(0).length * count;
      return inFile(shifted(withGlobals(...Array.from({ length: count }, () => named(by))), by));
    },
  },
  {
    name: '.xls: programs of Visual Basic, a macro sheet and links to other files',
    file: 'programs.xls',
    ends: ['table'],
    bytes: () => {
      const macros = record(0x85, shorts(0, 0), Buffer.from([0, 1, 1, 0, 77]));
      const link = record(
        0x1ae,
        shorts(1),
        Buffer.from('\u0010\u0000\u0000http://127.0.0.1:9/b.xls', 'latin1'),
      );
      return compoundFile([
        { name: 'Workbook', bytes: shifted(withGlobals(link), link.length) },
        { name: '_VBA_PROJECT_CUR', bytes: macros },
      ]);
    },
  },
  {
    name: '.xls with a password',
    file: 'secret.xls',
    ends: ['encrypted'],
    bytes: () => inFile(withGlobals(record(0x2f, Buffer.alloc(54)))),
  },
  {
    name: '.xlsx with a password',
    file: 'secret.xlsx',
    ends: ['encrypted'],
    bytes: () => compoundFile([{ name: 'EncryptedPackage', bytes: Buffer.alloc(9000) }]),
  },
  {
    name: '.xls with the name of a newer workbook',
    file: 'old.xlsx',
    ends: ['table'],
    bytes: () => olderWorkbook([honest]),
  },
  {
    name: '.xls of Excel 4',
    file: 'older.xls',
    ends: ['oldExcel'],
    bytes: () => record(0x409, Buffer.alloc(6)),
  },
  {
    name: 'a document of Word named .xls',
    file: 'letter.xls',
    ends: ['notSpreadsheet'],
    bytes: () => compoundFile([{ name: 'WordDocument', bytes: Buffer.alloc(9000) }]),
  },
  {
    name: '.ods: entities that grow',
    file: 'laughs.ods',
    ends: ['documentType'],
    bytes: () => content(`${xmlHead}${laughs}<x>&j;</x>`),
  },
  {
    name: '.ods: a cell repeated seventeen billion times',
    file: 'repeated.ods',
    ends: ['tooManyCells', 'damaged'],
    bytes: () =>
      odsWith(
        sheet(
          `<table:table-row table:number-rows-repeated="1048576">${one.replace('/>', ' table:number-columns-repeated="16384"/>')}</table:table-row>`,
        ),
      ),
  },
  {
    name: '.ods: numbers of repetitions that are none',
    file: 'numbers.ods',
    ends: ['table', 'damaged'],
    bytes: () =>
      odsWith(
        sheet(
          `${honestRows}<table:table-row table:number-rows-repeated="-5"><table:table-cell table:number-columns-repeated="1e308"/><table:table-cell table:number-columns-repeated="NaN"/><table:table-cell table:number-columns-spanned="1e9" table:number-rows-spanned="-1"/></table:table-row>`,
        ),
      ),
  },
  {
    name: '.ods: styles that are their own parents',
    file: 'parents.ods',
    ends: ['table'],
    bytes: () =>
      content(
        odsContent(
          `<office:spreadsheet>${sheet(honestRows.replace('<table:table-cell', '<table:table-cell table:style-name="a"'))}</office:spreadsheet>`,
        ).replace(
          '<office:automatic-styles>',
          '<office:automatic-styles><style:style style:name="a" style:family="table-cell" style:parent-style-name="b"/><style:style style:name="b" style:family="table-cell" style:parent-style-name="a"/>',
        ),
      ),
  },
  {
    name: '.ods: programs, links and copies of other files',
    file: 'programs.ods',
    ends: ['table'],
    bytes: () =>
      odsWith(
        `<office:event-listeners xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=Basic"/>${sheet(honestRows)}<table:table table:name="'http://127.0.0.1:9/b.ods'#A"><table:table-source xlink:href="http://127.0.0.1:9/b.ods"/></table:table>`,
        [{ name: 'Basic/Standard/Module1.xml', bytes: '<x/>' }],
      ),
  },
  {
    name: '.ods: a sheet that breaks off',
    file: 'broken.ods',
    ends: ['damaged'],
    bytes: () => content(odsContent('').slice(0, -30)),
  },
  {
    name: '.ods: half an archive',
    file: 'half.ods',
    ends: ['damaged'],
    bytes: () => odsWorkbook([honest]).subarray(0, 500),
  },
  {
    name: '.ods with a password',
    file: 'secret.ods',
    ends: ['encrypted'],
    bytes: () =>
      odsWith(sheet(honestRows), [
        { name: 'META-INF/manifest.xml', bytes: '<m><manifest:encryption-data/></m>' },
      ]),
  },
  {
    name: 'a text of OpenDocument named .ods',
    file: 'letter.ods',
    ends: ['notSpreadsheet'],
    bytes: () => content(odsContent('<office:text/>')),
  },
];

/** The stream of an honest workbook whose sheet begins some bytes later. */
function shifted(bytes: Buffer, by: number): Buffer {
  const moved = Buffer.from(bytes);
  const at = moved.indexOf(Buffer.from([0x85, 0x00]));
  moved.writeUInt32LE(moved.readUInt32LE(at + 4) + by, at + 4);
  return moved;
}

/** The same, of a size that takes a careless reader minutes or gigabytes. */
export const olderCostly: readonly Hostile[] = [
  {
    name: '.xls: a cell in the last column of each row',
    file: 'wide.xls',
    ends: ['tooManyCells', 'noTable', 'noKey'],
    bytes: () =>
      withRecords(
        ...Array.from({ length: 65_536 }, (_, row) => record(0x203, shorts(row, 255, 0), Buffer.alloc(8))),
      ),
  },
  {
    name: '.xls: eighty million bytes of records without content',
    file: 'nothing.xls',
    ends: ['table'],
    bytes: () => withRecords(blown('\u0001\u0001\u0000\u0000', 20 * mebibyte)),
  },
  {
    name: '.xls: forty million shared texts',
    file: 'shared.xls',
    ends: ['tooLarge'],
    bytes: () => {
      const texts = record(0xfc, shorts(0xffff, 0xffff, 0xffff, 0x7fff), blown('\u0000\u0000\u0000', 2700));
      const more = record(0x3c, blown('\u0000\u0000\u0000', 2700));
      return withGlobals(texts, ...Array.from({ length: 14_000 }, () => more));
    },
  },
  {
    name: '.xls: formulas that no program has computed',
    file: 'formulas.xls',
    ends: ['tooManyCells', 'damaged'],
    bytes: () => {
      const formula = record(0x06, shorts(1, 1, 0, 3, 0, 0, 0xffff, 0, 0, 0, 0));
      return withRecords(Buffer.alloc(4_500_000 * formula.length, formula));
    },
  },
  {
    name: '.ods: a bomb',
    file: 'bomb.ods',
    ends: ['tooTight'],
    bytes: () => content(blown('<a/>', 50 * mebibyte)),
  },
  {
    name: '.ods: ten million pieces of text inside each other',
    file: 'deep.ods',
    ends: ['tooTight', 'tooLarge', 'damaged'],
    bytes: () =>
      content(
        Buffer.from(
          `<office:spreadsheet><table:table><table:table-row><table:table-cell><text:p>${'<text:span text:style-name="raised">1'.repeat(3_000_000)}`,
        ),
      ),
  },
  {
    name: '.ods: a thousand sheets with all columns hidden',
    file: 'columns.ods',
    ends: ['table'],
    bytes: () =>
      odsWith(
        sheet(honestRows) +
          Array.from(
            { length: 990 },
            (_, at) =>
              `<table:table table:name="${at}"><table:table-column table:visibility="collapse" table:default-cell-style-name="seven" table:number-columns-repeated="16384"/><table:table-row>${one}</table:table-row></table:table>`,
          ).join(''),
      ),
  },
];
