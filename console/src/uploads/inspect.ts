import type { DatasetSummary } from '../service/types.ts';

export type FileType = DatasetSummary['file_type'];

/** The reason not to send a file: the name of a sentence about uploads. */
export type Refusal =
  | 'empty'
  | 'unreadable'
  | 'tooLarge'
  | 'unknownKind'
  | 'isZip'
  | 'notTiff'
  | 'notZip'
  | 'notGeoPackage'
  | 'notJson';

/** Facts about a file, known before any of it is sent. */
export type Inspected =
  | { readonly type: FileType; readonly refusal?: undefined }
  | { readonly type?: undefined; readonly refusal: Refusal };

/** Number of bytes of a GeoJSON file that are inspected. */
const headBytes = 64 * 1024;

const folders = new WeakSet<Blob>();

/** Marks a file object that represents a folder. */
export function markFolder(file: Blob): void {
  folders.add(file);
}

/** Returns true if the browser can read a file: a dropped folder is not a file, and a chosen file may have been deleted. */
export async function isReadable(file: Blob): Promise<boolean> {
  if (folders.has(file)) return false;
  return await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

/** Returns true if a file is named like a GeoTIFF, the only kind that an input of the Landscape Program accepts. */
export function isNamedTiff({ name }: Pick<File, 'name'>): boolean {
  return /\.tiff?$/i.test(name);
}

/** Guesses the type of a file from its name and first bytes, or returns the reason why the service would refuse it. */
export async function inspectFile(file: File, maxBytes: number): Promise<Inspected> {
  if (file.size === 0) return { refusal: 'empty' };
  if (file.size > maxBytes) return { refusal: 'tooLarge' };
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  switch (/\.[^.]+$/.exec(file.name.toLowerCase())?.[0]) {
    case '.tif':
    case '.tiff':
      if (isTiff(head)) return { type: 'raster' };
      return { refusal: isZip(head) ? 'isZip' : 'notTiff' };
    case '.zip':
      return isZip(head) ? { type: 'vector' } : { refusal: 'notZip' };
    case '.gpkg':
      return startsWith(head, 'SQLite format 3\0') ? { type: 'vector' } : { refusal: 'notGeoPackage' };
    case '.geojson':
      return inspectGeoJson(new TextDecoder().decode(head));
    default:
      return { refusal: 'unknownKind' };
  }
}

/** A feature without a geometry and with a code of nine digits is a row of a KATO table. */
function inspectGeoJson(head: string): Inspected {
  if (!/^[\uFEFF\s]*\{/.test(head)) return { refusal: 'notJson' };
  const isTable = /"geometry"\s*:\s*null/.test(head) && /:\s*"?\d{9}"?\s*[,}]/.test(head);
  return { type: isTable ? 'vector_with_kato' : 'vector' };
}

function isTiff(head: Uint8Array): boolean {
  return ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].some((mark) => startsWith(head, mark));
}

function isZip(head: Uint8Array): boolean {
  return startsWith(head, 'PK\u0003\u0004') || startsWith(head, 'PK\u0005\u0006');
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, index) => bytes[index] === character.charCodeAt(0));
}
