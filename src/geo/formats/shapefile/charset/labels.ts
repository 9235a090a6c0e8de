/**
 * The canonical name of the charset that a `.cpg` or `.cst` file names: `UTF-8`, `1251`, `CP1251`, `ANSI 1251`,
 * `OEM 866`, `88595`, `LDID/201` and their like. Undefined when the text names none that is known here.
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

/** What is behind the numbers of code pages. */
function charsetNameOfPage(page: string): string | undefined {
  if (/^125[0-8]$/.test(page)) return `windows-${page}`;
  if (/^2859[1-9]$/.test(page)) return `ISO-8859-${page.slice(4)}`;
  const named: Readonly<Record<string, string>> = {
    '437': 'CP437',
    '850': 'CP850',
    '852': 'CP852',
    '866': 'CP866',
    '874': 'windows-874',
    '932': 'CP932',
    '936': 'GBK',
    '949': 'CP949',
    '950': 'BIG5',
    '20866': 'KOI8-R',
    '10007': 'x-mac-cyrillic',
  };
  return named[page];
}

/** By the byte at offset 29 of a `.dbf`. */
const byLanguage: Readonly<Record<number, string>> = {
  0x01: 'CP437',
  0x02: 'CP850',
  0x03: 'windows-1252',
  0x13: 'CP932',
  0x26: 'CP866',
  0x4d: 'GBK',
  0x4e: 'CP949',
  0x4f: 'BIG5',
  0x50: 'windows-874',
  0x58: 'windows-1252',
  0x59: 'windows-1252',
  0x64: 'CP852',
  0x65: 'CP866',
  0x78: 'BIG5',
  0x79: 'CP949',
  0x7a: 'GBK',
  0x7b: 'CP932',
  0x7c: 'windows-874',
  0x7d: 'windows-1255',
  0x7e: 'windows-1256',
  0x96: 'x-mac-cyrillic',
  0xc8: 'windows-1250',
  0xc9: 'windows-1251',
  0xca: 'windows-1254',
  0xcb: 'windows-1253',
  0xcc: 'windows-1257',
};

/**
 * The charset of a dbf language byte. Undefined for none and for 0x57, which means no more than "what the writer's
 * Windows used".
 */
export function charsetNameOfLanguage(languageByte: number): string | undefined {
  return byLanguage[languageByte];
}
