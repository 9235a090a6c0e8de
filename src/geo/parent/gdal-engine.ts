import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { GiB } from '../../lib/units.ts';
import { engineProblems } from '../../messages/raster/english.ts';
import {
  AreasResult,
  AssembleResult,
  ComposeResult,
  CountsResult,
  FeaturesResult,
  FilledResult,
  FlatGeobufResult,
  InspectResult,
  MakeRastersResult,
  PolygonsResult,
  UploadedRasterResult,
  TableResult,
  ValuesResult,
  VectorResult,
  ViewResult,
  WorkbookResult,
  type FileRequest,
} from '../protocol.ts';
import { type DriverSet, freeRasterValues, maxRasterValues } from '../child-program.ts';
import { EngineDied, UnprocessableFile, type EngineTask, type GeoEngine } from '../engine.ts';
import type { Findings } from '../findings.ts';
import { maxMeshBytes } from '../../../common/maps/raster/mesh.ts';
import type { GdalChildren } from './children.ts';
import { type EngineRequest, type EngineResponse, geoEntry } from './engine-request.ts';
import { areaFaultOf, implausibilityOf, plausibleCounts, polygonFaultOf, valueFaultOf } from './plausible.ts';
import { foldersOf } from './sandbox/isolation.ts';
import { deadlineForPixels, deadlineForUpload, limitsForUpload } from './sandbox/limits.ts';

/** A request about files, which decide its timeout. */
interface FilesRequest<T> extends Omit<EngineRequest<T>, 'entry' | 'limits' | 'deadlineSeconds'> {
  readonly drivers: DriverSet;
  /** Files whose bytes and values determine the timeout. */
  readonly measured: readonly string[];
}

interface Answered<T> {
  readonly response: EngineResponse<T>;
  readonly deadlineSeconds: number;
}

/** Creates the engine that runs GDAL in one child process per request. */
export function createGdalEngine(children: GdalChildren): GeoEngine {
  /** @throws {Problem} for a fault of the file. */
  function doneValue<T>({ response, deadlineSeconds }: Answered<T>): T & { readonly findings: Findings } {
    switch (response.outcome) {
      case 'problem':
        throw new UnprocessableFile(response.message, response.findings, {
          sentence: response.sentence,
          cause: response.reason && new Error(response.reason),
        });
      case 'overdue':
        throw response.by === 'processor time'
          ? engineProblems.overProcessorTime()
          : engineProblems.overDeadline(Math.max(1, Math.round(deadlineSeconds / 60)));
      case 'needs-time':
        throw new EngineDied('the geo engine asks for more time again');
      case 'too-large':
        throw engineProblems.unpacksTooLarge(Math.round(response.fileBytes / GiB));
      default:
        return { ...response.result, findings: response.findings };
    }
  }

  /**
   * Sends a request about files. A child that finds more values than every file may have does nothing, and is restarted
   * with time for that number: it is the child's own claim, and therefore limited to that of the largest rasters.
   */
  async function ask<T>({ inputs, measured, drivers, ...asked }: FilesRequest<T>) {
    const sizes = await Promise.all(measured.map(async (path) => (await stat(path)).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const send = async (values?: number): Promise<Answered<T>> => {
      const deadlineSeconds = deadlineForUpload(children.deadlineSeconds, bytes, values);
      const response = await children.run({
        ...asked,
        entry: geoEntry,
        request: { ...asked.request, grantedValues: values ?? freeRasterValues },
        drivers,
        inputs,
        limits: limitsForUpload(bytes, drivers === 'vector' ? 'vector' : 'raster', values),
        deadlineSeconds,
      });
      return { response, deadlineSeconds };
    };
    const first = await send();
    if (first.response.outcome !== 'needs-time') return doneValue(first);
    return doneValue(await send(Math.min(first.response.values, measured.length * maxRasterValues)));
  }

  async function read<T>(
    kind: FileRequest['task'],
    { inputPath, scratch, signal, onProgress }: EngineTask,
    result: z.ZodType<T>,
  ): Promise<T & { readonly findings: Findings }> {
    return await ask({
      request: { task: kind, inputPath, scratch },
      result,
      drivers: kind === 'raster' || kind === 'view' || kind === 'counts' ? 'raster' : 'vector',
      inputs: [inputPath],
      measured: [inputPath],
      folders: [scratch],
      signal,
      onProgress,
    });
  }

  async function readRows<T extends TableResult>(
    kind: 'table' | 'features',
    task: EngineTask,
    schema: z.ZodType<T>,
  ) {
    const result = await read(kind, task, schema);
    return { ...result, rowsPath: await children.ownResult(task.scratch, result.rowsPath) };
  }

  /** Returns the real path of a view mesh in the scratch folder. @throws {EngineDied} if it exceeds the maximum size. */
  async function ownMesh(scratch: string, path: string | undefined): Promise<string | undefined> {
    if (path === undefined) return undefined;
    const own = await children.ownResult(scratch, path);
    if ((await stat(own)).size > maxMeshBytes) throw new EngineDied('the geo engine names no view mesh');
    return own;
  }

  async function ownFeatures(scratch: string, features: FlatGeobufResult['features']) {
    return features && { ...features, path: await children.ownResult(scratch, features.path) };
  }

  return {
    version: children.version,
    proj: children.proj,
    projFiles: children.projFiles,
    guardsInput: children.isolation === 'bubblewrap',
    async convertRaster(task) {
      const result = await read('raster', task, UploadedRasterResult);
      // A COG is its own result; in a folder that the child could write to, it may be a link by now.
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
      const counts = await ask({
        request: { task: 'areas', ...asked, inputPaths, scratch },
        result: AreasResult,
        drivers: 'raster',
        inputs: [...inputPaths, asked.unitsPath],
        measured: inputPaths,
        folders: [scratch],
        signal,
      });
      const fault = areaFaultOf(counts, inputPaths.length);
      if (fault !== undefined) throw new EngineDied(`the geo engine counted ${fault}`);
      return counts;
    },
    async countValues({ inputPath, unitsPath, scratch, signal }) {
      const counts = await ask({
        request: { task: 'values', inputPath, unitsPath, scratch },
        result: ValuesResult,
        drivers: 'raster',
        inputs: [inputPath, unitsPath],
        measured: [inputPath],
        folders: [scratch],
        signal,
      });
      const fault = valueFaultOf(counts);
      if (fault !== undefined) throw new EngineDied(`the geo engine counted ${fault}`);
      return counts;
    },
    async makePolygons({ scratch, signal, ...asked }) {
      const inputs = [
        asked.classesPath,
        asked.suitabilityPath,
        asked.sensitivityPath,
        asked.cut?.unitsPath,
      ].filter((path) => path !== undefined);
      const made = await ask({
        request: { task: 'polygons', ...asked, scratch },
        result: PolygonsResult,
        drivers: 'raster',
        inputs,
        measured: inputs,
        folders: [scratch],
        signal,
      });
      const fault = polygonFaultOf(made, asked);
      if (fault !== undefined) throw new EngineDied(`the geo engine made polygons with ${fault}`);
      return { ...made, path: await children.ownResult(scratch, made.path) };
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
      // No user file is read here, so that none can be at fault.
      if (response.outcome !== 'done')
        throw new EngineDied(`the geo engine assembled no rasters: ${response.outcome}`);
      return await Array.fromAsync(response.result.rasters, async (raster) => ({
        ...raster,
        cogPath: await children.ownResult(scratch, raster.cogPath),
        meshPath: await ownMesh(scratch, raster.meshPath),
        counts: plausibleCounts(raster.counts, raster.findings.raster),
      }));
    },
    async composeRasters({ rasters, scratch, signal }) {
      const partPaths = rasters.flatMap(({ parts }) => parts.flatMap(({ paths }) => paths));
      const response = await children.run({
        entry: geoEntry,
        request: { task: 'compose', rasters, scratch },
        result: ComposeResult,
        drivers: 'raster',
        inputs: foldersOf(partPaths),
        folders: [scratch],
        deadlineSeconds: deadlineForPixels(
          children.deadlineSeconds,
          rasters.reduce((sum, { width, height }) => sum + width * height, 0),
        ),
        signal,
      });
      if (response.outcome !== 'done')
        throw new EngineDied(`the geo engine composed no rasters: ${response.outcome}`);
      const known = new Set(partPaths);
      return await Array.fromAsync(response.result.rasters, async ({ composition, ...raster }) => ({
        ...raster,
        composition: {
          ...composition,
          pieces: await Array.fromAsync(composition.pieces, async ({ path, ...range }) => ({
            ...range,
            path: known.has(path) ? path : await children.ownResult(scratch, path),
          })),
        },
        meshPath: await ownMesh(scratch, raster.meshPath),
      }));
    },
    async assembleVector(task) {
      const result = await read('vector', task, VectorResult);
      const geojsonPath = await children.ownResult(task.scratch, result.geojsonPath);
      return { ...result, geojsonPath, features: await ownFeatures(task.scratch, result.features) };
    },
    async writeFeatures(task) {
      const { features, findings } = await read('flatgeobuf', task, FlatGeobufResult);
      return { features: await ownFeatures(task.scratch, features), findings };
    },
    readTable: (task) => readRows('table', task, TableResult),
    readFeatures: (task) => readRows('features', task, FeaturesResult),
    async readWorkbook({ inputPath, format, scratch, signal }) {
      return await ask({
        request: { task: 'read-workbook', inputPath, format, scratch },
        result: WorkbookResult,
        drivers: 'vector',
        inputs: [inputPath],
        measured: [inputPath],
        folders: [scratch],
        signal,
      });
    },
    async fillWorkbook({ inputPath, format, valuesPath, scratch, signal }) {
      const { path } = await ask({
        request: { task: 'fill-workbook', inputPath, format, valuesPath, scratch },
        result: FilledResult,
        drivers: 'vector',
        inputs: [inputPath, valuesPath],
        measured: [inputPath],
        folders: [scratch],
        signal,
      });
      return await children.ownResult(scratch, path);
    },
    async inspectSource({ inputPath, format, scratch, signal }) {
      return await ask({
        request: { task: 'inspect-source', inputPath, format, scratch },
        result: InspectResult,
        drivers: format,
        inputs: [inputPath],
        measured: [inputPath],
        folders: [scratch],
        signal,
      });
    },
    async makeRasters({ inputPath, format, choices, scratch, signal, onProgress }) {
      const { rasters } = await ask({
        request: { task: 'make-rasters', inputPath, format, choices, scratch },
        result: MakeRastersResult,
        drivers: format,
        inputs: [inputPath],
        measured: [inputPath],
        folders: [scratch],
        signal,
        onProgress,
      });
      if (rasters.length !== choices.length) throw new EngineDied('the geo engine made other rasters');
      return await Array.fromAsync(rasters, async ({ path }) => {
        const own = await children.ownResult(scratch, path);
        return { path: own, sizeBytes: (await stat(own)).size };
      });
    },
  };
}
