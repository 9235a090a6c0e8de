import type { Database } from '../../database/tables.ts';
import type { DatasetRow } from '../../datasets/schema.ts';
import { createDataset, type Upload, type UploadDependencies } from '../../datasets/upload/upload.ts';
import { Problem } from '../../lib/errors.ts';
import { ensureLandscapeCategory } from './category.ts';
import { findSlotGroup } from './slots.ts';

const maxAttempts = 3;

/** Explains why there is no such slot; undefined when there is one. */
export async function findSlotAbsence(db: Database, code: string): Promise<Problem | undefined> {
  try {
    await findSlotGroup(db, code);
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return error;
    throw error;
  }
}

/** Makes a raster dataset of an upload to a slot. @throws {Problem} `not_found`; `invalid`, naming every part. */
export async function createSlotDataset(
  parts: UploadDependencies,
  code: string,
  upload: Upload,
): Promise<DatasetRow> {
  for (let attempt = 1; ; attempt += 1) {
    const dg_id = await findSlotGroup(parts.db, code);
    const category_id = await ensureLandscapeCategory(parts.db);
    const fields = { ...upload.fields, file_type: 'raster', category_id, dg_id };
    try {
      return await createDataset(parts, { ...upload, fields });
    } catch (error) {
      if (attempt === maxAttempts || !hasLostItsPlace(error)) throw error;
    }
  }
}

/** True if group or category were deleted meanwhile. The client did not send them, so it must not be told about them. */
function hasLostItsPlace(error: unknown): boolean {
  const fields = error instanceof Problem ? error.fields : undefined;
  return fields !== undefined && ('dg_id' in fields || 'category_id' in fields);
}
