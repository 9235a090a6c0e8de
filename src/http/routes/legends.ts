import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Legend, toLegendJson } from '../../maps/service/legend-json.ts';
import { toLegendPicture } from '../../maps/service/legend-picture.ts';
import type { LegendSource } from '../../maps/service/legend-source.ts';
import { drawingVersion } from '../../maps/service/version.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { IdParams } from '../../validation/fields.ts';
import type { DrawnBody } from '../files/drawn-response.ts';
import { leftOutHeaders } from '../files/content-headers.ts';
import { languageOf } from '../language/language.ts';
import { bytesResponse, drawnResponses, jsonResponse } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

const LanguageQuery = z.object({
  lang: z
    .enum(['ru', 'kk', 'en'])
    .optional()
    .describe('The language; without it, that of `Accept-Language`, else English'),
});
const PictureQuery = LanguageQuery.extend({
  scale: z.enum(['1', '2']).default('1').describe('`2` for screens with twice the pixels'),
});

const picture = bytesResponse('A picture on white', 'image/png');
const json = jsonResponse('The legend', Legend);

const pictureDescription = `A PNG on white: title, unit, a swatch for each class or a bar of colours with round numbers, and a row for places
without a value. At most 100 classes, then how many more there are. It changes with the style; clients ask again with its ETag.`;
const jsonDescription = `The same as the picture says, for clients that draw their own: every class that is drawn, with its numbers where it has
some.`;

/** Registers the legends of datasets and of groups. */
export function registerLegendRoutes(
  app: App,
  { legends, drawnAnswers }: Pick<Services, 'legends' | 'drawnAnswers'>,
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
        return await sendPicture(async () => await legends[find](params.id), query, { request, reply });
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
        const { params, query } = request;
        return await sendWords(async () => await legends[find](params.id), query, { request, reply });
      },
    });
  }

  async function sendPicture(lookUp: LookUp, query: z.infer<typeof PictureQuery>, exchange: Exchange) {
    const language = languageFor(query, exchange.request);
    return await send(exchange, language, async () => {
      const source = await lookUp();
      const content = toLegendPicture(source, language, query.scale === '2' ? 2 : 1);
      const draw = async () => ({ contentType: 'image/png', bytes: await legends.draw(content) });
      return { source, content, draw };
    });
  }

  async function sendWords(lookUp: LookUp, query: z.infer<typeof LanguageQuery>, exchange: Exchange) {
    const language = languageFor(query, exchange.request);
    return await send(exchange, language, async () => {
      const source = await lookUp();
      const content = toLegendJson(source, language);
      const bytes = Buffer.from(JSON.stringify(content));
      return {
        source,
        content,
        draw: async () => ({ contentType: 'application/json; charset=utf-8', bytes }),
      };
    });
  }

  async function send(
    { request, reply }: Exchange,
    language: Language,
    lookUp: () => Promise<DrawnLegend>,
  ): Promise<FastifyReply> {
    return await drawnAnswers.send(request, reply, async () => {
      const { source, content, draw } = await lookUp();
      return {
        parts: [drawingVersion, request.routeOptions.url ?? '', ...source.etagParts, JSON.stringify(content)],
        headers: { vary: 'Accept-Language', 'content-language': language, ...leftOutHeaders(source.leftOut) },
        draw,
      };
    });
  }
}

type LookUp = () => Promise<LegendSource>;

function languageFor({ lang }: z.infer<typeof LanguageQuery>, { headers }: FastifyRequest): Language {
  return lang ?? languageOf(headers['accept-language']);
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface DrawnLegend {
  readonly source: LegendSource;
  /** All that is shown. */
  readonly content: unknown;
  readonly draw: () => Promise<DrawnBody>;
}
