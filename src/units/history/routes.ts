import { z } from 'zod';
import { districtHistory, listDistricts } from './answers.ts';
import { DistrictHistory, DistrictList } from './schema.ts';
import { writtenLike } from '../../validation/fields.ts';
import { ok } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import { At, Level } from '../routes.ts';
import type { Services } from '../../runtime/api/services.ts';

const ListQuery = z.object({ at: At, level: Level.optional() });
const Params = z.object({
  kato: z
    .string()
    .regex(/^\d{1,20}$/, { error: writtenLike('750000000') })
    .describe('Current KATO code, or a code of a classifier since 2018'),
});

export function registerDistrictHistoryRoutes(app: App, { db }: Services): void {
  app.get('/districts', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['districts'],
      operationId: 'listDistricts',
      summary: 'List the current administrative units, or those of a day',
      description:
        'Regions and districts have changed since 2018: three regions were formed in 2022, districts were split, renamed and got other codes, and one code went to another unit. A former unit may have the same code as another current one.',
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
      summary: 'Read the history of a KATO code, with the acts that changed it',
      description:
        'Changes from 2018 to 2024 that a source confirms. Values before a `recode` or a `rename` belong to the same land; values before and after a `split`, a `merge` or a `border` cannot be compared.',
      params: Params,
      response: ok('The units, and the changes before and after them', DistrictHistory, 400, 404),
    },
    handler: async (request) => await districtHistory(db, request.params.kato),
  });
}
