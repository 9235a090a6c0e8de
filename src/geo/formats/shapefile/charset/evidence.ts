import { isUtf8 } from 'node:buffer';
import { lastCharacterEnd } from '../../../../json/utf8.ts';

/** What the bytes of all texts of a file tell about their charset. */
export interface TextEvidence {
  /** How often each byte occurs. */
  readonly counts: Uint32Array;
  /** Bytes from 0x80 on that stand beside a Latin letter: many in French, none in Russian. */
  readonly besideLatin: number;
  readonly isUtf8: boolean;
  /** Whether there is any byte from 0x80 on. */
  readonly hasHighBytes: boolean;
}

/** Gathers evidence from texts, one after the other. */
export function createEvidence(): {
  /** `full` texts fill their field to its last byte, where a writer may have cut a character. */
  add(text: Uint8Array, full: boolean): void;
  finish(): TextEvidence;
} {
  const counts = new Uint32Array(256);
  let [besideLatin, isAllUtf8, hasHighBytes] = [0, true, false];
  return {
    add(text, full) {
      let high = false;
      for (let i = 0; i < text.length; i += 1) {
        const byte = text[i] ?? 0;
        counts[byte] = (counts[byte] ?? 0) + 1;
        if (byte < 0x80) continue;
        high = true;
        if (isLatin(text[i - 1]) || isLatin(text[i + 1])) besideLatin += 1;
      }
      if (!high) return;
      hasHighBytes = true;
      isAllUtf8 &&= isUtf8(text) || (full && isUtf8(withoutCutCharacter(text)));
    },
    finish: () => ({ counts, besideLatin, isUtf8: isAllUtf8, hasHighBytes }),
  };
}

function isLatin(byte: number | undefined): boolean {
  const lower = (byte ?? 0) | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** The text without the first bytes of a UTF-8 character at its end whose last bytes are missing. */
export function withoutCutCharacter(text: Uint8Array): Uint8Array {
  return text.subarray(0, lastCharacterEnd(text, 0, text.length));
}
