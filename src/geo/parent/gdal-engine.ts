import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { GiB } from '../../lib/units.ts';
import { engineProblems } from '../../messages/raster.ts';
import {
  AreasResult,
  AssembleResult,
  CountsResult,
  FeaturesResult,
  RasterResult,
  TableResult,
  VectorResult,
  ViewResult,
  type FileRequest,
} from '../protocol.ts';
import { EngineDied, UnprocessableFile, type EngineTask, type GeoEngine } from '../engine.ts';
import type { Findings } from '../findings.ts';
import { maxMeshBytes } from '../../maps/raster/mesh.ts';
import type { GdalChildren } from './children.ts';
import { type EngineResponse, geoEntry } from './engine-request.ts';
import { areaFaultOf } from './plausible-areas.ts';
import { implausibilityOf, plausibleCounts } from './plausible-counts.ts';
import { foldersOf } from './sandbox/isolation.ts';
import { deadlineForPixels, limitsForUpload } from './sandbox/limits.ts';

/** Creates the engine that runs GDAL in a child process per request. */
export function createGdalEngine(children: GdalChildren): GeoEngine {
  /** @throws {Problem} when the file is to blame. */
  function valueOf<T>(response: EngineResponse<T>): T & { readonly findings: Findings } {
    switch (response.outcome) {
      case 'problem':
        throw new UnprocessableFile(response.message, response.findings, {
          sentence: response.sentence,
          cause: response.reason && new Error(response.reason),
        });
      case 'overdue':
        throw response.by === 'processor time'
          ? engineProblems.overProcessorTime()
          : engineProblems.overDeadline(Math.max(1, Math.round(children.deadlineSeconds / 60)));
      case 'too-large':
        throw engineProblems.unpacksTooLarge(Math.round(response.fileBytes / GiB));
      default:
        return { ...response.result, findings: response.findings };
    }
  }

  async function read<T>(
    kind: FileRequest['task'],
    { inputPath, scratch, signal }: EngineTask,
    result: z.ZodType<T>,
  ): Promise<T & { readonly findings: Findings }> {
    const drivers = kind === 'raster' || kind === 'view' || kind === 'counts' ? 'raster' : 'vector';
    const response = await children.run({
      entry: geoEntry,
      request: { task: kind, inputPath, scratch },
      result,
      drivers,
      inputs: [inputPath],
      folders: [scratch],
      limits: limitsForUpload((await stat(inputPath)).size, drivers),
      signal,
    });
    return valueOf(response);
  }

  async function readRows<T extends TableResult>(
    kind: 'table' | 'features',
    task: EngineTask,
    schema: z.ZodType<T>,
  ) {
    const result = await read(kind, task, schema);
    return { ...result, rowsPath: await children.ownResult(task.scratch, result.rowsPath) };
  }

  /** Returns the real path of a view mesh in the scratch folder. @throws {EngineDied} when it is larger than any. */
  async function ownMesh(scratch: string, path: string | undefined): Promise<string | undefined> {
    if (path === undefined) return undefined;
    const own = await children.ownResult(scratch, path);
    if ((await stat(own)).size > maxMeshBytes) throw new EngineDied('the geo engine names no view mesh');
    return own;
  }

  return {
    version: children.version,
    guardsInput: children.isolation === 'bubblewrap',
    async convertRaster(task) {
      const result = await read('raster', task, RasterResult);
      // A file that is a COG already is its own result; where the child could reach it, it may be a link by now.
      const folder = result.cogPath === task.inputPath ? dirname(task.inputPath) : task.scratch;
      return {
        ...result,
        cogPath: await children.ownResult(folder, result.cogPath),
        meshPath: await ownMesh(task.scratch, result.meshPath),
        counts: plausibleCounts(result.counts, result.findings.raster),
      };
    },
    async makeView(task) {
      const { meshPath, viewPath } = await read('view', task, ViewResult);
      const own = viewPath === undefined ? undefined : await children.ownResult(task.scratch, viewPath);
      return { meshPath: await ownMesh(task.scratch, meshPath), viewPath: own };
    },
    async countPixels(task) {
      const counts = await read('counts', task, CountsResult);
      const fault = implausibilityOf(counts);
      if (fault !== undefined) throw new EngineDied(`the geo engine counted ${fault}`);
      return counts;
    },
    async countAreas({ inputPaths, scratch, signal, ...asked }) {
      const sizes = await Promise.all(inputPaths.map(async (path) => (await stat(path)).size));
      const response = await children.run({
        entry: geoEntry,
        request: { task: 'areas', ...asked, inputPaths, scratch },
        result: AreasResult,
        drivers: 'raster',
        inputs: [...inputPaths, asked.unitsPath],
        folders: [scratch],
        limits: limitsForUpload(
          sizes.reduce((sum, size) => sum + size, 0),
          'raster',
        ),
        signal,
      });
      const counts = valueOf(response);
      const fault = areaFaultOf(counts, inputPaths.length);
      if (fault !== undefined) throw new EngineDied(`the geo engine counted ${fault}`);
      return counts;
    },
    async assembleRasters({ rasters, scratch, signal }) {
      const response = await children.run({
        entry: geoEntry,
        request: { task: 'assemble', rasters, scratch },
        result: AssembleResult,
        drivers: 'raster',
        inputs: foldersOf(rasters.flatMap(({ parts }) => parts.flatMap(({ paths }) => paths))),
        folders: [scratch],
        deadlineSeconds: deadlineForPixels(
          children.deadlineSeconds,
          rasters.reduce((sum, { width, height }) => sum + width * height, 0),
        ),
        signal,
      });
      // No file of a user's is read here, so that there is none to blame.
      if (response.outcome !== 'done')
        throw new EngineDied(`the geo engine assembled no rasters: ${response.outcome}`);
      return await Array.fromAsync(response.result.rasters, async (raster) => ({
        ...raster,
        cogPath: await children.ownResult(scratch, raster.cogPath),
        meshPath: await ownMesh(scratch, raster.meshPath),
        counts: plausibleCounts(raster.counts, raster.findings.raster),
      }));
    },
    async assembleVector(task) {
      const result = await read('vector', task, VectorResult);
      return { ...result, geojsonPath: await children.ownResult(task.scratch, result.geojsonPath) };
    },
    readTable: (task) => readRows('table', task, TableResult),
    readFeatures: (task) => readRows('features', task, FeaturesResult),
  };
}
