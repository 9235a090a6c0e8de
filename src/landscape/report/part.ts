import type { PendingResult } from '../../jobs/results.ts';
import { Problem } from '../../lib/errors.ts';
import { Message } from '../../lib/message.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';

/** A part of a report, or the reason for its absence. */
export type Part<T> =
  | { readonly isPending: false; readonly value: T; readonly why?: undefined }
  | { readonly isPending: false; readonly value: undefined; readonly why: string };

/** Permanent errors: deleted, pinned or uncountable data. */
const lasting: readonly Problem['code'][] = ['not_found', 'conflict', 'invalid', 'broken'];
/** Temporary errors, after which the report is tried again. */
const passing = 'hectares.failed';

/** Finds a part of a report; a permanent error becomes the part. @throws all other errors of `find` */
export async function partOf<T extends object>(
  language: Language,
  find: () => Promise<T | PendingResult>,
): Promise<Part<T> | PendingResult> {
  try {
    const value = await find();
    return isPending(value) ? value : { isPending: false, value };
  } catch (error) {
    if (!(error instanceof Problem) || !lasting.includes(error.code) || error.sentence?.code === passing)
      throw error;
    const why = translate(new Message(error.message, error.sentence), language);
    return { isPending: false, value: undefined, why };
  }
}

function isPending(found: object): found is PendingResult {
  return 'isPending' in found && found.isPending === true;
}

/** Counted figures that are not read yet, because they are polled each second while others are being counted. */
export interface Counted<T> {
  read(): Promise<T>;
}

export async function readPart<T>(part: Part<Counted<T>>): Promise<Part<T>> {
  if (part.why !== undefined) return part;
  return { isPending: false, value: await part.value.read() };
}
