export const stacVersion = '1.1.0';

/** The extensions that items use, and the fields that show their use. */
export const extensionUrls = [
  { url: 'https://stac-extensions.github.io/projection/v1.2.0/schema.json', sign: /"proj:/ },
  { url: 'https://stac-extensions.github.io/raster/v2.0.0/schema.json', sign: /"raster:/ },
  { url: 'https://stac-extensions.github.io/file/v2.1.0/schema.json', sign: /"file:/ },
  { url: 'https://stac-extensions.github.io/processing/v1.2.0/schema.json', sign: /"processing:/ },
  { url: 'https://stac-extensions.github.io/classification/v2.0.0/schema.json', sign: /"classification:/ },
  {
    url: 'https://stac-extensions.github.io/web-map-links/v1.2.0/schema.json',
    sign: /"rel":"(?:xyz|wmts|tilejson)"/,
  },
] as const;

/** The conformance classes that STAC API clients evaluate. */
export const conformsTo = [
  'https://api.stacspec.org/v1.0.0/core',
  'https://api.stacspec.org/v1.0.0/collections',
  'https://api.stacspec.org/v1.0.0/ogcapi-features',
  'https://api.stacspec.org/v1.0.0/item-search',
  'https://api.stacspec.org/v1.0.0/item-search#fields',
  'https://api.stacspec.org/v1.0.0/item-search#sort',
  'https://api.stacspec.org/v1.0.0/item-search#filter',
  'https://api.stacspec.org/v1.0.0/item-search#query',
  'https://api.stacspec.org/v1.0.0/ogcapi-features#fields',
  'https://api.stacspec.org/v1.0.0/ogcapi-features#sort',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-text',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-json',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2',
  'http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions',
] as const;
