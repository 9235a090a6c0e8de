import { ask, type Asking, fetchFromService, refusalOf } from './ask.ts';
import type { Page } from './catalogue.ts';
import type { Dataset, LandscapePlan, LandscapeRun, Lineage, RunRecord, RunRecordChange } from './types.ts';

/** A run as the service saw it at a moment of its own clock, in milliseconds since 1970. */
export interface SeenRun {
  readonly run: LandscapeRun;
  readonly seenAt: number;
}

/** A record with the ETag that a change of it has to name. */
export interface HeldRecord {
  readonly record: RunRecord;
  readonly etag: string;
}

/** What a person can say of a run. */
export type RecordInput = Pick<RunRecord, 'name' | 'note' | 'state' | 'basis'>;

export const runsPerPage = 10;

/** Reads a page of runs, newest first and without their nodes. @throws {Refused} */
export async function listRuns(page: number, signal: AbortSignal): Promise<Page<LandscapeRun>> {
  return await ask(`/landscape/runs?page=${page}&page_size=${runsPerPage}`, { signal });
}

/** Reads the newest hundred runs, among which those are that wait. @throws {Refused} */
export async function listNewestRuns(signal: AbortSignal): Promise<Page<LandscapeRun>> {
  return await ask('/landscape/runs?page_size=100', { signal, isQuiet: true });
}

/** @throws {Refused} */
export async function getRun(id: string, signal: AbortSignal): Promise<SeenRun> {
  return await fetchFromService(pathOf(id), { signal }, async (response) => {
    if (!response.ok) throw await refusalOf(response);
    const run: LandscapeRun = await response.json();
    return { run, seenAt: Date.parse(response.headers.get('date') ?? '') || Date.now() };
  });
}

/** What a run computes and reuses, and why. @throws {Refused} */
export async function getRunPlan(id: string, signal: AbortSignal): Promise<LandscapePlan> {
  return await ask(`${pathOf(id)}/plan`, { signal });
}

/** Ends a run that is queued or running. @throws {Refused} with 409 when it has ended */
export async function cancelRun(id: string): Promise<void> {
  await ask(pathOf(id), { method: 'DELETE' });
}

/** @throws {Refused} */
export async function getRecord(id: string, signal?: AbortSignal): Promise<HeldRecord> {
  return await askForRecord(`${pathOf(id)}/record`, signal === undefined ? {} : { signal });
}

/** Replaces a record, unless it has changed since. @throws {Refused} with 412 when it has */
export async function putRecord(id: string, record: RecordInput, etag: string): Promise<HeldRecord> {
  return await askForRecord(`${pathOf(id)}/record`, { method: 'PUT', body: record }, etag);
}

/** Reads the changes of a record, newest first, a hundred of them at most. @throws {Refused} */
export async function listRecordChanges(id: string, signal: AbortSignal): Promise<Page<RunRecordChange>> {
  return await ask(`${pathOf(id)}/record/history?page_size=100`, { signal });
}

/** All datasets that a dataset stems from. @throws {Refused} */
export async function getLineage(id: string, signal: AbortSignal): Promise<Lineage> {
  return await ask(`/datasets/${encodeURIComponent(id)}/lineage`, { signal });
}

/** @throws {Refused} with 404 when it was deleted */
export async function getDatasetName(id: string, signal: AbortSignal): Promise<string> {
  return (await ask<Dataset>(`/datasets/${encodeURIComponent(id)}`, { signal })).name;
}

async function askForRecord(path: string, asking: Asking, etag?: string): Promise<HeldRecord> {
  const { method = 'GET', body, ...rest } = asking;
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(etag === undefined ? {} : { 'if-match': etag }),
  };
  const init = { method, headers, body: body === undefined ? null : JSON.stringify(body), ...rest };
  return await fetchFromService(path, init, async (response) => {
    if (!response.ok) throw await refusalOf(response, method);
    const record: RunRecord = await response.json();
    return { record, etag: response.headers.get('etag') ?? `"${record.revision}"` };
  });
}

const pathOf = (id: string): string => `/landscape/runs/${encodeURIComponent(id)}`;
