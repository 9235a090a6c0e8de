import {
  type OpenedRaster,
  type OpenRequest,
  type Question,
  type RasterCalls,
  RasterFailure,
  type Reply,
} from './messages.ts';

export interface RasterClient extends RasterCalls {
  /** Opens a raster ahead of the first use. A failure is not reported; the next use tries again. */
  readonly openEarly: (request: OpenRequest) => void;
  /** Sends this `Authorization` with every range from now on. */
  readonly authorize: (authorization: string | undefined) => Promise<void>;
  readonly end: () => void;
}

type Kind = Question['kind'];
type RequestOf<K extends Kind> = Extract<Question, { kind: K }>['request'];

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

let shared: RasterClient | undefined;

/** The worker of this page, which is started with the first question. */
export function sharedRasters(): RasterClient {
  shared ??= createRasterClient();
  return shared;
}

/** So long what was opened early is as good as what is opened now. */
const earlyMs = 10_000;

/** Asks a worker that reads, warps and colours rasters. */
function createRasterClient(): RasterClient {
  const waiting = new Map<number, Waiting>();
  const early = new Map<string, Promise<OpenedRaster>>();
  let last = 0;
  let worker: Worker | undefined;
  const ask = async <K extends Kind>(kind: K, request: RequestOf<K>) => {
    // A worker that has failed answers no more; the next request starts another.
    worker ??= startWorker(waiting, () => {
      worker?.terminate();
      worker = undefined;
    });
    last += 1;
    const job = last;
    const answered = new Promise<unknown>((resolve, reject) => waiting.set(job, { resolve, reject }));
    worker.postMessage({ job, kind, request }, { transfer: [] });
    return await answered;
  };
  const open = async (request: OpenRequest) => {
    const opened = await ask('open', request);
    if (!isOpened(opened)) throw new RasterFailure('the worker gave another answer', undefined);
    return opened;
  };
  return {
    open: async (request) => {
      const opening = early.get(request.url);
      early.delete(request.url);
      const opened = await opening?.catch(() => undefined);
      return opened ?? (await open(request));
    },
    openEarly: (request) => {
      const opening = open(request);
      opening.catch(() => undefined);
      early.set(request.url, opening);
      setTimeout(() => early.delete(request.url), earlyMs);
    },
    tile: async (request) => {
      const pixels = await ask('tile', request);
      return pixels instanceof ArrayBuffer ? pixels : undefined;
    },
    survey: async (request) => {
      const spreads = await ask('survey', request);
      return spreads instanceof Map ? spreads : new Map();
    },
    peek: async (request) => {
      const values = await ask('peek', request);
      return Array.isArray(values) ? values.map(Number) : undefined;
    },
    close: async (url) => void (await ask('close', url)),
    authorize: async (authorization) => void (await ask('authorize', authorization)),
    end: () => worker?.terminate(),
  };
}

function startWorker(waiting: Map<number, Waiting>, onFailure: () => void): Worker {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { type: 'module', name: 'rasters' });
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    const asked = waiting.get(data.job);
    waiting.delete(data.job);
    if ('error' in data) asked?.reject(new RasterFailure(data.error, data.status));
    else asked?.resolve(data.answer);
  });
  worker.addEventListener('error', (event) => {
    for (const { reject } of waiting.values()) reject(new RasterFailure(event.message, 0));
    waiting.clear();
    onFailure();
  });
  return worker;
}

function isOpened(answer: unknown): answer is OpenedRaster {
  return typeof answer === 'object' && answer !== null && 'epsg' in answer;
}
