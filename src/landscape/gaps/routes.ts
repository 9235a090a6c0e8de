import { z } from 'zod';
import { exampleGapsInput } from '../groups/examples.ts';
import { estimateGaps } from './gap-estimate.ts';
import { getGapPlace, getGaps } from './gaps.ts';
import { LandscapeGapPlace, LandscapeGaps } from './gaps-schema.ts';
import { LandscapeRunInput } from '../runs/schema.ts';
import { fieldFaults, requestProblems } from '../../messages/request/english.ts';
import { IdParams } from '../../validation/fields.ts';
import { degrees } from '../../http/request/degrees.ts';
import { clientOf } from '../../http/access/authentication.ts';
import { errorResponses, jsonResponse, ok } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import { untilGone } from '../../http/request/until-gone.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { RasterPoints } from '../../maps/service/raster-points.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';

const tags = ['landscape'];

const description = `A place has no zone if an input has no value there: outside of its raster, no data, a number out of range or an
unknown class. \`missing_ha\` is the area of the grid where an input has no value, \`alone_ha\` the area without a zone where only this
input has none: with a value, the place would have a zone. Inputs are the leaves that the zoning depends on, and pinned outputs, which replace
the leaves before them. Protected areas are never missing: no value means that nothing is protected.

With \`lon\` and \`lat\` (degrees on WGS 84, both or none), the answer describes one place: the class of the zoning there, and the inputs
without a value. The pixel of the grid that contains the place decides. If an input has another CRS than the elevation, its
pixels are located to a quarter of a pixel.`;

const estimateDescription = `The figures that a run over the current rasters would have, estimated from a sample of 64 by 64 places on the grid of the
elevation. Rasters of more than a few thousand pixels a side are read from their overviews, which do not show single missing
pixels. 409 names the missing inputs.`;

const GapsInput = LandscapeRunInput.pick({ overrides: true }).meta({
  description: 'The rasters that are pinned; without a body, none',
  examples: [exampleGapsInput],
});

interface Dependencies {
  readonly db: Database;
  readonly rasterPoints: RasterPoints;
  readonly tileBudget: TileBudget;
}

export function registerGapRoutes(app: App, parts: Dependencies): void {
  const { db, rasterPoints, tileBudget } = parts;

  app.get('/landscape/runs/:id/gaps', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeGaps',
      summary: 'Read the holes that the inputs of a run leave in the zoning',
      description,
      params: IdParams,
      querystring: z.object({
        lon: degrees(180).optional().describe('Longitude of a place, with `lat`'),
        lat: degrees(90).optional().describe('Latitude of the place'),
      }),
      response: ok(
        'The holes of the run, or the missing inputs at the place',
        z.union([LandscapeGaps, LandscapeGapPlace]),
        400,
        404,
        409,
        422,
        429,
      ),
    },
    handler: async (request, reply) => {
      const { lon, lat } = request.query;
      const runId = request.params.id;
      if (lon === undefined && lat === undefined) return await getGaps(db, runId);
      if (lon === undefined || lat === undefined)
        throw requestProblems.wrongParameters({ [lon === undefined ? 'lon' : 'lat']: fieldFaults.missing });
      const signal = untilGone(reply);
      const read = async () => await getGapPlace({ db, rasterPoints }, { runId, lon, lat }, signal);
      return await tileBudget.spend(clientOf(request), read, signal);
    },
  });

  app.post('/landscape/gaps', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'estimateLandscapeGaps',
      summary: 'Estimate the holes that inputs would leave in the zoning, before a run',
      description: estimateDescription,
      body: GapsInput.optional(),
      response: {
        200: jsonResponse('The estimate', LandscapeGaps),
        ...errorResponses(400, 409, 413, 422, 429),
      },
    },
    handler: async (request, reply) => {
      const signal = untilGone(reply);
      const spend = async <T>(work: () => Promise<T>) =>
        await tileBudget.spend(clientOf(request), work, signal);
      return await estimateGaps({ db, rasterPoints, spend }, request.body ?? {}, signal);
    },
  });
}
