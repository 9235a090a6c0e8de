import { hash } from 'node:crypto';
import { readable } from '../../lib/readable.ts';

/** Markup that is safe to stand in a page: only `markup` makes it. */
class Markup {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

export type Html = Markup;
export type Content = Html | string | number | false | null | undefined | readonly Content[];

/**
 * Makes markup of a template. What stands in its places is text, unless it is markup itself; lists are joined, and nothing
 * is written for what is not there. Attributes have to stand in double quotes.
 */
export function markup(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  const texts = parts.map((part, index) => part + markupOf(values[index]));
  return new Markup(texts.join(''));
}

function markupOf(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (content instanceof Markup) return content.toString();
  if (typeof content === 'string' || typeof content === 'number') return escaped(String(content));
  return content.map(markupOf).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for elements and quoted attributes. Lines stay; other characters that HTML does not allow, or that turn the direction, go. */
function escaped(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
  return lines
    .map((line) => readable(line, Infinity).replaceAll(/\p{Noncharacter_Code_Point}/gu, '\ufffd'))
    .join('\n')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Puts a style sheet into a page. @returns the element, and what lets a content security policy allow it. */
export function styleSheet(css: string): { readonly element: Html; readonly source: string } {
  if (css.includes('<')) throw new Error('a style sheet must not end its element');
  return {
    element: new Markup(`<style>${css}</style>`),
    source: `'sha256-${hash('sha256', css, 'base64')}'`,
  };
}

/** Writes text as a string of CSS. */
export function cssString(text: string): string {
  return `"${readable(text, Infinity).replaceAll(/["\\<]/g, ' ')}"`;
}
