import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineDied, type EngineTask, type GeoEngine } from '../../../src/geo/engine.ts';
import {
  type GdalChildren,
  type GdalChildrenOptions,
  openGdalChildren,
} from '../../../src/geo/parent/children.ts';
import { validateEngineOutput } from '../../../src/geo/parent/engine-request.ts';
import { createGdalEngine } from '../../../src/geo/parent/gdal-engine.ts';
import type { FindingsCollector } from '../../../src/geo/gather-findings.ts';
import { noChildren } from '../hostile/hijacked-engine.ts';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { answerDescriptor } from '../../../src/geo/child-program.ts';

/** Path of a fixture, such as `raster/no_georef.tif`. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
}

/** Opens the engine that a worker has. */
export async function openGdalEngine(options: GdalChildrenOptions): Promise<GeoEngine> {
  return createGdalEngine(await openGdalChildren(options));
}

/** Opens the children of the engine without a log. */
export async function openTestChildren(): Promise<GdalChildren> {
  const log = { info: () => undefined, warn: () => undefined };
  return await openGdalChildren({ deadlineSeconds: 120, log });
}

/** Opens a real engine with its own folder. */
export async function openTestEngine(options: Partial<Omit<GdalChildrenOptions, 'log'>> = {}) {
  const log = { info: () => undefined, warn: () => undefined };
  return await withFolder(await openGdalEngine({ deadlineSeconds: 120, ...options, log }));
}

/** An engine that performs its requests in this process. */
export async function engineOf<Request>(
  perform: (request: Request, findings: FindingsCollector) => Promise<unknown>,
): Promise<GeoEngine> {
  const { answer } = await import('../../../src/geo/gdal/answer-once.ts');
  return createGdalEngine({
    ...noChildren,
    async run({ request, result, signal }) {
      const said = await inTurn(signal, async () => await answer(JSON.stringify(request), perform));
      if (said.outcome === 'problem' || said.outcome === 'needs-time') return said;
      if (said.outcome !== 'done') throw new EngineDied(said.message);
      // Through JSON, like the answer of a child.
      return { ...said, result: validateEngineOutput(result, JSON.parse(JSON.stringify(said.result))) };
    },
  });
}

let last: Promise<unknown> = Promise.resolve();

/** Performs one request at a time, because a process has only one GDAL log; an aborted request has no result. */
export async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const turn = last.then(async () => {
    signal.throwIfAborted();
    return await work();
  });
  last = turn.catch(() => undefined);
  const result = await turn;
  signal.throwIfAborted();
  return result;
}

/** An engine with its own folder. */
export async function withFolder(engine: GeoEngine) {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-geo-'));
  return {
    engine,
    folder,
    /** Performs one request with a new scratch folder. */
    async run<T>(
      ask: (engine: GeoEngine, task: EngineTask) => Promise<T>,
      inputPath: string,
      signal: AbortSignal = new AbortController().signal,
    ): Promise<T> {
      return await ask(engine, { inputPath, scratch: await mkdtemp(join(folder, 'scratch-')), signal });
    },
    close: () => rm(folder, { recursive: true }),
  };
}

export type TestEngine = Awaited<ReturnType<typeof withFolder>>;

const Answer = z.looseObject({ outcome: z.string(), message: z.string().optional() });

/** Starts the program of a child with only a limit on its files; returns its answer to one request. */
export async function askChild(
  entry: string,
  request: object,
  env: Readonly<Record<string, string>>,
  fileBytes?: number,
): Promise<z.infer<typeof Answer>> {
  const limit = fileBytes === undefined ? '' : `ulimit -f ${fileBytes / 512}; `;
  const command = ['-c', `${limit}exec "$0" "$1"`, process.execPath, entry];
  const child = spawn('/bin/sh', command, { stdio: ['pipe', 'ignore', 'ignore', 'pipe'], env });
  try {
    child.stdin?.write(`${JSON.stringify(request)}\n`);
    const answers = child.stdio[answerDescriptor];
    if (!(answers instanceof Readable)) throw new Error('the child has nowhere to answer');
    for await (const line of createInterface({ input: answers })) {
      const told: unknown = JSON.parse(line);
      // A long-running child first reports its progress, as numbers.
      if (typeof told !== 'number') return Answer.parse(told);
    }
    throw new Error('the child has ended without an answer');
  } finally {
    child.kill('SIGKILL');
  }
}
