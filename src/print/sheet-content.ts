import type { AreaFigures } from '../areas/area-counts.ts';
import type { ClassLand, UnitLand } from '../areas/by-unit.ts';
import { orderShareOf } from '../landscape/balance/balance.ts';
import type { CellTable } from '../landscape/balance/land.ts';
import type { Message } from '../lib/message.ts';
import { type Extent, extentOf, type Polygons, ringOfExtent } from '../../common/maps/paper/albers.ts';
import { formatDay } from '../../common/formats/days.ts';
import { formatNumber } from '../../common/formats/numbers.ts';
import type { WordedLegend } from '../../common/maps/legend/model.ts';
import type { SheetPage } from '../../common/maps/paper/sheet-page.ts';
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
  /** Undefined for a raster without classes. */
  readonly figures: AreaFigures | undefined;
  /** The land of the run; undefined when its zones do not follow from cells. */
  readonly land: CellTable | undefined;
  readonly address: string;
}

/** The area that a page shows. */
export interface SheetPlace {
  readonly unit: BorderedUnit | undefined;
  readonly frame: Extent;
  readonly denominator: number;
  /** Undefined for a raster without classes. */
  readonly counted: UnitLand<ClassLand> | undefined;
  readonly hectaresOf: 'unit' | 'frame' | 'raster';
  readonly neighbours: readonly BorderedUnit[];
  readonly pageOf: readonly [page: number, pages: number] | undefined;
}

/** Composes the content of a page. */
export function pageOf(subject: SheetSubject, place: SheetPlace): SheetPage {
  const { language, facts, title, legendTitle, address } = subject;
  const { unit, frame, denominator, neighbours } = place;
  const { run } = facts;
  const say = (message: Message) => translate(message, language);
  const ownName = unit === undefined ? '' : unitName(unit, language);
  const code = unit === undefined ? '' : `${say(sheetWords.kato)} ${unit.kato}`;
  const subtitle = [run?.name ?? '', facts.period, code].filter((text) => text !== '').join(' · ');
  const state = run === undefined ? [] : [say(sheetWords.state(say(sheetWords[run.state])))];
  const page = place.pageOf === undefined ? [] : [say(sheetWords.sheet(...place.pageOf))];
  const basis = run?.basis ? [say(sheetWords.basis(run.basis))] : [];
  return {
    denominator,
    frame,
    unit: unit?.polygons,
    neighbours: neighbours
      .filter((each) => each.kato !== unit?.kato && each.extent !== undefined && meets(each.extent, frame))
      .map((each) => ({ name: unitName(each, language), polygons: each.polygons })),
    title: ownName === '' ? title : `${ownName} · ${title}`,
    subtitle,
    headRight: [...page, ...state, ...basis],
    legendTitle,
    legend: legendOf(subject, place, ownName),
    notes: notesOf(subject, place),
    sourcesTitle: say(sheetWords.sources),
    sources: facts.sources,
    facts: [
      ...(run === undefined ? [] : [say(sheetWords.run(run.run.id))]),
      say(sheetWords.dataset(facts.datasetId)),
    ],
    watermark: watermarkOf(run?.state, say),
    scale: say(sheetWords.scale(formatNumber(denominator, language))),
    projection: say(sheetWords.projection),
    north: say(sheetWords.north),
    units: { kilometre: say(sheetWords.kilometre), metre: say(sheetWords.metre) },
    address,
    date: say(sheetWords.asOf(formatDay(facts.asOf, language))),
  };
}

function watermarkOf(
  state: NonNullable<SheetFacts['run']>['state'] | undefined,
  say: (message: Message) => string,
) {
  if (state === undefined || state === 'adopted') return undefined;
  return say(state === 'withdrawn' ? sheetWords.withdrawnMark : sheetWords.draftMark);
}

function legendOf(
  { legend, language }: SheetSubject,
  { counted, hectaresOf }: SheetPlace,
  ownName: string,
): SheetPage['legend'] {
  if (legend.kind !== 'classes') return legend;
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
  return legendWithHectares(legend.entries, counted, { of: translate(of, language), language });
}

function notesOf(subject: SheetSubject, { unit, frame, counted }: SheetPlace): readonly string[] {
  const { facts, land, language } = subject;
  const say = (message: Message) => translate(message, language);
  const isCut = unit?.extent !== undefined && !isInside(unit.extent, frame);
  return [
    ...(facts.run?.isZoning === true ? [contestedNote(land, unit, language)] : []),
    ...(isCut ? [say(sheetWords.cut)] : []),
    say(counted === undefined ? sheetWords.noHectares : sheetWords.mapped),
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
