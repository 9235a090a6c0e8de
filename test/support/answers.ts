import assert from 'node:assert/strict';
import { z } from 'zod';
import type { App } from '../../src/http/request/schemas.ts';
import { stringifyVerbatim } from '../../src/json/verbatim-json.ts';

const Declared = z.object({
  content: z.object({ 'application/json': z.object({ schema: z.instanceof(z.ZodType) }) }),
});

/** Answers 500 when a body differs from the schema of its route: wrong, missing or surplus fields, or another order. */
export function checkAnswers(app: App): void {
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const responses: object = Object(request.routeOptions.schema?.response);
    const declared = Declared.safeParse(new Map(Object.entries(responses)).get(String(reply.statusCode)));
    if (declared.success) {
      const sent: unknown = JSON.parse(stringifyVerbatim(payload), withoutPrototype);
      const parsed = declared.data.content['application/json'].schema.parse(sent);
      assert.equal(JSON.stringify(sent), JSON.stringify(parsed));
    }
    done(null, payload);
  });
}

/** Drops `__proto__`, which a `meta` may have and no schema keeps. */
function withoutPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}
