/** The code that Node.js, a library or the database gave an error; undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Returns whether an error says that a file or folder is not there. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Returns the message of an error, or whatever was thrown instead of one as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns the reason of an error in one line: a connection that is tried in several ways fails with all their errors, and what keeps a
 * request from being made is the cause of a `fetch failed`.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof TypeError && error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join(', ');
  return messageOf(error).split('\n', 1)[0] ?? '';
}
