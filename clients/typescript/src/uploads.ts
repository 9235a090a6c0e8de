import type { Client } from './generated/client/index.js';
import { createDataset, getDataset, getUpload, uploadToLandscapeSlot } from './generated/sdk.gen.js';
import type { Dataset } from './generated/types.gen.js';
import { errorOf, SteppeError } from './errors.js';
import { pause } from './steppe.js';

/** What a file becomes: a dataset of a category, or the input of a slot of the Landscape Program. */
export type NewDataset = {
  readonly name?: string;
  readonly start_date?: string;
  readonly end_date?: string;
} & (
  | { readonly slot: string }
  | {
      readonly file_type: 'vector' | 'vector_with_kato' | 'raster';
      readonly category_id: string;
      readonly dg_id?: string;
      readonly description?: string;
      readonly unit?: string;
      /** Sent as JSON. */
      readonly meta?: Readonly<Record<string, unknown>>;
      readonly automated?: boolean;
    }
);

interface UploadOptions {
  /** The name of the file with its extension; that of a `File` unless given. */
  readonly filename?: string;
  /** Larger files are sent in pieces, and go on where they were when a connection breaks. */
  readonly piecesFromBytes?: number;
  readonly pieceBytes?: number;
  readonly signal?: AbortSignal;
}

const MiB = 1024 * 1024;
const tus = { 'tus-resumable': '1.0.0' };
const mostTries = 8;

/** Sends a file and returns the dataset that it becomes, which is processed in the background: see `settledDataset`. */
export async function uploadFile(
  client: Client,
  file: Blob,
  details: NewDataset,
  options: UploadOptions = {},
): Promise<Dataset> {
  const filename = options.filename ?? (file instanceof File ? file.name : undefined);
  if (filename === undefined) throw new SteppeError('a file needs a name with its extension: filename');
  const named = file instanceof File && file.name === filename ? file : new File([file], filename);
  const { piecesFromBytes = 64 * MiB } = options;
  if (file.size > piecesFromBytes) return await sendInPieces(client, named, details, options);
  // The service makes it once, whatever is lost between: the same key is answered as it was.
  const headers = { 'Idempotency-Key': requestKey() };
  return await persistently(async () => {
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    if ('slot' in details) {
      const { slot: code, ...fields } = details;
      return await uploadToLandscapeSlot({
        client,
        path: { code },
        headers,
        body: { file: named, ...fields },
        ...signal,
      });
    }
    const { meta, ...fields } = details;
    const more = meta === undefined ? {} : { meta: JSON.stringify(meta) };
    return await createDataset({ client, headers, body: { file: named, ...fields, ...more }, ...signal });
  }, options.signal);
}

/** Returns a new `Idempotency-Key`: with it a request that is sent again makes what it makes once. */
export function requestKey(): string {
  return `"${crypto.randomUUID()}"`;
}

/** Sends a file by tus 1.0. */
async function sendInPieces(
  client: Client,
  file: File,
  details: NewDataset,
  { pieceBytes = 16 * MiB, signal }: UploadOptions,
): Promise<Dataset> {
  const started = await request(client, '/uploads', {
    method: 'POST',
    headers: {
      ...tus,
      'upload-length': String(file.size),
      'upload-metadata': metadataOf(file.name, details),
    },
    ...(signal === undefined ? {} : { signal }),
  });
  const id =
    new URL(started.headers.get('location') ?? '', 'http://service').pathname.split('/').at(-1) ?? '';
  const state = async () => await getUpload({ client, path: { id }, headers: tus });
  let offset = 0;
  while (offset < file.size) {
    offset = await persistently(async () => {
      const end = Math.min(offset + pieceBytes, file.size);
      try {
        const { headers } = await request(client, `/uploads/${id}`, {
          method: 'PATCH',
          headers: {
            ...tus,
            'content-type': 'application/offset+octet-stream',
            'upload-offset': String(offset),
          },
          body: file.slice(offset, end),
          ...(signal === undefined ? {} : { signal }),
        });
        return Number(headers.get('upload-offset'));
      } catch (error) {
        // What has come of a request that broke off counts.
        ({ received: offset } = await state());
        if (offset === file.size) return offset;
        throw error;
      }
    }, signal);
  }
  for (;;) {
    const { dataset_id: datasetId } = await state();
    if (datasetId !== null) return await getDataset({ client, path: { id: datasetId } });
    await pause(1000, signal);
  }
}

function metadataOf(filename: string, { ...details }: NewDataset): string {
  const values = Object.entries({ filename, ...details }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]],
  );
  return values
    .map(([name, value]) => {
      const bytes = new TextEncoder().encode(value);
      return `${name} ${btoa(String.fromCharCode(...bytes))}`;
    })
    .join(',');
}

/** Sends what has no operation of its own here, with the credentials of the client. */
async function request(client: Client, path: string, init: RequestInit): Promise<Response> {
  const { baseUrl = '', fetch: send = fetch, auth } = client.getConfig();
  const token = typeof auth === 'function' ? await auth({ type: 'http', scheme: 'bearer' }) : auth;
  const headers = {
    ...Object(init.headers),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const answer = await send(`${baseUrl}${path}`, { ...init, headers });
  if (answer.ok) return answer;
  throw errorOf(await answer.json().catch(() => undefined), answer.status);
}

/** Tries again what a broken connection or a busy service has ended, with growing pauses. */
async function persistently<T>(make: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await make();
    } catch (error) {
      signal?.throwIfAborted();
      const { status } = error instanceof SteppeError ? error : { status: undefined };
      const isPassing = error instanceof TypeError || status === 429 || status === 503;
      if (!isPassing || tries === mostTries) throw error;
      await pause(Math.min(250 * 2 ** tries, 15_000), signal);
    }
  }
}
