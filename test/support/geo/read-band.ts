import gdal from 'gdal-async';

/** Reads the first band of a raster; NaN for no data. */
export function readBand(path: string) {
  const dataset = gdal.open(path, 'r');
  const { x: width, y: height } = dataset.rasterSize;
  const band = dataset.bands.get(1);
  const noData = band.noDataValue;
  const pixels = new Float64Array(width * height);
  band.pixels.read(0, 0, width, height, pixels);
  dataset.close();
  return { width, height, pixels: pixels.map((value) => (value === noData ? NaN : value)) };
}
