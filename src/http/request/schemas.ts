import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Problem } from '../../lib/errors.ts';
import { stringifyVerbatim } from '../../json/verbatim-json.ts';
import { fieldFaults, requestProblems } from '../../messages/request.ts';
import { fieldErrors } from '../../validation/parse-body.ts';
import { validationMessages } from '../../validation/validation-messages.ts';

/** A Fastify application whose routes declare their parameters, bodies and answers as zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/**
 * Checks paths and queries by their schemas before the handler runs. Bodies come later, after it is known that the
 * resource exists: whatever looks the resource up calls `parseBody`. Answers are not checked again; the compiler did.
 */
export function addSchemaCompilers(app: App): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body') return (value: unknown) => ({ value });
    if (!(schema instanceof z.ZodType)) throw new Error(`the ${httpPart ?? 'schema'} must be a zod schema`);
    return (value: unknown) => {
      const parsed = schema.safeParse(value, validationMessages);
      return parsed.success ? { value: parsed.data } : { error: problemOf(parsed.error, value) };
    };
  });
  app.setSerializerCompiler(() => (value: unknown) => stringifyVerbatim(value));
}

/** No parameter is a list: one that arrives as a list was sent more than once. */
function problemOf(error: z.ZodError, sent: unknown): Problem {
  const faults = { ...fieldErrors(error) };
  for (const [name, value] of Object.entries(Object(sent))) {
    if (name in faults && Array.isArray(value)) faults[name] = fieldFaults.repeated;
  }
  return requestProblems.wrongParameters(faults);
}
