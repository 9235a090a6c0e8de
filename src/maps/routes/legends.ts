import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Legend, toLegendJson } from '../service/legend-json.ts';
import { toLegendPicture } from '../service/worded-legend.ts';
import type { LegendSource, Legends } from '../service/legends.ts';
import { drawingVersion } from '../service/maps.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { IdParams } from '../../validation/fields.ts';
import { type DrawnBody, type DrawnAnswers, jsonBody } from '../../http/answer/drawn.ts';
import { leftOutHeaders } from '../../http/files/content-headers.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import { bytesResponse, drawnResponses, jsonResponse } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
const PictureQuery = LanguageQuery.extend({
  scale: z.enum(['1', '2']).default('1').describe('`2` for high-resolution screens'),
});

const picture = bytesResponse('A picture on white', 'image/png');
const json = jsonResponse('The legend', Legend);

const pictureDescription = `A PNG on white: title, unit, a swatch for each class or a bar of colours with round numbers, and a row for places
without a value. At most 100 classes, then the number of further classes. The picture changes with the style; clients revalidate it by its ETag.`;
const jsonDescription = `The contents of the picture, for clients that draw their own: every drawn class, with its numbers, if
any.`;

export function registerLegendRoutes(
  app: App,
  { legends, drawnAnswers }: { readonly legends: Legends; readonly drawnAnswers: DrawnAnswers },
): void {
  for (const { path, operation, title, find, statuses } of [
    {
      path: '/datasets/:id',
      operation: 'getDatasetLegend',
      title: 'the legend of a dataset',
      find: 'modelOf',
      statuses: [400, 404, 409, 422],
    },
    {
      path: '/dataset-groups/:id',
      operation: 'getDatasetGroupLegend',
      title: 'the legend of a dataset group',
      find: 'modelOfGroup',
      statuses: [400, 404, 422],
    },
  ] as const) {
    app.get(`${path}/legend.png`, {
      config: { scope: 'data:read' },
      schema: {
        tags: ['maps'],
        operationId: `${operation}Picture`,
        summary: `Draw ${title}`,
        description: pictureDescription,
        params: IdParams,
        querystring: PictureQuery,
        response: drawnResponses(picture, ...statuses),
      },
      handler: async (request, reply) => {
        const { params, query } = request;
        const scale = query.scale === '2' ? 2 : 1;
        return await send({ request, reply }, async (language) => {
          const source = await legends[find](params.id, language);
          const content = toLegendPicture(source, language, scale);
          const draw = async () => ({ contentType: 'image/png', bytes: await legends.draw(content) });
          return { source, content, draw };
        });
      },
    });

    app.get(`${path}/legend.json`, {
      config: { scope: 'data:read' },
      schema: {
        tags: ['maps'],
        operationId: operation,
        summary: `Read ${title}`,
        description: jsonDescription,
        params: IdParams,
        querystring: LanguageQuery,
        response: drawnResponses(json, ...statuses),
      },
      handler: async (request, reply) => {
        const { params } = request;
        return await send({ request, reply }, async (language) => {
          const source = await legends[find](params.id, language);
          const content = toLegendJson(source, language);
          return { source, content, draw: async () => jsonBody(content) };
        });
      },
    });
  }

  async function send(
    { request, reply }: Exchange,
    lookUp: (language: Language) => Promise<DrawnLegend>,
  ): Promise<FastifyReply> {
    const language = answerIn(request, reply);
    return await drawnAnswers.send(request, reply, async () => {
      const { source, content, draw } = await lookUp(language);
      return {
        parts: [drawingVersion, request.routeOptions.url ?? '', ...source.etagParts, JSON.stringify(content)],
        headers: leftOutHeaders(source.leftOut),
        draw,
      };
    });
  }
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface DrawnLegend {
  readonly source: LegendSource;
  /** Everything that the legend shows. */
  readonly content: unknown;
  readonly draw: () => Promise<DrawnBody>;
}
