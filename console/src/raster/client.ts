import { RasterFailure } from './failure.ts';
import type { OpenedRaster, Question, RasterCalls, Reply } from './messages.ts';

export interface RasterClient extends RasterCalls {
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

/** The worker of this page, which is started when it is first asked for. */
export function sharedRasters(): RasterClient {
  shared ??= startRasters();
  return shared;
}

/** Starts the worker that reads, warps and colours rasters. */
function startRasters(): RasterClient {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { type: 'module', name: 'rasters' });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    const asked = waiting.get(data.job);
    waiting.delete(data.job);
    if ('error' in data) asked?.reject(new RasterFailure(data.error, data.status));
    else asked?.resolve(data.answer);
  });
  worker.addEventListener('error', (event) => {
    for (const { reject } of waiting.values()) reject(new RasterFailure(event.message, undefined));
    waiting.clear();
  });
  const ask = async <K extends Kind>(kind: K, request: RequestOf<K>) => {
    last += 1;
    const job = last;
    const answered = new Promise<unknown>((resolve, reject) => waiting.set(job, { resolve, reject }));
    worker.postMessage({ job, kind, request }, { transfer: [] });
    return await answered;
  };
  return {
    open: async (request) => {
      const opened = await ask('open', request);
      if (!isOpened(opened)) throw new RasterFailure('the worker gave another answer', undefined);
      return opened;
    },
    tile: async (request) => {
      const pixels = await ask('tile', request);
      return pixels instanceof ArrayBuffer ? pixels : undefined;
    },
    peek: async (request) => {
      const values = await ask('peek', request);
      return Array.isArray(values) ? values.map(Number) : undefined;
    },
    close: async (url) => void (await ask('close', url)),
    authorize: async (authorization) => void (await ask('authorize', authorization)),
    end: () => worker.terminate(),
  };
}

function isOpened(answer: unknown): answer is OpenedRaster {
  return typeof answer === 'object' && answer !== null && 'epsg' in answer;
}
