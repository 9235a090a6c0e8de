import { z } from 'zod';
import { fieldErrors } from '../../validation/parse-body.ts';
import { Problem } from '../../common/errors.ts';
import { validationMessages } from '../../validation/validation-messages.ts';
import { stringifyVerbatim } from '../../json/verbatim-json.ts';
import type { App } from '../fastify/app-type.ts';

/**
 * Paths and queries are checked by their schemas before the handler runs. Bodies are not: first comes whether the
 * resource exists, so handlers call `parseBody`. Answers are written as they are; the compiler has checked them.
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

function problemOf(error: z.ZodError, sent: unknown): Problem {
  const messages = Object.entries(fieldErrors(error)).map(
    ([name, message]) => `${name}: ${isRepeated(sent, name) ? 'was sent more than once' : message}`,
  );
  return new Problem('malformed', messages.join('; '));
}

/** No parameter here is a list. */
function isRepeated(sent: unknown, name: string): boolean {
  return Array.isArray(new Map(Object.entries(Object(sent))).get(name));
}
