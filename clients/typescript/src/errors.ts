/** What the service refused, what failed there, or what could not be waited for; the message is that of the service. */
export class SteppeError extends Error {
  override readonly name = 'SteppeError';
  /** Of the answer; undefined where there was none. */
  readonly status: number | undefined;
  /** A message for each field that is wrong, where fields are to blame. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(
    message: string,
    { status, fields = {} }: { status?: number; fields?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

/** Makes an error of the body of an answer: `{error}` or `{errors}`. */
export function errorOf(body: unknown, status: number): SteppeError {
  const { error, errors }: { error?: unknown; errors?: unknown } = Object(body);
  if (typeof errors === 'object' && errors !== null) {
    const fields = Object.fromEntries(Object.entries(errors).map(([name, text]) => [name, String(text)]));
    const message = Object.entries(fields).map(([name, text]) => `${name}: ${text}`);
    return new SteppeError(message.join('; '), { status, fields });
  }
  return new SteppeError(typeof error === 'string' ? error : `the service answered ${status}`, { status });
}
