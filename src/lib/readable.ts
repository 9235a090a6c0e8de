/** Control characters, line separators, and marks that turn the direction of what stands after them. */
const unreadable = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const maxQuotedCharacters = 60;
const maxPathCharacters = 120;
const maxNamesListed = 5;

/**
 * A stranger's text as a part of a sentence: one line, nothing in it that could disturb what stands around it, and an
 * ellipsis in the place of what is over `maxCharacters` (UTF-16 units).
 */
export function readable(text: string, maxCharacters: number): string {
  const head = text.slice(0, maxCharacters).toWellFormed().replaceAll(unreadable, ' ');
  return text.length > maxCharacters ? `${head}…` : head;
}

/** A stranger's name as a part of a sentence: readable, short, and in quotes that end where it ends. */
export function quoted(name: string): string {
  return `"${readable(name, maxQuotedCharacters).replaceAll('"', ' ').trim()}"`;
}

/** A stranger's path as a part of a sentence: of a long one its end, which names the file. */
export function readablePath(path: string): string {
  const end = readable(path.slice(-maxPathCharacters), maxPathCharacters);
  return path.length > maxPathCharacters ? `…${end}` : end;
}

/** The first of some names, and how many others there are. */
export function listed(names: readonly string[]): string {
  const others = names.length - maxNamesListed;
  return names.slice(0, maxNamesListed).join(', ') + (others > 0 ? ` and ${others} more` : '');
}
