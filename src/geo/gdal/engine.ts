import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { Problem } from '../../errors.ts';
import { EngineDied, UnprocessableFile, type EngineTask, type GeoEngine } from '../engine.ts';
import type { Findings } from '../findings.ts';
import { foreignDrivers, type DriverSet } from './drivers.ts';
import { childEnvironment } from './environment.ts';
import { childCommand, findTools } from './launcher.ts';
import {
  FeaturesResult,
  ProbeResult,
  RasterResult,
  TableResult,
  VectorResult,
  type Request,
  type Work,
} from './messages.ts';
import { superviseChild } from './supervise.ts';

const probeDeadlineSeconds = 60;

export interface GdalEngineOptions {
  readonly deadlineSeconds: number;
  /** Bounds the memory of one child; without it a child may use what the machine has. */
  readonly memoryBytes?: number | undefined;
  readonly log: { info(event: object, message: string): void; warn(event: object, message: string): void };
}

/**
 * Opens the engine that runs GDAL in a child process per request. One child is started here, to learn which drivers
 * this GDAL has: all but the few that a task needs are switched off in every later one.
 * @throws {EngineDied} when GDAL can not be loaded at all.
 */
export async function openGdalEngine(options: GdalEngineOptions): Promise<GeoEngine> {
  const tools = await findTools();
  const command = childCommand({
    tools,
    node: process.execPath,
    entry: fileURLToPath(new URL('./child.ts', import.meta.url)),
    memoryBytes: options.memoryBytes,
  });

  async function ask<T>(
    request: Request,
    result: z.ZodType<T>,
    child: {
      readonly scratch: string;
      readonly skippedDrivers: readonly string[];
      readonly signal: AbortSignal;
      readonly deadlineSeconds: number;
    },
  ): Promise<T & { readonly findings: Findings }> {
    const startedAt = performance.now();
    const ending = await superviseChild({
      command,
      env: childEnvironment(child),
      cwd: child.scratch,
      request,
      deadlineSeconds: child.deadlineSeconds,
      signal: child.signal,
    });
    const event = { task: request.task, ms: Math.round(performance.now() - startedAt) };
    if (ending.how === 'aborted') throw child.signal.reason;
    if (ending.how === 'overdue') {
      options.log.warn(event, 'geo engine child was over its deadline');
      throw new Problem('invalid', overdueSentence(child.deadlineSeconds));
    }
    if (ending.how === 'died') {
      options.log.warn({ ...event, reason: ending.reason }, 'geo engine child died');
      throw new EngineDied(`the geo engine ended without an answer: ${ending.reason}`);
    }
    const { answer } = ending;
    if (answer.outcome === 'done') return { ...result.parse(answer.result), findings: answer.findings };
    if (answer.outcome === 'problem') throw new UnprocessableFile(answer.message, answer.findings);
    options.log.warn({ ...event, reason: answer.message }, 'geo engine child failed');
    if (answer.outcome === 'no-resources')
      throw new Error(`the geo engine lacks resources: ${answer.message}`);
    throw new EngineDied(`the geo engine failed: ${answer.message}`);
  }

  const probe = await inTemporaryFolder((scratch) =>
    ask({ task: 'probe' }, ProbeResult, {
      scratch,
      skippedDrivers: [],
      signal: new AbortController().signal,
      deadlineSeconds: probeDeadlineSeconds,
    }),
  );
  const version = `GDAL ${probe.version}`;
  options.log.info({ version, ...tools }, 'geo engine ready');

  const run = <T>(kind: Work['task'], task: EngineTask, result: z.ZodType<T>) => {
    const drivers: DriverSet = kind === 'raster' ? 'raster' : 'vector';
    const { inputPath, scratch, signal } = task;
    const skippedDrivers = foreignDrivers(probe.drivers, drivers);
    const { deadlineSeconds } = options;
    return ask({ task: kind, inputPath, scratch }, result, {
      scratch,
      skippedDrivers,
      signal,
      deadlineSeconds,
    });
  };
  return {
    version,
    convertRaster: (task) => run('raster', task, RasterResult),
    assembleVector: (task) => run('vector', task, VectorResult),
    readTable: (task) => run('table', task, TableResult),
    readFeatures: (task) => run('features', task, FeaturesResult),
  };
}

function overdueSentence(deadlineSeconds: number): string {
  const minutes = Math.max(1, Math.round(deadlineSeconds / 60));
  return `The file took longer than the ${minutes} minutes allowed for processing; upload a smaller or simpler one.`;
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-engine-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
