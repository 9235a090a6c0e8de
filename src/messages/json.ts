import { sentences } from './define.ts';
import type { Message } from '../lib/message.ts';

/** Tokens that a JSON text should have where something else is. */
export const expectedInJson = sentences('json_expected', {
  value: 'a value',
  object: 'an object',
  objectEnd: 'a comma or a closing brace',
  array: 'an array',
  arrayEnd: 'a comma or a closing bracket',
  name: 'a name in quotes',
  colon: 'a colon',
  stringEnd: 'the rest of a text in quotes',
  hexDigits: 'four hexadecimal digits',
  escape: 'a known letter after the backslash',
  digit: 'a digit',
  word: 'true, false or null',
  end: 'the end of the file',
});

/** Faults of a JSON text; each continues a sentence that names the place. */
export const jsonFaults = sentences('json', {
  notUtf8: 'the text is not UTF-8',
  notFinite: 'there is NaN or Infinity, which JSON does not have (write null instead)',
  tooLarge: (mostMiB: number) => `one value is larger than ${mostMiB} MiB`,
  tooDeep: (levels: number) => `values are nested deeper than ${levels}`,
  cutShort: (expected: Message) => `the file ends where ${expected.english} is expected`,
  unexpected: (found: string | Message, expected: Message) =>
    `there is ${String(found)} where ${expected.english} is expected`,
});

export const characters = sentences('character', {
  unprintable: (code: string) => `the character U+${code}`,
});

/** Names the first character of some bytes. */
export function firstCharacter(bytes: Buffer): string | Message {
  const byte = bytes[0] ?? 0;
  const [found = ''] = bytes.toString();
  const isPrintable = byte > 0x20 && found !== '"' && byte !== 0x7f;
  return isPrintable ? `"${found}"` : characters.unprintable(byte.toString(16).padStart(4, '0'));
}
