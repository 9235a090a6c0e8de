import { codeOf } from './error-facts.ts';
import { Message, type Sentence } from './message.ts';

/** Kinds of failure that a caller can act on, with their HTTP status. */
const statusByCode = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported: 415,
  invalid: 422,
  broken: 422,
  too_many: 429,
  /** Defined by tus: the bytes do not have the announced digest. */
  mismatch: 460,
  busy: 503,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof statusByCode;

/** Messages by field name; nested fields are written with dots and indexes (`year_columns.0.end_date`). */
export type FieldErrors = Readonly<Record<string, Message>>;

interface ProblemOptions {
  readonly cause?: unknown;
  readonly fields?: FieldErrors;
  readonly sentence?: Sentence | undefined;
}

/**
 * A failure that the caller can fix. Over HTTP it becomes the status of its code with `{error}`, or `{errors}` for
 * fields; in a job it is final, and its message becomes the dataset's `parse_error`.
 */
export class Problem extends Error {
  override readonly name: string = 'Problem';
  readonly code: ProblemCode;
  fields: FieldErrors | undefined;
  /** The sentence for rendering in other languages; undefined if only English text exists. */
  sentence: Sentence | undefined;

  constructor(code: ProblemCode, detail: string | Message, options: ProblemOptions = {}) {
    super(String(detail), { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
    this.sentence = options.sentence ?? (detail instanceof Message ? detail.sentence : undefined);
  }

  /** Adds the cause, for the log. */
  because(cause: unknown): this {
    this.cause = cause;
    return this;
  }

  /** Sets the sentence of this problem; for a problem of one field, the sentence of the field. */
  says(sentence: Sentence): this {
    const [field] = Object.entries(this.fields ?? {});
    if (field === undefined) this.sentence = sentence;
    else this.fields = { ...this.fields, [field[0]]: new Message(field[1].english, sentence) };
    return this;
  }

  get status(): number {
    return statusByCode[this.code];
  }
}

/** Creates a 422 that lists every failing field. */
export function invalidFields(fields: FieldErrors, cause?: unknown): Problem {
  const detail = Object.entries(fields)
    .map(([field, { english }]) => `${field}: ${english}`)
    .join('; ');
  return new Problem('invalid', detail, { fields, cause });
}

/** A fault of the machine, not of the request, such as a full or broken disk. A retry makes sense once the fault is repaired. */
export class ResourceError extends Error {
  override readonly name: string = 'ResourceError';
}

const resourceCodes = ['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG', 'EROFS', 'EMFILE', 'ENFILE'];

/** Returns whether an error is a fault of the machine: a ResourceError or an error of the file system. */
export function isResourceError(error: unknown): boolean {
  if (error instanceof ResourceError) return true;
  return resourceCodes.includes(codeOf(error) ?? '');
}
