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

/** Reads the groups for data of users, their own before the inputs of the Landscape Program; maps of runs have none of them. @throws {Refused} */
export async function listUploadGroups(signal: AbortSignal): Promise<readonly DatasetGroup[]> {
  const groups = await listGroups(signal);
  const own = groups.filter(({ code }) => !code.startsWith('landscape-'));
  return [...own, ...groups.filter(({ code }) => code.startsWith(slotPrefix))];
}
