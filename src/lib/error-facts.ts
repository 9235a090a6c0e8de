/** Returns the error code of Node.js, a library or the database; undefined if there is none. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Returns whether an error means that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Returns the message of an error, or a thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns the reason of an error in one line: all errors of a connection that was tried in several ways, and the cause of a `fetch failed`.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof TypeError && error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join(', ');
  return messageOf(error).split('\n', 1)[0] ?? '';
}
