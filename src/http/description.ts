import { z } from 'zod';
import { sendText } from './answer/answer.ts';
import { jsonResponse } from './openapi/responses.ts';
import type { App } from './request/schemas.ts';

/** Registers `/openapi.json`, which is generated at the first request. */
export function registerDescriptionRoute(app: App): void {
  let text: string | undefined;
  const config = { scope: 'open' } as const;
  const schema = { hide: true, response: { 200: jsonResponse('The description', z.unknown()) } };
  app.get('/openapi.json', { config, schema }, async (request, reply) => {
    text ??= JSON.stringify(app.swagger());
    return await sendText(request, reply, { body: text });
  });
}
