import type { AlsoWrite } from '../database/transaction.ts';
import { Dataset, type DatasetRow, toDataset } from '../datasets/schema.ts';
import { KeyHeaders, takeRequestKey } from '../http/access/idempotency.ts';
import { ok } from '../http/openapi/responses.ts';
import type { App } from '../http/request/schemas.ts';
import { MappingInput } from '../table/mapping-schema.ts';
import { IdParams } from '../validation/fields.ts';
import { submitMapping } from './mapping.ts';
import type { Database } from '../database/tables/tables.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';

export function registerMappingRoute(
  app: App,
  parts: { readonly db: Database; readonly messageQueue: MessageQueue },
): void {
  app.post('/datasets/:id/mapping', {
    config: { scope: 'data:write' },
    schema: {
      tags: ['tables by KATO'],
      operationId: 'submitMapping',
      summary: 'Map the columns of codes and values',
      description:
        'For vector_with_kato datasets in awaiting_mapping, or in ready to map again. Observations are made in the background ' +
        'and replace the earlier ones in one step.',
      headers: KeyHeaders,
      params: IdParams,
      body: MappingInput,
      response: ok('The dataset with its mapping, in extracting', Dataset, 400, 404, 409, 413, 422),
    },
    async handler(request, reply) {
      const { id } = request.params;
      const { body } = request;
      await using key = await takeRequestKey(parts.db, request, reply);
      const make = async (alsoWrite: AlsoWrite<DatasetRow>) =>
        await submitMapping(parts, id, body, alsoWrite);
      return await key.answer({ body }, make, (row) => ({ status: 200, body: toDataset(row) }));
    },
  });
}
