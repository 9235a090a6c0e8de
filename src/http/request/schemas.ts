import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { stringifyVerbatim } from '../../json/verbatim-json.ts';
import { wrongParameters } from '../../validation/parse-parameters.ts';
import { validationMessages } from '../../validation/validation-messages.ts';

/** A Fastify application whose routes declare parameters, bodies and answers as zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/**
 * Validates paths and queries before the handler runs. Headers and bodies come later, once the resource is known to exist: the handler
 * calls `parseParameters` and `parseBody`. Answers are not validated; the compiler checks their types.
 */
export function addSchemaCompilers(app: App): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body' || httpPart === 'headers') return (value: unknown) => ({ value });
    if (!(schema instanceof z.ZodType)) throw new Error(`the ${httpPart ?? 'schema'} must be a zod schema`);
    return (value: unknown) => {
      const parsed = schema.safeParse(value, validationMessages);
      return parsed.success ? { value: parsed.data } : { error: wrongParameters(parsed.error, value) };
    };
  });
  app.setSerializerCompiler(() => (value: unknown) => stringifyVerbatim(value));
}
