import { stat } from 'node:fs/promises';
import type { z } from 'zod';
import { Problem } from '../../common/errors.ts';
import { GiB } from '../../common/units.ts';
import {
  EngineDied,
  UnprocessableFile,
  type AssembleTask,
  type ConvertedRaster,
  type EngineTask,
  type GeoEngine,
} from '../engine.ts';
import type { Findings } from '../findings.ts';
import { foldersOf } from './sandbox/isolation.ts';
import { limitsForUpload } from './sandbox/limits.ts';
import type { GdalChildren } from './children.ts';
import { geoEntry } from './probe-gdal.ts';
import type { Reply } from './engine-request.ts';
import {
  AssembleResult,
  FeaturesResult,
  RasterResult,
  TableResult,
  VectorResult,
  type Work,
} from '../protocol.ts';

/** The engine that runs GDAL in a child process per request. */
export function createGdalEngine(children: GdalChildren): GeoEngine {
  const run = async <T>(kind: Work['task'], task: EngineTask, result: z.ZodType<T>) => {
    const { inputPath, scratch, signal } = task;
    const drivers = kind === 'raster' ? 'raster' : 'vector';
    const reply = await children.run({
      entry: geoEntry,
      request: { task: kind, inputPath, scratch },
      result,
      drivers,
      inputs: [inputPath],
      folders: [scratch],
      limits: limitsForUpload((await stat(inputPath)).size, drivers),
      signal,
    });
    return resultOf(reply, children);
  };
  return {
    version: children.version,
    async convertRaster(task) {
      const result = await run('raster', task, RasterResult);
      return { ...result, cogPath: await children.ownResult(task.scratch, result.cogPath) };
    },
    assembleRasters: (task) => assemble(children, task),
    async assembleVector(task) {
      const result = await run('vector', task, VectorResult);
      return { ...result, geojsonPath: await children.ownResult(task.scratch, result.geojsonPath) };
    },
    async readTable(task) {
      const result = await run('table', task, TableResult);
      return { ...result, rowsPath: await children.ownResult(task.scratch, result.rowsPath) };
    },
    async readFeatures(task) {
      const result = await run('features', task, FeaturesResult);
      return { ...result, rowsPath: await children.ownResult(task.scratch, result.rowsPath) };
    },
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
    inputs: foldersOf(rasters.flatMap(({ parts }) => parts.map(({ path }) => path))),
    folders: [scratch],
    signal,
  });
  if (reply.outcome !== 'done') throw new EngineDied(`the geo engine assembled no rasters: ${reply.outcome}`);
  return await Promise.all(
    reply.result.rasters.map(async (raster) => ({
      ...raster,
      cogPath: await children.ownResult(scratch, raster.cogPath),
    })),
  );
}

function resultOf<T>(reply: Reply<T>, children: GdalChildren): T & { readonly findings: Findings } {
  if (reply.outcome === 'problem') throw new UnprocessableFile(reply.message, reply.findings);
  if (reply.outcome === 'overdue')
    throw new Problem('invalid', overdueSentence(reply.by, children.deadlineSeconds));
  if (reply.outcome === 'too-large') throw new Problem('invalid', tooLargeSentence(reply.fileBytes));
  return { ...reply.result, findings: reply.findings };
}

function overdueSentence(by: 'deadline' | 'processor time', deadlineSeconds: number): string {
  if (by === 'processor time')
    return 'The file took more computing time than a file of its size may; upload a simpler one, or its parts one by one.';
  const minutes = Math.max(1, Math.round(deadlineSeconds / 60));
  return `The file took longer than the ${minutes} minutes allowed for processing; upload a smaller or simpler one.`;
}

function tooLargeSentence(fileBytes: number): string {
  return `What the file unpacks to is larger than the ${Math.round(fileBytes / GiB)} GiB allowed for a file of its size; upload it in parts.`;
}
