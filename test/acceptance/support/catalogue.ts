import { randomUUID } from 'node:crypto';
import type { Client } from '../client.ts';
import type { Dataset } from './datasets.ts';

export interface CategoryBody {
  readonly id: string;
  readonly parent_id: string | null;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface GroupBody extends Omit<CategoryBody, 'parent_id'> {
  readonly sld_storage_key: string | null;
  readonly sld_filename: string | null;
  readonly sld_content_type: string | null;
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly page: number;
  readonly page_size: number;
  readonly total: number;
  readonly total_pages: number;
}

/** A code that nobody else has. */
export function newCode(): string {
  return `acceptance-${randomUUID()}`;
}

export async function makeCategory(client: Client, fields: object = {}): Promise<CategoryBody> {
  const json = { code: newCode(), name: 'Acceptance', ...fields };
  return (await client.expect(201, 'POST', '/categories', { json })).read();
}

export async function makeGroup(client: Client, fields: object = {}): Promise<GroupBody> {
  const json = { code: newCode(), name: 'Acceptance', ...fields };
  return (await client.expect(201, 'POST', '/dataset-groups', { json })).read();
}

/** Files that are accepted by their first bytes and can never be processed: these datasets become `failed`. */
export const unreadable = {
  raster: new File(['II*\0 and nothing that could be read'], 'unreadable.tif'),
  vector: new File(['{ and nothing that could be read'], 'unreadable.geojson'),
  vector_with_kato: new File(['{ and nothing that could be read'], 'unreadable.geojson'),
} as const;

/** Uploads a dataset that is never looked at further, of which some fields are of interest. */
export async function fileDataset(
  client: Client,
  fields: Readonly<Record<string, string | File>> & { readonly category_id: string },
): Promise<Dataset> {
  const form = { file_type: 'raster', file: unreadable.raster, ...fields };
  return (await client.expect(201, 'POST', '/datasets', { form })).read();
}
