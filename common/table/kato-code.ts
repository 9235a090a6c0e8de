export interface KatoText {
  readonly katoCode: string;
  /** Original text, if a spreadsheet or another program had changed the code. */
  readonly repairedFrom?: string;
  /** True if that text is in exponent form, which may have lost digits. */
  readonly isShortened?: boolean;
}

const soundCode = /^\d{9}$/;
/** No spreadsheet produces a longer text from nine digits. */
const longestSpelling = 100;

/** White space of every width, and invisible characters: U+200B, U+FEFF, direction marks, control characters. */
const unseen = /[\p{White_Space}\p{Cf}\p{Cc}\u2800\u3164]/gu;
/** A formula that is a text. */
const formula = /^=?"(.*)"$/s;
const apostrophes = /^['’‘‛`´ʹʼ′＇]+|['’‘‛`´ʹʼ′＇]+$/g;
/** Zeros of non-ASCII digits: Arabic, Persian, full-width. */
const zeros = [0x660, 0x6f0, 0xff10];
const otherDigits = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g;
const grouped = /^(\d{3})([.,'’])(\d{3})\2(\d{3})(?:[.,]0*)?$/;
const withZeros = /^(\d{9})[.,]0*$/;
const exponential = /^(\d{1,9})(?:[.,](\d{0,9}))?e\+?0?(\d)$/i;

export function isKatoCode(text: string): boolean {
  return soundCode.test(text);
}

/**
 * Reads the KATO code in a text that is not empty. Undoes what programs do to a code of nine digits; a result without
 * exactly nine digits is not a code, and the text is returned trimmed. Trimming does not count as a repair.
 */
export function readKatoText(text: string): KatoText {
  const trimmed = text.trim();
  if (isKatoCode(trimmed)) return { katoCode: trimmed };
  const repaired = repair(text);
  return repaired === undefined ? { katoCode: trimmed } : { ...repaired, repairedFrom: text };
}

/** Returns the nine digits in a text; undefined for another number of digits, or any other text. */
function repair(text: string): Omit<KatoText, 'repairedFrom'> | undefined {
  if (text.length > longestSpelling) return undefined;
  const seen = text.replace(unseen, '');
  const bare = (formula.exec(seen)?.[1] ?? seen).replace(apostrophes, '').replace(otherDigits, asciiDigit);
  if (soundCode.test(bare)) return { katoCode: bare };
  const [, first, , second, third] = grouped.exec(bare) ?? [];
  const whole = withZeros.exec(bare)?.[1] ?? (first && second && third && first + second + third);
  if (whole !== undefined) return { katoCode: whole };
  const [, units, fraction = '', power] = exponential.exec(bare) ?? [];
  if (units === undefined || fraction.length > Number(power)) return undefined;
  const code = (units + fraction.padEnd(Number(power), '0')).replace(/^0+/, '');
  return soundCode.test(code) ? { katoCode: code, isShortened: true } : undefined;
}

function asciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  return String(code - (zeros.findLast((zero) => zero <= code) ?? code));
}
