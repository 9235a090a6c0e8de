import type { z } from 'zod';
import { type FieldErrors, invalidFields, Problem } from '../../common/errors.ts';
import { inPlainWords } from '../../common/validation-messages.ts';

/**
 * Checks a JSON body that was parsed already; call it after the resource in the path was found.
 * @throws {Problem} naming every failing field at once, nested ones with dots and indexes.
 */
export function validBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body, inPlainWords);
  if (parsed.success) return parsed.data;
  throw invalidFields(fieldErrors(parsed.error));
}

/** One message per failing field: the first that was found. @throws {Problem} when the fault lies in no field. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const messages = new Map<string, string>();
  for (const issue of error.issues) {
    if (issue.path.length === 0) throw new Problem('invalid', issue.message);
    const field = issue.path.join('.');
    if (!messages.has(field)) messages.set(field, issue.message);
  }
  return Object.fromEntries(messages);
}
