import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EngineTask, GeoEngine } from '../../src/geo/engine.ts';
import {
  type GdalChildren,
  type GdalChildrenOptions,
  openGdalChildren,
} from '../../src/geo/parent/children.ts';
import { createGdalEngine } from '../../src/geo/parent/gdal-engine.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { answerDescriptor } from '../../src/geo/protocol.ts';

/** The path of a fixture, such as `raster/no_georef.tif`. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}

/** The engine as a worker has it. */
export async function openGdalEngine(options: GdalChildrenOptions): Promise<GeoEngine> {
  return createGdalEngine(await openGdalChildren(options));
}

/** Opens what starts the engine's children, without a log. */
export async function openTestChildren(): Promise<GdalChildren> {
  const log = { info: () => undefined, warn: () => undefined };
  return await openGdalChildren({ deadlineSeconds: 120, log });
}

/** A real engine with a folder of the test's own. */
export async function openTestEngine(options: Partial<Omit<GdalChildrenOptions, 'log'>> = {}) {
  const log = { info: () => undefined, warn: () => undefined };
  return await withFolder(await openGdalEngine({ deadlineSeconds: 120, ...options, log }));
}

/** Provides an engine with a folder of the test's own. */
export async function withFolder(engine: GeoEngine) {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-geo-'));
  return {
    engine,
    folder,
    /** Provides one request with a fresh scratch folder. */
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

/** Starts the program of a child without anything around it, and gives its answer to one request. */
export async function askChild(
  entry: string,
  request: object,
  env: Readonly<Record<string, string>>,
): Promise<z.infer<typeof Answer>> {
  const child = spawn(process.execPath, [entry], { stdio: ['pipe', 'ignore', 'ignore', 'pipe'], env });
  try {
    child.stdin?.write(`${JSON.stringify(request)}\n`);
    const answers = child.stdio[answerDescriptor];
    if (!(answers instanceof Readable)) throw new Error('the child has nowhere to answer');
    const [line] = await once(createInterface({ input: answers }), 'line');
    return Answer.parse(JSON.parse(line));
  } finally {
    child.kill('SIGKILL');
  }
}
