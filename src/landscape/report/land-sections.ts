import type { DatasetAreas } from '../../areas/areas-schema.ts';
import { formatParts } from '../../../common/formats/shares.ts';
import { unitName } from '../../messages/languages/unit-name.ts';
import { areaWords } from '../../messages/areas/english.ts';
import { reportWords as words } from '../../messages/report/english.ts';
import { notAllocableCode, zoneOfCode, zoningCodes, zoningCode } from '../../../common/landscape/zoning.ts';
import { defaultParams } from '../model/params.ts';
import type { ReportFacts } from './facts.ts';
import { type Content, type Html, markup } from './html.ts';
import { type Section, shown, type Locale, swatch, table } from './pieces.ts';
import { mostLimiting } from './sector-sections.ts';

type Land = Pick<DatasetAreas['raster'], 'classes' | 'no_data_ha'>;

/** Returns the hectares of V1, V2, V3, of land not allocable, and without a zone. */
function zonesOf({ classes, no_data_ha: noData }: Land): readonly number[] {
  const sumOf = (isWanted: (code: number) => boolean) =>
    Object.entries(classes).reduce((sum, [code, ha]) => (isWanted(Number(code)) ? sum + ha : sum), 0);
  return [
    ...[1, 2, 3].map((zone) => sumOf((code) => zoneOfCode(code) === zone)),
    sumOf((code) => code === notAllocableCode),
    noData,
  ];
}

interface ZoneKind {
  readonly title: string;
  readonly colour: string;
}

/** Returns the titles and colours of the figures of `zonesOf`. */
function zoneKinds({ graph }: ReportFacts, { say }: Locale): readonly ZoneKind[] {
  const zones = graph.nodes.find(({ code }) => code === '33')?.legend.entries ?? [];
  return [
    ...zones.map(({ label, color }) => ({ title: label, colour: color })),
    { title: say(words.notAllocable), colour: '#9a9a9a' },
    { title: say(words.withoutZone), colour: '#ffffff' },
  ];
}

/** The summary at the beginning of the report. */
export function briefSection(facts: ReportFacts, locale: Locale): Section {
  const { say, share } = locale;
  const { judged } = facts;
  const sentences: Content[] = [
    judged.value?.conflicts.chosen_by_order.sentence,
    judged.value && say(words.stays(share(judged.value.stability.both.share))),
    mostLimitedSentence(facts, locale),
    ...holes(facts, locale),
    changedSettings(facts, locale),
  ];
  return {
    id: 'brief',
    title: words.brief,
    body: markup`${shown(facts.areas, locale, ({ regions }) => zoneTiles(regions, facts, locale))}
      <ul class="brief">
        ${sentences.map((each) => each && markup`<li>${each}</li> `)}
      </ul>`,
  };
}

function zoneTiles({ raster }: DatasetAreas, facts: ReportFacts, locale: Locale): Html {
  const { say, ha, language } = locale;
  const figures = zonesOf(raster);
  const parts = formatParts(figures, language);
  const kinds = zoneKinds(facts, locale);
  return markup`<p>${say(words.covers(ha(raster.area_ha)))}</p>
    ${bar(figures, kinds)}
    <ul class="tiles" aria-label="${say(words.shares)}">
      ${kinds.map(
        ({ title, colour }, index) =>
          markup`<li>
            ${swatch(colour)}${title} <b>${ha(figures[index] ?? 0)} ${say(words.ha)}</b> ${parts[index]}
            <small>${index < 3 && leadingIn(index + 1, raster, facts, locale)}</small>
          </li> `,
      )}
    </ul>`;
}

/** The bar shows the figures of the text after it. */
function bar(figures: readonly number[], kinds: readonly ZoneKind[]): Html {
  const whole = figures.reduce((sum, each) => sum + each, 0) || 1;
  const starts = figures.map((_, index) => figures.slice(0, index).reduce((sum, each) => sum + each, 0));
  return markup`<svg class="bar" viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">
    ${figures.map(
      (each, index) =>
        markup`<rect
          x="${decimal((1000 * (starts[index] ?? 0)) / whole)}"
          width="${decimal((1000 * each) / whole)}"
          height="20"
          fill="${kinds[index]?.colour}"
        />`,
    )}
  </svg>`;
}

const decimal = (value: number): string => value.toFixed(2);

/** Returns the two largest classes of a zone. */
function leadingIn(zone: number, { classes }: Land, facts: ReportFacts, { say, ha }: Locale): string {
  return zoningCodes
    .filter((code) => zoneOfCode(code) === zone)
    .map((code) => ({ code, area: classes[code] ?? 0 }))
    .filter(({ area }) => area > 0)
    .toSorted((one, other) => other.area - one.area)
    .slice(0, 2)
    .map(
      ({ code, area }) =>
        `${titleOfCode(code, facts).replace(/^V\d\s*/, '')} ${ha(area)}\u00a0${say(words.ha)}`,
    )
    .join('; ');
}

function titleOfCode(code: number, { graph }: ReportFacts): string {
  const zoning = graph.nodes.find((node) => node.code === zoningCode);
  return zoning?.legend.entries.find(({ value }) => value === code)?.label ?? String(code);
}

/** Returns the sentence about the leading use of V1 and V2 with the most land. */
function mostLimitedSentence({ areas, limits, graph }: ReportFacts, locale: Locale): string | undefined {
  const classes = areas.value?.regions.raster.classes ?? {};
  const area = (sector: number) => (classes[10 + sector] ?? 0) + (classes[20 + sector] ?? 0);
  const [leading] = graph.sectors.toSorted((one, other) => area(other.number) - area(one.number));
  const found = leading && limits[leading.number - 1]?.value;
  const [most] = found === undefined ? [] : mostLimiting(found);
  if (leading === undefined || most === undefined || area(leading.number) === 0) return undefined;
  return locale.say(words.limitedBy(leading.title, most.title, locale.share(most.share)));
}

function holes({ areas, gaps, graph }: ReportFacts, { say, ha, share }: Locale): readonly string[] {
  const raster = areas.value?.regions.raster;
  if (raster === undefined) return [];
  if (raster.no_data_ha === 0) return [say(words.noHoles)];
  const [largest] = gaps.value?.inputs.toSorted((one, other) => other.alone_ha - one.alone_ha) ?? [];
  const slot = graph.catalogue.groups.find(({ code }) => code === largest?.group);
  return [
    say(words.holes(ha(raster.no_data_ha), share(raster.no_data_ha / raster.area_ha))),
    ...(largest === undefined || largest.alone_ha === 0
      ? []
      : [
          say(
            words.largestHole(
              titleOfGroup(largest.group, { graph }) ?? slot?.name ?? largest.group,
              ha(largest.alone_ha),
            ),
          ),
        ]),
  ];
}

/** Returns the title of a slot or a node by its group code. */
export function titleOfGroup(group: string, { graph }: Pick<ReportFacts, 'graph'>): string | undefined {
  return [...graph.slots, ...graph.nodes].find((each) => each.group === group)?.title;
}

function changedSettings({ run }: ReportFacts, { say }: Locale): string {
  const count = Object.entries(defaultParams).filter(
    ([name, usual]) =>
      name !== 'window_size' && JSON.stringify(Object(run.params)[name]) !== JSON.stringify(usual),
  ).length;
  const pinned = Object.keys(run.overrides).length;
  return count + pinned === 0 ? say(words.usualSettings) : say(words.differs(count + pinned));
}

/** The map of the zoning with its legend, and the sentence about the order of sectors. */
export function zoningSection(facts: ReportFacts, locale: Locale, picture: Content): Section {
  const { say, ha, language } = locale;
  const { areas, judged, graph, maps } = facts;
  const [zoning] = maps;
  const reading = graph.nodes.find(({ code }) => code === zoningCode)?.reading;
  const stability = judged.value?.stability;
  const keptOf = new Map(stability?.codes.map(({ code, both }) => [code, both.share]));
  const rows = (zoning?.value?.classes ?? []).map(({ value, label, colour, ha: counted }) => ({
    head: markup`${swatch(colour)}${label}`,
    area: areas.value?.regions.raster.classes[value] ?? counted ?? 0,
    kept: keptOf.has(value) ? locale.share(keptOf.get(value) ?? null) : '–',
  }));
  const noData = areas.value?.regions.raster.no_data_ha ?? zoning?.value?.noDataHa ?? 0;
  const all = [
    ...rows,
    { head: markup`${swatch('#ffffff')}${say(words.withoutZone)}`, area: noData, kept: '–' },
  ];
  const parts = formatParts(
    all.map(({ area }) => area),
    language,
  );
  const cases = stability && stability.cases.thresholds + stability.cases.order;
  const sum = all.reduce((total, { area }) => total + area, 0);
  return {
    id: 'zoning',
    title: words.zoning,
    isPage: true,
    body: markup`<figure class="zoning">
        ${picture}
        <figcaption><strong>${say(words.howToRead)}.</strong> ${reading}</figcaption>
      </figure>
      <p class="sentence">${judged.why ?? judged.value.conflicts.chosen_by_order.sentence}</p>
      ${table({
        caption: say(words.hectaresByZone),
        columns: [say(words.zone), `#${say(words.hectares)}`, `#${say(words.share)}`, `#${say(words.kept)}`],
        rows: all.map(({ head, area, kept }, index) => [head, ha(area), parts[index], kept]),
        foot: [[say(words.sum), ha(sum), sum > 0 && formatParts([1], language)[0], '']],
      })}
      ${zoning?.value?.others.map(({ label, colour }) => markup`<p class="note">${swatch(colour)}${label}</p> `)}
      ${cases !== undefined && markup`<p class="note">${say(words.keptMeans(cases))}</p>`}`,
  };
}

/** Hectares by region and district, as in `GET /datasets/{id}/areas`. */
export function areasSection(facts: Pick<ReportFacts, 'areas'>, locale: Locale): Section {
  const { say, language } = locale;
  return {
    id: 'areas',
    title: words.areas,
    body: shown(facts.areas, locale, ({ regions, districts }) => {
      const heads = new Map(regions.rows.map((row) => [row.kato.slice(0, 2), unitName(row, language)]));
      const touched = districts.rows.filter(isTouched);
      const groups = [...Map.groupBy(touched, ({ kato }) => kato.slice(0, 2))].map(([prefix, rows]) => ({
        // A region that is missing is named by its code.
        title: heads.get(prefix) ?? `${prefix}0000000`,
        rows: rows.map((row) => rowOf(row, locale)),
      }));
      const left =
        regions.rows.length + districts.rows.length - touched.length - regions.rows.filter(isTouched).length;
      return markup`${areaTable(regions, { rows: regions.rows.filter(isTouched).map((row) => rowOf(row, locale)), caption: say(words.byRegion) }, locale)}
        ${areaTable(districts, { rows: [], groups, caption: say(words.byDistrict) }, locale)}
        <p class="note">
          ${say(words.unitsNote(regions.districts_version))} ${left > 0 && say(words.untouched(left))}
        </p>`;
    }),
  };
}

type UnitRow = DatasetAreas['rows'][number];

const isTouched = ({ area_ha: area, outside_raster_ha: outside }: UnitRow): boolean => area - outside > 0;

function rowOf(row: UnitRow, locale: Locale): readonly Content[] {
  const { language } = locale;
  return [markup`${unitName(row, language)} <small>${row.kato}</small>`, ...cellsOf(row, locale)];
}

function cellsOf(
  land: Land & { readonly area_ha: number; readonly outside_raster_ha?: number },
  { ha }: Locale,
) {
  return [...zonesOf(land).map((each) => ha(each)), ha(land.outside_raster_ha ?? 0), ha(land.area_ha)];
}

function areaTable(
  areas: DatasetAreas,
  shownRows: Pick<Parameters<typeof table>[0], 'rows' | 'groups' | 'caption'>,
  locale: Locale,
): Html {
  const { say } = locale;
  const { total, outside_units: none, overlap, raster } = areas;
  return table({
    ...shownRows,
    columns: [
      say(words.unit),
      ...[
        'V1',
        'V2',
        'V3',
        say(words.notAllocable),
        say(words.withoutZone),
        say(words.outside),
        say(words.sum),
      ].map((title) => `#${title}`),
    ],
    foot: [
      [say(areaWords.total), ...cellsOf(total, locale)],
      ...(none.area_ha > 0 ? [[say(areaWords.outsideUnits), ...cellsOf(none, locale)]] : []),
      ...(overlap.area_ha > 0 ? [[say(areaWords.overlap), ...cellsOf(overlap, locale)]] : []),
      [say(areaWords.wholeRaster), ...cellsOf(raster, locale)],
    ],
  });
}
