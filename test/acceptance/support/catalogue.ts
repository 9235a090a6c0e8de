import { randomUUID } from 'node:crypto';
import type { Client } from '../client.ts';

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

export const unique = (prefix: string): string => `${prefix}-${randomUUID()}`;

/** A unique code. */
export const newCode = (): string => unique('acceptance');

export async function makeCategory(client: Client, fields: object = {}): Promise<CategoryBody> {
  const json = { code: newCode(), name: 'Acceptance', ...fields };
  return await client.read(201, 'POST', '/categories', { json });
}

export async function makeGroup(client: Client, fields: object = {}): Promise<GroupBody> {
  const json = { code: newCode(), name: 'Acceptance', ...fields };
  return await client.read(201, 'POST', '/dataset-groups', { json });
}

/** Files that pass the check of first bytes but cannot be processed: these datasets become `failed`. */
export const unreadable = {
  raster: new File(['II*\0 and nothing that could be read'], 'unreadable.tif'),
  vector: new File(['{ and nothing that could be read'], 'unreadable.geojson'),
} as const;
