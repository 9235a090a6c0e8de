/** Returns the `Content-Disposition` of a download (RFC 6266); what could end the header or the quotes is removed. */
export function attachment(filename: string): string {
  const name = filename.toWellFormed().replaceAll(/["\\]|\p{Cc}/gu, '') || 'download';
  const fallback = name.replaceAll(/[^\x20-\x7e]/gu, '_');
  // RFC 8187 allows fewer characters than encodeURIComponent leaves alone.
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`;
}
