import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RunRecord, RunRecordChange, RunRecordInput } from './record-schema.ts';
import { type Author, listRecordChanges, readRecord, replaceRecord } from './record.ts';
import { readable } from '../../lib/readable.ts';
import { IdParams } from '../../validation/fields.ts';
import { principalOf } from '../../http/access/authentication.ts';
import { contentOf, json, sendAnswer } from '../../http/answer/answer.ts';
import { matches } from '../../http/answer/conditions.ts';
import { errorResponses, jsonResponse, ok } from '../../http/openapi/responses.ts';
import { pageOf, pageQuery, sendPage } from '../../http/request/pages.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';
import { answerIn } from '../../http/language/language.ts';
import { Lineage } from './lineage-schema.ts';
import { readLineage } from './lineage.ts';

const tags = ['landscape'];
const maxAuthorCharacters = 255;

export function registerRunRecordRoutes(app: App, { db }: { readonly db: Database }): void {
  app.get('/landscape/runs/:id/record', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getRunRecord',
      summary: 'Read the record of a run',
      description: `Name, note, state and basis. A run without entries has an empty draft of revision 0. The ETag is the revision, for \`If-Match\` of a change and \`If-None-Match\` of a later request.`,
      params: IdParams,
      response: {
        ...ok('The record', RunRecord, 400, 404, 412),
        304: z.null().describe('The record has not changed'),
      },
    },
    handler: async (request, reply) => {
      const record = await readRecord(db, request.params.id);
      const open = async () => contentOf(Buffer.from(JSON.stringify(record)), { 'content-type': json });
      return await sendAnswer(request, reply, { etag: etagOf(record.revision), open });
    },
  });

  app.put('/landscape/runs/:id/record', {
    config: { scope: 'landscape:run' },
    schema: {
      tags,
      operationId: 'replaceRunRecord',
      summary: 'Replace the record of a run',
      description: `Replaces the whole record: an omitted or blank text becomes empty; an omitted state stays as it is, at first \`draft\`. Each change is a revision that stays in the
history with its author: the name of the token, or \`sub\` of an OpenID token; null without authentication. An equal record
changes nothing.

- With \`If-Match\`, the ETag that was read, a change that another person has made meanwhile is not overwritten: 412. Without it, the last
  change wins.
- \`adopted\`: the run must have succeeded, and every dataset that its nodes have read, made or reused must still exist; 409
  otherwise. From then on \`DELETE /datasets/{id}\` of these is answered with 409, until the state changes. Their descriptions, dates, groups
  and styles can be changed: the run keeps the ids that it has read.`,
      params: IdParams,
      body: RunRecordInput,
      response: {
        200: jsonResponse('The record as it is now', RunRecord),
        ...errorResponses(400, 404, 409, 412, 413, 422),
      },
    },
    handler: async (request, reply) => {
      // A compressing proxy makes the ETag weak.
      const ifMatch = request.headers['if-match']?.replaceAll('W/"', '"');
      const record = await replaceRecord(db, request.params.id, {
        body: request.body,
        author: authorOf(request),
        isExpected: (revision) => matches(ifMatch, etagOf(revision)),
      });
      reply.header('etag', etagOf(record.revision));
      return record;
    },
  });

  app.get('/landscape/runs/:id/record/history', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listRunRecordChanges',
      summary: 'List the changes of the record of a run, newest first',
      description:
        'Each change has the record before and after it, its author and its time. Changes are kept permanently.',
      params: IdParams,
      querystring: z.object(pageQuery),
      response: ok('A page of changes', pageOf(RunRecordChange, 'RunRecordChangePage'), 400, 404),
    },
    handler: (request, reply) =>
      sendPage(request, reply, (window) => listRecordChanges(db, request.params.id, window)),
  });
}

const etagOf = (revision: number): string => `"${revision}"`;

/** Returns the sender of a request: the name for people, and the name in the access log. */
export function authorOf(request: FastifyRequest): Author {
  const principal = principalOf(request);
  if (principal === undefined) return { name: null, credentials: null };
  const { name, subject } = principal;
  return { name: readable(name, maxAuthorCharacters), credentials: readable(subject, maxAuthorCharacters) };
}

export function registerLineageRoute(app: App, { db }: { readonly db: Database }): void {
  app.get('/datasets/:id/lineage', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['datasets'],
      operationId: 'getDatasetLineage',
      summary: 'Read all datasets from which a dataset was made',
      description: `From an output of a run down to the uploads, through outputs that the run has reused and pinned rasters. A dataset that
was deleted since is named by its id, and by the facts that runs keep. An upload has no other source. At most 1,000 datasets, the
nearest ones; \`is_complete\` is false if some are left out.`,
      params: IdParams,
      response: ok('The dataset and all its sources', Lineage, 400, 404),
    },
    handler: async (request, reply) => await readLineage(db, request.params.id, answerIn(request, reply)),
  });
}
