import { z } from 'zod';
import { exampleGapsInput } from '../../landscape/groups/examples.ts';
import { estimateGaps } from '../../landscape/runs/gap-estimate.ts';
import { getGapPlace } from '../../landscape/runs/gap-place.ts';
import { getGaps } from '../../landscape/runs/gaps.ts';
import { LandscapeGapPlace, LandscapeGaps } from '../../landscape/runs/gaps-schema.ts';
import { LandscapeRunInput } from '../../landscape/runs/schema.ts';
import { fieldFaults, requestProblems } from '../../messages/request.ts';
import { IdParams } from '../../validation/fields.ts';
import { degrees } from '../request/degrees.ts';
import { errorResponses, jsonResponse, ok } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import { untilGone } from '../request/until-gone.ts';
import type { Services } from './services.ts';

const tags = ['landscape'];

const description = `A place without a zone is one where an input has no value: outside of its raster, no data, a number out of range or an
unknown class. \`missing_ha\` is the area of the grid where an input has none, \`alone_ha\` the area without a zone where it is the only
one: with a value there, there would be a zone. Inputs are the leaves that the zoning depends on, and pinned outputs, behind which no leaf
counts. Protected areas are never missing: no value means that nothing is protected.

With \`lon\` and \`lat\` (degrees on WGS 84, both or none), the answer is about one place: the class of the zoning there, and the inputs
without a value. The pixel of the grid that the place lies in is what counts. Where an input lies in another CRS than the elevation, its
pixels are found to a quarter of a pixel.`;

const estimateDescription = `From a sample of 64 by 64 places on the grid of the elevation: the same figures as a run over the rasters of now would
have, before there is a run. Rasters of more than a few thousand pixels a side are read from their overviews, in which single missing
pixels among others are not seen. 409 names the inputs that are missing.`;

const GapsInput = LandscapeRunInput.pick({ overrides: true }).meta({
  description: 'The rasters that are pinned; without a body, none',
  examples: [exampleGapsInput],
});

export function registerGapRoutes(app: App, services: Services): void {
  const { db, rasterPoints, tileBudget } = services;

  app.get('/landscape/runs/:id/gaps', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeGaps',
      summary: 'Read which input of a run leaves which hole in the zoning',
      description,
      params: IdParams,
      querystring: z.object({
        lon: degrees(180).optional().describe('Longitude of a place, with `lat`'),
        lat: degrees(90).optional().describe('Latitude of the place'),
      }),
      response: ok(
        'The holes of the run, or what is missing at the place',
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
      return await tileBudget.spend(request.ip, read, signal);
    },
  });

  app.post('/landscape/gaps', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'estimateLandscapeGaps',
      summary: 'Estimate which input would leave which hole, before a run',
      description: estimateDescription,
      body: GapsInput.optional(),
      response: {
        200: jsonResponse('The estimate', LandscapeGaps),
        ...errorResponses(400, 409, 413, 422, 429),
      },
    },
    handler: async (request, reply) => {
      const signal = untilGone(reply);
      const spend = async <T>(work: () => Promise<T>) => await tileBudget.spend(request.ip, work, signal);
      return await estimateGaps({ db, rasterPoints, spend }, request.body ?? {}, signal);
    },
  });
}
