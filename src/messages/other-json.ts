import { quoted } from '../lib/readable.ts';
import { invalid, sentences } from './define.ts';

const other = (what: string, remedy: string) =>
  invalid(() => `The file is not GeoJSON: ${what}. ${remedy}, and upload it.`);
const otherMember = (what: (member: string) => string, remedy: string) =>
  invalid((member: string) => `The file is not GeoJSON: ${what(quoted(member))}. ${remedy}, and upload it.`);
const withGdal = 'Convert it with "ogr2ogr -f GeoJSON out.geojson in.json"';
const collection = 'one object {"type": "FeatureCollection", "features": […]}';

/** What a file of JSON is that is not GeoJSON, and what to do with it. */
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
    'Choose the file that holds the layer, as GeoJSON or GeoPackage',
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
    'Choose the file that holds the layer, as GeoJSON or GeoPackage',
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
