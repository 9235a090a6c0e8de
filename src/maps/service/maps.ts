import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import { Problem } from '../../lib/errors.ts';
import { createRecentResults } from '../../lib/recent-results.ts';
import type { Listener } from '../../database/listener.ts';
import type { Database } from '../../database/tables.ts';
import type { DrawingPool } from './pool.ts';
import type { Zooms } from '../thread/raster/raster-zooms.ts';
import { drawingVersion } from './version.ts';
import type { LegendModel } from '../legend/model.ts';
import type { Tile } from '../raster/web-mercator.ts';
import {
  createDrawnDatasets,
  type DrawnDataset,
  type RasterView,
  viewOf,
  type ViewWait,
} from './drawn-datasets.ts';
import { createDrawnGroups } from './drawn-groups.ts';
import { createSharedWork } from './shared-work.ts';
import type { MapStyle, MapStyles } from './map-styles.ts';

/** A dataset with the style that it is drawn by. */
export interface StyledDataset extends DrawnDataset {
  readonly style: MapStyle | undefined;
}

/** A raster that can be drawn on a map. */
export interface MapRaster extends StyledDataset, RasterView {
  /** Names all that its pictures depend on; other data, another style or another way to draw has another one. */
  readonly version: string;
}

interface MapOptions {
  readonly db: Database;
  readonly listener: Listener;
  readonly pool: DrawingPool;
  readonly styles: MapStyles;
  readonly log: Pick<Logger, 'error'>;
  /** Returns the key of the current series of a table by KATO. @throws {Problem} */
  readonly seriesKeyOf: (datasetId: string) => Promise<string>;
}

const maxZooms = 1000;
const maxToldOf = 10_000;

export type Maps = ReturnType<typeof createMaps>;

/** Creates what draws and describes maps of datasets and groups, for one process. */
export function createMaps({ db, listener, pool, styles, seriesKeyOf, log }: MapOptions) {
  const datasets = createDrawnDatasets({ db, listener });
  const groups = createDrawnGroups({ db, listener });
  const pictures = createSharedWork<Uint8Array<ArrayBuffer> | undefined>();
  const zooms = createRecentResults<Zooms>(maxZooms);

  const readZooms = async ({ meshKey }: RasterView): Promise<Zooms> =>
    await zooms.get(meshKey, async () => await pool.run('raster-zooms', { meshKey }, { affinity: meshKey }));

  const toldOf = new Set<string>();
  /** Tells the log of a damaged raster once, however many of its tiles are asked for. */
  function tellOf(error: unknown, { id, cogKey }: MapRaster): void {
    if (!(error instanceof Problem && error.code === 'broken') || toldOf.has(cogKey)) return;
    if (toldOf.size >= maxToldOf) toldOf.clear();
    toldOf.add(cogKey);
    log.error({ datasetId: id, key: cogKey, err: error }, 'a raster is damaged');
  }

  const withStyle = async <T extends DrawnDataset>(dataset: T) => ({
    ...dataset,
    style: dataset.sld_key === null ? undefined : await styles.read(dataset.sld_key),
  });

  const styleOf = ({ style }: StyledDataset) => style && { key: style.key, compiled: style.compiled };

  return {
    /** Returns a dataset of any type. @throws {Problem} `not_found` */
    dataset: async (id: string): Promise<StyledDataset> => await withStyle(await datasets.read(id)),

    /** Returns a raster, for which it may wait for seconds while it is being prepared. @throws {Problem} when it cannot be drawn. */
    async raster(id: string, wait: ViewWait): Promise<MapRaster> {
      const raster = await withStyle(await datasets.readRaster(id, wait));
      const { cogKey, meshKey, sld_key: sldKey } = raster;
      return { ...raster, version: versionOf([cogKey, meshKey, sldKey]) };
    },

    /** Returns the id of the raster that a map of a group shows. @throws {Problem} `not_found` */
    memberOf: groups.memberOf,
    /** Lists the days for which a group has a raster. */
    datesOf: groups.datesOf,
    /** Tells at which zooms a raster is worth looking at. @throws {Problem} */
    zoomsOf: readZooms,

    /**
     * Draws a tile as PNG, once for all who ask at the same time; undefined where nothing of the raster is.
     * @param signal takes the wish back. @throws {Problem} when it cannot be drawn, or not now.
     */
    async tile(
      raster: MapRaster,
      { tile, size }: { readonly tile: Tile; readonly size: 256 | 512 },
      signal: AbortSignal,
    ): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const { cogKey, meshKey, version } = raster;
      const { z, x, y } = tile;
      const request = { cogKey, meshKey, style: styleOf(raster), tile, size };
      // Neighbours share blocks, so that they go to the same thread.
      const affinity = `${cogKey} ${z} ${x >> 2} ${y >> 2}`;
      try {
        return await pictures.once(
          `${version} ${z} ${x} ${y} ${size}`,
          async (shared) => await pool.run('raster-tile', request, { affinity, signal: shared }),
          signal,
        );
      } catch (error) {
        tellOf(error, raster);
        throw error;
      }
    },

    /** Tells what the colours of a raster mean. @throws {Problem} */
    async rasterLegend(dataset: StyledDataset): Promise<LegendModel> {
      const view = viewOf(dataset, { mayLieNowhere: true });
      return await pool.run(
        'raster-legend',
        { cogKey: view.cogKey, style: styleOf(dataset) },
        { affinity: view.cogKey },
      );
    },

    /** Tells what the colours of a map by units mean. @throws {Problem} */
    async unitsLegend(dataset: StyledDataset): Promise<LegendModel> {
      const seriesKey = await seriesKeyOf(dataset.id);
      const { style } = dataset;
      return await pool.run(
        'units-legend',
        { seriesKey, compiled: style?.compiled },
        { affinity: seriesKey },
      );
    },

    /** Draws a whole raster as PNG, on a transparent ground. @param size pixels a side. @throws {Problem} */
    async rasterThumbnail(
      dataset: StyledDataset,
      size: number,
      signal: AbortSignal,
    ): Promise<Uint8Array<ArrayBuffer>> {
      const { cogKey, meshKey } = viewOf(dataset, { mayLieNowhere: true });
      return await pool.run(
        'raster-thumbnail',
        { cogKey, meshKey, style: styleOf(dataset), size },
        { affinity: cogKey, signal },
      );
    },

    /** Has the next request ask the database about a dataset that this process has changed. */
    forget(datasetId: string): void {
      datasets.forget(datasetId);
      groups.forgetAll();
    },
    /** The same of all datasets, because a group has changed. */
    forgetAll(): void {
      datasets.forgetAll();
      groups.forgetAll();
    },
    async close(): Promise<void> {
      await Promise.all([datasets.close(), groups.close()]);
    },
  };
}

/** Names what a picture depends on, in 16 hexadecimal digits. */
export function versionOf(parts: readonly (string | number | null)[]): string {
  return hash('sha256', JSON.stringify([drawingVersion, ...parts]), 'hex').slice(0, 16);
}
