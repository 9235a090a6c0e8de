/**
 * Returns the canonical name of the charset that a `.cpg` or `.cst` file names: `UTF-8`, `1251`, `CP1251`, `ANSI 1251`,
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

/** Code pages by the byte at offset 29 of a `.dbf`, which is in hexadecimal here. */
const pageByLanguage = new Map(
  `01:437 02:850 03:1252 13:932 26:866 4d:936 4e:949 4f:950 50:874 58:1252 59:1252 64:852 65:866 78:950 79:949
   7a:936 7b:932 7c:874 7d:1255 7e:1256 96:10007 c8:1250 c9:1251 ca:1254 cb:1253 cc:1257`
    .split(/\s+/)
    .map((entry) => [Number.parseInt(entry, 16), entry.slice(3)]),
);

/** Returns the charset of a dbf language byte; undefined for none and for 0x57, "what the writer's Windows used". */
export function charsetNameOfLanguage(languageByte: number): string | undefined {
  return charsetNameOfPage(pageByLanguage.get(languageByte) ?? '');
}
