import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Format } from './mutation.ts';

/** A small file that is mutated. */
export interface Original {
  /** Name without the folder. */
  readonly name: string;
  readonly format: Format;
  readonly bytes: Buffer;
}

const formatByExtension: Readonly<Record<string, Format>> = {
  '.tif': 'tiff',
  '.tiff': 'tiff',
  '.gpkg': 'geopackage',
  '.zip': 'zip',
  '.geojson': 'geojson',
  '.sld': 'sld',
};
/** In larger files, most changes hit pixels and rows and test little else. */
const maxBytes = 160_000;
const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));
const ownFolders = ['raster-codecs', 'raster', 'vector', 'kato', 'sld'] as const;

/** Reads the originals of the project. */
export async function readOwnOriginals(): Promise<readonly Original[]> {
  const folders = await Promise.all(ownFolders.map((name) => readOriginals(join(fixtures, name))));
  return folders.flat();
}

/** Reads the files of a folder, at any depth, that can be mutated, sorted by name. */
export async function readOriginals(folder: string): Promise<readonly Original[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const originals = await Promise.all(paths.toSorted().map(readOriginal));
  return originals.filter((original) => original !== undefined);
}

async function readOriginal(path: string): Promise<Original | undefined> {
  const extension = extname(path).toLowerCase();
  const format = Object.hasOwn(formatByExtension, extension) ? formatByExtension[extension] : undefined;
  if (format === undefined) return undefined;
  const bytes = await readFile(path);
  return bytes.length > 1 && bytes.length <= maxBytes ? { name: basename(path), format, bytes } : undefined;
}
