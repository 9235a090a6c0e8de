import { originalOf } from '../../datasets/files.ts';
import { KatoSeries } from '../../datasets/kato-map/kato-series.ts';
import { FeatureCollection, getCogKey } from '../../datasets/outputs.ts';
import type { App } from '../request/schemas.ts';
import { attachment } from '../files/content-headers.ts';
import { FileBytes, fileResponses } from '../openapi/responses.ts';
import { sendCurrentObject } from '../files/file-response.ts';
import type { Services } from './services.ts';
import { IdParams } from '../../validation/fields.ts';

const tags = ['datasets'];

const geoJsonDescription = `WGS 84 longitude and latitude, at most 7 decimals. Clients that accept gzip or br get it so encoded, with the length and the
ETag of what is sent; ranges are those of the plain text. A raster is 422, a dataset that is not \`ready\` 409.

- Of a \`vector\`: a single feature. Its geometry is the union of all geometry in the file. The attribute table is in its
  properties: one row is the properties themselves, several are a list under \`rows\`. No feature when the file has no geometry.
- Of a \`vector_with_kato\`: one feature for each KATO code that a district has; other codes are left out. The geometry is that
  of the district. Properties are \`kato\`, \`name\`, and \`data\`: a value, or the text in its place, by date (start of the
  period). When periods were mapped, \`periods\` gives the end date by start date.`;

const seriesDescription = `What the GeoJSON of a \`vector_with_kato\` says, by the same rules, for clients that have the borders already
(\`GET /districts.geojson\`). Another type is 422, a dataset that is not \`ready\` 409. Encodings, conditions and ranges are as for the
GeoJSON; both change with the districts. The first request after a mapping takes longer.`;

export function registerDatasetFileRoutes(
  app: App,
  { objectStore, recentDatasets, currentFiles }: Services,
): void {
  app.get('/datasets/:id/download', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'downloadDataset',
      summary: 'Download the original file',
      description: 'In any status, under the name that it was uploaded with.',
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

  app.get('/datasets/:id/series', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['tables by KATO'],
      operationId: 'getDatasetSeries',
      summary: 'Read the values of a table by KATO without geometry',
      description: seriesDescription,
      params: IdParams,
      response: fileResponses('The series', 'application/json', KatoSeries, 404, 409, 422),
    },
    handler: (request, reply) =>
      sendCurrentObject(request, reply, objectStore, async () => {
        const keys = await currentFiles.seriesKeysOf(request.params.id);
        return { ...keys, contentType: 'application/json' };
      }),
  });

  app.get('/datasets/:id.cog', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getDatasetCog',
      summary: 'Read a raster as a Cloud-Optimized GeoTIFF',
      description: 'Ranges are answered, so that a map reads only what it shows.',
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
