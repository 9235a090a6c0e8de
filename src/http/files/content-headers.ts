const encodings = ['br', 'gzip'] as const;
export type ContentEncoding = (typeof encodings)[number];

/** Returns the best available encoding that an `Accept-Encoding` allows; undefined for none (RFC 9110 section 12.5.3). */
export function chooseEncoding(
  header: string | undefined,
  among: readonly ContentEncoding[] = encodings,
): ContentEncoding | undefined {
  const weights = weightsOf(header ?? '');
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const identity = weights.get('identity') ?? 0;
  const [best] = among.filter((coding) => weightOf(coding) > 0).toSorted((a, b) => weightOf(b) - weightOf(a));
  return best !== undefined && weightOf(best) >= identity ? best : undefined;
}

function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    if (coding !== '') weights.set(coding, weight === undefined ? 1 : Number(weight) || 0);
  }
  return weights;
}

/** Returns the `Content-Disposition` of a download (RFC 6266), without characters that could end the header or the quotes. */
export function attachment(filename: string): string {
  const name = filename.toWellFormed().replaceAll(/["\\]|\p{Cc}/gu, '') || 'download';
  const fallback = name.replaceAll(/[^\x20-\x7e]/gu, '_');
  // RFC 8187 allows fewer characters than encodeURIComponent leaves unescaped.
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`;
}

/** Returns the header that lists the codes of the style parts that are not drawn; no header if all are drawn. */
export function leftOutHeaders(codes: readonly string[] = []): Readonly<Record<string, string>> {
  return codes.length === 0 ? {} : { 'x-style-left-out': codes.join(', ') };
}
