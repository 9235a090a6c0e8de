import { utf8 } from '../../../../../common/charset/charset.ts';
import { lastCharacterEnd } from '../../../../json/json-fault.ts';

/** Removes an incomplete UTF-8 character at the end of a truncated text. */
export function withoutCutCharacter(text: Uint8Array, charset = utf8): Uint8Array {
  return charset.name === utf8.name ? text.subarray(0, lastCharacterEnd(text, 0, text.length)) : text;
}
