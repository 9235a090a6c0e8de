import type { FileType } from '../../database/tables.ts';
import { extensionOf } from './file-name.ts';

/** The kind of a file by its first bytes. */
export type ContentKind = 'tiff' | 'geopackage' | 'zip' | 'json';

const kindByExtension: ReadonlyMap<string, ContentKind> = new Map([
  ['.tif', 'tiff'],
  ['.tiff', 'tiff'],
  ['.gpkg', 'geopackage'],
  ['.zip', 'zip'],
  ['.geojson', 'json'],
]);

const vectorExtensions = ['.geojson', '.gpkg', '.zip'] as const;

/** The extensions that each file type may have, in lower case. */
export const extensionsByFileType: Readonly<Record<FileType, readonly string[]>> = {
  vector: vectorExtensions,
  vector_with_kato: vectorExtensions,
  raster: ['.tif', '.tiff'],
};

/** Returns the kind that a file's extension promises; undefined when no file type has this extension. */
export function promisedKind(filename: string): ContentKind | undefined {
  return kindByExtension.get(extensionOf(filename));
}

const signatures: readonly (readonly [kind: ContentKind, bytes: Buffer])[] = [
  ['tiff', Buffer.from('II*\0', 'latin1')],
  ['tiff', Buffer.from('MM\0*', 'latin1')],
  ['tiff', Buffer.from('II+\0', 'latin1')], // BigTIFF
  ['tiff', Buffer.from('MM\0+', 'latin1')],
  ['geopackage', Buffer.from('SQLite format 3\0', 'latin1')],
  ['zip', Buffer.from('PK\x03\x04', 'latin1')],
];
const longestSignatureBytes = Math.max(...signatures.map(([, bytes]) => bytes.length));
const byteOrderMark = Buffer.from('\uFEFF');
const blanks: ReadonlySet<number> = new Set(Buffer.from(' \t\n\r'));
const openingBrace = '{'.charCodeAt(0);

export interface ContentSniffer {
  /** Takes the next bytes of the file. */
  push(chunk: Buffer): void;
  /** Returns the kind of the bytes so far; undefined for an unknown one. */
  kind(): ContentKind | undefined;
}

/** Tells a file's kind while it streams by; holds a few bytes only, however long a file starts with blanks. */
export function createContentSniffer(): ContentSniffer {
  let head = Buffer.alloc(0);
  let position = 0;
  let firstNonBlank: number | undefined;
  return {
    push(chunk) {
      if (head.length < longestSignatureBytes) {
        head = Buffer.concat([head, chunk.subarray(0, longestSignatureBytes - head.length)]);
      }
      if (firstNonBlank === undefined) firstNonBlank = findFirstNonBlank(chunk, position);
      position += chunk.length;
    },
    kind() {
      const signature = signatures.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes));
      if (signature !== undefined) return signature[0];
      return firstNonBlank === openingBrace && !hasBrokenMark(head) ? 'json' : undefined;
    },
  };
}

/** Finds the first byte of `chunk` that is neither blank nor in the place of a byte-order mark's byte. */
function findFirstNonBlank(chunk: Buffer, position: number): number | undefined {
  return chunk.find((byte, index) => !blanks.has(byte) && byte !== byteOrderMark[position + index]);
}

/** Tells whether only a part of a byte-order mark is there. */
function hasBrokenMark(head: Buffer): boolean {
  const matching = byteOrderMark.filter((byte, index) => byte === head[index]).length;
  return matching > 0 && matching < byteOrderMark.length;
}
