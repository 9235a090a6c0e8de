import { codeOf } from './error-facts.ts';
import { Message, type Sentence } from './message.ts';

/** The kinds of failure that a caller can do something about, each with its HTTP status. */
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
  /** Of tus: bytes that do not have the digest that was announced. */
  mismatch: 460,
  busy: 503,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof statusByCode;

/** Messages by field name; nested fields are named with dots and indexes (`year_columns.0.end_date`). */
export type FieldErrors = Readonly<Record<string, Message>>;

interface ProblemOptions {
  readonly cause?: unknown;
  readonly fields?: FieldErrors;
  readonly sentence?: Sentence | undefined;
}

/**
 * A failure that the caller can fix. Over HTTP it becomes the status of its code with `{error}`, or `{errors}` when
 * it names fields; in a job it is final, and its message becomes the dataset's `parse_error`.
 */
export class Problem extends Error {
  override readonly name: string = 'Problem';
  readonly code: ProblemCode;
  fields: FieldErrors | undefined;
  /** Its sentence, so that another language can render it; undefined where only the English words are known. */
  sentence: Sentence | undefined;

  constructor(code: ProblemCode, detail: string | Message, options: ProblemOptions = {}) {
    super(String(detail), { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
    this.sentence = options.sentence ?? (detail instanceof Message ? detail.sentence : undefined);
  }

  /** Adds what caused this, for the log. */
  because(cause: unknown): this {
    this.cause = cause;
    return this;
  }

  /** Adds the sentence that this was made of, which is that of its field where it names one. */
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

/** The 422 that names every failing field at once. */
export function invalidFields(fields: FieldErrors, cause?: unknown): Problem {
  const detail = Object.entries(fields)
    .map(([field, { english }]) => `${field}: ${english}`)
    .join('; ');
  return new Problem('invalid', detail, { fields, cause });
}

/** The machine is to blame, not what was sent: a full or broken disk. Trying again makes sense once that is mended. */
export class ResourceError extends Error {
  override readonly name: string = 'ResourceError';
}

const resourceCodes = ['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG', 'EROFS', 'EMFILE', 'ENFILE'];

/** Returns whether an error is about the machine: one that says so, or one of the file system's. */
export function isResourceError(error: unknown): boolean {
  if (error instanceof ResourceError) return true;
  return resourceCodes.includes(codeOf(error) ?? '');
}
