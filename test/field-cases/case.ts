import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** What must become of the files of one folder of `test/fixtures/field-cases`, by a service or by the engine alone. */
export interface FieldCase<Reader> {
  /** The folder. */
  readonly slug: string;
  readonly text: string;
  check(reader: Reader): Promise<void>;
}

export const fieldCases = new URL('../fixtures/field-cases/', import.meta.url);

/** Reads a file of a case; large GeoPackages are stored with gzip, and given as they were. */
export async function readCase(path: string): Promise<Buffer<ArrayBuffer>> {
  if (!path.endsWith('.gpkg')) return await readFile(new URL(path, fieldCases));
  return gunzipSync(await readFile(new URL(`${path}.gz`, fieldCases)));
}

export async function caseFile(path: string): Promise<File> {
  return new File([await readCase(path)], basename(path));
}

/** Numbers as JSON has them: there is one zero. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
