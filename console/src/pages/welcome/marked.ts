import { landscapeCategory } from '../../service/groups.ts';
import { readAllPages } from '../../service/all-pages.ts';
import { refusedOf } from '../../service/fetch.ts';
import type { Dataset, DatasetSummary, LandscapeRun } from '../../service/types.ts';
import { get } from '../../service/request.ts';
import { demonstrationCode } from './demonstration-state.ts';

/** The mark that the demonstration writes into `meta` of its files. Names and places cannot identify them reliably. */
export const mark = { demonstration: true } as const;

/** Larger than any file of the demonstration. */
const maxBytes = 1_000_000;
const atOnce = 4;

/** The datasets and the category of the demonstration in the service. */
export interface Demonstration {
  readonly uploads: readonly Dataset[];
  /** Rasters that were computed from its uploads alone. */
  readonly outputs: readonly Dataset[];
  readonly categoryId: string | undefined;
}

/** Finds the uploads with the mark. @throws {Refused} */
export async function findMarked(signal: AbortSignal): Promise<Omit<Demonstration, 'outputs'>> {
  const [categories, slots] = await Promise.all([
    get('/categories', { signal }),
    get('/landscape/slots', { signal }),
  ]);
  const idOf = (code: string) => categories.find((category) => category.code === code)?.id;
  const categoryId = idOf(demonstrationCode);
  const groups = new Set(slots.map((slot) => slot.group_id));
  const own = await listAll(categoryId, signal);
  const inputs = (await listAll(idOf(landscapeCategory), signal)).filter(({ dg_id: group }) =>
    groups.has(group ?? ''),
  );
  const candidates = [...own, ...inputs].filter(({ size_bytes: size }) => size <= maxBytes);
  const found = await readEach(
    candidates.map(({ id }) => id),
    signal,
  );
  return { uploads: found.filter(({ meta }) => meta?.['demonstration'] === true), categoryId };
}

/** Finds everything of the demonstration in the service. @throws {Refused} */
export async function findDemonstration(signal: AbortSignal): Promise<Demonstration> {
  const marked = await findMarked(signal);
  const ids = new Set(marked.uploads.map(({ id }) => id));
  const since = marked.uploads.map((upload) => upload.created_at).toSorted()[0];
  const runs = since === undefined ? [] : await listRunsSince(since, signal);
  return { ...marked, outputs: await readEach([...outputsOf(ids, runs)], signal) };
}

/** The ids of rasters that derive from these uploads alone: each input of their node is one of the uploads, or such a raster. */
export function outputsOf(uploads: ReadonlySet<string>, runs: readonly LandscapeRun[]): ReadonlySet<string> {
  const outputs = new Set<string>();
  const oldestFirst = runs.toSorted(
    (one, other) => Date.parse(one.created_at) - Date.parse(other.created_at),
  );
  for (const { nodes } of oldestFirst)
    for (const node of (nodes ?? []).toSorted((one, other) => one.node_code.localeCompare(other.node_code))) {
      const inputs = node.inputs ?? [];
      const isOwn =
        inputs.length > 0 && inputs.every(({ dataset_id: id }) => uploads.has(id) || outputs.has(id));
      if (isOwn) for (const { dataset_id: id } of node.outputs ?? []) outputs.add(id);
    }
  return outputs;
}

async function listRunsSince(since: string, signal: AbortSignal): Promise<readonly LandscapeRun[]> {
  const newestFirst = await readAllPages(
    async (page) => await get('/landscape/runs', { query: { page, page_size: 10 }, signal }),
    (runs) => runs.some(({ created_at: at }) => at < since),
  );
  const ids = newestFirst.filter(({ created_at: at }) => at >= since).map(({ id }) => id);
  return await eachOf(ids, async (id) => await get('/landscape/runs/{id}', { path: { id }, signal }));
}

async function listAll(
  categoryId: string | undefined,
  signal: AbortSignal,
): Promise<readonly DatasetSummary[]> {
  if (categoryId === undefined) return [];
  const query = { category_id: categoryId, page_size: 100 };
  return await readAllPages(async (page) => await get('/datasets', { query: { ...query, page }, signal }));
}

/** Reads datasets; those that were deleted meanwhile are left out. */
async function readEach(ids: readonly string[], signal: AbortSignal): Promise<readonly Dataset[]> {
  const found = await eachOf(ids, async (id) => {
    try {
      return await get('/datasets/{id}', { path: { id }, signal });
    } catch (error) {
      if (refusedOf(error).status === 404) return undefined;
      throw error;
    }
  });
  return found.filter((dataset) => dataset !== undefined);
}

/** Requests each, a few at a time: the browser has six connections, which maps need as well. */
async function eachOf<T, U>(items: readonly T[], load: (item: T) => Promise<U>): Promise<readonly U[]> {
  const found: U[] = [];
  for (let at = 0; at < items.length; at += atOnce)
    found.push(...(await Promise.all(items.slice(at, at + atOnce).map(load))));
  return found;
}
