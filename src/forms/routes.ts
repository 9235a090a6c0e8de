import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Database } from '../database/tables/tables.ts';
import { workbookLimits } from '../geo/spreadsheet.ts';
import { sendCurrentObject } from '../http/answer/object.ts';
import { attachment } from '../http/files/content-headers.ts';
import { tableMedia } from '../http/files/table-forms.ts';
import { answerIn, LanguageQuery } from '../http/language/language.ts';
import { pendingResponse, type ResultWaiters, waitQuery } from '../http/long-poll/result-waiters.ts';
import { errorResponses, FileBytes, fileResponses, jsonResponse, ok } from '../http/openapi/responses.ts';
import { readForm, readUpTo } from '../http/request/multipart.ts';
import type { App } from '../http/request/schemas.ts';
import type { ZonedRuns } from '../landscape/balance/zoned-runs.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { Guid, IdParams } from '../validation/fields.ts';
import { parseBody } from '../validation/parse-body.ts';
import { FilledForm, FormInput, FormLayout, FormTemplate } from './form-schema.ts';
import { fillForm, readFormKey, toFilledForm } from './forms.ts';
import { layoutOf, toFormLayout } from './layouts.ts';
import {
  addTemplate,
  deleteTemplate,
  listTemplates,
  readTemplate,
  type SentTemplate,
  type TemplateRow,
  toTemplate,
} from './templates.ts';

const tags = ['forms'];
const mediaTypes = { xlsx: tableMedia.xlsx, ods: 'application/vnd.oasis.opendocument.spreadsheet' } as const;
/** Fields of a form and its multipart frame. */
const mostBodyBytes = 1024 * 1024;

const uploadText = `A workbook \`.xlsx\` or \`.ods\` of up to 16 MiB, stored unchanged; a group keeps up to 50. Its contents are read afterwards, in a child process
without rights: \`GET /form-templates/{id}/layout\` tells what can be filled, or why the workbook cannot be used. Workbooks with macros, controls, embedded objects, connections, signatures or links to other
files are refused, and nothing in a workbook is run.`;

const layoutText = `A column can be filled if it has a header and stands right of a column with KATO codes or names of units. Only an exact name is taken for a unit; other
rows among units are listed. Cells with a name in the workbook can be filled, too: a name of cells of one column is a field of the units of their rows, \`NAME_123456789\` names the cell of one unit, and a
single cell in no row of a unit is for the unit of the whole form. The service itself fills cells that are named \`form_unit\`, \`form_unit_code\`, \`form_date\` and \`form_sources\`.

A job reads the workbook once for each version of the units: the answer waits up to \`wait\` seconds, then it is 202; send the same request again later. A workbook that cannot be used is answered with 422.`;

const fillText = `Each field of the request gets its values from a table by KATO, the areas or statistics of a raster, or the land of a run. Only these cells change, each in its place: formats, formulas, merged cells,
protection, widths and all other parts of the workbook stay as they are, byte for byte. Stored results of formulas are removed, so that programs compute them when they open the form. Numbers are not rounded. A text, such as a code, stays text, also
if it begins with \`=\`, \`+\`, \`-\` or \`@\`. A cell with a formula is never overwritten, and one with other content only with \`overwrite\`. The answer lists what was not filled.

The sources are counted by jobs at the first request, and a job fills the form: the answer waits up to \`wait\` seconds, then it is 202; send the same request again later. Equal requests give the same form on one day. It is kept for 30 days.`;

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  readonly resultWaiters: ResultWaiters;
  readonly zonedRuns: ZonedRuns;
  readonly maxUploadBytes: number;
}

const FormParams = IdParams.extend({ form: Guid.describe('Id of the filled form') });
const ResultQuery = z.object({ ...waitQuery, ...LanguageQuery.shape });

/** Answers of a route that sends a workbook of either format. */
function workbookResponses(description: string) {
  const both = (type: string) => ({ [type]: { schema: FileBytes } });
  const content = { ...both(mediaTypes.xlsx), ...both(mediaTypes.ods) };
  return {
    ...fileResponses(description, mediaTypes.xlsx, FileBytes, 404),
    200: { description, content },
    206: { description: 'The requested range', content },
  };
}

export function registerFormRoutes(app: App, parts: Dependencies): void {
  const { db, objectStore, resultWaiters } = parts;

  app.get('/dataset-groups/:id/templates', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listFormTemplates',
      summary: 'List the templates of forms of a group',
      description: 'The oldest first; at most 50.',
      params: IdParams,
      response: ok('The templates', z.array(FormTemplate), 400, 404),
    },
    handler: async ({ params }) => [...(await listTemplates(db, params.id))],
  });

  app.post('/dataset-groups/:id/templates', {
    config: { scope: 'catalog:write' },
    schema: {
      tags,
      operationId: 'addFormTemplate',
      summary: 'Keep a template of a form with a group',
      description: uploadText,
      params: IdParams,
      consumes: ['multipart/form-data'],
      body: z.object({ file: FileBytes.describe('A workbook, `.xlsx` or `.ods`') }),
      response: {
        201: jsonResponse('Stored', FormTemplate),
        ...errorResponses(400, 404, 409, 413, 422),
      },
    },
    handler: async (request, reply) => {
      const maxBytes = Math.min(parts.maxUploadBytes, workbookLimits.packedBytes + mostBodyBytes);
      await using form = await readForm<SentTemplate & AsyncDisposable>(request, {
        knownFields: [],
        maxBytes,
        takeFile: async ({ filename, body }) => ({
          filename,
          bytes: await readUpTo(body, workbookLimits.packedBytes),
          async [Symbol.asyncDispose]() {},
        }),
      });
      return await reply.code(201).send(await addTemplate(parts, request.params.id, form));
    },
  });

  app.get('/form-templates/:id', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getFormTemplate',
      summary: 'Read about a template of a form',
      description:
        'Its workbook is at `/form-templates/{id}/file`, its fields are at `/form-templates/{id}/layout`.',
      params: IdParams,
      response: ok('The template', FormTemplate, 400, 404),
    },
    handler: async ({ params }) => toTemplate(await readTemplate(db, params.id)),
  });

  app.delete('/form-templates/:id', {
    config: { scope: 'catalog:write' },
    schema: {
      tags,
      operationId: 'deleteFormTemplate',
      summary: 'Delete a template of a form',
      description: 'Its filled forms are deleted with it.',
      params: IdParams,
      response: { 204: z.null().describe('Deleted'), ...errorResponses(400, 404) },
    },
    handler: async ({ params }, reply) => {
      await deleteTemplate(parts, params.id);
      return await reply.code(204).send(null);
    },
  });

  app.get('/form-templates/:id/file', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getFormTemplateFile',
      summary: 'Read the workbook of a template',
      description: 'The uploaded bytes.',
      params: IdParams,
      response: workbookResponses('The workbook'),
    },
    handler: async (request, reply) => {
      const template = await readTemplate(db, request.params.id);
      return await sendWorkbook(request, reply, {
        template,
        key: template.object_key,
        name: template.filename,
      });
    },
  });

  app.get('/form-templates/:id/layout', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getFormTemplateLayout',
      summary: 'Read what can be filled in a template',
      description: layoutText,
      params: IdParams,
      querystring: ResultQuery,
      response: { ...ok('The layout', FormLayout, 400, 404, 422, 429), ...pendingResponse },
    },
    handler: async (request, reply) => {
      const template = await readTemplate(db, request.params.id);
      const poll = async () => await layoutOf(parts, template);
      const read = await resultWaiters.readyOr202(request, reply, { wait: request.query.wait, poll });
      if (read === undefined) return reply;
      return toFormLayout(template.id, read, answerIn(request, reply));
    },
  });

  app.post('/form-templates/:id/forms', {
    config: { scope: 'data:read', maxBodyBytes: mostBodyBytes, changesNothing: true },
    schema: {
      tags,
      operationId: 'fillForm',
      summary: 'Fill a form from tables, rasters and runs',
      description: fillText,
      params: IdParams,
      querystring: ResultQuery,
      body: FormInput,
      response: { ...ok('The form', FilledForm, 400, 404, 409, 413, 422, 429), ...pendingResponse },
    },
    handler: async (request, reply) => {
      const template = await readTemplate(db, request.params.id);
      const wanted = parseBody(FormInput, request.body);
      const language = answerIn(request, reply);
      const day = new Date().toISOString().slice(0, 10);
      const order = { templateId: template.id, wanted, language, day };
      const poll = async () => await fillForm(parts, template, order);
      const made = await resultWaiters.readyOr202(request, reply, { wait: request.query.wait, poll });
      if (made === undefined) return reply;
      return await toFilledForm(db, template.id, made, language);
    },
  });

  app.get('/form-templates/:id/forms/:form/file', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getFilledForm',
      summary: 'Read the workbook of a filled form',
      description: 'In the format of the template. 404 after 30 days: fill the template again.',
      params: FormParams,
      response: workbookResponses('The filled form'),
    },
    handler: async (request, reply) => {
      const template = await readTemplate(db, request.params.id);
      const { key, madeAt } = await readFormKey(db, template.id, request.params.form);
      const stem = template.filename.slice(0, -template.format.length - 1);
      const name = `${stem} ${madeAt.toISOString().slice(0, 10)}.${template.format}`;
      return await sendWorkbook(request, reply, { template, key, name });
    },
  });

  async function sendWorkbook(
    request: FastifyRequest,
    reply: FastifyReply,
    { template, key, name }: { readonly template: TemplateRow; readonly key: string; readonly name: string },
  ) {
    return await sendCurrentObject(request, reply, objectStore, async () => ({
      key,
      contentType: mediaTypes[template.format],
      headers: { 'content-disposition': attachment(name) },
    }));
  }
}
