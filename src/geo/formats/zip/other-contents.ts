import type { ContentsRemedy } from '../../../messages/zip.ts';

/** What to do with an archive by the extensions in it; the first that fits holds. */
const remedies: readonly (readonly [remedy: ContentsRemedy, pattern: RegExp])[] = [
  ['exportGeodatabase', /\.gdb\/|\.gdbtable$|\.mdb$/i],
  ['exportKml', /\.km[lz]$/i],
  ['saveWorkbook', /^(?:xl|word|ppt)\//i],
  ['exportMapInfo', /\.(?:tab|mif|mid)$/i],
  ['addShp', /\.(?:shx|dbf|sbn|sbx|qix)$/i],
  ['exportDrawing', /\.(?:dxf|dwg|dgn)$/i],
  ['exportGml', /\.(?:gml|gpx|osm|pbf)$/i],
  ['exportLayer', /\.(?:fgb|parquet|geoparquet|sqlite|mbtiles|pmtiles|e00)$/i],
  ['uploadRaster', /\.tiff?$/i],
  ['convertRaster', /\.(?:img|jp2|vrt|asc|hgt|nc|hdf|h5|grd|bil|ecw|sid|grib2?)$/i],
  ['unpackInner', /\.(?:zip|rar|7z|tar|gz|tgz)$/i],
  ['renameGeoJson', /\.(?:json|geojsonl|topojson)$/i],
  ['saveTable', /\.(?:csv|tsv|xlsx?|ods)$/i],
  ['sendStyle', /\.(?:sld|qml|qlr|qgs|qgz|lyr|lyrx|mxd)$/i],
  ['exportPictures', /\.(?:jpe?g|png|bmp|gif|webp|pdf)$/i],
];

/** Returns what to do with an archive in which there is no layer that can be read. */
export function remedyFor(names: readonly string[]): ContentsRemedy {
  const found = remedies.find(([, pattern]) => names.some((name) => pattern.test(name)));
  return found?.[0] ?? 'packShapefile';
}

/** Names what is in an archive; the many files of a geodatabase are one thing, its folder. */
export function shownNames(names: readonly string[]): readonly string[] {
  const shown = names.map((name) => /^(.*\.gdb)\/[^/]*$/is.exec(name)?.[1] ?? name);
  return [...new Set(shown)];
}
