/** Makes the key of a request that makes something: sent again with it, the request makes nothing more. */
export function newRequestKey(): string {
  // randomUUID is there over https alone.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the value of the header `Idempotency-Key`. */
export function keyHeader(key: string): string {
  return `"${key}"`;
}
