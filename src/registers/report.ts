import { projectRing } from '../../common/maps/paper/albers.ts';
import { formatHectares } from '../../common/formats/hectares.ts';
import { formatShare } from '../../common/formats/shares.ts';
import type { Content, Html } from '../landscape/report/html.ts';
import { markup, styleSheet } from '../landscape/report/html.ts';
import { facts as pairsOf, idOf, localeOf, said, swatch, table } from '../landscape/report/pieces.ts';
import { cssOf } from '../landscape/report/style.ts';
import type { Language } from '../messages/languages/translate.ts';
import { unitName } from '../messages/languages/unit-name.ts';
import { areaWords } from '../messages/areas/english.ts';
import { registerWords as words } from '../messages/registers/english.ts';
import { classesText, comparedUnitText, measureText, periodText } from './files.ts';
import type { Reason, RegisterComparison, Side, SideName } from './schema.ts';
import { type DrawnUnit, extentOfUnits, signed } from './sheet.ts';

/** Part of every ETag: raise it when the layout of equal content changes. */
export const registerReportVersion = 2;

interface ReportOptions {
  readonly language: Language;
  readonly baseUrl: string;
  /** Warns of invented values in one of the registers; null without any. */
  readonly warning: string | null;
}

/** Writes a comparison as one HTML page without requests and scripts, suitable for printing. */
export function registerReport(
  comparison: RegisterComparison,
  units: readonly DrawnUnit[],
  options: ReportOptions,
): string {
  const { language, warning } = options;
  const { say } = localeOf(language);
  const { a, b, classes } = comparison;
  const unit = comparedUnitText(comparison, language);
  const title = say(words.comparison(a.name, b.name));
  const style = styleSheet(cssOf({ mark: undefined, foot: `${say(words.title)}. ${title}` }));
  const policy = `default-src 'none'; style-src ${style.source}; base-uri 'none'; form-action 'none'`;
  const legend = classes.map(({ color, label }) => markup`<li>${swatch(color)} ${label}</li> `);
  return markup`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="${policy}">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <title>${title} – ${say(words.title)}</title>
        ${style.element}
      </head>
      <body>
        <header>
          <p class="kicker">${say(words.title)}</p>
          <h1>${said(title)}</h1>
          ${warning !== null && markup`<p class="state open"><strong>${warning}</strong></p>`}
          ${sidesOf(comparison, options)}
        </header>
        <main>
          ${totalsOf(comparison, language)}
          <p class="note">${say(words.readingText)}</p>
          ${comparison.reasons.length > 0 && markup`<h2>${say(words.whole)}</h2>${reasonList(comparison.reasons)}`}
          <h2>${say(words.map)}</h2>
          <p>${say(words.inUnit(say(words.difference), unit))}</p>
          ${units.length === 0 ? markup`<p class="why">${say(words.noMap)}</p>` : picture(comparison, units, language)}
          <ul class="legend">${legend}</ul>
          <h2>${say(words.table)}</h2>
          ${rowsOf(comparison, language)}
        </main>
      </body>
    </html> `.toString();
}

const sideNames = ['a', 'b'] as const satisfies readonly SideName[];

function sidesOf(comparison: RegisterComparison, { language, baseUrl }: ReportOptions): Content {
  const { say } = localeOf(language);
  return sideNames.map((side) => {
    const own: Side = comparison[side];
    return pairsOf([
      [say(words.sideOf(side)), said(own.name)],
      [say(words.period(side)), periodText(own, language)],
      [say(words.measure(side)), measureText(own, language)],
      ...(own.classes === null ? [] : [[say(words.classes(side)), classesText(own, language)] as const]),
      [say(words.dataset(side)), idOf(own.dataset_id, { baseUrl })],
    ]);
  });
}

function totalsOf({ a, b, total, ...only }: RegisterComparison, language: Language): Html {
  const { say } = localeOf(language);
  const unit = comparedUnitText(only, language);
  const measured = (text: string) => (unit === '' ? text : `${text}\u00a0${unit}`);
  const amount = (value: number) => measured(formatHectares(value, language));
  return markup`<ul class="tiles">
      <li>${a.name} <b>${amount(total.a)}</b></li>
      <li>${b.name} <b>${amount(total.b)}</b></li>
      <li>${say(words.difference)} <b>${measured(signed(total.difference, language))}</b>
        <small>${total.share !== null && signedShare(total.share, language)}</small></li>
    </ul>
    <p>${say(words.inBoth(total.units))}
      ${sideNames.map((side) => {
        const { units, value } = only[`only_${side}`];
        return units > 0 && markup`${say(words.onlyIn(side, units, amount(value)))} `;
      })}</p>`;
}

const reasonList = (reasons: readonly Reason[]): Html =>
  markup`<ul class="brief">
    ${reasons.map(({ text }) => markup`<li>${text}</li> `)}
  </ul>`;

function rowsOf(comparison: RegisterComparison, language: Language): Html {
  const { a, b, rows, total, by } = comparison;
  const { say } = localeOf(language);
  const unit = comparedUnitText(comparison, language);
  const inUnit = (text: string) => `#${say(words.inUnit(text, unit))}`;
  const amount = (value: number | null) => (value === null ? '–' : formatHectares(value, language));
  const figures = (row: Pick<RegisterComparison['rows'][number], 'a' | 'b' | 'difference' | 'share'>) => [
    amount(row.a),
    amount(row.b),
    row.difference === null ? '–' : signed(row.difference, language),
    row.share === null ? '–' : signedShare(row.share, language),
  ];
  return table({
    caption: say(words.table),
    columns: [
      say(areaWords[by]),
      inUnit(a.name),
      inUnit(b.name),
      inUnit(say(words.differenceShort)),
      `#${say(words.share)}`,
      say(words.reasons),
    ],
    rows: rows.map((row) => [
      markup`${unitName(row, language)} <small>${row.kato}</small>`,
      ...figures(row),
      row.reasons.map(({ text }) => text).join(' '),
    ]),
    foot: [[say(words.bothTotal), ...figures(total), '']],
  });
}

/** Writes a share with its sign. */
export function signedShare(share: number, language: Language): string {
  const text = formatShare(Math.abs(share), language);
  return share === 0 ? text : `${share < 0 ? '−' : '+'}${text}`;
}

/** Width of the map, in units of the picture. */
const width = 1000;
/** Closer points of a border are left out, in units of the picture. */
const step = 0.7;

/** Draws the units in Albers, each in the colour of its class; borders are part of the page, so that it needs no picture. */
function picture(comparison: RegisterComparison, units: readonly DrawnUnit[], language: Language): Html {
  const { say } = localeOf(language);
  const { left, right, top, bottom } = extentOfUnits(units);
  const scale = width / Math.max(1, right - left);
  const height = Math.max(1, Math.round((top - bottom) * scale));
  const pathOf = ({ unit: { polygons } }: DrawnUnit): string =>
    polygons
      .flat()
      .map((ring) => {
        let [lastX, lastY] = [Infinity, Infinity];
        const points = projectRing(ring).flatMap(([x, y]) => {
          const [across, down] = [(x - left) * scale, (top - y) * scale];
          if (Math.abs(across - lastX) < step && Math.abs(down - lastY) < step) return [];
          [lastX, lastY] = [across, down];
          return [`${across.toFixed(1)} ${down.toFixed(1)}`];
        });
        return points.length < 3 ? '' : `M${points.join('L')}Z`;
      })
      .join('');
  return markup`<figure><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${say(words.map)}">
    ${units.map(
      (each) =>
        markup`<path d="${pathOf(each)}" fill="${comparison.classes[each.row.class]?.color ?? '#fff'}" fill-rule="evenodd" stroke="#5a6460" stroke-width="0.8"><title>${unitName(each.row, language)}</title></path> `,
    )}
  </svg></figure>`;
}
