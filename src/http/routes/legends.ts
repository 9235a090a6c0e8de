import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Legend, toLegendJson } from '../../drawing/legend/legend-json.ts';
import { toLegendPicture } from '../../drawing/legend/legend-picture.ts';
import type { Legends, LegendSource } from '../../drawing/legend/legends.ts';
import type { Language } from '../../messages/languages/say.ts';
import { IdParams } from '../../validation/fields.ts';
import { isListed } from '../files/conditions.ts';
import { languageOf } from '../language/language.ts';
import { errorResponses, FileBytes, jsonResponse } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';

/** Raised when legends look or read otherwise, so that clients do not keep the old ones. */
const legendVersion = 1;

const LanguageQuery = z.object({
  lang: z
    .enum(['ru', 'kk', 'en'])
    .optional()
    .describe('The language; without it, that of `Accept-Language`, else English'),
});
const PictureQuery = LanguageQuery.extend({
  scale: z.enum(['1', '2']).default('1').describe('`2` for screens with twice the pixels'),
});

const notModified = { 304: z.null().describe('The client has it already') };
const errors = errorResponses(400, 404, 409, 422);
const picture = {
  200: { description: 'A picture on white', content: { 'image/png': { schema: FileBytes } } },
  ...notModified,
  ...errors,
};
const json = { 200: jsonResponse('The legend', Legend), ...notModified, ...errors };

const pictureDescription = `A PNG on white: title, unit, a swatch for each class or a bar of colours with round numbers, and a row for places
without a value. At most 100 classes, then how many more there are. It changes with the style; clients ask again with its ETag.`;
const jsonDescription = `The same as the picture says, for clients that draw their own: every class that is drawn, with its numbers where it has
some.`;

/** Registers the legends of datasets and of groups. */
export function registerLegendRoutes(app: App, { legends }: { readonly legends: Legends }): void {
  app.get('/datasets/:id/legend.png', {
    schema: {
      tags: ['maps'],
      operationId: 'getDatasetLegendPicture',
      summary: 'Draw the legend of a dataset',
      description: pictureDescription,
      params: IdParams,
      querystring: PictureQuery,
      response: picture,
    },
    handler: async (request, reply) => {
      const { params, query } = request;
      return await sendPicture(await legends.modelOf(params.id), query, { request, reply });
    },
  });

  app.get('/datasets/:id/legend.json', {
    schema: {
      tags: ['maps'],
      operationId: 'getDatasetLegend',
      summary: 'Read the legend of a dataset',
      description: jsonDescription,
      params: IdParams,
      querystring: LanguageQuery,
      response: json,
    },
    handler: async (request, reply) => {
      const { params, query } = request;
      return await sendWords(await legends.modelOf(params.id), query, { request, reply });
    },
  });

  app.get('/dataset-groups/:id/legend.png', {
    schema: {
      tags: ['maps'],
      operationId: 'getDatasetGroupLegendPicture',
      summary: 'Draw the legend of a dataset group',
      description: pictureDescription,
      params: IdParams,
      querystring: PictureQuery,
      response: picture,
    },
    handler: async (request, reply) => {
      const { params, query } = request;
      return await sendPicture(await legends.modelOfGroup(params.id), query, { request, reply });
    },
  });

  app.get('/dataset-groups/:id/legend.json', {
    schema: {
      tags: ['maps'],
      operationId: 'getDatasetGroupLegend',
      summary: 'Read the legend of a dataset group',
      description: jsonDescription,
      params: IdParams,
      querystring: LanguageQuery,
      response: json,
    },
    handler: async (request, reply) => {
      const { params, query } = request;
      return await sendWords(await legends.modelOfGroup(params.id), query, { request, reply });
    },
  });

  async function sendPicture(source: LegendSource, query: z.infer<typeof PictureQuery>, exchange: Exchange) {
    const language = query.lang ?? languageOf(exchange.request.headers['accept-language']);
    const picture = toLegendPicture(source, language, query.scale === '2' ? 2 : 1);
    const etag = etagOf('png', source, picture);
    return await sendCurrent(exchange, { etag, language, mediaType: 'image/png' }, async () => {
      const png = await legends.draw(picture);
      return Buffer.from(png.buffer, png.byteOffset, png.byteLength);
    });
  }
}

async function sendWords(source: LegendSource, { lang }: z.infer<typeof LanguageQuery>, exchange: Exchange) {
  const language = lang ?? languageOf(exchange.request.headers['accept-language']);
  const words = toLegendJson(source, language);
  const etag = etagOf('json', source, words);
  const mediaType = 'application/json; charset=utf-8';
  return await sendCurrent(exchange, { etag, language, mediaType }, async () => words);
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Head {
  readonly etag: string;
  readonly language: Language;
  readonly mediaType: string;
}

/** Sends what the client does not have yet; headers come last, since an error answer must not carry them. */
async function sendCurrent(
  { request, reply }: Exchange,
  { etag, language, mediaType }: Head,
  make: () => Promise<unknown>,
): Promise<FastifyReply> {
  const validators = { etag, 'cache-control': 'no-cache', vary: 'Accept-Language' };
  if (isListed(request.headers['if-none-match'], etag)) {
    return await reply.code(304).headers(validators).send();
  }
  const body = await make();
  reply.headers({ ...validators, 'content-language': language, 'content-type': mediaType });
  return await reply.send(body);
}

function etagOf(form: 'png' | 'json', { etagParts }: LegendSource, content: unknown): string {
  const parts = JSON.stringify([legendVersion, form, etagParts, content]);
  return `"${hash('sha256', parts, 'hex').slice(0, 32)}"`;
}
