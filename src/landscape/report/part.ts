import type { PendingResult } from '../../jobs/results.ts';
import { Problem } from '../../lib/errors.ts';
import { Message } from '../../lib/message.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';

/** A part of a report, or why it cannot be given. */
export type Part<T> =
  | { readonly isPending: false; readonly value: T; readonly why?: undefined }
  | { readonly isPending: false; readonly value: undefined; readonly why: string };

/** Refusals that stay: of what was deleted, was pinned, or cannot be counted. */
const lasting: readonly Problem['code'][] = ['not_found', 'conflict', 'invalid', 'broken'];
/** What failed by accident is tried again after a minute, and so is the report. */
const passing = 'hectares.failed';

/** Finds a part of a report; a refusal that stays is a part of its own. @throws all else that `find` throws */
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

/** Figures that are counted and not read yet: while others are counted, they are looked for each second. */
export interface Counted<T> {
  read(): Promise<T>;
}

/** Reads the figures of a part. */
export async function readPart<T>(part: Part<Counted<T>>): Promise<Part<T>> {
  if (part.why !== undefined) return part;
  return { isPending: false, value: await part.value.read() };
}
