import { z } from 'zod';
import { answerByEtag } from './answer/answer.ts';
import { etagOf } from './answer/conditions.ts';
import { jsonResponse } from './openapi/responses.ts';
import type { App } from './request/schemas.ts';

/** Registers `/openapi.json`, which is written at the first request. */
export function registerDescriptionRoute(app: App): void {
  let written: { readonly text: string; readonly etag: string } | undefined;
  const config = { scope: 'open' } as const;
  const schema = { hide: true, response: { 200: jsonResponse('The description', z.unknown()) } };
  app.get('/openapi.json', { config, schema }, async (request, reply) => {
    written ??= write(app.swagger());
    const { text, etag } = written;
    const validators = { etag, 'cache-control': 'no-cache' };
    const known = answerByEtag(request, reply, { etag, validators });
    if (known !== undefined) return await known;
    reply.headers(validators).type('application/json; charset=utf-8').serializer(String);
    return await reply.send(text);
  });
}

function write(description: object) {
  const text = JSON.stringify(description);
  return { text, etag: etagOf(text) };
}
