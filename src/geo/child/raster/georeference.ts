import gdal, { type Dataset } from 'gdal-async';
import { createTransformationToWgs84, farthestCoordinate } from '../../gdal/transformation.ts';
import { fitAffine, type Affine } from './affine.ts';
import { geographicBbox, outlineOf, planeBbox } from './bbox.ts';
import type { Bbox } from '../../engine.ts';

/** Where a raster lies: its CRS and the way from pixel to coordinate. */
export interface Placement {
  readonly width: number;
  readonly height: number;
  /** Whether the file says where its pixels lie. */
  readonly isPlaced: boolean;
  /** Pixel corners to coordinates, in GDAL's order; pixel numbers themselves when the raster is placed nowhere. */
  readonly affine: Affine;
  /** The CRS of the coordinates; absent when the file names none. */
  readonly nativeWkt: string | undefined;
  /** The same; absent also when it is placed nowhere, or when no way leads from it to longitude and latitude. */
  readonly wkt: string | undefined;
}

const nowhere: Affine = [0, 1, 0, 0, 0, 1];

/** Reads how a raster is placed: by its geotransform, or by its ground control points. */
export function readPlacement(dataset: Dataset): Placement {
  const { x: width, y: height } = dataset.rasterSize;
  const gcpWkt: string | undefined = dataset.getGCPProjection() || undefined;
  const affine = geoTransformOf(dataset) ?? fitAffine(controlPointsOf(dataset));
  const nativeWkt = dataset.srs?.toWKT() ?? gcpWkt;
  const isPlaced = affine !== undefined;
  const wkt = isPlaced && nativeWkt !== undefined && leadsToWgs84(nativeWkt) ? nativeWkt : undefined;
  return { width, height, isPlaced, affine: affine ?? nowhere, nativeWkt, wkt };
}

function geoTransformOf(dataset: Dataset): Affine | undefined {
  const [a, b, c, d, e, f] = dataset.geoTransform ?? [];
  if (a === undefined || b === undefined || c === undefined) return undefined;
  return d === undefined || e === undefined || f === undefined ? undefined : [a, b, c, d, e, f];
}

function controlPointsOf(dataset: Dataset) {
  return dataset.getGCPs().map((gcp) => ({
    pixel: Number(gcp.dfGCPPixel),
    line: Number(gcp.dfGCPLine),
    x: Number(gcp.dfGCPX),
    y: Number(gcp.dfGCPY),
  }));
}

/** False for the coordinates of a building site, of another planet, or of a CRS that PROJ does not understand. */
function leadsToWgs84(wkt: string): boolean {
  if (gdal.SpatialReference.fromWKT(wkt).isLocal()) return false;
  try {
    createTransformationToWgs84({ wkt });
    return true;
  } catch {
    return false;
  }
}

/**
 * The box around a raster: in longitude and latitude, or in its own coordinates when no way leads there.
 * @throws {Problem} when its coordinates do not fit its CRS.
 */
export function bboxOf(placement: Placement): [...Bbox] {
  const outline = outlineOf(placement);
  if (placement.wkt === undefined) return [...planeBbox(outline)];
  const transformation = createTransformationToWgs84({ wkt: placement.wkt });
  const farthest = farthestCoordinate({ wkt: placement.wkt });
  const onEarth = outline.map(([x, y]): readonly [number, number] => {
    try {
      if (Math.abs(x) > farthest || Math.abs(y) > farthest) return [Number.NaN, Number.NaN];
      const point = transformation.transformPoint(x, y);
      return [point.x, point.y];
    } catch {
      // Beyond the horizon of the projection.
      return [Number.NaN, Number.NaN];
    }
  });
  return [...geographicBbox(onEarth)];
}
