import type { Message } from '../../lib/message.ts';
import { formatMoment } from '../../../common/formats/days.ts';
import { formatShare } from '../../../common/formats/shares.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { reportWords } from '../../messages/report/english.ts';
import { type Content, type Html, markup } from './html.ts';
import { formatHectares } from '../../../common/formats/hectares.ts';
import type { Part } from './part.ts';

/** The texts and number formats of the language of a report. */
export interface Locale {
  readonly language: Language;
  readonly say: (message: Message) => string;
  /** A moment in UTC, to the minute; a dash where there is none. */
  readonly moment: (iso: string | null) => string;
  readonly ha: (hectares: number | null) => string;
  readonly share: (share: number | null) => string;
}

export function localeOf(language: Language): Locale {
  return {
    language,
    say: (message) => translate(message, language),
    moment: (iso) =>
      iso === null ? '–' : translate(reportWords.utc(formatMoment(iso, language, 'utc')), language),
    ha: (hectares) => (hectares === null ? '–' : formatHectares(hectares, language)),
    share: (share) => (share === null ? '–' : formatShare(share, language)),
  };
}

/** A section with a heading, linked from the table of contents. */
export interface Section {
  readonly id: string;
  readonly title: Message;
  readonly body: Content;
  /** True if it begins on a new page. */
  readonly isPage?: boolean;
}

/** Shows a part of a report, or the reason for its absence. */
export function shown<T>(part: Part<T>, { say }: Locale, show: (value: T) => Content): Content {
  if (part.why === undefined) return show(part.value);
  return markup`<p class="why"><strong>${say(reportWords.inNone)}</strong> ${part.why}</p>`;
}

interface Table {
  readonly caption: string;
  /** Column titles; those of numeric columns begin with `#`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Content[])[];
  readonly foot?: readonly (readonly Content[])[];
  /** Groups of rows with a heading, after `rows`. */
  readonly groups?: readonly { readonly title: string; readonly rows: readonly (readonly Content[])[] }[];
  readonly kind?: string;
}

/** A table whose first column contains row titles. Its head is repeated on each page; on a small screen it scrolls horizontally. */
export function table({ caption, columns, rows, foot = [], groups = [], kind = 'plain' }: Table): Html {
  const isNumber = columns.map((title) => title.startsWith('#'));
  const row = (cells: readonly Content[]) =>
    markup`<tr>
      ${cells.map((cell, index) =>
        index === 0
          ? markup`<th scope="row">${cell}</th>`
          : markup`<td class="${isNumber[index] === true ? 'number' : 'text'}">${cell}</td>`,
      )}
    </tr> `;
  return markup`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table class="${kind}">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(
            (title, index) =>
              markup`<th scope="col" class="${isNumber[index] === true ? 'number' : 'text'}">
                ${title.replace(/^#/, '')}
              </th>`,
          )}
        </tr>
      </thead>
      ${
        rows.length > 0 &&
        markup`<tbody>
          ${rows.map(row)}
        </tbody>`
      }
      ${groups.map(
        (group) =>
          markup`<tbody>
            <tr class="group">
              <th scope="rowgroup" colspan="${columns.length}">${group.title}</th>
            </tr>
            ${group.rows.map(row)}
          </tbody> `,
      )}${
        foot.length > 0 &&
        markup`<tfoot>
          ${foot.map(row)}
        </tfoot>`
      }
    </table>
  </div> `;
}

/** A colour sample of a legend; a label is beside it. */
export function swatch(colour: string | null): Html {
  return colour === null
    ? markup`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
        <rect width="10" height="10" fill="none" />
        <path d="M0 10 10 0" stroke="#777" />
      </svg>`
    : markup`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
        <rect width="10" height="10" fill="${colour}" />
      </svg>`;
}

/** A list of names and values. */
export function facts(pairs: readonly (readonly [name: string, value: Content])[]): Html {
  return markup`<dl class="facts">
    ${pairs.map(
      ([name, value]) =>
        markup`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div> `,
    )}
  </dl>`;
}

/** An id or a checksum that a person may have to read character by character. */
export const code = (text: string): Html => markup`<code>${text}</code>`;

/** User-provided text, with its own text direction. */
export const said = (text: string): Html => markup`<bdi class="said">${text}</bdi>`;

/** The id of a dataset, linked to its page if the address of the service is known. */
export function idOf(id: string, { baseUrl }: { readonly baseUrl?: string }): Html {
  return baseUrl === undefined ? code(id) : markup`<a href="${baseUrl}/#/datasets/${id}">${code(id)}</a>`;
}
