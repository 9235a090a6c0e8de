import { fetchFromService, refusalOf, type Refused, refusedOf } from '../service/fetch.ts';
import type { Dataset, SourceFile } from '../service/types.ts';
import { get } from '../service/request.ts';
import type { Slot } from './destination.ts';
import {
  claimUpload,
  type Fields,
  fingerprintOf,
  forgetInterrupted,
  forgetUpload,
  storeUpload,
  unfinishedUpload,
} from './unfinished-uploads.ts';
import { isReadable } from './inspect.ts';
import { sendBody, type Sending } from './send.ts';

const MiB = 1024 * 1024;
/** Limit of a request, since some proxies buffer whole requests. */
const mostBytes = 64 * MiB;
/** Such a proxy forwards nothing of an interrupted request, so requests become smaller on an unreliable line. */
const leastBytes = 4 * MiB;
const tus = { 'tus-resumable': '1.0.0' };
const firstPauseMs = 1000;
const longestPauseMs = 30_000;
const askAgainMs = 1000;
/** The service answers the last piece within 45 s; a store of moderate speed stores one in less time. */
const timeoutMs = 60_000;
/** Number of error answers before the failure is shown; without an answer the page keeps trying. */
const mostFailures = 6;

export interface Progress {
  readonly id: string;
  readonly received: number;
  readonly dataset_id: string | null;
  readonly source_file_id: string | null;
}

interface SendingPieces extends Pick<Sending, 'onProgress' | 'signal'> {
  readonly file: File;
  readonly fields: Fields;
  readonly slot: Slot | undefined;
  /** Called when the upload resumes, and when the connection is lost and restored. */
  readonly onNews: (news: { readonly resumedBytes?: number; readonly isLost?: boolean }) => void;
}

/** The largest file that the service takes in pieces. @throws {Refused} */
export async function findPiecesLimit(): Promise<number> {
  return await fetchFromService('./uploads', { method: 'OPTIONS' }, async (response) => {
    if (!response.ok) throw await refusalOf(response);
    return Number(response.headers.get('tus-max-size') ?? Infinity);
  });
}

/**
 * Uploads a file in pieces (tus 1.0), and resumes after a lost connection, also later in another tab. When `signal` is
 * aborted, the service deletes the upload.
 * @throws {Refused} if another attempt cannot help
 */
export async function sendPieces(sending: SendingPieces): Promise<Dataset> {
  return await sendUntil(sending, {
    folder: '/datasets/',
    idOf: (now) => now.dataset_id,
    read: async (id) => await get('/datasets/{id}', { path: { id }, signal: sending.signal }),
  });
}

/** Uploads a file from which rasters are made in the same way. @throws {Refused} if another attempt cannot help */
export async function sendSourceFile(sending: Omit<SendingPieces, 'fields' | 'slot'>): Promise<SourceFile> {
  return await sendUntil(
    { ...sending, fields: { use: 'rasters' }, slot: undefined },
    {
      folder: '/source-files/',
      idOf: (now) => now.source_file_id,
      read: async (id) => await get('/source-files/{id}', { path: { id }, signal: sending.signal }),
    },
  );
}

/** The thing that an upload becomes. */
interface Becomes<T> {
  /** Part of its address before its id. */
  readonly folder: string;
  readonly idOf: (now: Progress) => string | null;
  readonly read: (id: string) => Promise<T>;
}

async function sendUntil<T>(sending: SendingPieces, { folder, idOf, read }: Becomes<T>): Promise<T> {
  const { file, fields, signal } = sending;
  const fingerprint = fingerprintOf(file, fields);
  let [reached, failures, isLost, maxBytes] = [-1, 0, false, mostBytes];
  for (;;) {
    try {
      signal.throwIfAborted();
      const now = await goOn(fingerprint, sending);
      const { received, id } = now;
      claimUpload(id);
      forgetInterrupted(id);
      if (isLost) sending.onNews({ isLost: false });
      if (reached === -1 && received > 0) sending.onNews({ resumedBytes: received });
      if (received > reached) failures = 0;
      [reached, isLost] = [received, false];
      sending.onProgress(received);
      const known = idOf(now);
      const madeId = known ?? (await sendOn(id, { received, maxBytes, folder }, sending));
      maxBytes = Math.min(maxBytes * 2, mostBytes);
      if (madeId === undefined) continue;
      const made = await read(madeId).catch((error: unknown) => {
        if (known === null || refusedOf(error).status !== 404) throw error;
      });
      forgetUpload(fingerprint);
      if (made !== undefined) return made;
      reached = -1; // the dataset of an earlier upload was deleted: the upload starts again
    } catch (error) {
      const refused = refusedOf(error);
      if (signal.aborted) void giveUp(fingerprint);
      else if (isGivenUp(refused)) forgetUpload(fingerprint);
      failures += 1;
      maxBytes = Math.max(maxBytes / 2, leastBytes);
      const isTired = refused.status === 0 ? !(await isReadable(file)) : failures >= mostFailures;
      if (signal.aborted || isFinal(refused) || isTired) throw error;
      isLost = true;
      sending.onNews({ isLost });
      await pause(pauseMsAfter(failures - 1), signal);
    }
  }
}

/** Requests the progress of the stored upload, or creates another one. @throws {Refused} */
async function goOn(fingerprint: string, { file, fields, slot, signal }: SendingPieces): Promise<Progress> {
  const stored = unfinishedUpload(fingerprint);
  if (stored !== undefined) {
    try {
      return await get('/uploads/{id}', { path: { id: stored }, signal });
    } catch (error) {
      const { status } = refusedOf(error);
      if (status !== 404 && status !== 410) throw error;
      forgetUpload(fingerprint);
    }
  }
  const headers = { ...tus, 'upload-length': String(file.size), 'upload-metadata': metadataOf(file, fields) };
  const started = await fetchFromService(
    './uploads',
    { method: 'POST', headers, signal },
    async (response) => {
      if (response.status !== 201) throw await refusalOf(response, 'POST');
      const progress: Progress = await response.json();
      return progress;
    },
  );
  storeUpload({ id: started.id, file, fields, slot });
  return started;
}

/** Sends the next piece. Returns the id of the dataset when it is complete. @throws {Refused} */
async function sendOn(
  id: string,
  {
    received,
    maxBytes,
    folder,
  }: { readonly received: number; readonly maxBytes: number; readonly folder: string },
  sending: SendingPieces,
): Promise<string | undefined> {
  const { file, onProgress, signal } = sending;
  if (received === file.size) {
    await pause(askAgainMs, signal);
    return undefined;
  }
  const answer = await sendBody(file.slice(received, received + maxBytes), {
    method: 'PATCH',
    path: `./uploads/${id}`,
    headers: { ...tus, 'upload-offset': String(received), 'content-type': 'application/offset+octet-stream' },
    onProgress: (sentBytes) => onProgress(received + sentBytes),
    signal,
    timeoutMs,
  });
  if (answer.status === 404 || answer.status === 410) return undefined; // the upload starts again
  if (answer.status !== 204) throw answer.refusal();
  return answer.location?.split(folder)[1];
}

/** Returns true if another attempt cannot help. It can if another request holds the upload, or the service is busy. */
function isFinal({ status }: Refused): boolean {
  return status >= 400 && status < 500 && ![408, 409, 423, 429].includes(status);
}

/** Returns true if the service has deleted an upload: it then refuses the upload itself, not the current token. */
function isGivenUp(refused: Refused): boolean {
  return isFinal(refused) && refused.status !== 401 && refused.status !== 403;
}

/** Deletes the received part of an upload. Otherwise its bytes would stay for a day, so the request is repeated without an answer. */
export async function giveUp(fingerprint: string): Promise<void> {
  const id = unfinishedUpload(fingerprint);
  forgetUpload(fingerprint);
  if (id === undefined) return;
  forgetInterrupted(id);
  const asked = { method: 'DELETE', headers: tus, isBackground: true };
  for (let failures = 0; failures < mostFailures; failures += 1) {
    const status = await fetchFromService(`./uploads/${id}`, asked, async (answer) => answer.status).catch(
      (error: unknown) => refusedOf(error).status,
    );
    if (status > 0 && status < 500) return;
    await pause(pauseMsAfter(failures));
  }
}

const pauseMsAfter = (failures: number): number => Math.min(firstPauseMs * 2 ** failures, longestPauseMs);

/** Waits, but continues at once when the computer is online again. */
async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const end = (): void => ended.resolve();
  const timer = setTimeout(end, milliseconds);
  addEventListener('online', end);
  signal?.addEventListener('abort', end);
  await ended.promise;
  clearTimeout(timer);
  removeEventListener('online', end);
  signal?.removeEventListener('abort', end);
}

function metadataOf(file: File, fields: Fields): string {
  const all = Object.entries({ filename: file.name, filetype: file.type, ...fields });
  return all
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name} ${base64Of(value)}`)
    .join(',');
}

function base64Of(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}
