import { utf8 } from '../../../../../common/charset/charset.ts';
import { lastCharacterEnd } from '../../../../json/json-fault.ts';

/** Leaves out the first bytes of a UTF-8 character at the end of a text whose last bytes are missing. */
export function withoutCutCharacter(text: Uint8Array, charset = utf8): Uint8Array {
  return charset.name === utf8.name ? text.subarray(0, lastCharacterEnd(text, 0, text.length)) : text;
}
