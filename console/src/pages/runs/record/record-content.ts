import { type RequestOptions, fetchFromService, refusalOf } from '../../../service/fetch.ts';
import { pathTo } from '../../../service/request.ts';
import type { RunRecord } from '../../../service/types.ts';

/** The editable part of a record. */
export type RecordContent = Pick<RunRecord, 'name' | 'note' | 'state' | 'basis'>;

/** A record with the ETag that a change has to send. */
export interface VersionedRecord {
  readonly record: RunRecord;
  readonly etag: string;
}

export const recordStates = [
  'draft',
  'proposed',
  'adopted',
  'withdrawn',
] as const satisfies readonly RunRecord['state'][];

export function contentOf({ name, note, state, basis }: RecordContent): RecordContent {
  return { name, note, state, basis };
}

const textNames = ['name', 'note', 'basis'] as const;

/** The parts that differ between two contents. */
export function differencesOf(one: RecordContent, other: RecordContent): readonly (keyof RecordContent)[] {
  return ([...textNames, 'state'] as const).filter((part) => one[part] !== other[part]);
}

/**
 * Applies the fields of a form to the stored content. A field that was not edited keeps the stored value; an empty text clears the field.
 */
export function withChanges(
  stored: RecordContent,
  opened: RecordContent,
  fields: ReadonlyMap<string, string>,
): RecordContent {
  const textOf = (name: (typeof textNames)[number]): string | null => {
    const typed = fields.get(name)?.replaceAll('\r\n', '\n').trim() ?? '';
    const before = opened[name]?.replaceAll('\r\n', '\n').trim() ?? '';
    return typed === before ? stored[name] : typed || null;
  };
  const chosen = recordStates.find((state) => state === fields.get('state'));
  return {
    name: textOf('name'),
    note: textOf('note'),
    state: chosen === undefined || chosen === opened.state ? stored.state : chosen,
    basis: textOf('basis'),
  };
}

/** @throws {Refused} */
export async function getRecord(id: string, signal?: AbortSignal): Promise<VersionedRecord> {
  return await askForRecord(id, { signal });
}

/** Replaces a record unless it has changed since it was read. @throws {Refused} with 412 if it has */
export async function putRecord(id: string, record: RecordContent, etag: string): Promise<VersionedRecord> {
  return await askForRecord(id, { method: 'PUT', body: record }, etag);
}

async function askForRecord(id: string, options: RequestOptions, etag?: string): Promise<VersionedRecord> {
  const { method = 'GET', body, ...rest } = options;
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(etag === undefined ? {} : { 'if-match': etag }),
  };
  const init = { method, headers, body: body === undefined ? null : JSON.stringify(body), ...rest };
  const path = pathTo('/landscape/runs/{id}/record', { path: { id } });
  return await fetchFromService(path, init, async (response) => {
    if (!response.ok) throw await refusalOf(response, method);
    const record: RunRecord = await response.json();
    return { record, etag: response.headers.get('etag') ?? `"${record.revision}"` };
  });
}
