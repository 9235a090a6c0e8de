import type { z } from 'zod';
import { Problem } from '../../errors.ts';
import {
  EngineDied,
  UnprocessableFile,
  type AssembleTask,
  type ConvertedRaster,
  type EngineTask,
  type GeoEngine,
} from '../engine.ts';
import type { Findings } from '../findings.ts';
import {
  geoEntry,
  openGdalChildren,
  type GdalChildren,
  type GdalChildrenOptions,
  type Reply,
} from './children.ts';
import {
  AssembleResult,
  FeaturesResult,
  RasterResult,
  TableResult,
  VectorResult,
  type Work,
} from './messages.ts';

/**
 * Opens the engine that runs GDAL in a child process per request.
 * @throws {EngineDied} when GDAL can not be loaded at all.
 */
export async function openGdalEngine(options: GdalChildrenOptions): Promise<GeoEngine> {
  return createGdalEngine(await openGdalChildren(options));
}

/** The engine that runs GDAL in a child process per request. */
export function createGdalEngine(children: GdalChildren): GeoEngine {
  const run = async <T>(kind: Work['task'], task: EngineTask, result: z.ZodType<T>) => {
    const { inputPath, scratch, signal } = task;
    const reply = await children.run({
      entry: geoEntry,
      request: { task: kind, inputPath, scratch },
      result,
      drivers: kind === 'raster' ? 'raster' : 'vector',
      scratch,
      signal,
    });
    return resultOf(reply, children.deadlineSeconds);
  };
  return {
    version: children.version,
    convertRaster: (task) => run('raster', task, RasterResult),
    assembleRasters: (task) => assemble(children, task),
    assembleVector: (task) => run('vector', task, VectorResult),
    readTable: (task) => run('table', task, TableResult),
    readFeatures: (task) => run('features', task, FeaturesResult),
  };
}

/** No file of a user's is read here, so that there is none to blame. */
async function assemble(
  children: GdalChildren,
  { rasters, scratch, signal }: AssembleTask,
): Promise<readonly ConvertedRaster[]> {
  const reply = await children.run({
    entry: geoEntry,
    request: { task: 'assemble', rasters, scratch },
    result: AssembleResult,
    drivers: 'raster',
    scratch,
    signal,
  });
  if (reply.outcome === 'done') return reply.result.rasters;
  const reason = reply.outcome === 'problem' ? reply.message : 'it was over its deadline';
  throw new EngineDied(`the geo engine assembled no rasters: ${reason}`);
}

function resultOf<T>(reply: Reply<T>, deadlineSeconds: number): T & { readonly findings: Findings } {
  if (reply.outcome === 'overdue') throw new Problem('invalid', overdueSentence(deadlineSeconds));
  if (reply.outcome === 'problem') throw new UnprocessableFile(reply.message, reply.findings);
  return { ...reply.result, findings: reply.findings };
}

function overdueSentence(deadlineSeconds: number): string {
  const minutes = Math.max(1, Math.round(deadlineSeconds / 60));
  return `The file took longer than the ${minutes} minutes allowed for processing; upload a smaller or simpler one.`;
}
