/** Control characters, line separators, and marks that change the direction of the text behind them. */
const unreadable = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const maxQuotedCharacters = 60;
const maxPathCharacters = 120;
const maxNamesListed = 5;

/**
 * Makes untrusted text safe inside a sentence: one line without control characters, and an ellipsis in place of what
 * exceeds `maxCharacters` (UTF-16 units).
 */
export function readable(text: string, maxCharacters: number): string {
  const head = text.slice(0, maxCharacters).toWellFormed().replaceAll(unreadable, ' ');
  return text.length > maxCharacters ? `${head}…` : head;
}

/** Makes an untrusted name safe inside a sentence: readable, short and quoted, with no quotes inside. */
export function quoted(name: string): string {
  return `"${readable(name, maxQuotedCharacters).replaceAll('"', ' ').trim()}"`;
}

/** Makes an untrusted path safe inside a sentence; a long path keeps its end, which names the file. */
export function readablePath(path: string): string {
  const end = readable(path.slice(-maxPathCharacters), maxPathCharacters);
  return path.length > maxPathCharacters ? `…${end}` : end;
}

/** Returns the first few names and the number of the others. */
export function listed(names: readonly string[]): string {
  const others = names.length - maxNamesListed;
  return names.slice(0, maxNamesListed).join(', ') + (others > 0 ? ` and ${others} more` : '');
}
