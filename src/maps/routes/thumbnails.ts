import { z } from 'zod';
import { findFile } from '../../datasets/files.ts';
import { drawingProblems } from '../../messages/drawing/english.ts';
import { png } from './pixel-tiles.ts';
import { countsVersionOf, versionOf, type Maps } from '../service/maps.ts';
import { decimalInteger, IdParams } from '../../validation/fields.ts';
import { leftOutHeaders } from '../../http/files/content-headers.ts';
import { bytesResponse, drawnResponses } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { VectorMaps } from '../service/vector-maps.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';
import type { DrawnAnswers } from '../../http/answer/drawn.ts';

const [least, most, usual] = [256, 1024, 256] as const;

interface Dependencies {
  readonly maps: Maps;
  readonly vectorMaps: VectorMaps;
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
}

/** Registers thumbnails of whole datasets. */
export function registerThumbnailRoutes(
  app: App,
  { maps, vectorMaps, tileBudget: budget, drawnAnswers }: Dependencies,
): void {
  app.get('/datasets/:id/thumbnail.png', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['maps'],
      operationId: 'getThumbnail',
      summary: 'Draw a thumbnail of a dataset',
      description:
        'A square picture on a transparent background, in Web Mercator and in the colours of the style; for a `vector_with_kato` the latest date. A raster without a georeference is drawn as it is.',
      params: IdParams,
      querystring: z.object({
        size: decimalInteger(least, most, usual).describe('Length of a side in pixels'),
      }),
      response: drawnResponses(bytesResponse('The picture', png), 400, 404, 409, 422, 429),
    },
    handler: async (request, reply) => {
      const { size } = request.query;
      const answer = async () => {
        const dataset = await maps.dataset(request.params.id);
        if (dataset.status !== 'ready') throw drawingProblems.notReady(dataset.status);
        const isRaster = dataset.file_type === 'raster';
        const data = isRaster
          ? (['cog', 'view_cog', 'view_mesh'] as const).map((kind) => findFile(dataset.files, kind))
          : [(await vectorMaps.ofDataset(dataset)).version];
        const draw = isRaster ? maps.rasterThumbnail : vectorMaps.thumbnail;
        return {
          parts: [versionOf([...data, countsVersionOf(dataset)]), dataset.sld_key, size],
          headers: leftOutHeaders(dataset.style?.style.leftOut),
          budget,
          draw: async (signal: AbortSignal) => ({
            contentType: png,
            bytes: await draw(dataset, size, signal),
          }),
        };
      };
      return await drawnAnswers.send(request, reply, answer, maps.forgetAll);
    },
  });
}
