import { charsetNamed, utf8, charsetNameOf, charsetNameOfLanguage } from './charset.ts';
import { fits, likeliestCyrillic, type TextEvidence } from './fit.ts';

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
