import gdal, { type Dataset } from 'gdal-async';
import type { Bbox } from '../../engine.ts';
import { createTransformationToWgs84, farthestCoordinate } from '../../gdal/transformation.ts';
import type { Affine } from '../../raster-reader.ts';
import { fitAffine } from './fit-affine.ts';
import { geographicBbox, outlineOf, planeBbox } from './bbox.ts';
import { transformPoint } from './transform-points.ts';

/** The CRS of a raster, and the affine transformation from its pixels to coordinates. */
export interface Georeference {
  readonly width: number;
  readonly height: number;
  /** Tells whether the file says where its pixels lie. */
  readonly isPlaced: boolean;
  /** From pixel corners to coordinates; the pixel numbers themselves when the raster has no place. */
  readonly affine: Affine;
  /** The CRS of the coordinates; absent when the file names none. */
  readonly nativeWkt: string | undefined;
  /** The same; absent also without a place, or when the CRS cannot be transformed to longitude and latitude. */
  readonly wkt: string | undefined;
}

const identity: Affine = [0, 1, 0, 0, 0, 1];

/** Reads the geotransform of a raster, or fits one to its ground control points. */
export function readGeoreference(dataset: Dataset): Georeference {
  const { x: width, y: height } = dataset.rasterSize;
  const gcpWkt: string | undefined = dataset.getGCPProjection() || undefined;
  const affine = geoTransformOf(dataset) ?? fitAffine(controlPointsOf(dataset));
  const nativeWkt = dataset.srs?.toWKT() ?? gcpWkt;
  const isPlaced = affine !== undefined;
  const wkt = isPlaced && nativeWkt !== undefined && leadsToWgs84(nativeWkt) ? nativeWkt : undefined;
  return { width, height, isPlaced, affine: affine ?? identity, nativeWkt, wkt };
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

/** False for local coordinates, for another planet, and for a CRS that PROJ does not understand. */
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
 * Returns the box around a raster: in longitude and latitude, or in its own coordinates when it has no `wkt`.
 * @throws {Problem} when its coordinates do not fit its CRS.
 */
export function bboxOf(georeference: Georeference): [...Bbox] {
  const outline = outlineOf(georeference);
  if (georeference.wkt === undefined) return [...planeBbox(outline)];
  const transformation = createTransformationToWgs84({ wkt: georeference.wkt });
  const farthest = farthestCoordinate({ wkt: georeference.wkt });
  const onEarth = outline.map(([x, y]) =>
    Math.abs(x) > farthest || Math.abs(y) > farthest
      ? ([Number.NaN, Number.NaN] as const)
      : transformPoint(transformation, x, y),
  );
  return [...geographicBbox(onEarth)];
}
