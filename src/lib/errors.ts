import { recall, type Said } from './said.ts';

/** The kinds of failure that a caller can do something about, each with its HTTP status. */
const statusByCode = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  invalid: 422,
  broken: 422,
  too_many: 429,
  busy: 503,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof statusByCode;

/** Messages by field name; nested fields are named with dots and indexes (`year_columns.0.end_date`). */
export type FieldErrors = Readonly<Record<string, string>>;

interface ProblemOptions {
  readonly cause?: unknown;
  readonly fields?: FieldErrors;
  readonly said?: Said | undefined;
}

/**
 * A failure that the caller can fix. Over HTTP it becomes the status of its code with `{error}`, or `{errors}` when
 * it names fields; in a job it is final, and its message becomes the dataset's `parse_error`.
 */
export class Problem extends Error {
  override readonly name: string = 'Problem';
  readonly code: ProblemCode;
  readonly fields: FieldErrors | undefined;
  /** The facts of its sentence, so that another language can say it; undefined where only the English is known. */
  said: Said | undefined;
  /** The same of the message of each field. */
  readonly fieldsSaid: Map<string, Said>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
    this.said = options.said ?? recall(detail);
    this.fieldsSaid = new Map(
      Object.entries(options.fields ?? {}).flatMap(([field, message]) => {
        const said = recall(message);
        return said === undefined ? [] : [[field, said] as const];
      }),
    );
  }

  /** Adds what caused this, for the log. */
  because(cause: unknown): this {
    this.cause = cause;
    return this;
  }

  /** Takes down what its sentence is made of, which is that of its field where it names one. */
  says(said: Said): this {
    const [field] = Object.keys(this.fields ?? {});
    if (field === undefined) this.said = said;
    else this.fieldsSaid.set(field, said);
    return this;
  }

  get status(): number {
    return statusByCode[this.code];
  }
}

/** The 422 that names every failing field at once. */
export function invalidFields(fields: FieldErrors, cause?: unknown): Problem {
  const detail = Object.entries(fields)
    .map(([field, message]) => `${field}: ${message}`)
    .join('; ');
  return new Problem('invalid', detail, { fields, cause });
}
