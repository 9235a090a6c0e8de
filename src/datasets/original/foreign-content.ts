import { isUtf8 } from 'node:buffer';
import { lastCharacterEnd } from '../../json/json-fault.ts';
import type { contents } from '../../messages/contents/english.ts';
import { foreignText } from './foreign-text.ts';

/** A kind of file, by its name in the messages. */
export type ForeignContent = keyof typeof contents;

/** Bytes needed to recognise other kinds of files: the root of an XML file follows its comments. */
export const headBytes = 4096;

type Signature = readonly [content: ForeignContent, text: string, at?: number];

/** Signatures in latin1; the first match counts. */
const signatures: readonly Signature[] = [
  ['png', '\x89PNG\r\n\x1a\n'],
  ['jpeg', '\xff\xd8\xff'],
  ['gif', 'GIF8'],
  ['webp', 'WEBP', 8],
  ['jpeg2000', '\0\0\0\x0cjP  '],
  ['jpeg2000', '\xff\x4f\xff\x51'],
  ['tiff', 'II*\0'],
  ['tiff', 'MM\0*'],
  ['tiff', 'II+\0'],
  ['tiff', 'MM\0+'],
  ['netcdf', 'CDF\x01'],
  ['netcdf', 'CDF\x02'],
  ['netcdf', 'CDF\x05'],
  ['hdf5', '\x89HDF\r\n\x1a\n'],
  ['hdf4', '\x0e\x03\x13\x01'],
  ['grib', 'GRIB'],
  ['img', 'EHFA_HEADER_TAG'],
  ['surfer', 'DSBB'],
  ['surfer', 'DSAA'],
  ['surfer', 'DSRB'],
  ['gzip', '\x1f\x8b'],
  ['bzip2', 'BZh'],
  ['xz', '\xfd7zXZ\0'],
  ['zstd', '\x28\xb5\x2f\xfd'],
  ['sevenZip', '7z\xbc\xaf\x27\x1c'],
  ['rar', 'Rar!\x1a\x07'],
  ['tar', 'ustar', 257],
  ['pdf', '%PDF'],
  ['ole', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['mbTiles', 'MPBX', 68],
  ['geopackage', 'GPKG', 68],
  ['geopackage', 'GP10', 68],
  ['geopackage', 'GP11', 68],
  ['sqlite', 'SQLite format 3\0'],
  ['shp', '\0\0\x27\x0a'],
  ['flatGeobuf', 'fgb'],
  ['parquet', 'PAR1'],
  ['arrow', 'ARROW1'],
  ['pmTiles', 'PMTiles'],
  ['las', 'LASF'],
  ['dwg', 'AC10'],
  ['dxf', 'AutoCAD Binary DXF'],
  ['osm', 'OSMHeader', 6],
  ['utf32', '\xff\xfe\0\0'],
  ['utf32', '\0\0\xfe\xff'],
  ['utf16', '\xff\xfe'],
  ['utf16', '\xfe\xff'],
  ['utf16', '{\0'],
  ['utf16', '\0{'],
  ['utf16', '<\0'],
  ['utf16', '\0<'],
];

const zipStarts = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];
/** Tab, line breaks, escape, and the record separator. */
const textControls: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b, 0x1e]);

/** Returns the kind of a file from its first bytes; undefined for unknown bytes. */
export function foreignContent(head: Buffer): ForeignContent | undefined {
  const latin = head.toString('latin1');
  if (zipStarts.some((start) => latin.startsWith(start))) return zipContent(head);
  const signed = signatures.find(([, text, at = 0]) => latin.startsWith(text, at));
  if (signed !== undefined) return signed[0];
  // Two letters do not distinguish a picture from a text.
  if (latin.startsWith('BM') && head.length > 10 && head.readUInt32LE(6) === 0) return 'bmp';
  if (isDbf(head)) return 'dbf';
  if (head.some((byte) => byte < 0x20 && !textControls.has(byte))) return undefined;
  const whole = head.subarray(0, lastCharacterEnd(head, 0, head.length));
  return foreignText(isUtf8(whole) ? whole.toString().replace(/^\ufeff/, '') : latin);
}

/** Recognises a dBASE table by its header: version, date, and fields of 32 bytes each. */
function isDbf(head: Buffer): boolean {
  if (head.length < 32) return false;
  const [version = 0, , month = 0, day = 0] = head;
  const headerBytes = head.readUInt16LE(8);
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return [0x03, 0x30, 0x31, 0x83, 0x8b, 0xf5].includes(version) && isDate && headerBytes > 32;
}

/** Size of the header before the name of the first file in a ZIP archive. */
const localHeaderBytes = 30;

function zipContent(head: Buffer): ForeignContent {
  const nameLength = head.length > localHeaderBytes ? head.readUInt16LE(26) : 0;
  const name = head.toString('latin1', localHeaderBytes, localHeaderBytes + nameLength);
  const rest = head.toString('latin1', localHeaderBytes);
  if (name === 'mimetype') return rest.includes('opendocument') ? 'ods' : 'zip';
  if (/^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/|word\/)/.test(name))
    return /word\//.test(rest) ? 'docx' : 'xlsx';
  if (/^(?:doc|[^/]*)\.kml$/i.test(name)) return 'kmz';
  return /\.gdb\//i.test(name) ? 'geodatabase' : 'zip';
}
