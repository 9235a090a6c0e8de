import type { AreaFigures } from '../areas/area-counts.ts';
import { type ClassLand, classLandOf, type UnitLand, wholeLand } from '../areas/by-unit.ts';
import { orderShareOf } from '../landscape/balance/balance.ts';
import type { CellTable } from '../landscape/balance/land.ts';
import type { Message } from '../lib/message.ts';
import { type Extent, extentOf, type Polygons, ringOfExtent } from '../../common/maps/paper/albers.ts';
import { formatDay } from '../../common/formats/days.ts';
import { formatNumber } from '../../common/formats/numbers.ts';
import type { WordedLegend } from '../../common/maps/legend/model.ts';
import { centralMeridianOf } from '../../common/maps/paper/gauss-krueger.ts';
import type { NomenclatureSheet } from '../../common/maps/paper/nomenclature.ts';
import { albers, operations, type Plane } from '../../common/maps/paper/planes.ts';
import { kilometresOf } from '../../common/maps/paper/sheet-frame.ts';
import type {
  BorderLine,
  OtherLegend,
  SheetAnnex,
  UnitTable,
  SheetPage,
} from '../../common/maps/paper/sheet-page.ts';
import { type UnitLevel, unitLevels } from '../../common/maps/units/levels.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { unitName } from '../messages/languages/unit-name.ts';
import { sheetProblems, sheetWords } from '../messages/drawing/english.ts';
import type { SheetFacts } from './sheet-facts.ts';
import { legendWithHectares } from './sheet-areas.ts';
import { type BorderedUnit, meets } from '../maps/paper/bordered-units.ts';

/** The content that all pages of a document share. */
export interface SheetSubject {
  readonly language: Language;
  readonly facts: SheetFacts;
  readonly title: string;
  readonly legendTitle: string;
  readonly legend: WordedLegend;
  /** Those of further layers. */
  readonly others: readonly OtherLegend[];
  readonly isRaster: boolean;
  /** Undefined for a raster without classes. */
  readonly figures: AreaFigures | undefined;
  /** The land of the run; undefined when its zones do not follow from cells. */
  readonly land: CellTable | undefined;
  readonly address: string;
}

/** The area that a page shows. */
export interface SheetPlace {
  readonly unit: BorderedUnit | undefined;
  readonly plane: Plane;
  /** The sheet of the state map that the page is. */
  readonly sheet: NomenclatureSheet | undefined;
  /** In the plane. */
  readonly frame: Extent;
  /** The map in the plane of Albers. */
  readonly reach: Extent;
  readonly denominator: number;
  /** Undefined for a raster without classes. */
  readonly counted: UnitLand<ClassLand> | undefined;
  readonly hectaresOf: 'unit' | 'frame' | 'raster';
  readonly neighbours: readonly BorderedUnit[];
  /** The level whose units have their names on the map. */
  readonly namedLevel: UnitLevel | undefined;
  /** True if the client chose the levels, which the legend then explains. */
  readonly hasChosenBorders: boolean;
  readonly annex: SheetAnnex | undefined;
  /** Values of the unit in tables by KATO. */
  readonly tables: readonly UnitTable[];
  readonly pageOf: readonly [page: number, pages: number] | undefined;
}

/** Composes the content of a page. */
export function pageOf(subject: SheetSubject, place: SheetPlace): SheetPage {
  const { language, facts, title, legendTitle, address } = subject;
  const { unit, frame, plane, sheet, reach, denominator, neighbours } = place;
  const { run } = facts;
  const say = (message: Message) => translate(message, language);
  const ownName = unit === undefined ? '' : unitName(unit, language);
  const code = unit === undefined ? '' : `${say(sheetWords.kato)} ${unit.kato}`;
  const subtitle = [run?.name ?? '', facts.period, code].filter((text) => text !== '').join(' · ');
  const state = run === undefined ? [] : [say(sheetWords.state(say(sheetWords[run.state])))];
  const page = place.pageOf === undefined ? [] : [say(sheetWords.sheet(...place.pageOf))];
  const basis = run?.basis ? [say(sheetWords.basis(run.basis))] : [];
  /** The lines of a decision take the place of state and basis. */
  const hasHead = (place.annex?.lines.length ?? 0) > 0;
  const lead = sheet?.name ?? ownName;
  const datum = sheet === undefined ? '' : datumOf(plane, language);
  return {
    denominator,
    plane,
    sheet,
    frame,
    unit: unit?.polygons,
    hasNamesInUnit: unit !== undefined && isBelow(place.namedLevel ?? unit.level, unit.level),
    neighbours: neighbours
      .filter((each) => each.kato !== unit?.kato && each.extent !== undefined && meets(each.extent, reach))
      .map((each) => ({
        name: (place.namedLevel ?? each.level) === each.level ? unitName(each, language) : '',
        level: each.level,
        polygons: each.polygons,
      })),
    borders: place.hasChosenBorders ? chosenBorders : plainBorders,
    title: lead === '' ? title : `${lead} · ${title}`,
    subtitle: [datum, subtitle].filter((text) => text !== '').join(' · '),
    annex: place.annex,
    tables: place.tables,
    headRight: hasHead ? page : [...page, ...state, ...basis],
    legendTitle,
    others: [...subject.others, ...bordersLegend(place, say)],
    legend: legendOf(subject, place, ownName),
    notes: notesOf(subject, place),
    sourcesTitle: say(sheetWords.sources),
    sources: facts.sources,
    facts: [
      ...(hasHead ? [...state, ...basis] : []),
      ...(run === undefined ? [] : [say(sheetWords.run(run.run.id))]),
      say(sheetWords.dataset(facts.datasetId)),
    ],
    watermark: watermarkOf(facts, say),
    scale: scaleOf(place, language),
    projection: projectionOf(plane, language),
    north: say(sheetWords.north),
    units: { kilometre: say(sheetWords.kilometre), metre: say(sheetWords.metre) },
    address,
    date: say(sheetWords.asOf(formatDay(facts.asOf, language))),
  };
}

/** Returns true for a level of smaller units than those of another. */
function isBelow(level: UnitLevel, other: UnitLevel): boolean {
  return unitLevels.indexOf(level) > unitLevels.indexOf(other);
}

/** A place on Albers with the borders and names that sheets have by default. */
export const onAlbers = {
  plane: albers,
  sheet: undefined,
  namedLevel: undefined,
  hasChosenBorders: false,
  annex: undefined,
  tables: [],
} as const;

const plainLine: BorderLine = { colour: 'rgba(60, 72, 66, 0.6)', width: 0.5, dashes: [] };
const plainBorders = {
  republic: plainLine,
  region: plainLine,
  district: plainLine,
  okrug: plainLine,
  settlement: plainLine,
};
const pixel = (0.28 / 25.4) * 72;
const regionLine = { colour: '#5b2a86', width: 1.4, dashes: [9, 2.5, 1.6, 2.5], hasHalo: true };
const okrugLine = { colour: '#5b2a86', width: 0.5, dashes: [2, 1.6], hasHalo: true };
const chosenBorders = {
  republic: regionLine,
  region: regionLine,
  district: { colour: '#5b2a86', width: 0.8, dashes: [5, 2.2], hasHalo: true },
  okrug: okrugLine,
  settlement: okrugLine,
} as const satisfies Record<string, BorderLine>;

/** Explains the borders that the client chose. */
function bordersLegend(
  { neighbours, hasChosenBorders }: SheetPlace,
  say: (message: Message) => string,
): readonly OtherLegend[] {
  if (!hasChosenBorders || neighbours.length === 0) return [];
  const words = {
    region: sheetWords.regionBorder,
    district: sheetWords.districtBorder,
    okrug: sheetWords.okrugBorder,
  };
  const entries = (['region', 'district', 'okrug'] as const)
    .filter((level) => neighbours.some((each) => each.level === level))
    .map((level) => {
      const { width, dashes } = chosenBorders[level];
      const colour = [91, 42, 134, 255] as const;
      const stroke = { colour, width: width / pixel, dashes: dashes.map((dash) => dash / pixel) };
      return { label: say(words[level]), colour, sign: 'line' as const, stroke, range: undefined };
    });
  return [{ title: say(sheetWords.borders), legend: { kind: 'classes', entries } }];
}

/** Returns the name of the datum of a sheet of the state map. */
function datumOf(plane: Plane, language: Language): string {
  const isSk42 = plane.kind === 'gauss-krueger' && plane.datum === 'sk-42';
  return isSk42 ? translate(sheetWords.datumSk42, language) : 'QazTRF-23';
}

function projectionOf(plane: Plane, language: Language): string {
  const say = (message: Message) => translate(message, language);
  if (plane.kind === 'albers') return say(sheetWords.projection);
  const datum =
    plane.datum === 'qaztrf-23'
      ? sheetWords.qaztrf
      : sheetWords.sk42(
          operations[plane.operation].code,
          formatNumber(operations[plane.operation].accuracy, language),
        );
  return say(sheetWords.gaussKrueger(plane.zone, centralMeridianOf(plane.zone), say(datum)));
}

/** Writes the scale; of a sheet of the state map, also what a centimetre is, or from which scale it was reduced. */
function scaleOf({ sheet, denominator }: SheetPlace, language: Language): string {
  const say = (message: Message) => translate(message, language);
  const scale = say(sheetWords.scale(formatNumber(denominator, language)));
  if (sheet === undefined) return scale;
  if (sheet.scale !== denominator) return say(sheetWords.reduced(scale, formatNumber(sheet.scale, language)));
  const isLong = denominator >= 100_000;
  const length = formatNumber(denominator / (isLong ? 100_000 : 100), language);
  return say(
    sheetWords.ownScale(scale, `${length}\u00a0${say(isLong ? sheetWords.kilometre : sheetWords.metre)}`),
  );
}

function watermarkOf({ run, warning }: SheetFacts, say: (message: Message) => string): string | undefined {
  const state = run?.state ?? 'adopted';
  const marks = [
    ...(state === 'adopted'
      ? []
      : [say(state === 'withdrawn' ? sheetWords.withdrawnMark : sheetWords.draftMark)]),
    ...(warning === null ? [] : [say(sheetWords.inventedMark)]),
  ];
  return marks.length === 0 ? undefined : marks.join(' · ');
}

/** Returns the counted land of the whole dataset. */
export function wholeOf(figures: AreaFigures): UnitLand<ClassLand> {
  return { ...wholeLand(figures.raster, classLandOf(figures)), outside_raster_ha: 0 };
}

function legendOf(
  { legend, language, isRaster, figures }: SheetSubject,
  { counted, hectaresOf, pageOf: page }: SheetPlace,
  ownName: string,
): SheetPage['legend'] {
  if (legend.kind !== 'classes' || !isRaster) return legend;
  const of = {
    unit: sheetWords.ofUnit(ownName),
    frame: sheetWords.ofFrame,
    raster: sheetWords.ofRaster,
  }[hectaresOf];
  if (counted === undefined) {
    const rows = legend.entries.map(({ colour: [red, green, blue, opacity], label }) => ({
      colour: [red, green, blue, opacity] as const,
      label,
      hectares: '',
      share: '',
    }));
    const total = { label: '', hectares: '', share: '' };
    return { title: '', of: '', columns: { hectares: '', share: '' }, rows, total };
  }
  const all = page !== undefined && figures !== undefined ? wholeOf(figures) : undefined;
  return legendWithHectares(legend.entries, counted, { of: translate(of, language), language, all });
}

function notesOf(
  subject: SheetSubject,
  { unit, sheet, reach, counted, pageOf: page }: SheetPlace,
): readonly string[] {
  const { facts, land, language } = subject;
  const say = (message: Message) => translate(message, language);
  const isCut = unit?.extent !== undefined && !isInside(unit.extent, reach);
  return [
    ...(facts.warning === null ? [] : [`${facts.warning}.`]),
    ...(facts.run?.isZoning === true ? [contestedNote(land, unit, language)] : []),
    ...(isCut ? [say(sheetWords.cut)] : []),
    ...(page === undefined || counted === undefined ? [] : [say(sheetWords.bars)]),
    ...(sheet === undefined ? [] : [say(sheetWords.grid(kilometresOf(sheet.scale)))]),
    say(
      subject.isRaster
        ? counted === undefined
          ? sheetWords.noHectares
          : sheetWords.mapped
        : sheetWords.noHectaresOfVectors,
    ),
  ];
}

function contestedNote(
  land: CellTable | undefined,
  unit: BorderedUnit | undefined,
  language: Language,
): string {
  const own = unit && land?.units.find((each) => each.unit.kato === unit.kato);
  const table = land === undefined ? undefined : { ...land, raster: own ?? land.raster };
  const sentence = table === undefined ? null : orderShareOf(table, language).sentence;
  if (sentence === null) return translate(sheetWords.contestedUnknown, language);
  return translate(own === undefined ? sheetWords.inRun(sentence) : sheetWords.inUnit(sentence), language);
}

function isInside(inner: Extent, outer: Extent): boolean {
  return (
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.bottom >= outer.bottom &&
    inner.top <= outer.top
  );
}

/** Returns a frame as a polygon in longitude and latitude. @throws {Problem} when it extends beyond the earth. */
export function polygonOfFrame(frame: Extent): Polygons[number] {
  const ring = ringOfExtent(frame);
  const extent = extentOf(ring);
  if (extent === undefined || extent.left < -180 || extent.right > 180) throw sheetProblems.beyondEarth();
  return [ring];
}
