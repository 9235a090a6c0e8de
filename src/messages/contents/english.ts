import { quoted } from '../../lib/readable.ts';
import { invalid, sentences } from '../base/define.ts';

/** Contents of a file by its first bytes, if they differ from what its name promises. */
export const contents = sentences('content', {
  arrow: 'an Arrow file',
  asciiGrid: 'an ASCII grid',
  blank: 'nothing but blanks',
  bmp: 'a BMP picture',
  bzip2: 'a bzip2 archive',
  commentedJson: 'JSON behind a comment',
  csv: 'a text table such as CSV',
  dbf: 'a dBASE table (.dbf)',
  docx: 'a Word document',
  dwg: 'a DWG drawing',
  dxf: 'a DXF drawing',
  e00: 'an ArcInfo export file (.e00)',
  flatGeobuf: 'a FlatGeobuf file',
  geodatabase: 'a zip archive of an Esri geodatabase',
  geopackage: 'a GeoPackage',
  gif: 'a GIF picture',
  gml: 'GML',
  gpx: 'a GPX track',
  grib: 'a GRIB file',
  gzip: 'a gzip archive',
  hdf4: 'an HDF4 file',
  hdf5: 'an HDF5 file, as NetCDF 4 is too',
  html: 'an HTML page',
  img: 'an Erdas Imagine file (.img)',
  javaScript: 'JavaScript around JSON',
  jpeg: 'a JPEG picture',
  jpeg2000: 'a JPEG 2000 picture',
  json: 'JSON',
  jsonList: 'a JSON list',
  kml: 'KML',
  kmz: 'a KMZ archive',
  las: 'a LAS point cloud',
  lfsPointer: 'a Git LFS pointer, which stands for the file itself',
  mbTiles: 'an MBTiles file',
  mif: 'a MapInfo interchange file (.mif)',
  netcdf: 'a NetCDF file',
  ods: 'an OpenDocument file',
  ole: 'a document of an older Office, such as .xls',
  osm: 'OpenStreetMap data',
  parquet: 'a Parquet file',
  pdf: 'a PDF document',
  pmTiles: 'a PMTiles file',
  png: 'a PNG picture',
  qgis: 'a project or style of QGIS',
  rar: 'a RAR archive',
  sequence: 'a GeoJSON text sequence',
  serviceError: 'the error answer of a map service',
  sevenZip: 'a 7z archive',
  shp: 'the .shp part of a shapefile',
  sld: 'an SLD style',
  sqlite: 'an SQLite database',
  surfer: 'a Surfer grid',
  tab: 'a MapInfo table (.tab)',
  tar: 'a tar archive',
  text: 'plain text',
  tiff: 'a TIFF image',
  utf16: 'text in UTF-16',
  utf32: 'text in UTF-32',
  vrt: 'a virtual raster (.vrt)',
  webp: 'a WebP picture',
  wkt: 'geometry as WKT',
  xlsx: 'an Excel workbook',
  xml: 'XML',
  xz: 'an xz archive',
  zip: 'a zip archive',
  zstd: 'a Zstandard archive',
});

/** Remedies for such a file. */
export const contentRemedies = sentences('content_remedy', {
  exportAgain: 'export it again in the format that its name states',
  downloadAgain: 'open its address in a browser, and download the file itself',
  fetchLfs: 'fetch the file itself with "git lfs pull"',
  pictureForVector:
    'a picture has no features; if it is a georeferenced raster, convert it to GeoTIFF and send that with the file_type raster',
  rasterForVector: 'it is a raster: convert it to GeoTIFF and send that with the file_type raster',
  tiffForVector: 'it is a raster: give it the extension .tif and send it with the file_type raster',
  vectorForRaster:
    'it is not a raster: export it as GeoJSON or GeoPackage and send that with the file_type vector',
  unpack: 'unpack it and upload the file in it',
  renameZip: 'give it the extension .zip if it contains a shapefile, a .geojson or a .gpkg',
  renameGeoPackage: 'give it the extension .gpkg if it is a GeoPackage',
  sendAsStyle: 'upload it as the style of a dataset (POST /datasets/{id}/sld)',
  exportLayer: 'upload the layer itself, exported as GeoJSON or GeoPackage',
  saveUtf8: 'save it in UTF-8 and upload it again',
  makeCollection:
    'put its features into one object {"type": "FeatureCollection", "features": […]}, and upload that',
  bareJson: 'leave only the JSON in the file, from { to }, and upload that',
  convertPoints: 'convert the points to GeoJSON or GeoPackage, and upload that',
});

const other = (what: string, remedy: string) =>
  invalid(() => `The file is not GeoJSON: ${what}. ${remedy}, and upload it.`);
const otherMember = (what: (member: string) => string, remedy: string) =>
  invalid((member: string) => `The file is not GeoJSON: ${what(quoted(member))}. ${remedy}, and upload it.`);
const withGdal = 'Convert it with "ogr2ogr -f GeoJSON out.geojson in.json"';
const collection = 'one object {"type": "FeatureCollection", "features": […]}';

/** JSON files that are not GeoJSON, with remedies. */
export const otherJson = sentences('other_json', {
  cityJson: other(
    'it is CityJSON, a model of buildings',
    'Open it in QGIS with the plugin CityJSON Loader, save the layer as GeoPackage',
  ),
  coverageJson: other(
    'it is CoverageJSON, the values of a grid or of stations',
    'Save a grid as GeoTIFF (a dataset of the file type raster), or stations as GeoJSON points',
  ),
  esriFeatures: other(
    'it is Esri JSON, as ArcGIS services send it with f=json',
    `Ask the service for f=geojson, or convert the file with "ogr2ogr -f GeoJSON out.geojson in.json"`,
  ),
  esriService: other(
    'it describes a service or layer of ArcGIS and has no features',
    'Ask the address of the layer for /query?where=1=1&outFields=*&f=geojson, save the answer',
  ),
  jsonLd: other('it is JSON-LD, linked data', 'Make a GeoJSON feature of each of its objects'),
  landingPage: other(
    'it is the description of a web service, a list of links',
    'Open the link of the collection that ends in /items, save its features as GeoJSON',
  ),
  list: other('it is a JSON list', `Put its features into ${collection}`),
  mapStyle: other(
    'it is a map style, which has no features',
    'Export the layer itself as GeoJSON or GeoPackage',
  ),
  model: other(
    'it is a 3D model (glTF or 3D Tiles)',
    'Export the outlines of its objects as GeoJSON or GeoPackage',
  ),
  overpass: other(
    'it is the answer of Overpass, data of OpenStreetMap',
    'Export it as GeoJSON in Overpass Turbo, or convert it with osmtogeojson',
  ),
  package: other(
    'it describes a software package and has no features',
    'Choose the file that contains the layer, as GeoJSON or GeoPackage',
  ),
  records: otherMember(
    (member) => `it is a list of records in its member ${member}, without features`,
    'Make a GeoJSON feature of each record, with the record as its "properties" and its place (or null) as "geometry"',
  ),
  referenceSystem: other(
    'it is a coordinate reference system (PROJJSON), which has no features',
    'Export the layer itself as GeoJSON or GeoPackage',
  ),
  schema: other(
    'it is a JSON schema or the description of an API, which has no features',
    'Choose the file that contains the layer, as GeoJSON or GeoPackage',
  ),
  sequence: other(
    'it is JSON Lines, several JSON objects one after the other',
    `Put its features into ${collection}, for example with "ogr2ogr -f GeoJSON out.geojson GeoJSONSeq:in.geojson"`,
  ),
  serviceError: other(
    'it is the error answer of a service',
    'Open the address from which it comes in a browser, correct the request, download the layer itself',
  ),
  stac: other(
    'it is a STAC catalog or collection, which describes data',
    'Download the data to which it links, as GeoJSON or GeoPackage, or as GeoTIFF',
  ),
  tileJson: other(
    'it is TileJSON, the description of map tiles',
    'Export the layer itself as GeoJSON or GeoPackage',
  ),
  topoJson: other('it is TopoJSON', `${withGdal} or with mapshaper`),
  untypedFeatures: other(
    'it has a list of "features" but no "type"',
    'Put "type": "FeatureCollection" before "features"',
  ),
  wrapped: otherMember(
    (member) => `the GeoJSON is in its member ${member}`,
    `Save that alone as a file; put a list of features into ${collection}`,
  ),
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  content: contents,
  content_remedy: contentRemedies,
  other_json: otherJson,
};
