import { z } from 'zod';
import type { Database } from '../../../database/tables/tables.ts';
import { answerIn, LanguageQuery } from '../../../http/language/language.ts';
import { errorResponses, jsonResponse, ok } from '../../../http/openapi/responses.ts';
import type { App } from '../../../http/request/schemas.ts';
import { invalidFields } from '../../../lib/errors.ts';
import { remoteFaults } from '../../../messages/datasets/english.ts';
import type { RemoteFiles } from '../../../remote/remote-files.ts';
import { FreeText, IdParams } from '../../../validation/fields.ts';
import { parseBody } from '../../../validation/parse-body.ts';
import type { ReferenceDependencies } from '../create-reference.ts';
import { lookAt, StacLook } from './look.ts';
import { readImport, StacImport, StacImportInput, startImport } from './imports.ts';

const tags = ['datasets'];

/** A look ends soon; an import reads all items. */
const lookMs = 20_000;

const LookInput = z
  .object({
    address: FreeText.describe(
      'https address of a STAC item, an item collection, a collection or a catalogue',
    ),
  })
  .meta({
    id: 'StacAddress',
    description: 'The address of STAC items',
    examples: [{ address: 'https://archive.example/stac/collection.json' }],
  });

const importDescription = `Registers the chosen asset of each item as a reference in the group, with the id of the item as its name and its time as its period (see \`POST /datasets/references\`). At most 500 items are read. A job does it: \`GET\` tells its
progress, and names each item that could not be registered with the reason. A file that the group has already is not registered again, so that the request may be repeated, also when the collection has grown. Every document and file must be on a host in
\`REFERENCE_HOSTS\` (files also in a bucket of \`REFERENCE_BUCKETS\`); a link to another one is not followed. Pages are read by GET alone.`;

interface Dependencies extends ReferenceDependencies {
  readonly db: Database;
  readonly remoteFiles: Pick<RemoteFiles, 'isOn' | 'probe' | 'readDocument' | 'refusalOf'>;
}

/** Routes about the files of STAC items. */
export function registerStacReferenceRoutes(app: App, parts: Dependencies): void {
  const { db, remoteFiles } = parts;

  app.post('/datasets/references/stac/look', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'lookAtStac',
      summary: 'Read which files a STAC item or collection offers',
      description: 'Reads the first items of an address, and changes nothing.',
      querystring: LanguageQuery,
      body: LookInput,
      response: ok('The items and their assets', StacLook, 400, 413, 422),
    },
    handler: async (request, reply) => {
      const { address } = parseBody(LookInput, request.body);
      const language = answerIn(request, reply);
      if (!remoteFiles.isOn) throw invalidFields({ address: remoteFaults.off });
      const signal = AbortSignal.timeout(lookMs);
      return await lookAt(remoteFiles, address, { language, signal });
    },
  });

  app.post('/datasets/references/stac', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'importStac',
      summary: 'Register the files of a STAC item or collection in a group',
      description: importDescription,
      querystring: LanguageQuery,
      body: StacImportInput,
      response: {
        201: jsonResponse('Queued, or already under way', StacImport),
        ...errorResponses(400, 413, 422),
      },
    },
    handler: async (request, reply) => {
      const wanted = parseBody(StacImportInput, request.body);
      const refusal = remoteFiles.isOn ? remoteFiles.refusalOf(wanted.address) : remoteFaults.off;
      if (refusal !== undefined) throw invalidFields({ address: refusal });
      const id = await startImport(parts, wanted);
      const answer = await readImport(db, id, answerIn(request, reply));
      return await reply.code(201).header('location', `/datasets/references/stac/${id}`).send(answer);
    },
  });

  app.get('/datasets/references/stac/:id', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getStacImport',
      summary: 'Read the progress of a registration of STAC items',
      description: 'It is kept for 30 days.',
      params: IdParams,
      querystring: LanguageQuery,
      response: ok('The import', StacImport, 400, 404),
    },
    handler: async (request, reply) => await readImport(db, request.params.id, answerIn(request, reply)),
  });
}
