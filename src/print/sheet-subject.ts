import { areasOf, type CountedAreas, ownAreasOf } from '../areas/area-counts.ts';
import type { PendingResult } from '../jobs/results.ts';
import { readPolygons } from '../areas/own-polygons.ts';
import type { Database } from '../database/tables/tables.ts';
import { findFile } from '../datasets/files.ts';
import type { CountedLand, ZonedRuns } from '../landscape/balance/zoned-runs.ts';
import { Problem } from '../lib/errors.ts';
import type { Extent, Polygons } from '../../common/maps/paper/albers.ts';
import type { OtherLegend } from '../../common/maps/paper/sheet-page.ts';
import type { Legends, LegendSource } from '../maps/service/legends.ts';
import { countsOf, type MapRaster, type Maps, type StyledDataset } from '../maps/service/maps.ts';
import type { DrawingPool } from '../maps/service/pool.ts';
import type { VectorMap, VectorMaps } from '../maps/service/vector-maps.ts';
import { wordLegend } from '../maps/service/worded-legend.ts';
import type { SheetRequest } from '../maps/thread/paper/sheets.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import type { Language } from '../messages/languages/translate.ts';
import { sheetProblems, vectorTileProblems } from '../messages/drawing/english.ts';
import { boxesOf } from '../standards/boxes.ts';
import { geometryJson } from '../geo/flatgeobuf/geometry.ts';
import type { FeatureFiles } from '../geo/flatgeobuf/open-file.ts';
import { readFeatures } from '../geo/flatgeobuf/read-features.ts';
import { MiB } from '../lib/units.ts';
import type { PaperMaps } from '../maps/paper/paper-maps.ts';
import { type OwnNames, renamed } from './annex.ts';
import type { SheetSubject } from './sheet-content.ts';
import { readSheetFacts } from './sheet-facts.ts';

/** Dependencies for drawing sheets, in an api and in a worker. */
export interface SheetDependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly maps: Maps;
  readonly vectorMaps: VectorMaps;
  readonly featureFiles: FeatureFiles;
  readonly pool: DrawingPool;
  readonly legends: Legends;
  readonly zonedRuns: ZonedRuns;
  readonly paperMaps: PaperMaps;
}

/** The requested layers, run and language. */
export interface SubjectOrder {
  readonly datasetId: string;
  /** Further datasets, over the first. */
  readonly layers: readonly string[];
  /** The client's names for classes and rules. */
  readonly names: OwnNames;
  readonly runId: string | undefined;
  readonly language: Language;
  /** The URL of the sheet, for its QR code. */
  readonly address: string;
}

/** A dataset that can be drawn on a sheet. */
export type SheetLayer =
  | { readonly kind: 'raster'; readonly dataset: MapRaster }
  | {
      readonly kind: 'vector';
      readonly dataset: StyledDataset;
      readonly map: VectorMap;
      /** The FlatGeobuf of a vector; null for a table by KATO, and before it is made. */
      readonly featuresKey: string | null;
    };

/** The layers of sheets with all their facts, before their land is read. */
export interface PreparedSubject {
  /** The first is that of the request. */
  readonly layers: readonly SheetLayer[];
  readonly counted: (CountedAreas & { readonly isPending: false }) | undefined;
  readonly land: CountedLand | undefined;
  readonly subject: Omit<SheetSubject, 'figures' | 'land'>;
  /** Equal parts give equal sheets for equal places. */
  readonly parts: readonly (string | null)[];
}

/** Reads a dataset as a layer of a sheet. @throws {Problem} when it cannot be drawn */
export async function readLayer(
  { maps, vectorMaps }: Pick<SheetDependencies, 'maps' | 'vectorMaps'>,
  datasetId: string,
  signal: AbortSignal,
): Promise<SheetLayer> {
  const dataset = await maps.dataset(datasetId);
  if (dataset.file_type === 'raster')
    return { kind: 'raster', dataset: await maps.raster(datasetId, { signal }) };
  const map = await vectorMaps.ofDataset(dataset);
  return { kind: 'vector', dataset, map, featuresKey: findFile(dataset.files, 'fgb') };
}

/**
 * Finds all facts that sheets need, and has the land of the first layer counted if necessary.
 * @param frame the frame whose hectares are wanted; undefined for the administrative units
 * @throws {Problem} when a layer cannot be drawn
 */
export async function prepareSubject(
  dependencies: SheetDependencies,
  { datasetId, layers: further, names, runId, language, address }: SubjectOrder,
  { frame, signal }: { readonly frame: Polygons[number] | undefined; readonly signal: AbortSignal },
): Promise<(PreparedSubject & { readonly isPending: false }) | PendingResult> {
  const { db, messageQueue, legends, zonedRuns } = dependencies;
  const ids = [datasetId, ...further];
  if (new Set(ids).size < ids.length) throw sheetProblems.repeatedLayer();
  const layers: SheetLayer[] = [];
  for (const id of ids) layers.push(await readLayer(dependencies, id, signal));
  const [main] = layers;
  const facts = await readSheetFacts(db, { datasetId, runId, language });
  // A frame beyond the earth is refused for every layer.
  const polygons = frame && readPolygons({ type: 'Polygon', coordinates: frame }).lines;
  const counted =
    main?.kind !== 'raster'
      ? undefined
      : await orNone(async () => {
          const cog = findFile(main.dataset.files, 'cog') ?? main.dataset.cogKey;
          return polygons === undefined
            ? await areasOf({ db, messageQueue }, { cogs: [cog] })
            : await ownAreasOf({ db, messageQueue }, { cog, polygons });
        });
  if (counted?.isPending === true) return counted;
  const { run } = facts;
  const land =
    run?.isZoning === true ? await orNone(async () => await zonedRuns.land(run.run.id, 'all')) : undefined;
  if (land?.isPending === true) return land;
  const worded: (OtherLegend & { readonly name: string })[] = [];
  for (const id of ids) worded.push(wordedOf(await legends.modelOf(id, language), language, names));
  const [own, ...others] = worded;
  if (own === undefined) throw new Error('a sheet has no layer');
  const sources = [...facts.sources];
  const warnings = [facts.warning];
  for (const id of further) {
    const other = await readSheetFacts(db, { datasetId: id, runId: undefined, language });
    for (const line of other.sources) if (!sources.includes(line)) sources.push(line);
    if (!warnings.includes(other.warning)) warnings.push(other.warning);
  }
  const warning = warnings.filter((text) => text !== null).join('. ') || null;
  const subject = {
    language,
    facts: { ...facts, sources, warning },
    title: own.name,
    legendTitle: own.title,
    legend: own.legend,
    others: others.map(({ title, legend }) => ({ title, legend })),
    isRaster: main?.kind === 'raster',
    address,
  };
  const said = { ...subject, facts: { ...facts, sources, warning, run: run && { ...run, run: run.run.id } } };
  const parts = [
    ...layers.map((layer) =>
      layer.kind === 'raster'
        ? layer.dataset.version
        : `${layer.map.version} ${layer.featuresKey} ${layer.dataset.sld_key}`,
    ),
    counted?.key ?? null,
    land?.key ?? null,
    JSON.stringify(said),
  ];
  return { isPending: false, layers, counted, land, subject, parts };
}

function wordedOf(source: LegendSource, language: Language, names: OwnNames) {
  const { title: name, unit, model } = source;
  const title = unit === null || unit === '' ? name : `${name}, ${unit}`;
  return { name, title, legend: renamed(wordLegend(model, language), names) };
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

/** Reads the counted figures of a prepared subject. */
export async function readSubject({ subject, counted, land }: PreparedSubject): Promise<SheetSubject> {
  return { ...subject, figures: await counted?.read(), land: await land?.read() };
}

/**
 * Returns the layers in the form that drawing threads take.
 * @param options.bounds in degrees: features beyond them are not read
 * @throws {Problem} `invalid` if a vector has too much within them
 */
export async function drawnLayers(
  { featureFiles }: Pick<SheetDependencies, 'featureFiles'>,
  layers: readonly SheetLayer[],
  { bounds, signal }: { readonly bounds: Extent | undefined; readonly signal: AbortSignal },
): Promise<Pick<SheetRequest, 'rasters' | 'vectors'>> {
  const styleOf = ({ style }: StyledDataset) => style && { key: style.key, compiled: style.compiled };
  const vectors: SheetRequest['vectors'][number][] = [];
  for (const layer of layers) {
    const source = layer.kind === 'vector' ? layer.map.layers[0] : undefined;
    if (layer.kind !== 'vector' || source === undefined) continue;
    const { featuresKey: key } = layer;
    const features =
      key === null ? undefined : await readShownFeatures(featureFiles, key, { bounds, signal });
    vectors.push({ source, features, style: styleOf(layer.dataset) });
  }
  return {
    rasters: layers.flatMap((layer) => {
      if (layer.kind !== 'raster') return [];
      const { cogKey, meshKey } = layer.dataset;
      return [{ cogKey, meshKey, style: styleOf(layer.dataset), ...countsOf(layer.dataset) }];
    }),
    vectors,
  };
}

/** Limit of the features of a vector on a sheet, as GeoJSON. */
const maxFeatureBytes = 32 * MiB;

/** Reads the features of a FlatGeobuf within bounds as GeoJSON. @throws {Problem} `invalid` if they are too large together */
async function readShownFeatures(
  files: FeatureFiles,
  key: string,
  { bounds, signal }: { readonly bounds: Extent | undefined; readonly signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  const file = await files.open(key);
  const names = file.columns.map(({ name }) => JSON.stringify(name));
  const texts: string[] = [];
  let length = 0;
  const tooLarge = () => vectorTileProblems.tooLarge(Math.ceil(length / MiB), maxFeatureBytes / MiB);
  const boxes =
    bounds === undefined
      ? undefined
      : boxesOf([
          Math.max(-180, bounds.left),
          Math.max(-90, bounds.bottom),
          Math.min(180, bounds.right),
          Math.min(90, bounds.top),
        ]);
  for (let from: number | undefined = 0; from !== undefined;) {
    signal.throwIfAborted();
    from = await readFeatures(files, file, {
      boxes,
      from,
      limit: Infinity,
      tooLarge,
      take: ({ geometry, values }) => {
        if (geometry === undefined) return true;
        const members = [...values].map(([column, json]) => `${names[column] ?? '""'}:${json}`);
        const shape = geometryJson(geometry, (lon, lat) => `[${lon},${lat}]`);
        const text = `{"type":"Feature","geometry":${shape},"properties":{${members.join(',')}}}`;
        length += text.length;
        texts.push(text);
        if (length > maxFeatureBytes) throw tooLarge();
        return true;
      },
    });
  }
  return new Uint8Array(Buffer.from(`{"type":"FeatureCollection","features":[${texts.join(',')}]}`));
}
