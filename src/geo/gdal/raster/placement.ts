import type { Dataset } from 'gdal-async';
import { fitAffine, type Affine } from './affine.ts';

/** Where a raster lies: its CRS and the way from pixel to coordinate. */
export interface Placement {
  readonly width: number;
  readonly height: number;
  /** Pixel corners to coordinates, in GDAL's order; pixel numbers themselves when the raster is placed nowhere. */
  readonly affine: Affine;
  /** Absent for a raster without CRS, or with a local one that has no place on the earth. */
  readonly wkt: string | undefined;
}

const nowhere: Affine = [0, 1, 0, 0, 0, 1];

/** Reads how a raster is placed: by its geotransform, or by its ground control points. */
export function readPlacement(dataset: Dataset): Placement {
  const { x: width, y: height } = dataset.rasterSize;
  const [a, b, c, d, e, f] = dataset.geoTransform ?? [];
  if (
    a !== undefined &&
    b !== undefined &&
    c !== undefined &&
    d !== undefined &&
    e !== undefined &&
    f !== undefined
  ) {
    const srs = dataset.srs ?? undefined;
    const wkt = srs?.isLocal() === false ? srs.toWKT() : undefined;
    return { width, height, affine: [a, b, c, d, e, f], wkt };
  }
  const points = dataset.getGCPs().map((gcp) => ({
    pixel: Number(gcp.dfGCPPixel),
    line: Number(gcp.dfGCPLine),
    x: Number(gcp.dfGCPX),
    y: Number(gcp.dfGCPY),
  }));
  const affine = fitAffine(points);
  const gcpWkt: string | undefined = dataset.getGCPProjection() || undefined;
  return {
    width,
    height,
    affine: affine ?? nowhere,
    wkt: affine && gcpWkt,
  };
}
