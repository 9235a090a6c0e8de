import { get } from './request.ts';
import type { DatasetGroup } from './types.ts';

/** Reads every dataset group, page by page. @throws {Refused} */
export async function listGroups(signal: AbortSignal): Promise<readonly DatasetGroup[]> {
  const all: DatasetGroup[] = [];
  for (let page = 1; ; page += 1) {
    const { data, total_pages: pages } = await get('/dataset-groups', {
      query: { page, page_size: 100 },
      signal,
    });
    all.push(...data);
    if (page >= pages) return all;
  }
}
