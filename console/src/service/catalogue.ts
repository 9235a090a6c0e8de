import { ask } from './ask.ts';
import type {
  Category,
  Dataset,
  DatasetGroup,
  DatasetStatusView,
  DatasetSummary,
  ImportReport,
} from './types.ts';

/** One page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly page: number;
  readonly total: number;
  readonly total_pages: number;
}

/** Conditions of a search for datasets; empty texts and missing members ask for nothing. */
export interface DatasetFilter {
  readonly category_id?: string | undefined;
  readonly dg_id?: string | undefined;
  readonly file_type?: string | undefined;
  readonly status?: string | undefined;
  readonly q?: string | undefined;
  /** YYYY-MM-DD: the first day of the period is this one or later. */
  readonly start_date_from?: string | undefined;
  /** YYYY-MM-DD: the last day of the period is this one or earlier. */
  readonly end_date_to?: string | undefined;
  readonly page?: string | undefined;
  readonly page_size?: string | undefined;
}

/** Reads a page of datasets; a background request asks for no token. @throws {Refused} */
export async function listDatasets(
  filter: DatasetFilter,
  signal: AbortSignal,
  isQuiet = false,
): Promise<Page<DatasetSummary>> {
  return await ask(`/datasets?${queryOf(filter)}`, { signal, isQuiet });
}

export async function getDataset(id: string, signal: AbortSignal): Promise<Dataset> {
  return await ask(pathOf(id), { signal });
}

export async function getReport(id: string, signal: AbortSignal): Promise<ImportReport> {
  return await ask(`${pathOf(id)}/report`, { signal });
}

/** Asks the service to read the file of a dataset again. @throws {Refused} */
export async function retryDataset(id: string): Promise<void> {
  await ask(`${pathOf(id)}/retry`, { method: 'POST' });
}

interface StatusWait {
  readonly current: Dataset['status'];
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
}

/** Waits for a status other than the current one; returns the current one after the time limit. @throws {Refused} */
export async function waitForStatus(
  id: string,
  { current, waitSeconds, signal }: StatusWait,
): Promise<DatasetStatusView> {
  const patienceMs = (waitSeconds + 15) * 1000;
  const path = `${pathOf(id)}/status?current=${current}&wait=${waitSeconds}`;
  return await ask(path, { signal, patienceMs, isQuiet: true });
}

/** An id may come from an address typed by hand. It is encoded, so that it cannot leave its segment of the path. */
function pathOf(id: string): string {
  return `/datasets/${encodeURIComponent(id)}`;
}

export async function listCategories(signal: AbortSignal): Promise<readonly Category[]> {
  return await ask('/categories', { signal });
}

/** Every dataset group, however many pages they take. */
export async function listGroups(signal: AbortSignal): Promise<readonly DatasetGroup[]> {
  return await listAll('/dataset-groups', signal);
}

async function listAll<T>(path: string, signal: AbortSignal): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const { data, total_pages: pages } = await ask<Page<T>>(`${path}?page=${page}&page_size=100`, { signal });
    all.push(...data);
    if (page >= pages) return all;
  }
}

function queryOf(filter: object): string {
  const filled = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return new URLSearchParams(filled).toString();
}
