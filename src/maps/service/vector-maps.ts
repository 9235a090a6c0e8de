import type { DistrictFiles } from '../../units/district-files.ts';
import type { DrawingPool } from './pool.ts';
import type { VectorFacts } from '../thread/vector/attributes.ts';
import type { VectorLayer } from '../thread/vector/read-source.ts';
import type { VectorTileRequest, VectorTileResult } from '../thread/vector/vector-tile.ts';
import { findFile } from '../../datasets/files.ts';
import { parseYearColumns } from '../../table/mapping-schema.ts';
import { drawingProblems, vectorTileProblems } from '../../messages/drawing/english.ts';
import { unitColumnsOf } from '../../../common/maps/units/unit-properties.ts';
import type { UnitLevel } from '../../../common/maps/units/levels.ts';
import { versionOf, type StyledDataset } from './maps.ts';

/** A source of vector tiles: a vector, a table by KATO or the administrative units. */
export interface VectorMap {
  readonly layers: readonly VectorLayer[];
  /** True if its features have values by date. */
  readonly hasDates: boolean;
  /** Identifies everything that its tiles depend on; it changes with the data and with the way of cutting. */
  readonly version: string;
}

interface VectorMapOptions {
  readonly pool: Pick<DrawingPool, 'run'>;
  /** Returns the key of the current GeoJSON of a table by KATO. @throws {Problem} */
  readonly geoJsonKeyOf: (datasetId: string) => Promise<string>;
  readonly districtFiles: Pick<DistrictFiles, 'keysOf' | 'levels'>;
}

const layerNames = {
  republic: 'republic',
  region: 'regions',
  district: 'districts',
  okrug: 'okrugs',
  settlement: 'settlements',
} as const satisfies Record<UnitLevel, string>;

export type VectorMaps = ReturnType<typeof createVectorMaps>;

/** Creates the cutter of vector tiles and of thumbnails, for one process. */
export function createVectorMaps({ pool, geoJsonKeyOf, districtFiles }: VectorMapOptions) {
  async function layerOf(dataset: StyledDataset): Promise<VectorLayer> {
    const { id, file_type: type, status, files } = dataset;
    const stored = findFile(files, 'geojson');
    if (type === 'raster') throw vectorTileProblems.raster();
    if (status !== 'ready' || stored === null) throw drawingProblems.notReady(status);
    const isByUnits = type === 'vector_with_kato';
    // The GeoJSON of a table is written again after a change of the districts.
    const key = isByUnits ? await geoJsonKeyOf(id) : stored;
    if (!isByUnits) return { name: id, key, kind: 'vector' };
    const columns = unitColumnsOf(dataset.kato_column, parseYearColumns(dataset.year_columns));
    return { name: id, key, kind: 'units', columns };
  }

  async function layerOfUnits(level: UnitLevel): Promise<VectorLayer> {
    const { key } = await districtFiles.keysOf(level, 'fine');
    return { name: layerNames[level], key, kind: 'districts' };
  }

  const mapOf = (layers: readonly VectorLayer[]): VectorMap => ({
    layers,
    hasDates: layers.some(({ kind }) => kind === 'units'),
    version: versionOf(layers.map(({ key }) => key)),
  });

  return {
    /** Returns the tile source of a dataset. @throws {Problem} for a raster, or if it is not ready. */
    ofDataset: async (dataset: StyledDataset): Promise<VectorMap> => mapOf([await layerOf(dataset)]),

    /** Returns the tile source of the administrative units: regions, districts, and a layer for each other level with borders. */
    async ofDistricts(): Promise<VectorMap> {
      const others = (await districtFiles.levels()).filter(
        (level) => level !== 'region' && level !== 'district',
      );
      return mapOf(await Promise.all((['region', 'district', ...others] as const).map(layerOfUnits)));
    },

    /** Returns the tile source of the units of one level. */
    ofUnits: async (level: UnitLevel): Promise<VectorMap> => mapOf([await layerOfUnits(level)]),

    /**
     * Cuts a tile.
     * @param datetime date of the features' value.
     * @param rates replace the values of units.
     * @throws {Problem} if the source is gone or too large to be drawn, or the tile cannot be cut now.
     */
    async tile(
      { layers }: VectorMap,
      { tile, datetime, rates }: Pick<VectorTileRequest, 'tile' | 'datetime' | 'rates'>,
      signal: AbortSignal,
    ): Promise<VectorTileResult> {
      // All tiles of one source go to the thread with its index.
      const affinity = layers[0]?.key ?? '';
      return await pool.run('vector-tile', { layers, tile, datetime, rates }, { affinity, signal });
    },

    /** Returns the extent of a vector and the attributes of its tiles. @throws {Problem} as `tile` does. */
    async factsOf({ layers }: VectorMap): Promise<VectorFacts> {
      const [layer] = layers;
      if (layer === undefined) throw new Error('a map has no layer');
      const { key, kind, columns } = layer;
      return await pool.run('vector-facts', { key, kind, columns }, { affinity: key });
    },

    /**
     * Draws a whole vector or table by KATO as PNG on a transparent background.
     * @param size pixels per side.
     * @throws {Problem} as `ofDataset` and `tile` do.
     */
    async thumbnail(
      dataset: StyledDataset,
      size: number,
      signal: AbortSignal,
    ): Promise<Uint8Array<ArrayBuffer>> {
      const { key, kind, columns } = await layerOf(dataset);
      const style = dataset.style && { key: dataset.style.key, compiled: dataset.style.compiled };
      return await pool.run(
        'vector-thumbnail',
        { source: { key, kind, columns }, style, size },
        { affinity: key, signal },
      );
    },
  };
}
