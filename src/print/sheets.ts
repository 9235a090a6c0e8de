import type { AreaFigures } from '../areas/area-counts.ts';
import { type ClassLand, classLandOf, type UnitLand, unitLand } from '../areas/by-unit.ts';
import type { PendingResult } from '../jobs/results.ts';
import { drawingProblems, sheetProblems } from '../messages/drawing/english.ts';
import { zoningWords } from '../messages/zoning/english.ts';
import type { UnitLevel } from '../../common/maps/units/levels.ts';
import {
  type Extent,
  extentOf,
  extentOfBox,
  type Polygons,
  toAlbers,
} from '../../common/maps/paper/albers.ts';
import {
  fittingScale,
  frameAround,
  frameMargins,
  metresPerPoint,
  type Orientation,
  orientations,
  type PaperSize,
  paperOf,
  paperSizes,
  roundScale,
} from '../../common/maps/paper/papers.ts';
import type { NomenclatureSheet } from '../../common/maps/paper/nomenclature.ts';
import {
  albers,
  boundsOfFrame,
  type Datum,
  openPlane,
  type Plane,
  planeOf,
} from '../../common/maps/paper/planes.ts';
import { frameOfSheet, placesOfRing } from '../../common/maps/paper/sheet-frame.ts';
import type { SheetAnnex, SheetDocument } from '../../common/maps/paper/sheet-page.ts';
import { pageOf, polygonOfFrame, type SheetPlace, wholeOf } from './sheet-content.ts';
import {
  drawnLayers,
  prepareSubject,
  readLayer,
  readSubject,
  type SheetDependencies,
  type SheetLayer,
  type SubjectOrder,
} from './sheet-subject.ts';
import type { BorderedUnit } from '../maps/paper/bordered-units.ts';

/** The smallest denominator of the scale. */
const leastScale = 1000;
/** Part of every ETag: raise it when the layout of equal content changes. */
export const sheetVersion = 4;
const centredScale = 1_000_000;
/** Timeout in milliseconds; A4 takes about a second, A1 eight times as long. */
const drawMs = { A4: 60_000, A3: 60_000, A2: 90_000, A1: 120_000 } as const;

export interface SheetPaper {
  readonly size: PaperSize;
  readonly orientation: Orientation;
  /** The denominator; undefined for the next round scale that fits. */
  readonly scale: number | undefined;
}

/** Borders that a sheet has: of one level, of regions and districts, or none; undefined for those of the level of the unit, or that suit the scale. */
export type BordersOrder = 'region' | 'district' | 'okrug' | 'all' | 'none' | undefined;

/**
 * The request for a sheet: it shows the sheet of the state map; without it the unit; without it the box; without it the surroundings of the
 * centre; otherwise the whole dataset.
 */
export interface SheetOrder extends SubjectOrder {
  /** Undefined parts are chosen: A4 in landscape, or for a sheet of the state map the smallest paper that fits. */
  readonly paper: {
    readonly size: PaperSize | undefined;
    readonly orientation: Orientation | undefined;
    readonly scale: number | undefined;
  };
  readonly nomenclature: { readonly sheet: NomenclatureSheet; readonly datum: Datum } | undefined;
  readonly borders: BordersOrder;
  readonly annex: SheetAnnex | undefined;
  readonly by: UnitLevel | undefined;
  readonly kato: string | undefined;
  /** West, south, east, north, degrees. */
  readonly bbox: readonly number[] | undefined;
  /** Longitude and latitude, degrees. */
  readonly center: readonly number[] | undefined;
}

/** A sheet that is ready to be drawn. */
export interface PreparedSheet {
  readonly isPending: false;
  readonly parts: readonly (string | number | null)[];
  /** Draws the PDF. @throws {Problem} when it cannot be drawn, or not at present. */
  draw(signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}

/** The paper of a sheet, and the part of the earth on it. */
interface PlacedSheet {
  readonly paper: SheetPaper;
  readonly plane: Plane;
  readonly frame: Extent;
  readonly reach: Extent;
  readonly denominator: number;
  readonly unit: (BorderedUnit & { readonly extent: Extent }) | undefined;
  /** Height that a sheet of the state map needs, in points; undefined for a map that fills its box. */
  readonly mapHeight: number | undefined;
  /** The polygon whose hectares are stated; undefined for those of the unit or of the whole dataset. */
  readonly polygon: Polygons[number] | undefined;
}

/** Finds the content of a sheet, and has its land counted. @throws {Problem} when there is nothing to draw. */
export async function prepareSheet(
  dependencies: SheetDependencies,
  order: SheetOrder,
  signal: AbortSignal,
): Promise<PreparedSheet | PendingResult> {
  const { pool } = dependencies;
  const placed = await placeSheet(dependencies, order, signal);
  const { paper, plane, frame, reach, denominator, unit, mapHeight, polygon } = placed;
  const prepared = await prepareSubject(dependencies, order, { frame: polygon, signal });
  if (prepared.isPending) return prepared;
  const bordered = await bordersFor(dependencies, order, placed);
  const document = async (): Promise<SheetDocument> => {
    const subject = await readSubject(prepared);
    const isFrame = polygon !== undefined;
    const place: SheetPlace = {
      unit,
      plane,
      sheet: order.nomenclature?.sheet,
      frame,
      reach,
      denominator,
      counted: subject.figures && countedOf(subject.figures, unit, isFrame),
      hectaresOf: unit === undefined ? (isFrame ? 'frame' : 'raster') : 'unit',
      ...bordered,
      annex: order.annex,
      tables: [],
      pageOf: undefined,
    };
    const page = pageOf(subject, place);
    return {
      title: page.title,
      size: paper.size,
      orientation: paper.orientation,
      mapHeight,
      index: undefined,
      pages: [page],
    };
  };
  const { nomenclature, borders, annex, kato } = order;
  return {
    isPending: false,
    parts: [
      sheetVersion,
      ...prepared.parts,
      JSON.stringify([
        paper,
        frame,
        denominator,
        plane,
        nomenclature,
        borders,
        annex,
        kato,
        polygon !== undefined,
      ]),
    ],
    draw: async (gone) =>
      await pool.run(
        'sheets',
        {
          ...(await drawnLayers(dependencies, prepared.layers, {
            bounds: boundsOfFrame(frame, openPlane(plane)),
            signal: gone,
          })),
          document: await document(),
        },
        {
          affinity: prepared.layers[0]?.dataset.id ?? '',
          signal: gone,
          deadlineMs: drawMs[paper.size],
        },
      ),
  };
}

async function placeSheet(
  dependencies: SheetDependencies,
  order: SheetOrder,
  signal: AbortSignal,
): Promise<PlacedSheet> {
  const { nomenclature, kato, by } = order;
  const layer = await readLayer(dependencies, order.datasetId, signal);
  if (nomenclature !== undefined) return placeNomenclature(order, nomenclature);
  const { size = 'A4', orientation = 'landscape', scale } = order.paper;
  const paper = { size, orientation, scale };
  const unit = kato === undefined ? undefined : await dependencies.paperMaps.unitOf(kato);
  if (kato !== undefined && by !== undefined && unit?.level !== by) throw zoningWords.noSuchUnit(kato);
  const isFrame = unit === undefined && (order.bbox ?? order.center) !== undefined;
  const wanted = unit?.extent ?? wantedExtent(order) ?? (await wholeExtent(dependencies, layer));
  if (wanted === undefined)
    throw layer.kind === 'raster' ? drawingProblems.noPlace() : sheetProblems.noGeometry();
  const fitted = isFrame && order.bbox === undefined ? (scale ?? centredScale) : scale;
  const { frame, denominator } = placeOn(paper, wanted, fitted);
  const polygon = isFrame ? polygonOfFrame(frame) : undefined;
  return { paper, plane: albers, frame, reach: frame, denominator, unit, mapHeight: undefined, polygon };
}

/** Places a sheet of the state map on the smallest paper on which it has its scale, or at a smaller scale on the paper of the request. */
function placeNomenclature(
  { paper: { size, orientation, scale } }: Pick<SheetOrder, 'paper'>,
  { sheet, datum }: NonNullable<SheetOrder['nomenclature']>,
): PlacedSheet {
  const plane = planeOf(sheet, datum);
  const opened = openPlane(plane);
  const { extent, ring } = frameOfSheet(sheet, opened);
  /** The least denominator at which the sheet fits on a paper. */
  const leastOn = (each: Omit<SheetPaper, 'scale'>) => {
    const { map } = paperOf(each.size, each.orientation);
    const [width, height] = [map.width - 2 * frameMargins.inMap, map.height - 2 * frameMargins.inMap];
    return (
      Math.max((extent.right - extent.left) / width, (extent.top - extent.bottom) / height) / metresPerPoint
    );
  };
  const papers = paperSizes
    .filter((each) => size === undefined || each === size)
    .flatMap((each) =>
      orientations
        .filter((turned) => orientation === undefined || turned === orientation)
        .map((turned) => ({ size: each, orientation: turned })),
    );
  const wanted = scale ?? sheet.scale;
  const fits = papers.filter((each) => leastOn(each) <= wanted);
  // Of two orientations, the one that leaves less paper empty.
  const fitting = fits
    .filter((each) => each.size === fits[0]?.size)
    .toSorted((one, other) => leastOn(other) - leastOn(one))[0];
  const largest = papers.reduce(
    (one, other) => (leastOn(other) < leastOn(one) ? other : one),
    papers[0] ?? portraitA4,
  );
  const chosen = fitting ?? largest;
  if (fitting === undefined && scale !== undefined)
    throw sheetProblems.doesNotFit(sheet.name, Math.ceil(leastOn(largest)));
  const denominator = fitting === undefined ? roundScale(leastOn(chosen)) : wanted;
  const mapHeight = (extent.top - extent.bottom) / (metresPerPoint * denominator) + 2 * frameMargins.inMap;
  const { map } = paperOf(chosen.size, chosen.orientation, mapHeight);
  const places = placesOfRing(ring, opened);
  const reach = extentOf(places.map(([lon, lat]) => toAlbers(lon, lat))) ?? extent;
  return {
    paper: { ...chosen, scale },
    plane,
    frame: frameAround(extent, map, denominator),
    reach,
    denominator,
    unit: undefined,
    mapHeight,
    polygon: [places],
  };
}

const portraitA4 = { size: 'A4', orientation: 'portrait' } as const;

/** Reads the units whose borders a sheet has, and which of them have names on it. */
async function bordersFor(
  { paperMaps }: SheetDependencies,
  { borders }: SheetOrder,
  { unit, denominator }: PlacedSheet,
): Promise<Pick<SheetPlace, 'neighbours' | 'namedLevel' | 'hasChosenBorders'>> {
  const usual = unit?.level ?? levelAt(denominator);
  if (borders === undefined)
    return { neighbours: await paperMaps.unitsOf(usual), namedLevel: usual, hasChosenBorders: false };
  const both: readonly UnitLevel[] = ['region', 'district'];
  const levels = borders === 'all' ? both : borders === 'none' ? [] : [borders];
  const units = await Promise.all(levels.map(async (level) => await paperMaps.unitsOf(level)));
  const namedLevel = levels.includes(usual) ? usual : (levels[0] ?? usual);
  return { neighbours: units.flat(), namedLevel, hasChosenBorders: levels.length > 0 };
}

/** Returns the extent of a whole dataset. */
async function wholeExtent(
  { vectorMaps }: SheetDependencies,
  layer: SheetLayer,
): Promise<Extent | undefined> {
  const { bbox } = layer.dataset;
  if (bbox !== null || layer.kind === 'raster') return extentOfBox(bbox ?? []);
  return extentOfBox((await vectorMaps.factsOf(layer.map)).bounds ?? []);
}

function wantedExtent({ bbox, center }: SheetOrder): Extent | undefined {
  if (bbox !== undefined) {
    const [a = 0, b = 0, c = 0, d = 0] = bbox;
    return extentOfBox([Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]);
  }
  if (center === undefined) return undefined;
  const [x, y] = toAlbers(center[0] ?? 0, Math.max(-89, Math.min(89, center[1] ?? 0)));
  return { left: x, right: x, bottom: y, top: y };
}

/** Computes scale and frame of a map. @param scale the denominator; undefined for the next round scale that fits */
export function placeOn({ size, orientation }: SheetPaper, extent: Extent, scale: number | undefined) {
  const { map } = paperOf(size, orientation);
  const denominator = scale ?? Math.max(leastScale, roundScale(fittingScale(extent, map)));
  const frame = frameAround(extent, map, denominator);
  return { denominator, frame, reach: frame };
}

/** Maps that show less than a region label districts. */
const levelAt = (denominator: number) => (denominator <= 2_000_000 ? 'district' : 'region');

/** Returns the counted land of a unit, of the frame or of the whole raster. */
export function countedOf(
  figures: AreaFigures,
  unit: Pick<BorderedUnit, 'kato'> | undefined,
  isFrame: boolean,
): UnitLand<ClassLand> | undefined {
  const { units } = figures;
  const landOf = classLandOf(figures);
  if (unit === undefined && !isFrame) return wholeOf(figures);
  const own =
    unit === undefined ? units.find(({ set }) => set !== 'union') : units.find(({ id }) => id === unit.kato);
  return own && unitLand(own, landOf);
}
