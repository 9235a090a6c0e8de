import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Expected outcome of the files in one folder of `test/fixtures/field-cases`, for a service or the engine alone. */
export interface FieldCase<Reader> {
  /** Name of the folder. */
  readonly slug: string;
  readonly text: string;
  check(reader: Reader): Promise<void>;
}

export const fieldCases = new URL('../fixtures/field-cases/', import.meta.url);

/** Reads a file of a case; large GeoPackages are stored with gzip and returned unpacked. */
export async function readCase(path: string): Promise<Buffer<ArrayBuffer>> {
  if (!path.endsWith('.gpkg')) return await readFile(new URL(path, fieldCases));
  return gunzipSync(await readFile(new URL(`${path}.gz`, fieldCases)));
}

export async function caseFile(path: string): Promise<File> {
  return new File([await readCase(path)], basename(path));
}

/** Normalises numbers as JSON does, which has only one zero. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
