import { readAllPages } from './all-pages.ts';
import { get } from './request.ts';
import type { DatasetGroup } from './types.ts';

/** The code of the category of the inputs and results of the Landscape Program. */
export const landscapeCategory = 'landscape';
/** The codes of the groups of its slots begin with this, followed by the key of the slot. */
export const slotPrefix = 'landscape-in-';

/** Reads every dataset group. @throws {Refused} */
export async function listGroups(signal: AbortSignal): Promise<readonly DatasetGroup[]> {
  return await readAllPages(
    async (page) => await get('/dataset-groups', { query: { page, page_size: 100 }, signal }),
  );
}
