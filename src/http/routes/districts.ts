import { z } from 'zod';
import { DistrictCollection } from '../../catalogue/districts/district-files.ts';
import { sendCurrentObject } from '../files/file-response.ts';
import { fileResponses } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

const Query = z.object({
  level: z
    .enum(['region', 'district'])
    .default('district')
    .describe('Regions with the cities of republican significance, or the districts and cities below them'),
  detail: z
    .enum(['coarse', 'fine'])
    .default('coarse')
    .describe('Borders rounded to 0.01° for a map of the country, or to 0.001° for one of a region'),
});

export function registerDistrictRoutes(app: App, { districtFiles }: Services): void {
  app.get('/districts.geojson', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['districts'],
      operationId: 'getDistricts',
      summary: 'Read the administrative units as GeoJSON with rounded borders',
      description:
        'For maps. Points that coincide are left out, and so is what then has no extent; units that are too small for ' +
        '`detail` are rounded less. Neighbours share their borders, so that there are no gaps between them. Encodings, ' +
        'conditions and ranges are as for the GeoJSON of a dataset; the ETag stays the same until the units change.',
      querystring: Query,
      response: fileResponses(
        'RFC 7946, WGS 84 longitude and latitude',
        'application/geo+json',
        DistrictCollection,
      ),
    },
    handler: (request, reply) =>
      sendCurrentObject(request, reply, districtFiles.objects, async () => {
        const keys = await districtFiles.keysOf(request.query.level, request.query.detail);
        return { ...keys, contentType: 'application/geo+json' };
      }),
  });
}
