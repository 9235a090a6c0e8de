import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getDatasetGroup } from '../../catalogue/dataset-groups.ts';
import { DatasetGroup } from '../../catalogue/schema.ts';
import { datasetFor } from '../../datasets/in-language.ts';
import { getDataset } from '../../datasets/queries.ts';
import { Dataset } from '../../datasets/schema.ts';
import { maxSldBytes } from './sld.ts';
import { getStyleReport, partMeanings, type RuleWithoutProperty, StyleReport } from './style-report.ts';
import { getStyleKey, removeOwnStyle, replaceStyle, type SentStyle, type StyleOwner } from './styles.ts';
import { rulesWithoutProperty } from './style-properties.ts';
import { leftOutHeaders } from '../../http/files/content-headers.ts';
import { sendCurrentObject } from '../../http/answer/object.ts';
import { FileBytes, fileResponses, ok } from '../../http/openapi/responses.ts';
import { type Form, readForm, readUpTo } from '../../http/request/multipart.ts';
import { IdParams } from '../../validation/fields.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { RecentDatasets } from '../../datasets/recent-datasets.ts';
import type { Maps } from '../service/maps.ts';
import type { VectorMaps } from '../service/vector-maps.ts';
import type { CompileStyle } from './compiled-styles.ts';
import { answerIn } from '../../http/language/language.ts';
import { translate } from '../../messages/languages/translate.ts';

const formSchema = {
  params: IdParams,
  consumes: ['multipart/form-data'],
  body: z.object({ file: FileBytes.describe('Style file, `.sld` or `.xml`') }),
  description:
    'Well-formed XML of up to 5 MiB, its root `StyledLayerDescriptor` (1.0.0 or 1.1.0), without DOCTYPE. ' +
    'The header `X-Style-Left-Out` names the parts that are not drawn, by the codes of the report, separated by commas; it is absent if everything is drawn.',
};
const fileSchema = {
  params: IdParams,
  response: fileResponses('The SLD', 'application/xml', FileBytes, 404),
};

const reportSchema = {
  params: IdParams,
  description: [
    'Colours or rules, and the omitted parts. 404 without a style. Clients may rely on the codes, not on the messages:',
    '',
    ...Object.entries(partMeanings).map(([code, meaning]) => `- \`${code}\`: ${meaning.english}`),
  ].join('\n'),
  response: ok('The report', StyleReport, 400, 404),
};

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly recentDatasets: RecentDatasets;
  readonly maps: Maps;
  readonly vectorMaps: VectorMaps;
  readonly compileStyle: CompileStyle;
  readonly maxUploadBytes: number;
}

export function registerStyleRoutes(app: App, parts: Dependencies): void {
  app.post('/datasets/:id/sld', {
    config: { scope: 'data:write' },
    schema: {
      ...formSchema,
      tags: ['datasets'],
      operationId: 'replaceDatasetStyle',
      summary: 'Store or replace the style of a dataset',
      response: ok('The dataset', Dataset, 400, 404, 413, 422),
    },
    handler: async (request, reply) => {
      await using form = await readStyle(request);
      const owner = { table: 'datasets', id: request.params.id } as const;
      await storeStyle(reply, owner, form);
      return datasetFor(request, reply, await getDataset(parts.db, owner.id));
    },
  });

  app.delete('/datasets/:id/sld/own', {
    config: { scope: 'data:write' },
    schema: {
      params: IdParams,
      tags: ['datasets'],
      operationId: 'removeDatasetStyle',
      summary: 'Remove the style of a dataset itself',
      description:
        'The dataset then has the style of its group, if the group has one. 404 if the dataset has no style of its own.',
      response: ok('The dataset', Dataset, 400, 404),
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      await removeOwnStyle(parts, id);
      parts.recentDatasets.forget(id);
      return datasetFor(request, reply, await getDataset(parts.db, id));
    },
  });

  app.post('/dataset-groups/:id/sld', {
    config: { scope: 'catalog:write' },
    schema: {
      ...formSchema,
      tags: ['dataset groups'],
      operationId: 'replaceDatasetGroupStyle',
      summary: 'Store or replace the style that a group shares',
      response: ok('The group', DatasetGroup, 400, 404, 413, 422),
    },
    handler: async (request, reply) => {
      await using form = await readStyle(request);
      const owner = { table: 'dataset_groups', id: request.params.id } as const;
      await storeStyle(reply, owner, form);
      return await getDatasetGroup(parts.db, owner.id);
    },
  });

  for (const { path, tag, table, operation, owner, none } of [
    {
      path: '/datasets/:id/sld',
      tag: 'datasets',
      table: 'datasets',
      operation: 'getDatasetStyle',
      owner: 'the style of a dataset, otherwise of its group',
      none: '404 when neither has a style.',
    },
    {
      path: '/dataset-groups/:id/sld',
      tag: 'dataset groups',
      table: 'dataset_groups',
      operation: 'getDatasetGroupStyle',
      owner: 'the style that a group shares',
      none: '404 without a style.',
    },
  ] as const) {
    app.get(path, {
      config: { scope: 'data:read' },
      schema: {
        ...fileSchema,
        tags: [tag],
        operationId: operation,
        summary: `Read ${owner}`,
        description: `The uploaded bytes. ${none}`,
      },
      handler: (request, reply) => sendStyle(request, reply, { table, id: request.params.id }),
    });

    app.get(`${path}/report`, {
      config: { scope: 'data:read' },
      schema: {
        ...reportSchema,
        tags: [tag],
        operationId: `${operation}Report`,
        summary: `Read the drawn parts of ${owner}`,
      },
      handler: (request, reply) => sendReport(request, reply, { table, id: request.params.id }),
    });
  }

  /** Stores a style, and names its undrawn parts in a header. */
  async function storeStyle(
    reply: FastifyReply,
    owner: StyleOwner,
    form: Form<SentStyle & AsyncDisposable>,
  ): Promise<void> {
    const leftOut = await replaceStyle(parts, owner, form);
    const missing = await missingOf(owner);
    reply.headers(leftOutHeaders(missing.length === 0 ? leftOut : [...leftOut, 'missing_properties']));
  }

  async function sendReport(request: FastifyRequest, reply: FastifyReply, owner: StyleOwner) {
    return styleReportFor(request, reply, await getStyleReport(parts, owner, await missingOf(owner)));
  }

  /** Finds the rules on properties that no feature of a dataset has; the features of a group are unknown. */
  async function missingOf({ table, id }: StyleOwner): Promise<readonly RuleWithoutProperty[]> {
    if (table !== 'datasets') return [];
    parts.recentDatasets.forget(id);
    return await rulesWithoutProperty(await parts.maps.dataset(id), parts.vectorMaps);
  }

  /** Reads a style into memory; of one that is too large, only enough to detect it. */
  async function readStyle(request: FastifyRequest): Promise<Form<SentStyle & AsyncDisposable>> {
    return await readForm(request, {
      knownFields: [],
      maxBytes: parts.maxUploadBytes,
      takeFile: async ({ filename, mediaType, body }) => {
        const bytes = await readUpTo(body, maxSldBytes);
        return { filename, mediaType, bytes, async [Symbol.asyncDispose]() {} };
      },
    });
  }

  async function sendStyle(request: FastifyRequest, reply: FastifyReply, owner: StyleOwner) {
    return await sendCurrentObject(request, reply, parts.objectStore, async () => ({
      key: await getStyleKey(parts.db, owner),
      contentType: 'application/xml',
      // Browsers display a style like any XML; its content must neither run there nor load anything.
      headers: { 'content-security-policy': "sandbox; default-src 'none'" },
    }));
  }
}

/** Returns a style report with the notes on omitted parts in the language of the client. */
function styleReportFor(request: FastifyRequest, reply: FastifyReply, report: StyleReport): StyleReport {
  if (report.left_out.length === 0) return report;
  const language = answerIn(request, reply);
  const leftOut = report.left_out.map((part) => ({
    ...part,
    message: translate(partMeanings[part.code], language),
  }));
  return { ...report, left_out: leftOut };
}

/**
 * Drops cached maps before this process answers a change; changes by other processes arrive as database notifications.
 * A refused request has changed nothing.
 */
export function forgetWhatIsChanged(app: App, { maps }: { readonly maps: Maps }): void {
  app.addHook('onSend', ({ method, routeOptions }, { statusCode }, _payload, done) => {
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method) || routeOptions.config.changesNothing === true;
    if (!isRead && statusCode < 400) maps.forgetAll();
    done();
  });
}
