import { fetchFromService, refusalOf } from '../service/ask.ts';

/** Bytes of this much go into a blob together: a browser keeps blobs on the disk, and parts of them in memory. */
const heldBytes = 16 * 1024 * 1024;
/** A browser reads a file after the click that saves it, and does not say when it has ended. */
const revokeAfterMs = 10 * 60_000;

/** Between two questions for a file that the service is still making. */
const lookAgainMs = 1000;

interface Downloading {
  readonly signal: AbortSignal;
  readonly onProgress: (receivedBytes: number, allBytes: number | undefined) => void;
}

/** Fetches a file with the token, which a link does not carry, and saves it. @throws {Refused} */
export async function download(path: string, name: string, downloading: Downloading): Promise<void> {
  const { signal } = downloading;
  const ask = async () =>
    await fetchFromService(path, { signal }, async (response) => {
      if (!response.ok) throw await refusalOf(response);
      return response.status === 202 ? undefined : await read(response, downloading);
    });
  let blob = await ask();
  while (blob === undefined) {
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
    blob = await ask();
  }
  saveBlob(blob, name);
}

/** Saves a file that the page has made or read. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), revokeAfterMs);
}

async function read({ body, headers }: Response, { onProgress }: Downloading): Promise<Blob> {
  // What is packed on its way has another length.
  const length = headers.has('content-encoding') ? null : headers.get('content-length');
  const allBytes = length === null ? undefined : Number(length);
  const type = headers.get('content-type') ?? '';
  const blobs: Blob[] = [];
  let held: Uint8Array<ArrayBuffer>[] = [];
  let [heldSize, received] = [0, 0];
  const keep = (): void => {
    blobs.push(new Blob(held));
    [held, heldSize] = [[], 0];
  };
  const reader = body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) break;
    held.push(new Uint8Array(part.value));
    heldSize += part.value.length;
    received += part.value.length;
    if (heldSize >= heldBytes) keep();
    onProgress(received, allBytes);
  }
  keep();
  return new Blob(blobs, { type });
}

/** The name that a dataset gives to a file that is made of it; what no file system takes is a dash. */
export function fileNameOf(name: string, extension: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are among what is replaced
  const safe = name.replace(/[\u0000-\u001F\u007F<>:"/\\|?*]+/g, '-').replace(/^[\s.]+|[\s.]+$/g, '');
  const known = new RegExp(`\\.${extension}f?$`, 'i').test(safe);
  return `${(known ? safe.replace(/\.[^.]+$/, '') : safe).slice(0, 120) || 'dataset'}.${extension}`;
}
