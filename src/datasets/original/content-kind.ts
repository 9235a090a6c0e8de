import type { FileType } from '../../database/tables/tables.ts';
import { extensionOf } from './file-name.ts';
import { headBytes } from './foreign-content.ts';

/** Kind of a file, detected from its first bytes. */
export type ContentKind = 'tiff' | 'geopackage' | 'zip' | 'json';

const kindByExtension: ReadonlyMap<string, ContentKind> = new Map([
  ['.tif', 'tiff'],
  ['.tiff', 'tiff'],
  ['.gpkg', 'geopackage'],
  ['.zip', 'zip'],
  ['.geojson', 'json'],
]);

const vectorExtensions = ['.geojson', '.gpkg', '.zip'] as const;

/** Allowed extensions of each file type, in lower case. */
export const extensionsByFileType: Readonly<Record<FileType, readonly string[]>> = {
  vector: vectorExtensions,
  vector_with_kato: vectorExtensions,
  raster: ['.tif', '.tiff'],
};

/** Returns the kind for a file's extension; undefined if no file type has this extension. */
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
const byteOrderMark = Buffer.from('\uFEFF');
const blanks: ReadonlySet<number> = new Set(Buffer.from(' \t\n\r'));
const openingBrace = '{'.charCodeAt(0);

export interface ContentSniffer {
  push(chunk: Buffer): void;
  /** Returns the kind according to the bytes so far; undefined for an unknown one. */
  kind(): ContentKind | undefined;
  /** Returns the first bytes of the file, up to `headBytes`, without leading blanks. */
  head(): Buffer;
}

/** Creates a detector of the kind of a streamed file; it buffers only a few kilobytes, however many blanks the file begins with. */
export function createContentSniffer(): ContentSniffer {
  let [head, text] = [Buffer.alloc(0), Buffer.alloc(0)];
  let position = 0;
  let firstNonBlank: number | undefined;
  return {
    push(chunk) {
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      const at = firstNonBlank === undefined ? findFirstNonBlank(chunk, position) : 0;
      if (firstNonBlank === undefined && at !== -1) firstNonBlank = chunk[at];
      if (at !== -1 && text.length < headBytes)
        text = Buffer.concat([text, chunk.subarray(at, at + headBytes - text.length)]);
      position += chunk.length;
    },
    head: () => (text.length > 0 && blanks.has(head[0] ?? 0) ? text : head),
    kind() {
      const signature = signatures.find(([, bytes]) => head.subarray(0, bytes.length).equals(bytes));
      if (signature !== undefined) return signature[0];
      // A zero after the brace is text in UTF-16.
      const isJson = firstNonBlank === openingBrace && text[1] !== 0 && !hasBrokenMark(head);
      return isJson ? 'json' : undefined;
    },
  };
}

/** Returns the index of the first byte of `chunk` that is neither blank nor at the position of a byte-order mark; -1 without one. */
function findFirstNonBlank(chunk: Buffer, position: number): number {
  return chunk.findIndex((byte, index) => !blanks.has(byte) && byte !== byteOrderMark[position + index]);
}

/** Returns true if the byte-order mark is incomplete. */
function hasBrokenMark(head: Buffer): boolean {
  const matching = byteOrderMark.filter((byte, index) => byte === head[index]).length;
  return matching > 0 && matching < byteOrderMark.length;
}
