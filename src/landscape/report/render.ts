import type { Message } from '../../lib/message.ts';
import { formatNumber } from '../../../common/formats/numbers.ts';
import { reportWords as words } from '../../messages/report/english.ts';
import { gapsSection, orderSection, settingsSection, stabilitySection } from './choice-sections.ts';
import type { ReportFacts } from './facts.ts';
import { type Content, type Html, markup, styleSheet } from './html.ts';
import { areasSection, briefSection, zoningSection } from './land-sections.ts';
import { formatMoment } from '../../../common/formats/days.ts';
import { filesSection, historySection, methodSection, nodesSection, stateWords } from './origin-sections.ts';
import type { Part } from './part.ts';
import { code, facts as pairsOf, said, type Section, type Locale, localeOf } from './pieces.ts';
import type { ReportMap } from './report-map.ts';
import { limitsSection, sectorsSection } from './sector-sections.ts';
import { cssOf } from './style.ts';
import { zoningCode } from '../../../common/landscape/zoning.ts';

/** The drawn picture of a map. */
export interface DrawnMap {
  /** The `src` of the image. */
  readonly source: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly metresPerPixel: number;
}

/**
 * Writes a report as one HTML page without requests and scripts, suitable for printing.
 * @param drawn returns the picture of a map by node code
 */
export function renderReport(facts: ReportFacts, drawn: (code: string) => DrawnMap): string {
  const locale = localeOf(facts.language);
  const pictureOf = (map: Part<ReportMap> | undefined, title: string) => picture(map, title, drawn, locale);
  const zoningTitle = facts.graph.nodes.find((node) => node.code === zoningCode)?.title ?? '';
  const sections = [
    briefSection(facts, locale),
    zoningSection(facts, locale, pictureOf(facts.maps[0], zoningTitle)),
    areasSection(facts, locale),
    settingsSection(facts, locale),
    orderSection(facts, locale),
    stabilitySection(facts, locale),
    gapsSection(facts, locale),
    sectorsSection(facts, locale, pictureOf),
    limitsSection(facts, locale),
    filesSection(facts, locale),
    nodesSection(facts, locale),
    historySection(facts, locale),
    methodSection(locale),
  ];
  return page(facts, sections, locale).toString();
}

function page(facts: ReportFacts, sections: readonly Section[], locale: Locale): Html {
  const { say, language } = locale;
  const { run, record } = facts;
  const title = record.name ?? say(words.runOf(formatMoment(run.created_at, language, 'utc')));
  const foot = `${say(words.kicker)}. ${say(words.run)} ${run.id}`;
  const style = styleSheet(cssOf({ mark: markOf(facts, locale), foot }));
  return markup`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="${policyOf(style.source)}">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <title>${title} – ${say(words.kicker)}</title>
        ${style.element}
      </head>
      <body>
        <header>
          <p class="kicker">${say(words.kicker)}</p>
          <h1>${said(title)}</h1>
          ${stateOf(facts, locale)} ${aboutRun(facts, locale)}
        </header>
        <main>
          ${sections.slice(0, 1).map((section) => sectionOf(section, say))}
          <nav aria-label="${say(words.contents)}">
            <h2>${say(words.contents)}</h2>
            <ol>
              ${sections.slice(1).map(({ id, title: heading }) => markup`<li><a href="#${id}">${say(heading)}</a></li> `)}
            </ol>
          </nav>
          ${sections.slice(1).map((section) => sectionOf(section, say))}
        </main>
      </body>
    </html> `;
}

/** Forbids requests and scripts, also when the file is opened locally. */
const policyOf = (styleSource: string): string =>
  `default-src 'none'; img-src data:; style-src ${styleSource}; base-uri 'none'; form-action 'none'`;

function sectionOf({ id, title, body, isPage = false }: Section, say: Locale['say']): Html {
  return markup`<section class="${isPage ? 'page' : 'on'}" aria-labelledby="${id}">
    <h2 id="${id}">${say(title)}</h2>
    ${body}
  </section> `;
}

const stateSentences = {
  draft: words.isDraft,
  proposed: words.isProposed,
  adopted: words.isAdopted,
  withdrawn: words.isWithdrawn,
} as const satisfies Record<keyof typeof stateWords, Message>;

function stateOf({ run, record: { state }, lineage }: ReportFacts, { say }: Locale): Html {
  const warning = lineage.value?.warning ?? null;
  const isRestyled = (run.record?.restyled ?? []).length > 0;
  return markup`<p class="state ${state === 'adopted' ? 'adopted' : 'open'}">
    <strong>${say(stateWords[state])}.</strong> ${say(stateSentences[state])}
    ${isRestyled && say(words.restyled)}
  </p>${warning !== null && markup`<p class="state open"><strong>${warning}</strong></p>`}`;
}

/** Returns the mark on every printed page of a zoning that is not adopted. */
function markOf({ record: { state } }: ReportFacts, { say }: Locale): string | undefined {
  return state === 'adopted' ? undefined : `${say(stateWords[state])}: ${say(words.notAdopted)}`;
}

function aboutRun({ run, record, graphVersion, baseUrl }: ReportFacts, { say, moment }: Locale): Html {
  const id = code(run.id);
  return markup`${record.basis !== null && markup`<p><strong>${say(words.basis)}:</strong> ${said(record.basis)}</p>`}
  ${record.note !== null && markup`<p>${said(record.note)}</p>`}
  ${pairsOf([
    [
      say(words.run),
      baseUrl === undefined ? id : markup`<a href="${baseUrl}/#/landscape/runs/${run.id}">${id}</a>`,
    ],
    [say(words.begun), moment(run.started_at)],
    [say(words.ended), moment(run.finished_at)],
    [say(words.graph), graphVersion],
    [
      say(words.record),
      record.changed_at === null
        ? say(words.noRecord)
        : say(words.recordOf(record.revision, moment(record.changed_at))),
    ],
  ])}`;
}

/** A map with a scale bar; otherwise the reason why it cannot be drawn. */
function picture(
  map: Part<ReportMap> | undefined,
  title: string,
  drawn: (code: string) => DrawnMap,
  locale: Locale,
): Content {
  const { say } = locale;
  const why = map?.why ?? map?.value?.picture.why;
  if (map?.value === undefined || why !== undefined)
    return markup`<p class="why"><strong>${say(words.noPicture)}</strong> ${why}</p>`;
  const { source, ...size } = drawn(map.value.code);
  const { width, height } = size;
  const says = map.value.code === zoningCode ? words.scale : words.kilometres;
  const { bar, kilometres } = scaleBar(size, locale);
  return markup`<div class="map"><img src="${source}" width="${width}" height="${height}" alt="${say(words.picture(title))}">
${bar}</div>
<p class="of-map">${say(says(kilometres))}</p>`;
}

/** Limits of the width of a bar, as shares of the map. */
const longestBar = 0.3;

/** A scale bar for a round number of kilometres, which scales with the map above it. */
function scaleBar(
  { width, metresPerPixel }: Pick<DrawnMap, 'width' | 'metresPerPixel'>,
  { language }: Locale,
) {
  const most = width * longestBar * metresPerPixel;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = ([5, 2, 1].find((each) => each * power <= most) ?? 1) * power;
  const end = ((1000 * metres) / metresPerPixel / width).toFixed(2);
  const path = markup`<path d="M0 0V11H${end}V0" fill="none" stroke="#1a1a1a" vector-effect="non-scaling-stroke"/>`;
  return {
    bar: markup`<svg class="scale" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">${path}</svg>`,
    kilometres: formatNumber(metres / 1000, language, 3),
  };
}
