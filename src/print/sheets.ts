import type { AreaFigures } from '../areas/area-counts.ts';
import { type ClassLand, classLandOf, type UnitLand, unitLand, wholeLand } from '../areas/by-unit.ts';
import type { PendingResult } from '../jobs/results.ts';
import { drawingProblems } from '../messages/drawing/english.ts';
import { zoningWords } from '../messages/zoning/english.ts';
import type { UnitLevel } from '../../common/maps/units/levels.ts';
import { type Extent, extentOfBox, toAlbers } from '../../common/maps/paper/albers.ts';
import {
  fittingScale,
  frameAround,
  type Orientation,
  type PaperSize,
  paperOf,
  roundScale,
} from '../../common/maps/paper/papers.ts';
import type { SheetDocument } from '../../common/maps/paper/sheet-page.ts';
import { pageOf, type SheetPlace } from './sheet-content.ts';
import {
  drawnRaster,
  prepareSubject,
  readSubject,
  type SheetDependencies,
  type SubjectOrder,
} from './sheet-subject.ts';
import type { BorderedUnit } from '../maps/paper/bordered-units.ts';

/** The smallest denominator of the scale. */
const leastScale = 1000;
/** Part of every ETag: raise it when the layout of equal content changes. */
export const sheetVersion = 2;
const centredScale = 1_000_000;
/** Timeout in milliseconds; one page takes about a second. */
const drawMs = 60_000;

export interface SheetPaper {
  readonly size: PaperSize;
  readonly orientation: Orientation;
  /** The denominator; undefined for the next round scale that fits. */
  readonly scale: number | undefined;
}

/**
 * The request for a sheet: it shows the unit; without it the box; without it the surroundings of the centre; otherwise the whole raster.
 */
export interface SheetOrder extends SubjectOrder {
  readonly paper: SheetPaper;
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

/** Finds the content of a sheet, and has its land counted. @throws {Problem} when there is nothing to draw. */
export async function prepareSheet(
  dependencies: SheetDependencies,
  order: SheetOrder,
  signal: AbortSignal,
): Promise<PreparedSheet | PendingResult> {
  const { paperMaps, maps, pool } = dependencies;
  const { kato, by, paper } = order;
  const raster = await maps.raster(order.datasetId, { signal });
  const unit = kato === undefined ? undefined : await paperMaps.unitOf(kato);
  if (kato !== undefined && by !== undefined && unit?.level !== by) throw zoningWords.noSuchUnit(kato);
  const isFrame = unit === undefined && (order.bbox ?? order.center) !== undefined;
  const wanted = unit?.extent ?? wantedExtent(order) ?? extentOfBox(raster.bbox ?? []);
  if (wanted === undefined) throw drawingProblems.noPlace();
  const fitted = isFrame && order.bbox === undefined ? (paper.scale ?? centredScale) : paper.scale;
  const { frame, denominator } = placeOn(paper, wanted, fitted);
  const prepared = await prepareSubject(dependencies, order, { frame: isFrame ? frame : undefined, signal });
  if (prepared.isPending) return prepared;
  const neighbours = await paperMaps.unitsOf(unit?.level ?? levelAt(denominator));
  const document = async (): Promise<SheetDocument> => {
    const subject = await readSubject(prepared);
    const counted = subject.figures && countedOf(subject.figures, unit, isFrame);
    const hectaresOf = unit === undefined ? (isFrame ? 'frame' : 'raster') : 'unit';
    const place: SheetPlace = {
      unit,
      frame,
      denominator,
      counted,
      hectaresOf,
      neighbours,
      pageOf: undefined,
    };
    const page = pageOf(subject, place);
    return {
      title: page.title,
      size: paper.size,
      orientation: paper.orientation,
      index: undefined,
      pages: [page],
    };
  };
  return {
    isPending: false,
    parts: [sheetVersion, ...prepared.parts, JSON.stringify([paper, frame, kato ?? null, isFrame])],
    draw: async (gone) =>
      await pool.run(
        'sheets',
        { raster: drawnRaster(prepared.raster), document: await document() },
        { affinity: prepared.raster.cogKey, signal: gone, deadlineMs: drawMs },
      ),
  };
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
  return { denominator, frame: frameAround(extent, map, denominator) };
}

/** Maps that show less than a region label districts. */
const levelAt = (denominator: number) => (denominator <= 2_000_000 ? 'district' : 'region');

/** Returns the counted land of a unit, of the frame or of the whole raster. */
export function countedOf(
  figures: AreaFigures,
  unit: Pick<BorderedUnit, 'kato'> | undefined,
  isFrame: boolean,
): UnitLand<ClassLand> | undefined {
  const { units, raster } = figures;
  const landOf = classLandOf(figures);
  if (unit === undefined && !isFrame) return { ...wholeLand(raster, landOf), outside_raster_ha: 0 };
  const own =
    unit === undefined ? units.find(({ set }) => set !== 'union') : units.find(({ id }) => id === unit.kato);
  return own && unitLand(own, landOf);
}
