/** Drawn maps: decision 31. */
export const rows = {
  'D8 left out':
    'POST …/sld names in X-Style-Left-Out, with commas, what of the style is not drawn; absent when all is',
  'D8 style report':
    'GET …/sld/report says what is drawn of the style of a dataset, else of its group: kind, title, entries, left_out',
  'D8 style report 404': 'It is 404 without a style, and without a dataset or a group',
  'D8 style properties':
    'Rules may name kato, name, value, the dates and the mapped columns of a table, and the attributes of a vector; the report names each rule over a property that no feature has',
  'D8 tile':
    'GET /datasets/{id}/tiles/{z}/{x}/{y}.png: PNG of 256 pixels in WebMercatorQuad, 512 with @2x, in the colours of the effective style; z is 0 to 24',
  'D8 tile conditions': 'A tile has a strong ETag that changes with raster and style, 304, 412 and HEAD',
  'D8 tile version':
    'With ?v= as TileJSON names it a tile is immutable for a year, otherwise Cache-Control is no-cache',
  'D8 tile empty': 'Where nothing of the raster is, a tile is a clear picture, with ?empty=204 it is 204',
  'D8 tile 400': 'z, x and y are decimal digits without sign, leading zero or escape, z at most 24: else 400',
  'D8 tile 404': 'A column or a row that the zoom has not is 404, like an unknown dataset',
  'D8 tile 409': 'A raster that is not ready is 409',
  'D8 tile 422': 'A dataset of another type and a raster that lies nowhere are 422',
  'D8 group tile':
    'GET /dataset-groups/{id}/tiles/…: of the freshest ready raster, with ?time= of the one of that day; Content-Location says which; 404 without one',
  'D8 tilejson':
    'GET /datasets/{id}/tilejson.json: TileJSON 3.0.0 with bounds, zooms, legend or layers, and absolute addresses of tiles',
  'D8 tilejson group': 'GET /dataset-groups/{id}/tilejson.json: the same of the freshest raster',
  'D8 wmts': 'GET /datasets/{id}/wmts: capabilities of WMTS 1.0.0 with one layer and an address for tiles',
  'D8 wmts group': 'GET /dataset-groups/{id}/wmts: one layer too, the days of its rasters as dimension Time',
  'D8 legend':
    'GET /datasets/{id}/legend.png?scale=1|2 and legend.json, and of a group: title, unit, classes or ramp, no data, left_out; 409 until ready',
  'D8 legend languages': 'The language is that of ?lang=ru|kk|en, else of Accept-Language',
  'D8 thumbnail':
    'GET /datasets/{id}/thumbnail.png?size=256..1024: all of a dataset of any type, a raster that lies nowhere included; 409 until ready',
  'D8 style': 'GET /datasets/{id}/style.json, and of a group: a style of MapLibre with its tiles',
  'D8 mvt':
    'GET /datasets/{id}/tiles/{z}/{x}/{y}.mvt: Mapbox Vector Tile with one layer, the id of the dataset; gzip, ETag, 304, 412, HEAD; no bytes where nothing is',
  'D8 mvt KATO': 'Of a table by KATO: a feature for each unit, values by date, or value with ?datetime=',
  'D8 mvt refusals': 'A raster is 422, a dataset that is not ready 409; z is 0 to 22',
  'D8 districts':
    'GET /districts/tiles/{z}/{x}/{y}.mvt has layers regions and districts; /districts/tilejson.json describes them',
};
