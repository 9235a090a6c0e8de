import { charsetNamed, utf8, charsetNameOf, charsetNameOfLanguage, withoutCutCharacter } from './charset.ts';
import { fits, likeliestCyrillic } from './fit.ts';
import { isUtf8 } from 'node:buffer';

/** Language byte of a dbf whose writer said no more than "what Windows uses here". */
const ansiLanguage = 0x57;

/** Who says in which encoding the texts are. */
const sources = ['cpg', 'cst', 'dbf'] as const;
type CharsetSource = (typeof sources)[number];

/**
 * Chooses the charset of a shapefile's texts: what its `.cpg`, else its `.cst`, else the language byte of its `.dbf` says; else
 * UTF-8 when all texts are, else the likeliest of the Cyrillic ones. A name that is not known counts as none, and one that
 * the texts do not fit is overruled.
 */
export function chooseCharset(
  cpg: string | undefined,
  cst: string | undefined,
  languageByte: number,
  evidence: TextEvidence,
) {
  const names = {
    cpg: cpg === undefined ? undefined : charsetNameOf(cpg),
    cst: cst === undefined ? undefined : charsetNameOf(cst),
    dbf: charsetNameOfLanguage(languageByte),
  };
  const unknown = (['cpg', 'cst'] as const).find(
    (from) => ({ cpg, cst })[from] !== undefined && names[from] === undefined,
  );
  const overruled: { readonly from: CharsetSource; readonly name: string }[] = [];
  for (const from of sources) {
    const name = names[from];
    const charset = name === undefined ? undefined : charsetNamed(name);
    if (charset === undefined) continue;
    if (fits(charset, evidence)) return { charset, from, overruled, unknown };
    overruled.push({ from, name: charset.name });
  }
  if (evidence.isUtf8) return { charset: utf8, from: 'strict UTF-8', overruled, unknown } as const;
  const western = languageByte === ansiLanguage && isWestern(evidence);
  const charset = western ? charsetNamed('windows-1252') : undefined;
  return {
    charset: charset ?? likeliestCyrillic(evidence).charset,
    from: 'guess',
    overruled,
    unknown,
  } as const;
}

/** In Western languages nearly all letters from 0x80 on have Latin neighbours, in Russian next to none. */
function isWestern({ besideLatin, high }: TextEvidence): boolean {
  return besideLatin > high * 0.75;
}

/** Evidence for the charset in the bytes of all texts of a file. */
export interface TextEvidence {
  /** How often each byte from 0x80 on occurs, and zeros before. */
  readonly counts: Uint32Array;
  /** How many of them there are. */
  readonly high: number;
  /** Those that stand beside a Latin letter: many in French, none in Russian. */
  readonly besideLatin: number;
  /** Those that stand in rows of three and more: most in Russian, next to none in French. */
  readonly inRows: number;
  readonly isUtf8: boolean;
}

/** Where a text is in its bytes; one that ends at `room` fills its place, and may have been cut there. */
interface TextPlace {
  readonly begin: number;
  readonly end: number;
  readonly room: number;
}

const minRow = 3;

/** Gathers evidence from texts. */
export function createEvidence() {
  const counts = new Uint32Array(256);
  let [high, besideLatin, inRows, isAllUtf8] = [0, 0, 0, true];
  return {
    /** Looks at a text; what follows a zero byte is none. */
    add(bytes: Uint8Array, { begin, end, room }: TextPlace): void {
      const before = high;
      let [at, row] = [begin, 0];
      for (; at < end; at += 1) {
        const byte = bytes[at] ?? 0;
        if (byte < 0x80) {
          if (row >= minRow) inRows += row;
          row = 0;
          if (byte === 0) break;
          continue;
        }
        high += 1;
        row += 1;
        counts[byte] = (counts[byte] ?? 0) + 1;
        if ((at > begin && isLatin(bytes[at - 1])) || (at + 1 < end && isLatin(bytes[at + 1])))
          besideLatin += 1;
      }
      if (row >= minRow) inRows += row;
      if (high === before || !isAllUtf8) return;
      const text = bytes.subarray(begin, at);
      isAllUtf8 = isUtf8(text) || (at === room && isUtf8(withoutCutCharacter(text)));
    },
    finish: (): TextEvidence => ({ counts, high, besideLatin, inRows, isUtf8: isAllUtf8 }),
  };
}

function isLatin(byte: number | undefined): boolean {
  const lower = (byte ?? 0) | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
