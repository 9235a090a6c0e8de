import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { EngineDied } from '../engine.ts';
import type { Findings } from '../findings.ts';
import { foreignDrivers, type DriverSet } from './drivers.ts';
import { childEnvironment } from './environment.ts';
import { childCommand, findTools } from './launcher.ts';
import { ProbeResult } from './messages.ts';
import { superviseChild } from './supervise.ts';

const probeDeadlineSeconds = 60;

/** The entry of the geo engine's own children. */
export const geoEntry = new URL('./child.ts', import.meta.url);

export interface GdalChildrenOptions {
  readonly deadlineSeconds: number;
  /** Bounds the memory of one child; without it a child may use what the machine has. */
  readonly memoryBytes?: number | undefined;
  readonly log: { info(event: object, message: string): void; warn(event: object, message: string): void };
}

/** One request for one child. */
export interface Errand<T> {
  /** The program of the child; it answers with `answerOnce`. */
  readonly entry: URL;
  readonly request: { readonly task: string; readonly [field: string]: unknown };
  readonly result: z.ZodType<T>;
  readonly drivers: DriverSet;
  /** An existing empty folder, where the child lives. */
  readonly scratch: string;
  /** Kills the child and everything it started. */
  readonly signal: AbortSignal;
}

/** What became of an errand. A `problem` is the file's fault and a sentence for the user. */
export type Reply<T> =
  | { readonly outcome: 'done'; readonly result: T; readonly findings: Findings }
  | { readonly outcome: 'problem'; readonly message: string; readonly findings: Findings }
  | { readonly outcome: 'overdue' };

/** Starts processes that load GDAL and own nothing, one for each errand. */
export interface GdalChildren {
  /** Such as `GDAL 3.6.2`. */
  readonly version: string;
  /** How long a child may take before it is overdue. */
  readonly deadlineSeconds: number;
  /** @throws {EngineDied} when the child ended without an answer, and the signal's reason when that killed it. */
  run<T>(errand: Errand<T>): Promise<Reply<T>>;
}

/**
 * Opens what starts children. One is started here, to learn which drivers this GDAL has: all but the few that an errand
 * needs are switched off in every later one.
 * @throws {EngineDied} when GDAL can not be loaded at all.
 */
export async function openGdalChildren(options: GdalChildrenOptions): Promise<GdalChildren> {
  const { deadlineSeconds, memoryBytes, log } = options;
  const tools = await findTools();

  async function run<T>(
    errand: Omit<Errand<T>, 'drivers'>,
    limits: { readonly skippedDrivers: readonly string[]; readonly deadlineSeconds: number },
  ): Promise<Reply<T>> {
    const { request, scratch, signal } = errand;
    const startedAt = performance.now();
    const ending = await superviseChild({
      command: childCommand({
        tools,
        node: process.execPath,
        entry: fileURLToPath(errand.entry),
        memoryBytes,
      }),
      env: childEnvironment({ scratch, skippedDrivers: limits.skippedDrivers }),
      cwd: scratch,
      request,
      deadlineSeconds: limits.deadlineSeconds,
      signal,
    });
    const event = { task: request.task, ms: Math.round(performance.now() - startedAt) };
    if (ending.how === 'aborted') throw signal.reason;
    if (ending.how === 'overdue') {
      log.warn(event, 'geo engine child was over its deadline');
      return { outcome: 'overdue' };
    }
    if (ending.how === 'died') {
      log.warn({ ...event, reason: ending.reason }, 'geo engine child died');
      throw new EngineDied(`the geo engine ended without an answer: ${ending.reason}`);
    }
    const { answer } = ending;
    if (answer.outcome === 'done') return { ...answer, result: errand.result.parse(answer.result) };
    if (answer.outcome === 'problem') return answer;
    log.warn({ ...event, reason: answer.message }, 'geo engine child failed');
    if (answer.outcome === 'no-resources')
      throw new Error(`the geo engine lacks resources: ${answer.message}`);
    throw new EngineDied(`the geo engine failed: ${answer.message}`);
  }

  const probe = await inTemporaryFolder(async (scratch) => {
    const { signal } = new AbortController();
    const errand = { entry: geoEntry, request: { task: 'probe' }, result: ProbeResult, scratch, signal };
    const reply = await run(errand, { skippedDrivers: [], deadlineSeconds: probeDeadlineSeconds });
    if (reply.outcome !== 'done') throw new EngineDied('the geo engine does not tell its drivers');
    return reply.result;
  });
  const version = `GDAL ${probe.version}`;
  log.info({ version, ...tools }, 'geo engine ready');
  return {
    version,
    deadlineSeconds,
    run: (errand) =>
      run(errand, { skippedDrivers: foreignDrivers(probe.drivers, errand.drivers), deadlineSeconds }),
  };
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-engine-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
