/** The characters that JSON is made of, as bytes. */
export const quote = 0x22;
export const comma = 0x2c;
export const minus = 0x2d;
export const colon = 0x3a;
export const bracket = 0x5b;
export const backslash = 0x5c;
export const bracketEnd = 0x5d;
export const brace = 0x7b;
export const braceEnd = 0x7d;

/** The values that are words, by their first letter. */
export const words: Readonly<Record<number, string>> = { 0x74: 'true', 0x66: 'false', 0x6e: 'null' };

export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

export function isHexDigit(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

/** The first character of these bytes, as a message can show it. */
export function show(bytes: Buffer): string {
  const byte = bytes[0] ?? 0;
  const [found = ''] = bytes.toString();
  const printable = byte > 0x20 && byte !== quote && byte !== 0x7f;
  return printable ? `"${found}"` : `the character U+${byte.toString(16).padStart(4, '0')}`;
}
