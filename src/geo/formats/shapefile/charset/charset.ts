import { lastCharacterEnd } from '../../../../json/utf8.ts';

export interface Charset {
  /** As the report shows it. */
  readonly name: string;
  readonly decode: (bytes: Uint8Array) => string;
}

/** Characters of the bytes 0x80 to 0xff in single-byte charsets that the platform cannot decode. */
const ownTables: Readonly<Record<string, string>> = {
  /** The Kazakh standard STRK1048-2002, known as KZ-1048: windows-1251 with the nine Kazakh letters. */
  'KZ-1048':
    'ЂЃ‚ѓ„…†‡€‰Љ‹ЊҚҺЏђ‘’“”•–—�™љ›њқһџ' +
    '\u00a0ҰұӘ¤Ө¦§Ё©Ғ«¬\u00ad®Ү°±Ііөµ¶·ё№ғ»әҢңү' +
    'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ' +
    'абвгдежзийклмнопрстуфхцчшщъыьэюя',
  /** ParaType 154, "Cyrillic-Asian": an older way to write Kazakh. */
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

/** Names in the report that are not those of the platform's decoder. */
const platformLabels: Readonly<Record<string, string>> = {
  CP866: 'ibm866',
  CP932: 'shift_jis',
  CP949: 'euc-kr',
};

export const utf8 = createPlatformCharset('UTF-8', 'utf-8');

/** Returns the charset of a canonical name, such as `windows-1251` or `CP866`; undefined for an unknown one. */
export function charsetNamed(name: string): Charset | undefined {
  const table = ownTables[name];
  if (table !== undefined) return { name, decode: (bytes) => decodeByTable(bytes, table) };
  try {
    return createPlatformCharset(name, platformLabels[name] ?? name.toLowerCase());
  } catch {
    return undefined; // RangeError: no such label
  }
}

/** Bytes that stand for nothing become U+FFFD; a byte-order mark stays as it is. */
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

/** Leaves out the first bytes of a UTF-8 character at the end of a text whose last bytes are missing. */
export function withoutCutCharacter(text: Uint8Array, charset = utf8): Uint8Array {
  return charset.name === utf8.name ? text.subarray(0, lastCharacterEnd(text, 0, text.length)) : text;
}
