import { type Extent, extentOf } from '../../common/maps/paper/albers.ts';
import type { SheetDocument, SheetPage } from '../../common/maps/paper/sheet-page.ts';
import { formatDay } from '../../common/formats/days.ts';
import { formatNumber } from '../../common/formats/numbers.ts';
import { parseCss } from '../../common/maps/style/colour-map.ts';
import { compiledOf } from '../../common/maps/style/compiled-style.ts';
import type { Message } from '../lib/message.ts';
import { type BorderedUnit, meets } from '../maps/paper/bordered-units.ts';
import type { PaperMaps } from '../maps/paper/paper-maps.ts';
import type { DrawingPool } from '../maps/service/pool.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { unitName } from '../messages/languages/unit-name.ts';
import { sheetWords } from '../messages/drawing/english.ts';
import { registerProblems, registerWords as words } from '../messages/registers/english.ts';
import { onAlbers, pageOf } from '../print/sheet-content.ts';
import { placeOn, type SheetPaper, sheetVersion } from '../print/sheets.ts';
import { classesText, comparedUnitText, measureText, periodText } from './files.ts';
import type { RegisterComparison, RegisterRow } from './schema.ts';

/** Part of every ETag: raise it when the layout of equal content changes. */
export const registerSheetVersion = `2 ${sheetVersion}`;
const drawMs = 120_000;
/** Units whose differences are listed on a sheet. */
const mostListed = 12;

interface SheetDependencies {
  readonly paperMaps: PaperMaps;
  readonly pool: DrawingPool;
}

interface Order {
  readonly paper: SheetPaper;
  readonly address: string;
  /** Day of the last change of the two datasets, `YYYY-MM-DD`. */
  readonly asOf: string;
  readonly language: Language;
  /** Warns of invented values in one of the registers; null without any. */
  readonly warning: string | null;
}

/** A compared unit with its borders. */
export interface DrawnUnit {
  readonly row: RegisterRow;
  readonly unit: BorderedUnit & { readonly extent: Extent };
}

/** Returns the compared units that have borders, in the order of their codes. */
export async function drawnUnits(
  { paperMaps }: Pick<SheetDependencies, 'paperMaps'>,
  { by, rows }: RegisterComparison,
): Promise<readonly DrawnUnit[]> {
  const byCode = new Map(rows.map((row) => [row.kato, row]));
  return (await paperMaps.unitsOf(by)).flatMap(({ extent, ...unit }) => {
    const row = byCode.get(unit.kato);
    return row === undefined || extent === undefined ? [] : [{ row, unit: { ...unit, extent } }];
  });
}

/** Returns the extent of units in the Albers plane. @throws {Problem} `conflict` without units */
export function extentOfUnits(units: readonly DrawnUnit[]): Extent {
  const extent = extentOf(
    units.flatMap(({ unit: { extent: own } }) => [
      [own.left, own.bottom],
      [own.right, own.top],
    ]),
  );
  if (extent === undefined) throw registerProblems.noMap();
  return extent;
}

/** Draws the map of the differences as PDF. @throws {Problem} `conflict` if no compared unit has borders. */
export async function drawRegisterSheet(
  dependencies: SheetDependencies,
  comparison: RegisterComparison,
  order: Order,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { paperMaps, pool } = dependencies;
  const units = await drawnUnits(dependencies, comparison);
  const { denominator, frame } = placeOn(order.paper, extentOfUnits(units), order.paper.scale);
  const level = comparison.by === 'republic' ? 'region' : comparison.by;
  const neighbours = [
    ...(await paperMaps.unitsOf('region')),
    ...(level === 'region' ? [] : await paperMaps.unitsOf('district')),
  ];
  const { size, orientation } = order.paper;
  const page = sheetPage(comparison, {
    ...order,
    denominator,
    frame,
    neighbours,
    isNamed: units.length <= 40,
  });
  const document: SheetDocument = { title: page.title, size, orientation, index: undefined, pages: [page] };
  const features = JSON.stringify({
    type: 'FeatureCollection',
    features: units.map(({ row, unit: { polygons } }) => ({
      type: 'Feature',
      properties: { class: `c${row.class}` },
      geometry: { type: 'MultiPolygon', coordinates: polygons },
    })),
  });
  return await pool.run(
    'sheets',
    {
      document,
      rasters: [],
      vectors: [
        {
          source: { key: '', kind: 'vector' },
          features: new Uint8Array(Buffer.from(features)),
          style: styleOf(comparison),
        },
      ],
    },
    { affinity: comparison.a.dataset_id, signal, deadlineMs: drawMs },
  );
}

const outline = { colour: [90, 100, 96, 255], width: 0.6, dashes: [] } as const;

/** A rule for each class of differences. */
function styleOf({ classes }: RegisterComparison) {
  const compiled = compiledOf({
    title: '',
    rasters: [],
    leftOut: [],
    leftOutRules: {},
    rules: classes.map(({ color }, index) => ({
      title: '',
      filter: ['==', ['get', 'class'], `c${index}`],
      scales: [0, Infinity],
      signs: [{ kind: 'polygon', fill: parseCss(color), stroke: outline, size: 0, shape: '' }],
      layer: 0,
      number: index + 1,
    })),
  });
  return { key: 'registers', compiled: JSON.stringify(compiled) };
}

interface Placed extends Order {
  readonly denominator: number;
  readonly frame: Extent;
  readonly neighbours: readonly BorderedUnit[];
  /** True if units have their names on the map. */
  readonly isNamed: boolean;
}

function sheetPage(comparison: RegisterComparison, placed: Placed): SheetPage {
  const { language, frame, denominator, neighbours, address, asOf } = placed;
  const { a, b, by, classes, rows, total } = comparison;
  const unit = comparedUnitText(comparison, language);
  const say = (message: Message) => translate(message, language);
  const measured = (value: number) => formatNumber(value, language, 0) + (unit === '' ? '' : `\u00a0${unit}`);
  const namedLevel = placed.isNamed && (by === 'region' || by === 'district') ? by : undefined;
  const title = say(words.title);
  const page = pageOf(
    {
      language,
      facts: {
        datasetId: a.dataset_id,
        period: '',
        warning: placed.warning,
        sources: [],
        run: undefined,
        asOf,
      },
      title,
      legendTitle: say(words.inUnit(say(words.difference), unit)),
      legend: {
        kind: 'classes',
        entries: classes.map(({ label, color }) => ({
          label,
          colour: parseCss(color),
          sign: 'area',
          stroke: outline,
          range: undefined,
        })),
      },
      others: [],
      isRaster: false,
      figures: undefined,
      land: undefined,
      address,
    },
    {
      ...onAlbers,
      unit: undefined,
      frame,
      reach: frame,
      denominator,
      counted: undefined,
      hectaresOf: 'raster',
      neighbours: neighbours
        .filter(({ extent }) => extent !== undefined && meets(extent, frame))
        .map((each) => (each.level === namedLevel ? each : { ...each, name: '', name_kk: '', name_en: '' })),
      pageOf: undefined,
    },
  );
  const differences = rows.flatMap((row) =>
    row.difference === null ? [] : [{ name: unitName(row, language), difference: row.difference }],
  );
  const listed = differences.slice(0, mostListed);
  const greatest = Math.max(0, ...listed.map(({ difference }) => Math.abs(difference)));
  return {
    ...page,
    subtitle: say(words.comparison(sideLine(a, language), sideLine(b, language))),
    tables:
      listed.length === 0
        ? []
        : [
            {
              title: say(words.inUnit(say(words.largest), unit)),
              rows: listed.map(({ name, difference }) => ({
                period: name,
                value: signed(difference, language),
                part: greatest === 0 ? 0 : Math.abs(difference) / greatest,
              })),
            },
          ],
    notes: [
      ...(placed.warning === null ? [] : [`${placed.warning}.`]),
      `${say(words.inBoth(total.units))} ${a.name}: ${measured(total.a)}. ${b.name}: ${measured(total.b)}.`,
      ...(['a', 'b'] as const).flatMap((side) => {
        const only = comparison[`only_${side}`];
        return only.units === 0 ? [] : [say(words.onlyIn(side, only.units, measured(only.value)))];
      }),
      say(words.readingText),
    ],
    sourcesTitle: say(words.whole),
    sources: [
      ...(['a', 'b'] as const).map((side) => {
        const facts = comparison[side];
        const chosen = facts.classes === null ? [] : [classesText(facts, language)];
        return [
          `${say(words.sideOf(side))}: ${facts.name}`,
          periodText(facts, language),
          measureText(facts, language),
          ...chosen,
        ].join('; ');
      }),
      ...comparison.reasons.map(({ text }) => text),
    ],
    facts: (['a', 'b'] as const).map((side) => say(sheetWords.dataset(comparison[side].dataset_id))),
    date: say(sheetWords.asOf(formatDay(asOf, language))),
  };
}

function sideLine(facts: RegisterComparison['a'], language: Language): string {
  return facts.period === null ? facts.name : `${facts.name}, ${periodText(facts, language)}`;
}

/** Writes a difference with its sign. */
export function signed(difference: number, language: Language): string {
  const text = formatNumber(Math.abs(difference), language, Math.abs(difference) < 99.95 ? 1 : 0);
  return text === '0' ? text : `${difference < 0 ? '−' : '+'}${text}`;
}
