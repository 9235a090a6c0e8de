import { reportWords as words } from '../../messages/report/english.ts';
import { shareOf } from '../balance/land.ts';
import type { LandscapeLimits } from '../limits/limits-schema.ts';
import type { ReportFacts } from './facts.ts';
import { type Content, type Html, markup } from './html.ts';
import type { Part } from './part.ts';
import { type Section, shown, type Locale, swatch, table } from './pieces.ts';
import type { ReportMap } from './report-map.ts';

interface Limiting {
  readonly title: string;
  /** Share of the land that is not highly suitable: limited by the factor alone or with others, and alone. */
  readonly share: number | null;
  readonly aloneShare: number | null;
}

const highest = 5;

/** Lists the limits of a sector, the most frequent first. */
export function mostLimiting({ raster, factors }: LandscapeLimits): readonly Limiting[] {
  const limited = raster.classes.filter((each) => each.class < highest);
  const whole = limited.reduce((sum, { ha }) => sum + ha, 0);
  return factors
    .map(({ factor, title }) => {
      const limits = limited.flatMap((each) => each.limits.filter((limit) => limit.factor === factor));
      const alone = limits.reduce((sum, { alone_ha: ha }) => sum + ha, 0);
      const together = limits.reduce((sum, { with_others_ha: ha }) => sum + ha, 0);
      return { title, share: shareOf(alone + together, whole), aloneShare: shareOf(alone, whole) };
    })
    .filter(({ share }) => (share ?? 0) > 0)
    .toSorted((one, other) => (other.share ?? 0) - (one.share ?? 0));
}

/** The maps of the five sectors and of the sensitivity, each with its legend and its reading. */
export function sectorsSection(
  { maps, graph }: ReportFacts,
  locale: Locale,
  pictureOf: (map: Part<ReportMap>, title: string) => Content,
): Section {
  const shownMaps = maps.slice(1).map((map, index) => {
    const node = graph.nodes.find(({ code }) => code === `2${index + 1}`);
    return markup`<figure>
      <h3>${node?.title}</h3>
      ${pictureOf(map, node?.title ?? '')} ${shown(map, locale, (value) => legendOf(value, locale))}
      <figcaption class="note">${node?.reading}</figcaption>
    </figure> `;
  });
  return {
    id: 'sectors',
    title: words.sectors,
    body: markup`<div class="pair">${shownMaps}</div>`,
  };
}

function legendOf({ classes, others, noDataHa }: ReportMap, { say, ha }: Locale): Html {
  const entry = (colour: string | null, label: string, hectares?: number | null) =>
    markup`<li>
      ${swatch(colour)}<span>${label}</span>${hectares !== undefined && markup`<span class="ha">${ha(hectares)} ${say(words.ha)}</span>`}
    </li> `;
  return markup`<ul class="legend">
    ${classes.toReversed().map(({ value, label, colour, ha: hectares }) => entry(colour, `${value} ${label}`, hectares))}${others.map(
      ({ label, colour }) => entry(colour, label),
    )}${(noDataHa ?? 0) > 0 && entry('#ffffff', say(words.notRated), noDataHa)}
  </ul>`;
}

const mostFactors = 4;

export function limitsSection({ limits, graph }: ReportFacts, locale: Locale): Section {
  const { say, share } = locale;
  const factorsOf = (found: LandscapeLimits): Content => {
    const factors = mostLimiting(found).slice(0, mostFactors);
    if (factors.length === 0) return say(words.nothingLimits);
    return markup`<ul class="plain">
      ${factors.map(
        (each) =>
          markup`<li>${say(words.factor(each.title, share(each.share), share(each.aloneShare)))}</li> `,
      )}
    </ul>`;
  };
  return {
    id: 'limits',
    title: words.limits,
    body: markup`<p>${say(words.limitsNote)}</p>
      ${table({
        caption: say(words.factors),
        columns: [say(words.use), say(words.limits)],
        rows: graph.sectors.map(({ number, title }) => {
          const found = limits[number - 1];
          return [title, found && (found.why ?? factorsOf(found.value))];
        }),
      })}`,
  };
}
