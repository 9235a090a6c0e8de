import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import { Problem } from '../../lib/errors.ts';
import { createCache } from '../../../common/cache.ts';
import type { Listener } from '../../database/listener.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { RecentDataset, RecentDatasets } from '../../datasets/recent-datasets.ts';
import { ObjectMissing } from '../../object-store/object-store.ts';
import type { DrawingPool } from './pool.ts';
import type { Zooms, Tile } from '../../../common/maps/raster/web-mercator.ts';
import type { LegendModel } from '../../../common/maps/legend/model.ts';
import type { FindMapWords } from './map-words.ts';
import { type RasterView, readRaster, viewOf, type ViewWait, createDrawnGroups } from './drawn-datasets.ts';
import type { CompiledStyle } from '../../../common/maps/style/compiled-style.ts';

/** A dataset with its effective style. */
export interface StyledDataset extends RecentDataset {
  readonly style: MapStyle | undefined;
}

/** A raster that can be drawn on a map. */
export interface MapRaster extends StyledDataset, RasterView {
  /** Identifies everything that its pictures depend on; it changes with the data, the style and the way of drawing. */
  readonly version: string;
}

interface MapOptions {
  readonly db: Database;
  readonly listener: Listener;
  readonly datasets: RecentDatasets;
  readonly pool: DrawingPool;
  readonly styles: MapStyles;
  readonly log: Pick<Logger, 'error'>;
  readonly findWords: FindMapWords;
  /** Returns the key of the current series of a table by KATO. @throws {Problem} */
  readonly seriesKeyOf: (datasetId: string) => Promise<string>;
}

const maxZooms = 1000;
const maxLegends = 200;
const maxToldOf = 10_000;

export type Maps = ReturnType<typeof createMaps>;

/** Creates the renderer of maps of datasets and groups, for one process. */
export function createMaps({
  db,
  listener,
  datasets,
  pool,
  styles,
  findWords,
  seriesKeyOf,
  log,
}: MapOptions) {
  const groups = createDrawnGroups({ db, listener });
  const zooms = createCache<Zooms>({ max: maxZooms });

  const legends = createCache<LegendModel>({ max: maxLegends });

  const readZooms = async ({ meshKey }: RasterView): Promise<Zooms> =>
    await zooms.get(meshKey, async () => await pool.run('raster-zooms', { meshKey }, { affinity: meshKey }));

  const toldOf = new Set<string>();
  /** Logs a damaged raster once, however many of its tiles are requested. */
  function tellOf(error: unknown, { id, cogKey }: MapRaster): void {
    if (!(error instanceof Problem && error.code === 'broken') || toldOf.has(cogKey)) return;
    if (toldOf.size >= maxToldOf) toldOf.clear();
    toldOf.add(cogKey);
    log.error({ datasetId: id, key: cogKey, err: error }, 'a raster is damaged');
  }

  /** Adds the style to a dataset, which is read again if its style is replaced in between. */
  async function withStyle<T extends RecentDataset>(read: () => Promise<T>): Promise<T & StyledDataset> {
    let last: string | null = null;
    for (;;) {
      const dataset = await read();
      try {
        return {
          ...dataset,
          style: dataset.sld_key === null ? undefined : await styles.read(dataset.sld_key),
        };
      } catch (error) {
        if (!(error instanceof ObjectMissing) || dataset.sld_key === last) throw error;
        last = dataset.sld_key;
        datasets.forget(dataset.id);
      }
    }
  }

  const styleOf = ({ style }: StyledDataset) => style && { key: style.key, compiled: style.compiled };

  return {
    /** Returns a dataset of any type. @throws {Problem} `not_found` */
    dataset: async (id: string): Promise<StyledDataset> =>
      await withStyle(async () => await datasets.read(id)),

    /**
     * Returns a raster, optionally waiting for seconds while it is prepared.
     * @throws {Problem} if it cannot be drawn.
     */
    async raster(id: string, wait: ViewWait): Promise<MapRaster> {
      const raster = await withStyle(async () => await readRaster(datasets, id, wait));
      const { cogKey, meshKey, sld_key: sldKey } = raster;
      return { ...raster, version: versionOf([cogKey, meshKey, sldKey, countsVersionOf(raster)]) };
    },

    findWords,
    /** Reads the raster that a map of a group shows. @throws {Problem} `not_found` */
    ofMember: groups.ofMember,
    /** Lists the days for which a group has a raster. */
    datesOf: groups.datesOf,
    /** Returns the useful zooms of a raster. @throws {Problem} */
    zoomsOf: readZooms,

    /**
     * Draws a tile as PNG; undefined outside the raster.
     * @param signal cancels the request.
     * @throws {Problem} if it cannot be drawn, or not now.
     */
    async tile(
      raster: MapRaster,
      { tile, size }: { readonly tile: Tile; readonly size: 256 | 512 },
      signal: AbortSignal,
    ): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const { cogKey, meshKey } = raster;
      const { z, x, y } = tile;
      const request = { cogKey, meshKey, style: styleOf(raster), ...countsOf(raster), tile, size };
      // Neighbouring tiles share blocks, so that they go to the same thread.
      const affinity = `${cogKey} ${z} ${x >> 2} ${y >> 2}`;
      try {
        return await pool.run('raster-tile', request, { affinity, signal });
      } catch (error) {
        tellOf(error, raster);
        throw error;
      }
    },

    /** Returns the legend of a raster. @throws {Problem} */
    async rasterLegend(dataset: StyledDataset): Promise<LegendModel> {
      const { cogKey } = viewOf(dataset, { mayLieNowhere: true });
      const request = { cogKey, style: styleOf(dataset), ...countsOf(dataset) };
      return await legends.get(
        `${cogKey} ${dataset.sld_key} ${countsVersionOf(dataset)}`,
        async () => await pool.run('raster-legend', request, { affinity: cogKey }),
      );
    },

    /** Returns the legend of a map by units. @throws {Problem} */
    async unitsLegend(dataset: StyledDataset): Promise<LegendModel> {
      const seriesKey = await seriesKeyOf(dataset.id);
      const request = { seriesKey, compiled: dataset.style?.compiled };
      return await legends.get(
        `${seriesKey} ${dataset.sld_key}`,
        async () => await pool.run('units-legend', request, { affinity: seriesKey }),
      );
    },

    /** Draws a whole raster as PNG on a transparent background. @param size pixels per side. @throws {Problem} */
    async rasterThumbnail(
      dataset: StyledDataset,
      size: number,
      signal: AbortSignal,
    ): Promise<Uint8Array<ArrayBuffer>> {
      const { cogKey, meshKey } = viewOf(dataset, { mayLieNowhere: true });
      return await pool.run(
        'raster-thumbnail',
        { cogKey, meshKey, style: styleOf(dataset), ...countsOf(dataset), size },
        { affinity: cogKey, signal },
      );
    },

    /** Makes the next requests query the database after a change by this process. */
    forgetAll(): void {
      datasets.forgetAll();
      groups.forgetAll();
    },
    close: groups.close,
  };
}

/** Returns the statistics for a drawing thread; none before the pixels are counted, and for a style that defines all colours. */
export function countsOf({ counted, style }: Pick<StyledDataset, 'counted' | 'style'>) {
  const { raster, rastersAtScales = [] } = style?.style ?? {};
  const namesColours = [raster, ...rastersAtScales].every(
    (symbols) => symbols?.colours !== undefined && symbols.contrasts === undefined,
  );
  const isKnown = counted?.some((band) => band !== null) === true;
  return isKnown && !namesColours ? { counted } : {};
}

/** Statistics never change once they exist. */
export const countsVersionOf = (dataset: Pick<StyledDataset, 'counted' | 'style'>): string | null =>
  'counted' in countsOf(dataset) ? 'counted' : null;

/** Returns a hash of the parts that a picture depends on, in 16 hexadecimal digits. */
export function versionOf(parts: readonly (string | number | null)[]): string {
  return hash('sha256', JSON.stringify([drawingVersion, ...parts]), 'hex').slice(0, 16);
}

/** Part of every ETag of a drawing: increase it when the same data and style are drawn differently. */
export const drawingVersion = 4;

/** A style in the form that maps need. */
export interface MapStyle {
  /** Key of its SLD, whose bytes never change. */
  readonly key: string;
  /** The compiled style as JSON. */
  readonly compiled: string;
  readonly style: CompiledStyle;
}

export interface MapStyles {
  /** Returns the style of an SLD. @throws {ObjectMissing} if that has been replaced or deleted. */
  read(key: string): Promise<MapStyle>;
}

/** Maximum number of styles, of at most 64 KiB each. */
const maxKept = 200;

/** Caches the most recently used styles, for one process. @param load reads a compiled style by the key of its SLD. */
export function createMapStyles(load: (key: string) => Promise<CompiledStyle>): MapStyles {
  const kept = createCache<MapStyle>({ max: maxKept });
  return {
    read: async (key) =>
      await kept.get(key, async () => {
        const style = await load(key);
        return { key, compiled: JSON.stringify(style), style };
      }),
  };
}
