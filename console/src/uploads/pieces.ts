import { fetchFromService, refusalOf, type Refused, refusedOf } from '../service/ask.ts';
import type { Dataset } from '../service/types.ts';
import { get } from '../service/request.ts';
import type { Slot } from './destination.ts';
import {
  beAt,
  type Fields,
  fingerprintOf,
  forgetInterrupted,
  forgetUpload,
  keepUpload,
  keptUpload,
} from './kept-uploads.ts';
import { isReadable } from './inspect.ts';
import { sendBody, type Sending } from './send.ts';

const MiB = 1024 * 1024;
/** A proxy that collects whole requests must not wait for gigabytes. */
const mostBytes = 64 * MiB;
/** Nothing arrives through it of a request that breaks off: on a line that breaks again and again requests become smaller. */
const leastBytes = 4 * MiB;
const tus = { 'tus-resumable': '1.0.0' };
const firstPauseMs = 1000;
const longestPauseMs = 30_000;
const askAgainMs = 1000;
/** The service answers the last piece within 45 s, and a store of moderate speed stores one in a part of that. */
const patienceMs = 60_000;
/** So often the service may answer with an error before a person is told; without an answer the page goes on trying. */
const mostFailures = 6;

export interface Progress {
  readonly id: string;
  readonly received: number;
  readonly dataset_id: string | null;
}

interface SendingPieces extends Pick<Sending, 'onProgress' | 'signal'> {
  readonly file: File;
  readonly fields: Fields;
  readonly slot: Slot | undefined;
  /** Hears that the upload goes on where it was left, and when the connection is lost and found again. */
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
 * Uploads a file in pieces (tus 1.0), and goes on where a connection was lost, also in another tab later. Once `signal` is
 * aborted, the service gives it up.
 * @throws {Refused} when trying again cannot help.
 */
export async function sendPieces(sending: SendingPieces): Promise<Dataset> {
  const { file, fields, signal } = sending;
  const fingerprint = fingerprintOf(file, fields);
  let [reached, failures, isLost, maxBytes] = [-1, 0, false, mostBytes];
  for (;;) {
    try {
      signal.throwIfAborted();
      const { received, id, ...now } = await goOn(fingerprint, sending);
      beAt(id);
      forgetInterrupted(id);
      if (isLost) sending.onNews({ isLost: false });
      if (reached === -1 && received > 0) sending.onNews({ resumedBytes: received });
      if (received > reached) failures = 0;
      [reached, isLost] = [received, false];
      sending.onProgress(received);
      const datasetId = now.dataset_id ?? (await sendOn(id, { received, maxBytes }, sending));
      maxBytes = Math.min(maxBytes * 2, mostBytes);
      if (datasetId === undefined) continue;
      const dataset = await get('/datasets/{id}', { path: { id: datasetId }, signal }).catch(
        (error: unknown) => {
          if (now.dataset_id === null || refusedOf(error).status !== 404) throw error;
        },
      );
      forgetUpload(fingerprint);
      if (dataset !== undefined) return dataset;
      reached = -1; // what was made of it earlier has been deleted: it is begun again
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

/** Asks how far the kept upload is, or begins another one. @throws {Refused} */
async function goOn(fingerprint: string, { file, fields, slot, signal }: SendingPieces): Promise<Progress> {
  const kept = keptUpload(fingerprint);
  if (kept !== undefined) {
    try {
      return await get('/uploads/{id}', { path: { id: kept }, signal });
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
  keepUpload({ id: started.id, file, fields, slot });
  return started;
}

/** Sends the next piece. Returns the id of the dataset once it is made. @throws {Refused} */
async function sendOn(
  id: string,
  { received, maxBytes }: { readonly received: number; readonly maxBytes: number },
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
    patienceMs,
  });
  if (answer.status === 404 || answer.status === 410) return undefined; // it is begun again
  if (answer.status !== 204) throw answer.refusal();
  return answer.location?.split('/datasets/')[1];
}

/** Trying again cannot help, other than when another request was at it or there is too much to do. */
function isFinal({ status }: Refused): boolean {
  return status >= 400 && status < 500 && ![408, 409, 423, 429].includes(status);
}

/** The service has given an upload up when it refuses it for what it is, and not for the token of this moment. */
function isGivenUp(refused: Refused): boolean {
  return isFinal(refused) && refused.status !== 401 && refused.status !== 403;
}

/** Deletes what has come of an upload. Its bytes would stay for a day: the service is asked again when it does not answer. */
export async function giveUp(fingerprint: string): Promise<void> {
  const id = keptUpload(fingerprint);
  forgetUpload(fingerprint);
  if (id === undefined) return;
  forgetInterrupted(id);
  const asked = { method: 'DELETE', headers: tus, isQuiet: true };
  for (let failures = 0; failures < mostFailures; failures += 1) {
    const status = await fetchFromService(`./uploads/${id}`, asked, async (answer) => answer.status).catch(
      (error: unknown) => refusedOf(error).status,
    );
    if (status > 0 && status < 500) return;
    await pause(pauseMsAfter(failures));
  }
}

const pauseMsAfter = (failures: number): number => Math.min(firstPauseMs * 2 ** failures, longestPauseMs);

/** Waits, and goes on at once when the computer is online again. */
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
