/** The parameters of a `Content-Type` or `Content-Disposition` by lower-case name; of one sent twice the first. */
export function headerParameters(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const pattern = /;[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs;
  for (const [, name = '', quoted, bare = ''] of header.matchAll(pattern)) {
    // A backslash that escapes nothing is itself: old clients send whole paths.
    const value = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? withoutTrailingBlanks(bare);
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return parameters;
}

/** Not `trimEnd`: to it the last byte of many a letter is a blank. Not a pattern: those take a square of the time. */
export function withoutTrailingBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1;
  return text.slice(0, end);
}

/** Text that is wholly in its encoding (UTF-8 unless told); undefined when it is not, or the encoding is unknown. */
export function decodeStrictly(bytes: Buffer, encoding = 'utf-8'): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The value of an extended parameter such as `UTF-8''%D2%9A.tif` (RFC 8187); undefined when it is none. */
export function decodeExtended(value: string): string | undefined {
  const [, encoding = '', encoded = ''] = /^([\w!#$%&+^`{}~-]+)'[^']*'(.*)$/s.exec(value) ?? [];
  const bytes = encoded.replaceAll(/%([0-9a-f]{2})/gi, (_escape, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return decodeStrictly(Buffer.from(bytes, 'latin1'), encoding);
}
