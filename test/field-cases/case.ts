import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Client } from '../acceptance/client.ts';

/** What must become of the files of one folder of `test/fixtures/field-cases`. */
export interface FieldCase {
  /** The folder. */
  readonly slug: string;
  readonly text: string;
  check(client: Client): Promise<void>;
}

export const fieldCases = new URL('../fixtures/field-cases/', import.meta.url);

/** Reads a file of a case; large GeoPackages are stored with gzip, and given as they were. */
export async function caseFile(path: string): Promise<File> {
  const packed = path.endsWith('.gpkg');
  const bytes = await readFile(new URL(packed ? `${path}.gz` : path, fieldCases));
  return new File([packed ? gunzipSync(bytes) : bytes], basename(path));
}

/** Numbers as JSON has them: there is one zero. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
