import type { Database } from '../../database/tables/tables.ts';
import { KeyHeaders, takeRequestKey } from '../../http/access/idempotency.ts';
import { errorResponses, jsonResponse } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { AlsoWrite } from '../../database/transaction.ts';
import { IdParams } from '../../validation/fields.ts';
import { datasetFor } from '../in-language.ts';
import { Dataset, type DatasetRow } from '../schema.ts';
import { accepted, created } from '../upload/keyed-form.ts';
import { startCopy } from './copy-reference.ts';
import { createReference, type ReferenceDependencies, ReferenceInput } from './create-reference.ts';

const tags = ['datasets'];

const createDescription = `Registers a raster or a FlatGeobuf that stays on another server: the service stores its address, what it said of itself and the SHA-256 of its
blocks, and reads the parts that it needs when it needs them. \`GET /datasets/{id}\` has it as \`reference\`.

- **What can be registered.** A Cloud-Optimized GeoTIFF (\`.tif\`, \`.tiff\`) or a FlatGeobuf (\`.fgb\`) at an https address, on a host that the operator has listed in
  \`REFERENCE_HOSTS\` (without hosts, every address is refused), that serves ranges and tells the length of the file. Addresses of
  private networks are never read, and a redirection must stay among the listed hosts. An object of a bucket in
  \`REFERENCE_BUCKETS\` is \`s3://bucket/key\`, with the key as it is.
- **What happens.** The first bytes are read at once; 422 says what is wrong with the address or the server. The file is then read
  once, like an upload. The pixels of a raster stay there; the features of a FlatGeobuf are stored here
  as for an upload, and only the original stays there. The dataset becomes \`ready\`, or \`failed\` with its \`parse_error\`.
- **When it changes.** Every block that is read must have its digest, and ETag, Last-Modified and length must be those of the
  registration. Otherwise nothing more is read from it: requests get 503 with the reason, runs fail with it, and \`state\` is
  \`changed\` or \`unreachable\`. The service also looks once an hour.`;

/** Routes about files that stay on other servers. */
export function registerReferenceRoutes(
  app: App,
  parts: ReferenceDependencies & { readonly db: Database },
): void {
  app.post('/datasets/references', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'createReference',
      summary: 'Register a file that stays on another server',
      description: createDescription,
      headers: KeyHeaders,
      body: ReferenceInput,
      response: { ...accepted, ...errorResponses(400, 409, 413, 422) },
    },
    handler: async (request, reply) => {
      await using key = await takeRequestKey(parts.db, request, reply);
      const { body } = request;
      const make = async (alsoWrite: AlsoWrite<DatasetRow>) => await createReference(parts, body, alsoWrite);
      return await key.answer(body, make, created);
    },
  });

  app.post('/datasets/:id/copy', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'copyReference',
      summary: 'Copy the file of a reference to this service',
      description:
        'Afterwards the dataset is like an upload with the same bytes: `reference` is absent, and runs that have read it can be adopted. Meanwhile `reference.copying` is true. If the file cannot be copied, it is false again, with the `reason`. Needs no body.',
      params: IdParams,
      response: {
        200: jsonResponse('The dataset, its copy is queued', Dataset),
        ...errorResponses(400, 404, 409, 413),
      },
    },
    handler: async (request, reply) => datasetFor(request, reply, await startCopy(parts, request.params.id)),
  });
}
