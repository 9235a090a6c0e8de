import { cp437, cp850, cp852, kz1048, pt154 } from './tables.ts';

/** A way to read the bytes of a text. */
export interface Charset {
  /** As the report shows it. */
  readonly name: string;
  readonly decode: (bytes: Uint8Array) => string;
}

const ownTables: Readonly<Record<string, string>> = {
  'KZ-1048': kz1048,
  PT154: pt154,
  CP437: cp437,
  CP850: cp850,
  CP852: cp852,
};

/** Names in the report that are not those of the platform's decoder. */
const platformLabels: Readonly<Record<string, string>> = {
  CP866: 'ibm866',
  CP932: 'shift_jis',
  CP949: 'euc-kr',
};

export const utf8 = createPlatformCharset('UTF-8', 'utf-8');

/** The charset of a canonical name, such as `windows-1251`, `CP866`, `ISO-8859-5`, `KZ-1048`; undefined for an unknown one. */
export function charsetNamed(name: string): Charset | undefined {
  const table = ownTables[name];
  if (table !== undefined) return { name, decode: (bytes) => decodeByTable(bytes, table) };
  try {
    return createPlatformCharset(name, platformLabels[name] ?? name.toLowerCase());
  } catch {
    return undefined; // RangeError: no such label
  }
}

/** Bytes that stand for nothing become U+FFFD; a byte-order mark stays as it is, it is no part of a cell. */
function createPlatformCharset(name: string, label: string): Charset {
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  return { name, decode: (bytes) => decoder.decode(bytes) };
}

function decodeByTable(bytes: Uint8Array, table: string): string {
  let text = '';
  for (const byte of bytes)
    text += byte < 0x80 ? String.fromCharCode(byte) : (table[byte - 0x80] ?? '\ufffd');
  return text;
}
