import { hash } from 'node:crypto';
import { readable } from '../../lib/readable.ts';

/** Markup that is safe to insert into a page; created only by `markup`. */
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
 * Creates markup from a template. Values are escaped, unless they are markup; lists are joined, and undefined values are left out.
 * Attributes must be in double quotes.
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

/**
 * Escapes text for elements and quoted attributes. Line breaks are kept; characters that HTML does not allow, and those that change the
 * text direction, are removed.
 */
function escaped(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
  return lines
    .map((line) => readable(line, Infinity).replaceAll(/\p{Noncharacter_Code_Point}/gu, '\ufffd'))
    .join('\n')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Embeds a style sheet. @returns the element, and its source expression for a content security policy. */
export function styleSheet(css: string): { readonly element: Html; readonly source: string } {
  if (css.includes('<')) throw new Error('a style sheet must not end its element');
  return {
    element: new Markup(`<style>${css}</style>`),
    source: `'sha256-${hash('sha256', css, 'base64')}'`,
  };
}

/** Returns a text as a CSS string. */
export function cssString(text: string): string {
  return `"${readable(text, Infinity).replaceAll(/["\\<]/g, ' ')}"`;
}
