import { fetchFromService, refusalOf } from '../service/fetch.ts';

/** Size of the parts that are joined into a blob: browsers keep blobs on disk, and their parts in memory. */
const partBytes = 16 * 1024 * 1024;
/** A browser reads a blob after the click that saves it, and does not report the end. */
const revokeAfterMs = 10 * 60_000;

/** Interval of requests for a file that the service is still making. */
const pollMs = 1000;

/** Number of repeated requests to a busy service before its refusal is shown; its work on the file continues meanwhile. */
const busyRetries = 15;

/** Time limit for a file that the service has to queue and write first. */
const writtenWithinMs = 30 * 60_000;

interface Downloading {
  /** True if the service writes the file on request. */
  readonly isWritten: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (receivedBytes: number, allBytes: number | undefined) => void;
}

/** Fetches a file with the token, which a link cannot send, and saves it. @throws {Refused} */
export async function download(path: string, name: string, downloading: Downloading): Promise<void> {
  const { signal } = downloading;
  const limit = downloading.isWritten ? { timeoutMs: writtenWithinMs } : {};
  const isLater = createLaterCheck();
  const ask = async () =>
    await fetchFromService(path, { signal, ...limit }, async (response) => {
      if (isLater(response)) return undefined;
      if (!response.ok) throw await refusalOf(response);
      return await read(response, downloading);
    });
  let blob = await ask();
  while (blob === undefined) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    blob = await ask();
  }
  saveBlob(blob, name);
}

/**
 * Saves a file by a link, after the service has confirmed that it will send it: a plain link would open the refusal instead.
 * @throws {Refused}
 */
export async function followLink(
  path: string,
  name: string,
  { signal, isWritten }: Pick<Downloading, 'signal' | 'isWritten'>,
): Promise<void> {
  const limit = isWritten ? { timeoutMs: writtenWithinMs } : {};
  const isLater = createLaterCheck();
  const ask = async (method: 'HEAD' | 'GET') =>
    await fetchFromService(path, { method, signal, ...limit }, async (response) => {
      const { ok } = response;
      if (isLater(response)) return false;
      if (!ok && method === 'GET') throw await refusalOf(response);
      await response.body?.cancel();
      return ok ? true : undefined;
    });
  // An answer to HEAD has no sentence; the answer to GET has one, unless the reason no longer exists.
  while (!((await ask('HEAD')) ?? (await ask('GET'))))
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  saveFrom(path, name);
}

/** Creates the check that decides whether to request a file again: while it is being made, and a few times while the service is busy. */
function createLaterCheck(): (response: Response) => boolean {
  let tries = 0;
  return ({ status, headers }) => {
    if (status === 202) return true;
    tries += 1;
    return status === 503 && headers.has('retry-after') && tries <= busyRetries;
  };
}

/** Saves a blob as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  saveFrom(address, name);
  setTimeout(() => URL.revokeObjectURL(address), revokeAfterMs);
}

function saveFrom(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

async function read({ body, headers }: Response, { onProgress }: Downloading): Promise<Blob> {
  // With a content encoding, the length is that of the compressed body.
  const length = headers.has('content-encoding') ? null : headers.get('content-length');
  const allBytes = length === null ? undefined : Number(length);
  const type = headers.get('content-type') ?? '';
  const blobs: Blob[] = [];
  let held: Uint8Array<ArrayBuffer>[] = [];
  let [pendingSize, received] = [0, 0];
  const keep = (): void => {
    blobs.push(new Blob(held));
    [held, pendingSize] = [[], 0];
  };
  const reader = body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) break;
    held.push(new Uint8Array(part.value));
    pendingSize += part.value.length;
    received += part.value.length;
    if (pendingSize >= partBytes) keep();
    onProgress(received, allBytes);
  }
  keep();
  return new Blob(blobs, { type });
}

/** The file name for a dataset, with characters that file systems refuse replaced by hyphens. */
export function fileNameOf(name: string, extension: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are among what is replaced
  const safe = name.replace(/[\u0000-\u001F\u007F<>:"/\\|?*]+/g, '-').replace(/^[\s.]+|[\s.]+$/g, '');
  const known = new RegExp(`\\.${extension}f?$`, 'i').test(safe);
  return `${(known ? safe.replace(/\.[^.]+$/, '') : safe).slice(0, 120) || 'dataset'}.${extension}`;
}
