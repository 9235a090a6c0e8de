import { createCache } from '../../../common/cache.ts';
import type { Database } from '../../database/tables/tables.ts';
import { readDistrictsVersion } from '../../database/districts-version.ts';
import { type Extent, extentOfBox } from '../../../common/maps/paper/albers.ts';
import type { UnitLevel } from '../../../common/maps/units/levels.ts';
import type { DrawingPool } from '../service/pool.ts';
import { countsOf, type Maps } from '../service/maps.ts';
import { drawingProblems } from '../../messages/drawing/english.ts';
import { zoningWords } from '../../messages/zoning/english.ts';
import { type BorderedUnit, meets, readBorders } from './bordered-units.ts';

/** A picture of a raster in the projection of sheets. */
export interface PictureOrder {
  /** A ready raster. */
  readonly datasetId: string;
  /** Maximum size of the picture in pixels, up to 4,096 each; the picture reaches it on one side. */
  readonly within: { readonly width: number; readonly height: number };
  /** The unit to show: outlined, with pale surroundings. Without it, the whole raster. */
  readonly kato?: string | undefined;
  /** Level of the other units whose borders are drawn. */
  readonly borders?: UnitLevel | undefined;
}

export interface PaperPicture {
  readonly png: Uint8Array<ArrayBuffer>;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly metresPerPixel: number;
}

const maxSide = 4096;
/** The country comes last, because no other unit has its code. */
const upperFirst = ['region', 'district', 'okrug', 'settlement', 'republic'] as const;
/** Margin around a unit, as a share of a side. */
const air = 0.03;
const drawMs = 60_000;

export type PaperMaps = ReturnType<typeof createPaperMaps>;

/** Creates the renderer of rasters in the equal-area projection of Kazakhstan, for one process. */
export function createPaperMaps({
  db,
  maps,
  pool,
}: {
  readonly db: Database;
  readonly maps: Pick<Maps, 'raster'>;
  readonly pool: DrawingPool;
}) {
  const borders = createCache<readonly BorderedUnit[]>({ max: 4 });
  const unitsOf = async (level: UnitLevel) => {
    const version = await readDistrictsVersion(db);
    return await borders.get(`${version} ${level}`, async () => await readBorders(db, level));
  };

  /** @throws {Problem} `not_found` */
  async function unitOf(kato: string): Promise<BorderedUnit & { readonly extent: Extent }> {
    for (const level of upperFirst) {
      const unit = (await unitsOf(level)).find((each) => each.kato === kato);
      if (unit?.extent !== undefined) return { ...unit, extent: unit.extent };
    }
    throw zoningWords.noSuchUnit(kato);
  }

  return {
    /** Returns the units of a level with their borders, in the order of their codes. */
    unitsOf,
    /**
     * Returns a unit of any level with its borders; a code on several levels is the upper unit.
     * @throws {Problem} `not_found`
     */
    unitOf,
    /**
     * Draws a raster, or a unit of it, in Albers as PNG on white: each pixel has the colour of the nearest raster pixel in its style.
     * @throws {Problem} if it cannot be drawn, or not now; `not_found` without such a unit.
     */
    async picture(
      { datasetId, within, kato, borders: level }: PictureOrder,
      signal: AbortSignal,
    ): Promise<PaperPicture> {
      const raster = await maps.raster(datasetId, { signal });
      const unit = kato === undefined ? undefined : await unitOf(kato);
      const extent = unit === undefined ? extentOfBox(raster.bbox ?? []) : widened(unit.extent);
      if (extent === undefined) throw drawingProblems.noPlace();
      const [width, height] = [Math.min(maxSide, within.width), Math.min(maxSide, within.height)];
      const metresPerPixel = Math.max(
        (extent.right - extent.left) / width,
        (extent.top - extent.bottom) / height,
      );
      const pixels = (metres: number, most: number) =>
        Math.max(1, Math.min(most, Math.round(metres / metresPerPixel)));
      const frame = {
        left: extent.left,
        top: extent.top,
        metresPerPixel,
        width: pixels(extent.right - extent.left, width),
        height: pixels(extent.top - extent.bottom, height),
      };
      const others = level === undefined ? [] : await unitsOf(level);
      const png = await pool.run(
        'paper-picture',
        {
          cogKey: raster.cogKey,
          meshKey: raster.meshKey,
          style: raster.style && { key: raster.style.key, compiled: raster.style.compiled },
          ...countsOf(raster),
          frame,
          unit: unit?.polygons,
          others: others.flatMap((each) =>
            each.extent !== undefined && meets(each.extent, extent) ? [each.polygons] : [],
          ),
        },
        { affinity: raster.cogKey, signal, deadlineMs: drawMs },
      );
      return { png, width: frame.width, height: frame.height, metresPerPixel };
    },
  };
}

function widened({ left, right, top, bottom }: Extent): Extent {
  const more = air * Math.max(right - left, top - bottom);
  return { left: left - more, right: right + more, top: top + more, bottom: bottom - more };
}
