/**
 * Returns the `Content-Disposition` of a download: an ASCII fallback and the name itself (RFC 6266, RFC 8187). Works for any
 * name: what could end the header or the quotes is removed.
 */
export function attachment(filename: string): string {
  const name = filename.toWellFormed().replaceAll(/["\\]|\p{Cc}/gu, '') || 'download';
  const fallback = name.replaceAll(/[^\x20-\x7e]/gu, '_');
  return `attachment; filename="${fallback}"; filename*=UTF-8''${encodeExtended(name)}`;
}

/** Percent-encodes all but the attr-char of RFC 8187, which are fewer than encodeURIComponent leaves alone. */
function encodeExtended(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}
