import { messageText } from '../lib/message.ts';
import { z } from 'zod';
import { type CrsAddress, crsAddresses } from './features/crs.ts';
import type { CollectionFacts } from './features/collections.ts';
import { exampleFeature } from '../lib/examples.ts';
import { featureSentences } from '../messages/standards/english.ts';
import { Link, mediaTypes } from '../http/standards/answers.ts';
import { relations, type TileKind, tileKinds } from './tile-schemas.ts';

const [crs84] = crsAddresses;
const root = '/ogc';

/** The conformance classes of the APIs. */
export const conformsTo = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
  'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables-query-parameters',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-text',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-json',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tileset',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tilesets-list',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/geodata-tilesets',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/oas30',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/png',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/mvt',
  'http://www.opengis.net/spec/tms/2.0/conf/tilematrixset',
  'http://www.opengis.net/spec/tms/2.0/conf/json-tilematrixset',
  'http://www.opengis.net/spec/tms/2.0/conf/tilematrixsetlimits',
  'http://www.opengis.net/spec/tms/2.0/conf/json-tilematrixsetlimits',
  'http://www.opengis.net/spec/tms/2.0/conf/tilesetmetadata',
  'http://www.opengis.net/spec/tms/2.0/conf/json-tilesetmetadata',
];

const Links = z.array(Link).describe('Links to further resources');

export const LandingJson = z
  .object({
    title: z.string().describe('Title of the service'),
    description: z.string().describe('Description of the service'),
    links: Links,
  })
  .meta({
    id: 'FeatureLanding',
    description: 'The landing page of the OGC APIs',
    examples: [{ title: 'Steppe', description: 'Features of datasets', links: [] }],
  });

export const ConformanceJson = z
  .object({ conformsTo: z.array(z.string()).describe('URIs of the conformance classes') })
  .meta({
    id: 'FeatureConformance',
    description: 'The supported conformance classes',
    examples: [{ conformsTo: conformsTo.slice(0, 1) }],
  });

const CollectionJson = z
  .object({
    id: z.string().describe('`districts`, `regions`, or the id of a dataset'),
    title: z.string().describe('Title of the collection'),
    description: z.string().optional().describe('Links to further resources'),
    extent: z
      .looseObject({})
      .optional()
      .describe('The spatial extent in degrees, and the temporal extent of the values'),
    itemType: z
      .enum(['feature', 'unknown'])
      .describe('The type of the items; `unknown` for a raster, which has no items'),
    dataType: z.enum(['vector', 'map']).describe('The kind of the collection: features, or a map'),
    layerDataType: z.literal('Raster').optional().describe('Present for a raster, for GDAL'),
    crs: z.array(z.string()).optional().describe('Reference systems of the features'),
    storageCrs: z.string().optional().describe('The reference system in which features are stored'),
    links: Links,
  })
  .meta({
    id: 'FeatureCollectionDescription',
    description: 'A collection of features, or a raster',
    examples: [
      {
        id: 'districts',
        title: 'Districts and cities of Kazakhstan',
        itemType: 'feature',
        dataType: 'vector',
        crs: [crs84],
        storageCrs: crs84,
        links: [],
      },
    ],
  });
export { CollectionJson };

export const CollectionsJson = z
  .object({
    collections: z
      .array(CollectionJson)
      .describe('The collections of one page: units, datasets with features, rasters'),
    links: Links,
  })
  .meta({
    id: 'FeatureCollections',
    description: 'A page of collections',
    examples: [{ collections: [], links: [] }],
  });

const FeatureJson = z
  .looseObject({
    type: z.literal('Feature').describe('Always `Feature`'),
    id: z.union([z.string(), z.number()]).describe('Id of the feature in its collection'),
    geometry: z.looseObject({}).nullable().describe('A GeoJSON geometry object'),
    properties: z.looseObject({}).describe('Values by name'),
  })
  .meta({
    id: 'OgcFeature',
    description: 'A feature of a collection',
    examples: [{ ...exampleFeature, id: 0 }],
  });
export { FeatureJson };

export const ItemsJson = z
  .object({
    type: z.literal('FeatureCollection').describe('Always `FeatureCollection`'),
    features: z.array(FeatureJson).describe('The features of one page'),
    links: Links,
    numberReturned: z.int().describe('Number of features on this page'),
    numberMatched: z
      .int()
      .optional()
      .describe('Number of features on all pages, if it is known without counting'),
  })
  .meta({
    id: 'OgcFeatures',
    description: 'A page of features',
    examples: [{ type: 'FeatureCollection', features: [], links: [], numberReturned: 0, numberMatched: 0 }],
  });

/** A parameter that names a reference system. */
export const crsQuery = (description: string) =>
  z
    .enum(crsAddresses, { error: messageText(featureSentences.crs(crsAddresses)) })
    .default(crs84)
    .describe(description);

/** Describes a collection. @param base the address of the service */
export function collectionOf(
  { id, title, description, box, days, kind }: CollectionFacts,
  base: string,
): z.infer<typeof CollectionJson> {
  const own = `${base}${root}/collections/${id}`;
  const spatial = box && { spatial: { bbox: [[...box]], crs: crs84 } };
  const temporal = days && { temporal: { interval: [instantsOf(days)] } };
  const crs: CrsAddress[] = [...crsAddresses];
  const self = { rel: 'self', href: own, type: mediaTypes.json };
  const tiles = (tileKind: TileKind) => ({
    rel: relations.tilesets[tileKind],
    href: `${own}/${tileKinds[tileKind].path}`,
    type: mediaTypes.json,
    title: 'Tiles',
  });
  const head = {
    id,
    title,
    ...(description === null ? {} : { description }),
    ...(spatial || temporal ? { extent: { ...spatial, ...temporal } } : {}),
  };
  if (kind === 'raster')
    return {
      ...head,
      itemType: 'unknown',
      dataType: 'map',
      layerDataType: 'Raster',
      links: [self, tiles('map')],
    };
  return {
    ...head,
    itemType: 'feature',
    dataType: 'vector',
    crs,
    storageCrs: crs84,
    links: [
      self,
      { rel: 'items', href: `${own}/items`, type: mediaTypes.geoJson, title: 'Features' },
      {
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/queryables',
        href: `${own}/queryables`,
        type: mediaTypes.schema,
      },
      tiles('vector'),
      ...(kind === 'vector'
        ? [{ rel: 'enclosure', href: `${base}/datasets/${id}.fgb`, type: 'application/flatgeobuf' }]
        : []),
    ],
  };
}

function instantsOf([first, last]: NonNullable<CollectionFacts['days']>) {
  return [first && `${first}T00:00:00Z`, last && `${last}T23:59:59Z`];
}
