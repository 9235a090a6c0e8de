import { hostileZip, type ZipEntry } from '../../support/hostile/hostile-zip.ts';
import { workbook, xmlHead } from '../../support/tables/workbooks.ts';
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

const laughs = `<!DOCTYPE x [<!ENTITY a "${'ха'.repeat(50)}">${[...'bcdefghij'].map((letter, index) => `<!ENTITY ${letter} "${`&${'abcdefghi'[index]};`.repeat(10)}">`).join('')}]>`;
const outside =
  '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b SYSTEM "http://127.0.0.1:9/b">]>';
export const lying: readonly Hostile[] = [
  {
    name: 'entities that grow, in the shared texts',
    file: 'laughs.xlsx',
    ends: ['documentType'],
    bytes: () =>
      withParts({ [texts]: { bytes: `${xmlHead}${laughs}<sst xmlns="${main}"><si><t>&j;</t></si></sst>` } }),
  },
  {
    name: 'entities of files and of the network, in a sheet',
    file: 'outside.xlsx',
    ends: ['documentType'],
    bytes: () =>
      withParts({
        [sheetOne]: {
          bytes: `${xmlHead}${outside}<worksheet xmlns="${main}"><sheetData><row><c t="inlineStr"><is><t>&a;&b;</t></is></c></row></sheetData></worksheet>`,
        },
      }),
  },
  {
    name: 'links to another workbook and to the network',
    file: 'links.xlsx',
    ends: ['table'],
    bytes: () =>
      withParts({
        'xl/externalLinks/externalLink1.xml': {
          bytes: `${xmlHead}<externalLink xmlns="${main}"><externalBook xmlns:r="r" r:id="rId1"/></externalLink>`,
        },
        'xl/externalLinks/_rels/externalLink1.xml.rels': {
          bytes: `${xmlHead}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="x" Target="http://127.0.0.1:9/book.xlsx" TargetMode="External"/></Relationships>`,
        },
      }),
  },
  {
    name: 'a list of sheets that leads nowhere',
    file: 'nowhere.xlsx',
    ends: ['damaged', 'noSheets', 'notSpreadsheet'],
    bytes: () =>
      withParts({
        'xl/_rels/workbook.xml.rels': {
          bytes: `${xmlHead}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="../../../../etc/passwd"/></Relationships>`,
        },
      }),
  },
  {
    name: 'places of cells that are none',
    file: 'places.xlsx',
    ends: ['table', 'damaged', 'noTable', 'noKey', 'tooManyCells'],
    bytes: () =>
      withParts({
        [sheetOne]: {
          bytes: sheetXml(
            '<sheetData><row r="-5"><c r="ZZZZZZZZ1"><v>1</v></c><c r="A0"><v>1e999</v></c></row><row r="99999999999999999999"><c r="A99999999999999999999" t="s"><v>-1</v></c><c t="s"><v>1e9</v></c><c t="s"><v>x</v></c></row><row r="NaN"><c r=""><v>NaN</v></c></row></sheetData>',
          ),
        },
      }),
  },
  {
    name: 'a sheet that breaks off',
    file: 'broken.xlsx',
    ends: ['damaged'],
    bytes: () =>
      withParts({
        [sheetOne]: { bytes: `${xmlHead}<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1"><v>1</` },
      }),
  },
  {
    name: 'a sheet that is no XML',
    file: 'no-xml.xlsx',
    ends: ['damaged'],
    bytes: () => withParts({ [sheetOne]: { bytes: '{"rows":[]}' } }),
  },
  {
    name: 'half an archive',
    file: 'half.xlsx',
    ends: ['damaged'],
    bytes: () => workbook([honest]).subarray(0, 700),
  },
  {
    name: 'packed bytes that are none',
    file: 'packed.xlsx',
    ends: ['damaged'],
    bytes: () => withParts({ [sheetOne]: { packed: Buffer.alloc(500, 0xff) } }),
  },
  {
    name: 'bytes that do not have their checksum',
    file: 'checksum.xlsx',
    ends: ['damaged'],
    bytes: () => withParts({ [sheetOne]: { says: { crc: 1 } } }),
  },
  {
    name: 'a way of packing that no browser knows',
    file: 'method.xlsx',
    ends: ['damaged'],
    bytes: () => withParts({ [sheetOne]: { method: 12 } }),
  },
  {
    name: 'an encrypted entry',
    file: 'entry.xlsx',
    ends: ['encrypted', 'damaged'],
    bytes: () => withParts({ [sheetOne]: { says: { flags: 1 } } }),
  },
];

export const disguised: readonly Hostile[] = [
  {
    name: 'a binary workbook',
    file: 'binary.xlsb',
    ends: ['otherSpreadsheet'],
    bytes: () => withoutWorkbook({ name: 'xl/workbook.bin', bytes: 'x' }),
  },
  {
    name: 'a document of Word',
    file: 'letter.xlsx',
    ends: ['notSpreadsheet'],
    bytes: () => withoutWorkbook({ name: 'word/document.xml', bytes: '<x/>' }),
  },
  {
    name: 'a web page named .xls',
    file: 'page.xls',
    ends: ['otherSpreadsheet', 'notSpreadsheet'],
    bytes: () =>
      Buffer.from(
        '<html><body><table><tr><td>КАТО</td><td>2022</td></tr><tr><td>113200000</td><td>1</td></tr></table>',
      ),
  },
  {
    name: 'a PDF named .csv',
    file: 'report.csv',
    ends: ['notSpreadsheet'],
    bytes: () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(9000, 0x81)]),
  },
  { name: 'nothing', file: 'nothing.csv', ends: ['empty'], bytes: () => new Uint8Array(0) },
  {
    name: 'blanks alone',
    file: 'blanks.csv',
    ends: ['empty', 'noTable', 'noKey'],
    bytes: () => blown(' \r\n', 100_000),
  },
  {
    name: 'zeros',
    file: 'zeros.csv',
    ends: ['notSpreadsheet', 'empty'],
    bytes: () => Buffer.alloc(3 * mebibyte),
  },
];

export const longTexts: readonly Hostile[] = [
  {
    name: 'one line of a hundred megabytes',
    file: 'line.csv',
    ends: ['tooLarge', 'tooManyCells', 'notSpreadsheet', 'noTable', 'noKey'],
    bytes: () => blown('абв', 17 * mebibyte),
  },
  {
    name: 'a million columns',
    file: 'columns.csv',
    ends: ['tooManyCells', 'noTable', 'noKey'],
    bytes: () => Buffer.from(`КАТО;${'2020;'.repeat(1_000_000)}\n113200000;${'1;'.repeat(1_000_000)}`),
  },
  {
    name: 'ten million lines',
    file: 'lines.csv',
    ends: ['tooManyCells', 'tooLarge'],
    bytes: () => Buffer.concat([Buffer.from('КАТО;2020\n'), blown('113200000;1\n', 6_000_000)]),
  },
  {
    name: 'a quotation mark that never ends',
    file: 'quote.csv',
    ends: ['table', 'noTable', 'noKey', 'tooLarge', 'tooManyCells', 'damaged'],
    bytes: () => Buffer.concat([Buffer.from('КАТО;2020\n"113200000;1\n'), blown('113200000;1\n', 2_000_000)]),
  },
  {
    name: 'quotation marks alone',
    file: 'quotes.csv',
    ends: ['table', 'noTable', 'noKey', 'tooLarge', 'tooManyCells', 'damaged'],
    bytes: () => blown('"', 20 * mebibyte),
  },
  {
    name: 'a header that is named as what every object has',
    file: 'proto.csv',
    ends: ['table'],
    bytes: () => Buffer.from('КАТО;__proto__;constructor;2020\n113200000;1;2;3\n113400000;4;5;6\n'),
  },
  {
    name: 'zeros between honest cells',
    file: 'nul.csv',
    ends: ['table', 'notSpreadsheet'],
    bytes: () => Buffer.from('КАТО;2020\n113200000;1\u0000\n113400000;\u00002\n'),
  },
];

function withoutWorkbook(part: ZipEntry): Uint8Array {
  return hostileZip([{ name: '[Content_Types].xml', bytes: '<Types/>' }, part]);
}
