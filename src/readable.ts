/** Control characters, line separators, and marks that turn the direction of what stands after them. */
const unreadable = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A stranger's text as a part of a sentence: one line, nothing in it that could disturb what stands around it, and an
 * ellipsis in the place of what is over `maxCharacters` (UTF-16 units).
 */
export function readable(text: string, maxCharacters: number): string {
  const head = text.slice(0, maxCharacters).toWellFormed().replaceAll(unreadable, ' ');
  return text.length > maxCharacters ? `${head}…` : head;
}
