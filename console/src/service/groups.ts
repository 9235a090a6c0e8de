import { readAllPages } from './all-pages.ts';
import { get } from './request.ts';
import type { DatasetGroup } from './types.ts';

/** Reads every dataset group. @throws {Refused} */
export async function listGroups(signal: AbortSignal): Promise<readonly DatasetGroup[]> {
  return await readAllPages(
    async (page) => await get('/dataset-groups', { query: { page, page_size: 100 }, signal }),
  );
}
