export interface Charset {
  /** Display name in the report. */
  readonly name: string;
  readonly decode: (bytes: Uint8Array) => string;
}

/** Characters for the bytes 0x80 to 0xff of single-byte charsets that the platform cannot decode. */
const ownTables: Readonly<Record<string, string>> = {
  /** Kazakh standard STRK1048-2002, known as KZ-1048: windows-1251 with the nine Kazakh letters. */
  'KZ-1048':
    'ЂЃ‚ѓ„…†‡€‰Љ‹ЊҚҺЏђ‘’“”•–—�™љ›њқһџ' +
    '\u00a0ҰұӘ¤Ө¦§Ё©Ғ«¬\u00ad®Ү°±Ііөµ¶·ё№ғ»әҢңү' +
    'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ' +
    'абвгдежзийклмнопрстуфхцчшщъыьэюя',
  /** ParaType 154, "Cyrillic-Asian": an older encoding of Kazakh. */
  PT154:
    'ҖҒӮғ„…ҶҮҲүҠӢҢҚҺҸҗ‘’“”•–—ҳҷҡӣңқһҹ' +
    '\u00a0ЎўЈӨҘҰ§Ё©Ә«¬ӯ®Ҝ°ұІіҙө¶·ё№ә»јҪҫҝ' +
    'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ' +
    'абвгдежзийклмнопрстуфхцчшщъыьэюя',
  /** DOS, United States. */
  CP437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ' +
    'áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀' +
    'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  /** DOS, Western Europe. */
  CP850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ' +
    'áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀' +
    'ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  /** DOS, Central Europe. */
  CP852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×č' +
    'áíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐' +
    '└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀' +
    'ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
};

/** Names in the report that differ from the label of the platform's decoder. */
const platformLabels: Readonly<Record<string, string>> = {
  CP866: 'ibm866',
  CP932: 'shift_jis',
  CP949: 'euc-kr',
};

export const utf8 = createPlatformCharset('UTF-8', 'utf-8');

/** Returns the charset with a canonical name, such as `windows-1251` or `CP866`; undefined for an unknown name. */
export function charsetNamed(name: string): Charset | undefined {
  const table = ownTables[name];
  if (table !== undefined) return { name, decode: (bytes) => decodeByTable(bytes, table) };
  try {
    return createPlatformCharset(name, platformLabels[name] ?? name.toLowerCase());
  } catch {
    return undefined; // RangeError: unknown label
  }
}

/** Undefined bytes become U+FFFD; a byte-order mark is kept. */
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

/**
 * Returns the canonical name of the charset in a `.cpg` or `.cst` file: `UTF-8`, `1251`, `CP1251`, `ANSI 1251`, `OEM
 * 866`, `88595`, `LDID/201` and similar. Undefined for an unknown name.
 */
export function charsetNameOf(text: string): string | undefined {
  const label = text
    .replace(/^\ufeff/, '')
    .trim()
    .toUpperCase()
    .slice(0, 64);
  const language = /^LDID\/(\d{1,3})$/.exec(label)?.[1];
  if (language !== undefined) return charsetNameOfLanguage(Number(language));
  const bare = label.replaceAll(/[\s_-]/g, '');
  if (/^(?:UTF8|65001|CP65001)$/.test(bare)) return 'UTF-8';
  if (/^(?:KZ|RK|STRK)1048(?:2002)?$/.test(bare)) return 'KZ-1048';
  if (/^(?:PT|PTCP|CP)154$/.test(bare)) return 'PT154';
  if (/^KOI8(?:R|U)$/.test(bare)) return `KOI8-${bare.slice(4)}`;
  if (/^(?:GBK|GB2312|GB18030|BIG5)$/.test(bare)) return bare;
  const part = /^(?:ISO)?8859(1[0-6]|[1-9])$/.exec(bare)?.[1];
  if (part !== undefined) return `ISO-8859-${part}`;
  const page = /^(?:CP|WINDOWS|WIN|ANSI|OEM|IBM|DOS|MS)?(\d{3,5})$/.exec(bare)?.[1];
  return page === undefined ? undefined : charsetNameOfPage(page);
}

function charsetNameOfPage(page: string): string | undefined {
  if (/^125[0-8]$/.test(page)) return `windows-${page}`;
  if (/^2859[1-9]$/.test(page)) return `ISO-8859-${page.slice(4)}`;
  if (/^(?:437|850|852|866|932|949)$/.test(page)) return `CP${page}`;
  const named: Readonly<Record<string, string>> = {
    '874': 'windows-874',
    '936': 'GBK',
    '950': 'BIG5',
    '20866': 'KOI8-R',
    '10007': 'x-mac-cyrillic',
  };
  return named[page];
}

/** Code pages by the byte at offset 29 of a `.dbf`, in hexadecimal. */
const pageByLanguage = new Map(
  `01:437 02:850 03:1252 13:932 26:866 4d:936 4e:949 4f:950 50:874 58:1252 59:1252 64:852 65:866 78:950 79:949
   7a:936 7b:932 7c:874 7d:1255 7e:1256 96:10007 c8:1250 c9:1251 ca:1254 cb:1253 cc:1257`
    .split(/\s+/)
    .map((entry) => [Number.parseInt(entry, 16), entry.slice(3)]),
);

/** Returns the charset of a dbf language byte; undefined for 0 and for 0x57, "the code page of the writer's Windows". */
export function charsetNameOfLanguage(languageByte: number): string | undefined {
  return charsetNameOfPage(pageByLanguage.get(languageByte) ?? '');
}
