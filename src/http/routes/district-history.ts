import { z } from 'zod';
import { districtHistory, listDistricts } from '../../unit-history/answers.ts';
import { DistrictHistory, DistrictList } from '../../unit-history/schema.ts';
import { ok } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import { At, Level } from './districts.ts';
import type { Services } from './services.ts';

const ListQuery = z.object({ at: At, level: Level.optional() });
const Params = z.object({
  kato: z
    .string()
    .regex(/^\d{1,20}$/)
    .describe('KATO code of today, or of a classifier since 2018'),
});

export function registerDistrictHistoryRoutes(app: App, { db }: Services): void {
  app.get('/districts', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['districts'],
      operationId: 'listDistricts',
      summary: 'List the administrative units of today, or as they were on a day',
      description:
        'Regions and districts have changed since 2018: three regions were formed in 2022, districts were split, renamed and got other ' +
        'codes, and one code went to another unit. A unit of then may have the same code as another one of today.',
      querystring: ListQuery,
      response: ok('The units of the day', DistrictList, 400),
    },
    handler: async (request) => {
      const { at, level } = request.query;
      return await listDistricts(db, { at, level });
    },
  });

  app.get('/districts/:kato/history', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['districts'],
      operationId: 'getDistrictHistory',
      summary: 'Read what a KATO code has stood for, with the acts that changed it',
      description:
        'Changes from 2018 to 2024 that a source confirms. Values of before a `recode` or a `rename` belong to the same land; ' +
        'values on both sides of a `split`, a `merge` or a `border` do not compare.',
      params: Params,
      response: ok('The units, and the changes before and after them', DistrictHistory, 400, 404),
    },
    handler: async (request) => await districtHistory(db, request.params.kato),
  });
}
