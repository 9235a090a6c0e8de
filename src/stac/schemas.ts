import { z } from 'zod';
import { exampleDataset } from '../lib/examples.ts';

const base = 'https://steppe.example';
const exampleLinks = [{ rel: 'root', href: `${base}/stac`, type: 'application/json' }];

const LinkJson = z.looseObject({
  rel: z.string().describe('The relation type of the link'),
  href: z.string().describe('The address'),
  type: z.string().optional().describe('The media type of the resource'),
});

const AssetJson = z.looseObject({
  href: z.string().describe('Address of the file'),
  type: z.string().describe('Media type of the file'),
  title: z.string().describe('Title of the asset'),
  roles: z.array(z.string()).describe('The role, such as `data` or `thumbnail`'),
});

const exampleItem = {
  type: 'Feature',
  stac_version: '1.1.0',
  stac_extensions: [],
  id: exampleDataset.id,
  collection: 'functional_zoning',
  geometry: null,
  properties: { title: 'Functional zoning', datetime: '2024-06-01T00:00:00Z' },
  assets: {},
  links: exampleLinks,
};

export const ItemJson = z
  .looseObject({
    type: z.literal('Feature').describe('An item is a feature of GeoJSON'),
    stac_version: z.string().describe('The version of STAC'),
    stac_extensions: z.array(z.string()).describe('The extensions that the item uses'),
    id: z.string().describe('Id of the dataset'),
    collection: z.string().describe('Code of the collection'),
    geometry: z
      .looseObject({ type: z.string().describe('`Polygon`, or `MultiPolygon` across 180°') })
      .nullable()
      .describe('The box of the dataset; null for one that does not lie on the earth'),
    bbox: z
      .array(z.number())
      .optional()
      .describe('West, south, east, north in degrees; west > east across 180°'),
    properties: z
      .looseObject({ datetime: z.string().describe('Beginning of the period, or creation of the dataset') })
      .describe('Further properties, such as period and reference system'),
    assets: z.record(z.string(), AssetJson).describe('The files of the dataset, and pictures of it'),
    links: z.array(LinkJson).describe('Other resources, such as tiles and the inputs of the dataset'),
  })
  .meta({ id: 'StacItem', description: 'A dataset as a STAC item', examples: [exampleItem] });
export type ItemJson = z.infer<typeof ItemJson>;

export const ItemCollectionJson = z
  .object({
    type: z.literal('FeatureCollection').describe('The type of a GeoJSON feature collection'),
    features: z
      .array(z.looseObject({ id: z.string().optional().describe('Id of the dataset') }))
      .describe('Items, each with the members that `fields` requests'),
    links: z.array(LinkJson).describe('`next` leads to the following page'),
    numberReturned: z.int().min(0).describe('Number of items on this page'),
    numberMatched: z
      .int()
      .min(0)
      .optional()
      .describe('Number of items on all pages, if at most some thousands have to be examined for it'),
  })
  .meta({
    id: 'StacItemCollection',
    description: 'One page of items',
    examples: [
      { type: 'FeatureCollection', features: [exampleItem], links: exampleLinks, numberReturned: 1 },
    ],
  });

const exampleCollection = {
  type: 'Collection',
  stac_version: '1.1.0',
  id: 'functional_zoning',
  title: 'Functional zoning',
  description: 'Datasets of the group functional_zoning.',
  license: 'other',
  extent: {
    spatial: { bbox: [[46.5, 40.6, 87.3, 55.4]] },
    temporal: { interval: [['2024-01-01T00:00:00Z', '2024-12-31T23:59:59.999Z']] },
  },
  links: exampleLinks,
};

export const CollectionJson = z
  .looseObject({
    type: z.literal('Collection').describe('Always `Collection`'),
    stac_version: z.string().describe('The version of STAC'),
    id: z.string().describe('Code of the group, or `category.` and the code of a category'),
    title: z.string().describe('Title of the collection'),
    description: z.string().describe('Description of the collection'),
    license: z.string().describe('Licence; `other`: see each dataset'),
    extent: z
      .object({
        spatial: z
          .object({ bbox: z.array(z.array(z.number())).describe('One box around all datasets') })
          .describe('The spatial extent'),
        temporal: z
          .object({
            interval: z
              .array(z.array(z.string().nullable()))
              .describe('Start and end; null where it is open'),
          })
          .describe('The temporal extent'),
      })
      .describe('The spatial and temporal extent of the datasets'),
    links: z.array(LinkJson).describe('Links, such as to the items'),
  })
  .meta({ id: 'StacCollection', description: 'A group of datasets', examples: [exampleCollection] });
export type CollectionJson = z.infer<typeof CollectionJson>;

export const CollectionsJson = z
  .object({
    collections: z.array(CollectionJson).describe('Groups ordered by code, then categories ordered by code'),
    links: z.array(LinkJson).describe('`next` leads to the following page'),
    numberReturned: z.int().min(0).describe('Number of collections on this page'),
  })
  .meta({
    id: 'StacCollections',
    description: 'One page of collections',
    examples: [{ collections: [exampleCollection], links: exampleLinks, numberReturned: 1 }],
  });

export const CatalogJson = z
  .looseObject({
    type: z.literal('Catalog').describe('Always `Catalog`'),
    stac_version: z.string().describe('The version of STAC'),
    id: z.string().describe('Id of the catalogue'),
    title: z.string().describe('Title of the catalogue'),
    description: z.string().describe('Description of the catalogue'),
    conformsTo: z.array(z.string()).describe('The conformance classes of the API'),
    links: z.array(LinkJson).describe('Links to collections, search and API description'),
  })
  .meta({
    id: 'StacCatalog',
    description: 'The landing page for STAC clients',
    examples: [
      {
        type: 'Catalog',
        stac_version: '1.1.0',
        id: 'steppe',
        title: 'Steppe',
        description: 'Geodata of Kazakhstan.',
        conformsTo: ['https://api.stacspec.org/v1.0.0/core'],
        links: exampleLinks,
      },
    ],
  });
export type CatalogJson = z.infer<typeof CatalogJson>;

export const ConformanceJson = z
  .object({ conformsTo: z.array(z.string()).describe('Conformance classes') })
  .meta({
    id: 'StacConformance',
    description: 'The conformance classes of the API',
    examples: [{ conformsTo: ['https://api.stacspec.org/v1.0.0/core'] }],
  });
