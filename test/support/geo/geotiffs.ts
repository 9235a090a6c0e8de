import gdal from 'gdal-async';
import type { Affine } from '../../../src/geo/raster-reader.ts';

interface RasterToWrite {
  readonly width: number;
  readonly height: number;
  readonly affine: Affine;
  /** EPSG code; without one the raster names no CRS. */
  readonly epsg?: number;
  /** The CRS in any form that GDAL reads. */
  readonly crs?: string;
  /** GDAL's name of the type; by default Float32. */
  readonly dataType?: string;
  readonly noData?: number;
  readonly scale?: number;
  readonly offset?: number;
  /** Number of bands, which all have the same values; by default 1. */
  readonly bands?: number;
  /** Creation options of GDAL's GTiff driver. */
  readonly options?: Readonly<Record<string, string>>;
  /** Value by column and row. */
  value(column: number, row: number): number;
}

/** Writes a GeoTIFF. */
export function writeRaster(path: string, raster: RasterToWrite): void {
  const { width, height, affine, epsg, crs, dataType = 'Float32', bands = 1, options = {} } = raster;
  const dataset = gdal.drivers.get('GTiff').create(path, width, height, bands, dataType, { ...options });
  dataset.geoTransform = [...affine];
  if (epsg !== undefined) dataset.srs = gdal.SpatialReference.fromEPSG(epsg);
  if (crs !== undefined) dataset.srs = gdal.SpatialReference.fromUserInput(crs);
  const band = dataset.bands.get(1);
  if (raster.noData !== undefined) band.noDataValue = raster.noData;
  if (raster.scale !== undefined) band.scale = raster.scale;
  if (raster.offset !== undefined) band.offset = raster.offset;
  const values = new Float64Array(width * height);
  for (let row = 0, i = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, i += 1) values[i] = raster.value(column, row);
  }
  dataset.bands.forEach((each) => each.pixels.write(0, 0, width, height, values));
  dataset.close();
}
