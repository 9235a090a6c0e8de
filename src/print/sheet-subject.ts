import { areasOf, type CountedAreas, ownAreasOf } from '../areas/area-counts.ts';
import type { PendingResult } from '../jobs/results.ts';
import { readPolygons } from '../areas/own-polygons.ts';
import type { Database } from '../database/tables/tables.ts';
import { findFile } from '../datasets/files.ts';
import type { CountedLand, ZonedRuns } from '../landscape/balance/zoned-runs.ts';
import { Problem } from '../lib/errors.ts';
import type { Extent } from '../../common/maps/paper/albers.ts';
import type { Legends } from '../maps/service/legends.ts';
import { countsOf, type MapRaster, type Maps } from '../maps/service/maps.ts';
import type { DrawingPool } from '../maps/service/pool.ts';
import { wordLegend } from '../maps/service/worded-legend.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import type { Language } from '../messages/languages/translate.ts';
import type { PaperMaps } from '../maps/paper/paper-maps.ts';
import { polygonOfFrame, type SheetSubject } from './sheet-content.ts';
import { readSheetFacts } from './sheet-facts.ts';

/** Dependencies for drawing sheets, in an api and in a worker. */
export interface SheetDependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly maps: Maps;
  readonly pool: DrawingPool;
  readonly legends: Legends;
  readonly zonedRuns: ZonedRuns;
  readonly paperMaps: PaperMaps;
}

/** The requested raster, run and language. */
export interface SubjectOrder {
  readonly datasetId: string;
  readonly runId: string | undefined;
  readonly language: Language;
  /** The URL of the sheet, for its QR code. */
  readonly address: string;
}

/** A raster with all facts of its sheets, before its land is read. */
export interface PreparedSubject {
  readonly raster: MapRaster;
  readonly counted: (CountedAreas & { readonly isPending: false }) | undefined;
  readonly land: CountedLand | undefined;
  readonly subject: Omit<SheetSubject, 'figures' | 'land'>;
  /** Equal parts give equal sheets for equal places. */
  readonly parts: readonly (string | null)[];
}

/**
 * Finds all facts that sheets of a raster need, and has its land counted if necessary.
 * @param frame the frame whose hectares are wanted; undefined for the administrative units
 * @throws {Problem} when it cannot be drawn
 */
export async function prepareSubject(
  { db, messageQueue, maps, legends, zonedRuns }: SheetDependencies,
  { datasetId, runId, language, address }: SubjectOrder,
  { frame, signal }: { readonly frame: Extent | undefined; readonly signal: AbortSignal },
): Promise<(PreparedSubject & { readonly isPending: false }) | PendingResult> {
  const raster = await maps.raster(datasetId, { signal });
  const cog = findFile(raster.files, 'cog') ?? raster.cogKey;
  const facts = await readSheetFacts(db, { datasetId, runId, language });
  const dependencies = { db, messageQueue };
  // A frame beyond the earth is refused for every raster.
  const polygons = frame && linesOf(frame);
  const counted = await orNone(async () =>
    polygons === undefined
      ? await areasOf(dependencies, { cogs: [cog] })
      : await ownAreasOf(dependencies, { cog, polygons }),
  );
  if (counted?.isPending === true) return counted;
  const { run } = facts;
  const land =
    run?.isZoning === true ? await orNone(async () => await zonedRuns.land(run.run.id, 'all')) : undefined;
  if (land?.isPending === true) return land;
  const source = await legends.modelOf(datasetId, language);
  const { title, unit } = source;
  const legend = wordLegend(source.model, language);
  const legendTitle = unit === null || unit === '' ? title : `${title}, ${unit}`;
  const subject = { language, facts, title, legendTitle, legend, address };
  const said = { ...facts, run: run && { ...run, run: run.run.id } };
  const parts = [
    raster.version,
    counted?.key ?? null,
    land?.key ?? null,
    JSON.stringify([said, title, legendTitle, legend, address]),
  ];
  return { isPending: false, raster, counted, land, subject, parts };
}

/**
 * Returns undefined for a raster without classes, which has no hectares, and for a run with pins, which has no cells: their sheets say so.
 */
async function orNone<T>(count: () => Promise<T>): Promise<T | undefined> {
  try {
    return await count();
  } catch (error) {
    if (error instanceof Problem && (error.code === 'invalid' || error.code === 'conflict')) return undefined;
    throw error;
  }
}

function linesOf(frame: Extent): string {
  return readPolygons({ type: 'Polygon', coordinates: polygonOfFrame(frame) }).lines;
}

/** Reads the counted figures of a prepared subject. */
export async function readSubject({ subject, counted, land }: PreparedSubject): Promise<SheetSubject> {
  return { ...subject, figures: await counted?.read(), land: await land?.read() };
}

/** Returns the raster in the form that drawing threads take. */
export function drawnRaster(raster: MapRaster) {
  const { cogKey, meshKey, style } = raster;
  return {
    cogKey,
    meshKey,
    style: style && { key: style.key, compiled: style.compiled },
    ...countsOf(raster),
  };
}
