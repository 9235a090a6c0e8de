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
  readonly preload: (request: OpenRequest) => void;
  /** Sends this `Authorization` header with every range request from now on. */
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

/** The worker of this page, which the first request starts. */
export function sharedRasters(): RasterClient {
  shared ??= createRasterClient();
  return shared;
}

/** Time for which a raster that was opened early counts as current. */
const earlyMs = 10_000;

/** Time limit between messages of the worker; it has a separate limit for each range. */
const timeoutMs = 30_000;

/** Creates the client of a worker that reads, warps and colours rasters. */
function createRasterClient(): RasterClient {
  const waiting = new Map<number, Waiting>();
  const early = new Map<string, Promise<OpenedRaster>>();
  let last = 0;
  let worker: Worker | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const rejectAll = (message: string) => {
    for (const { reject } of waiting.values()) reject(new RasterFailure(message, 0));
    waiting.clear();
  };
  const listen = () => {
    clearTimeout(silence);
    if (waiting.size > 0) silence = setTimeout(rejectAll, timeoutMs, 'the worker says nothing');
  };
  const onReply = (reply: Reply) => {
    if (!('isAlive' in reply)) {
      const asked = waiting.get(reply.job);
      waiting.delete(reply.job);
      if ('error' in reply) asked?.reject(new RasterFailure(reply.error, reply.status));
      else asked?.resolve(reply.answer);
    }
    listen();
  };
  const ask = async <K extends Kind>(kind: K, request: RequestOf<K>) => {
    // A failed worker does not answer; the next request starts another one.
    worker ??= startWorker(onReply, (message) => {
      rejectAll(message);
      worker?.terminate();
      worker = undefined;
    });
    last += 1;
    const job = last;
    const answered = new Promise<unknown>((resolve, reject) => waiting.set(job, { resolve, reject }));
    worker.postMessage({ job, kind, request }, { transfer: [] });
    listen();
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
    preload: (request) => {
      const opening = open(request);
      opening.catch(() => undefined);
      early.set(request.url, opening);
      setTimeout(() => early.delete(request.url), earlyMs);
    },
    tile: async (request) => {
      const pixels = await ask('tile', request);
      return pixels instanceof ArrayBuffer ? pixels : undefined;
    },
    classes: async (request) => {
      const values = await ask('classes', request);
      return values instanceof ArrayBuffer ? values : undefined;
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

function startWorker(onReply: (reply: Reply) => void, onFailure: (message: string) => void): Worker {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { type: 'module', name: 'rasters' });
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => onReply(data));
  worker.addEventListener('error', ({ message }) => onFailure(message));
  return worker;
}

function isOpened(answer: unknown): answer is OpenedRaster {
  return typeof answer === 'object' && answer !== null && 'epsg' in answer;
}
