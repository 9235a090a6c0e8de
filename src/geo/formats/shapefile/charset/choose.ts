import { charsetNamed, utf8, type Charset } from './charset.ts';
import type { TextEvidence } from './evidence.ts';
import { guessCharset } from './guess.ts';
import { charsetNameOf, charsetNameOfLanguage } from './labels.ts';

export interface CharsetChoice {
  readonly charset: Charset;
  /** What said so, as the report shows it. */
  readonly from: 'cpg' | 'cst' | 'dbf' | 'strict UTF-8' | 'guess';
}

/** Language byte of a dbf whose writer said no more than "what Windows uses here". */
const ansiLanguage = 0x57;

/**
 * The charset of a shapefile's texts: what its `.cpg`, else its `.cst`, else the language byte of its `.dbf` says; else
 * UTF-8 when all texts are, else the likeliest of the Cyrillic ones. A word for UTF-8 does not hold against bytes that
 * are none, and a name that is not known counts as none.
 */
export function chooseCharset(says: {
  readonly cpg: string | undefined;
  readonly cst: string | undefined;
  readonly languageByte: number;
  readonly evidence: TextEvidence;
}): CharsetChoice {
  const { evidence } = says;
  const named = [
    { from: 'cpg', name: says.cpg === undefined ? undefined : charsetNameOf(says.cpg) },
    { from: 'cst', name: says.cst === undefined ? undefined : charsetNameOf(says.cst) },
    { from: 'dbf', name: charsetNameOfLanguage(says.languageByte) },
  ] as const;
  for (const { from, name } of named) {
    const charset = name === undefined ? undefined : charsetNamed(name);
    if (charset === undefined || (charset.name === utf8.name && !evidence.isUtf8)) continue;
    return { charset, from };
  }
  if (evidence.isUtf8) return { charset: utf8, from: 'strict UTF-8' };
  const western = says.languageByte === ansiLanguage && isWestern(evidence) ? 'windows-1252' : undefined;
  const charset = western === undefined ? guessCharset(evidence) : charsetNamed(western);
  return { charset: charset ?? utf8, from: 'guess' };
}

/** In Western languages nearly all letters from 0x80 on have Latin neighbours, in Russian next to none. */
function isWestern(evidence: TextEvidence): boolean {
  let high = 0;
  for (let byte = 0x80; byte < 256; byte += 1) high += evidence.counts[byte] ?? 0;
  return evidence.besideLatin > high * 0.75;
}
