/** Section 3 of the decisions, Raster. */
export const rows = {
  'D3R keeps':
    'A COG keeps CRS, grid, band count, data type, nodata, colour table, scale and offset, metadata',
  'D3R lossless': 'It is lossless',
  'D3R tiled': 'It is tiled 512, with overviews',
  'D3R overviews classes': 'NEAREST or MODE for palette and class-like integer rasters',
  'D3R overviews continuous': 'AVERAGE for continuous',
  'D3R passed through': 'An upload that is a valid COG is stored without re-encoding',
  'D3R no georeference': 'A raster without georeferencing becomes a COG too (warning)',
  'D3R unreadable': 'What GDAL cannot read fails with a clear reason',
};
