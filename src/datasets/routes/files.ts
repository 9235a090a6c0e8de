import { z } from 'zod';
import { originalOf } from '../files.ts';
import { FeatureCollection, getCogKey, type GeoJsonObjects } from '../outputs.ts';
import { getFlatGeobufKey } from '../vector-features.ts';
import { countingOf, readStatistics } from '../statistics.ts';
import { RasterStatistics } from '../statistics-schema.ts';
import type { App } from '../../http/request/schemas.ts';
import { attachment } from '../../http/files/content-headers.ts';
import { drawnResponses, FileBytes, fileResponses, jsonResponse } from '../../http/openapi/responses.ts';
import { pendingResponse, type ResultWaiters } from '../../http/long-poll/result-waiters.ts';
import { sendCurrentObject } from '../../http/answer/object.ts';
import { IdParams, optionalInteger } from '../../validation/fields.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { RecentDatasets } from '../recent-datasets.ts';
import { sendText } from '../../http/answer/answer.ts';

const tags = ['datasets'];

const geoJsonDescription = `WGS 84 longitude and latitude, at most 7 decimals. Clients that accept gzip or br receive it in this encoding, with the length and the
ETag of the encoded bytes; ranges refer to the plain text. A raster is answered with 422, a dataset that is not \`ready\` with 409.

- For a \`vector\`: a single feature. Its geometry is the union of all geometry in the file. The attribute table is in its
  properties: one row becomes the properties themselves, several rows become a list under \`rows\`. No feature if the file has no geometry.
- For a \`vector_with_kato\`: one feature for each KATO code with a district; other codes are omitted. The geometry is that
  of the district. Properties are \`kato\`, \`name\`, and \`data\`: a value, or the text in its place, by date (start of the
  period). If periods were mapped, \`periods\` gives the end date by start date.`;

const statisticsDescription = `All pixels at full resolution. A pixel whose value is the nodata value, NaN or infinite, or that a mask hides, has no value. \`p2\`,
\`p98\` and \`percentiles\` are exact to a 65,536th of the range, or to a thousandth of the value if that is finer. Hectares are measured on the ellipsoid of WGS 84;
each area is exact to a millionth; a part of a raster that is not on the earth has no area. Every count gives the same bits.

A raster of up to a million samples has its statistics as soon as it is \`ready\`; a job counts those of a larger one, and until then the answer is 404. With \`wait\` the answer comes as soon as they are counted, or is 202
after that many seconds; a raster for which a request waits is counted before others. Another type is answered with 422, a raster that is not \`ready\` with 409.`;

const flatGeobufDescription = `Each feature as in the file, with all its properties: WGS 84 longitude and latitude, cut at 180°, outer rings counter-clockwise, neither
dissolved nor rounded. The route supports ranges, and the file has a spatial index, so that QGIS and GDAL (\`/vsicurl/\`) read only the visible parts. A column with values of different
types has the type Json. Another type is answered with 422, a dataset that is not \`ready\` with 409. 404 for a file of more than 8,000,000 features or 65,535 columns, and for a short time
for a dataset of an earlier release.`;

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly resultWaiters: ResultWaiters;
  readonly recentDatasets: RecentDatasets;
  /** The GeoJSON of a dataset, written again if it is older than the districts. */
  readonly currentFiles: { geoJsonKeysOf(datasetId: string): Promise<GeoJsonObjects> };
}

export function registerDatasetFileRoutes(
  app: App,
  { db, objectStore, recentDatasets, currentFiles, resultWaiters }: Dependencies,
): void {
  app.get('/datasets/:id/download', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'downloadDataset',
      summary: 'Download the original file',
      description: 'In any status, under its original name.',
      params: IdParams,
      response: fileResponses('The bytes as they were uploaded', 'application/octet-stream', FileBytes, 404),
    },
    handler: (request, reply) =>
      sendCurrentObject(request, reply, objectStore, async () => {
        const { files, filename } = await recentDatasets.read(request.params.id);
        const headers = { 'content-disposition': attachment(filename) };
        return { key: originalOf(files), contentType: 'application/octet-stream', headers };
      }),
  });

  app.get('/datasets/:id.geojson', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getDatasetGeoJson',
      summary: 'Read a vector dataset as GeoJSON',
      description: geoJsonDescription,
      params: IdParams,
      response: fileResponses(
        'RFC 7946, WGS 84 longitude and latitude',
        'application/geo+json',
        FeatureCollection,
        404,
        409,
        422,
      ),
    },
    handler: (request, reply) =>
      sendCurrentObject(request, reply, objectStore, async () => {
        const keys = await currentFiles.geoJsonKeysOf(request.params.id);
        return { ...keys, contentType: 'application/geo+json' };
      }),
  });

  app.get('/datasets/:id/statistics', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getDatasetStatistics',
      summary: 'Read the statistics of the pixels of a raster',
      description: statisticsDescription,
      params: IdParams,
      querystring: z.object({
        wait: optionalInteger(0, 60).describe(
          'Longest wait for pending statistics, in seconds; no wait by default',
        ),
      }),
      response: {
        ...drawnResponses(jsonResponse('The statistics', RasterStatistics), 400, 404, 409, 422),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { wait } = request.query;
      if (wait !== undefined) {
        const poll = async () => await countingOf(db, await recentDatasets.read(request.params.id));
        if ((await resultWaiters.readyOr202(request, reply, { wait, poll })) === undefined) return reply;
      }
      const body = await readStatistics(db, await recentDatasets.read(request.params.id));
      return await sendText(request, reply, { body });
    },
  });

  app.get('/datasets/:id.fgb', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getDatasetFlatGeobuf',
      summary: 'Read the features of a vector as FlatGeobuf',
      description: flatGeobufDescription,
      params: IdParams,
      response: fileResponses('The FlatGeobuf', 'application/flatgeobuf', FileBytes, 404, 409, 422),
    },
    handler: (request, reply) =>
      sendCurrentObject(request, reply, objectStore, async () => {
        const key = getFlatGeobufKey(await recentDatasets.read(request.params.id));
        return { key, contentType: 'application/flatgeobuf' };
      }),
  });

  app.get('/datasets/:id.cog', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getDatasetCog',
      summary: 'Read a raster as a Cloud-Optimized GeoTIFF',
      description: 'Supports ranges, so that a map reads only the visible parts.',
      params: IdParams,
      response: fileResponses('The COG', 'image/tiff', FileBytes, 404, 409, 422),
    },
    handler: (request, reply) =>
      sendCurrentObject(request, reply, objectStore, async () => {
        const key = getCogKey(await recentDatasets.read(request.params.id));
        return { key, contentType: 'image/tiff' };
      }),
  });
}
