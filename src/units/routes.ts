import { z } from 'zod';
import { districtHistory, listDistricts } from './history/answers.ts';
import { DistrictHistory, DistrictList } from './history/schema.ts';
import { unitLevels } from '../../common/maps/units/levels.ts';
import { DistrictCollection, type DistrictFiles } from './district-files.ts';
import { createNameMatcher } from './match-names.ts';
import { DistrictMatches, DistrictMatchInput } from './names/names-schema.ts';
import { parseBody } from '../validation/parse-body.ts';
import { CalendarDate, writtenLike } from '../validation/fields.ts';
import { sendCurrentObject } from '../http/answer/object.ts';
import { fileResponses, ok } from '../http/openapi/responses.ts';
import type { App } from '../http/request/schemas.ts';
import type { Database } from '../database/tables/tables.ts';

const Level = z
  .enum(unitLevels)
  .describe(
    'The country, regions with the cities of republican significance, the districts and cities below them, rural districts and administrations of towns (`okrug`), or settlements',
  );
const KatoCode = z.string().regex(/^\d{1,20}$/, { error: writtenLike('750000000') });
const At = CalendarDate.optional().describe('Day whose units are returned; by default the current units');

const Query = z.object({
  at: At,
  level: Level.default('district'),
  detail: z
    .enum(['coarse', 'fine'])
    .default('coarse')
    .describe('Precision of the borders: 0.01° for a map of the country, or 0.001° for one of a region'),
});

const ListQuery = z.object({
  at: At,
  level: Level.optional(),
  within: KatoCode.optional().describe('Code of a unit: only what lies in it is listed, at any depth'),
});
const Params = z.object({
  kato: KatoCode.describe('Current KATO code, or a code of a classifier since 2018'),
});

const matchDescription = `For tables of statistics with names instead of codes. Names are read in Russian, Kazakh and English, with the usual abbreviations, former
names, letters of the other script and Kazakh letters replaced by Russian ones; codes of the classifiers since 2018 lead to the current units. Nothing is stored.

If several units have the same name, the region of the row decides, or the surrounding rows, as in a table where districts follow their region. An undecided
row is \`doubtful\`, with its candidates: let a person choose. A unit that was divided is always doubtful. At most 20,000 rows at once; for the next part of a
table, \`above\` is the region above its first row.`;

export function registerDistrictRoutes(
  app: App,
  { db, districtFiles }: { readonly db: Database; readonly districtFiles: DistrictFiles },
): void {
  const matchNames = createNameMatcher(db);

  app.get('/districts', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['districts'],
      operationId: 'listDistricts',
      summary: 'List the current administrative units, or those of a day',
      description:
        'Without `level` and `within`, the units that have borders. With either, all units of the classifier NK RK 11-2025, most of which have none: `has_borders` says so. ' +
        'Regions and districts have changed since 2018: three regions were formed in 2022, districts were split, renamed and got other codes, and one code went to another unit. A former unit may have the same code as another current one; with `at`, only regions and districts are known.',
      querystring: ListQuery,
      response: ok('The units of the day', DistrictList, 400),
    },
    handler: async (request) => {
      const { at, level, within } = request.query;
      return await listDistricts(db, { at, level, within });
    },
  });

  app.get('/districts/:kato/history', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['districts'],
      operationId: 'getDistrictHistory',
      summary: 'Read the history of a KATO code, with the acts that changed it',
      description:
        'Changes from 2018 to 2024 that a source confirms. Values before a `recode` or a `rename` belong to the same land; values before and after a `split`, a `merge` or a `border` cannot be compared.',
      params: Params,
      response: ok('The units, and the changes before and after them', DistrictHistory, 400, 404),
    },
    handler: async (request) => await districtHistory(db, request.params.kato),
  });

  app.get('/districts.geojson', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['districts'],
      operationId: 'getDistricts',
      summary: 'Read the administrative units as GeoJSON with rounded borders',
      description:
        'For maps. Coinciding points and parts without extent are omitted; units that are too small for `detail` are rounded less. Neighbours share their borders, without gaps between them. Encodings, conditions and ranges are as for the GeoJSON of a dataset; the ETag stays the same until the units change. With `at`, `geometry` is null if the borders on that day are unknown.',
      querystring: Query,
      response: fileResponses(
        'RFC 7946, WGS 84 longitude and latitude',
        'application/geo+json',
        DistrictCollection,
      ),
    },
    handler: (request, reply) =>
      sendCurrentObject(request, reply, districtFiles.objects, async () => {
        const keys = await districtFiles.keysOf(request.query.level, request.query.detail, request.query.at);
        return { ...keys, contentType: 'application/geo+json' };
      }),
  });

  app.post('/districts/match', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['districts'],
      operationId: 'matchDistricts',
      summary: 'Find the KATO codes of names in a table',
      description: matchDescription,
      body: DistrictMatchInput,
      response: ok('One match for each row', DistrictMatches, 400, 413, 422),
    },
    handler: async ({ body }) => await matchNames(parseBody(DistrictMatchInput, body)),
  });
}
