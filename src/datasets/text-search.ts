import { type RawBuilder, sql, type SqlBool } from 'kysely';

/** Separates the texts in the column `search_text`. */
const separator = '\u001F';
/** Length of the n-grams in the index. */
const partLength = 3;
const maxParts = 8;
/** The lower case of these letters does not depend on context. */
const plainWord = /^[\p{Script=Cyrillic}A-Za-z0-9]+$/u;

/**
 * Matches a substring of any of the texts, ignoring case; every name contains the empty text. Uses ICU, because letters
 * beyond ASCII may have no case in the database's own locale.
 */
export function holdsText(text: string): RawBuilder<SqlBool> {
  const forms = [...formsOf(text)].map(holdsForm);
  return forms.length === 1 && forms[0] !== undefined ? forms[0] : sql`(${sql.join(forms, sql` or `)})`;
}

/** Returns a text unchanged, composed and decomposed: macOS decomposes й and ё in file names, other systems do not. */
export function formsOf(text: string): ReadonlySet<string> {
  return new Set([text, text.normalize('NFC'), text.normalize('NFD')]);
}

function holdsForm(text: string): RawBuilder<SqlBool> {
  if (text === '') return sql`true`;
  if (text.includes(separator)) {
    const columns = ['name', 'description', 'filename'].map(
      (column) => sql`${sql.ref(column)} collate "und-x-icu" ilike ${likeOf(text)}`,
    );
    return sql`(${sql.join(columns, sql` or `)})`;
  }
  const parts = partsToLookFor(text);
  if (parts.length === 0) return isIn(sql`search_text`, text);
  // A text has a part for each of its letters, most of them in very many rows, and the index would read all of these.
  const conditions = [
    ...parts.map((part) => isIn(sql`search_text`, part)),
    isIn(sql`(search_text || '')`, text),
  ];
  return sql`(${sql.join(conditions, sql` and `)})`;
}

function isIn(column: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  return sql`${column} like lower(${likeOf(text)} collate "und-x-icu") collate "C"`;
}

function likeOf(text: string): string {
  return `%${text.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`;
}

/**
 * Returns selective parts of a text, the beginnings and ends of its words, with which the index finds nearly the rows that contain the
 * whole; a short word includes the blank before it, because the index marks word boundaries. Empty if parts would save nothing.
 */
export function partsToLookFor(text: string): readonly string[] {
  const words = [...text.matchAll(/([^\p{L}\p{N}\p{M}]?)([\p{L}\p{N}\p{M}]+)/gu)];
  const found = words.flatMap(([, before = '', word = '']) => {
    if (!plainWord.test(word)) return [];
    if (word.length >= partLength) return [word.slice(0, partLength), word.slice(-partLength)];
    return before === '' ? [] : [before + word];
  });
  const parts = [...new Set(found)];
  const some =
    parts.length <= maxParts ? parts : [...parts.slice(0, maxParts / 2), ...parts.slice(-maxParts / 2)];
  return some.length * partLength <= text.length ? some : [];
}
