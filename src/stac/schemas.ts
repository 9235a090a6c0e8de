import { z } from 'zod';
import { exampleDataset } from '../lib/examples.ts';

const base = 'https://steppe.example';
const exampleLinks = [{ rel: 'root', href: `${base}/stac`, type: 'application/json' }];

const LinkJson = z.looseObject({
  rel: z.string().describe('The purpose of the address'),
  href: z.string().describe('The address'),
  type: z.string().optional().describe('The media type of the resource'),
});

const AssetJson = z.looseObject({
  href: z.string().describe('Where the file is'),
  type: z.string().describe('Its media type'),
  title: z.string().describe('What it is'),
  roles: z.array(z.string()).describe('The purpose, such as `data` or `thumbnail`'),
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
    stac_extensions: z.array(z.string()).describe('The extensions whose fields it has'),
    id: z.string().describe('Of the dataset'),
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
      .describe('Period, reference system and more'),
    assets: z.record(z.string(), AssetJson).describe('The files of the dataset, and pictures of it'),
    links: z.array(LinkJson).describe('Other resources, such as tiles and the inputs of the dataset'),
  })
  .meta({ id: 'StacItem', description: 'A dataset as a STAC item', examples: [exampleItem] });
export type ItemJson = z.infer<typeof ItemJson>;

export const ItemCollectionJson = z
  .object({
    type: z.literal('FeatureCollection').describe('A page is a collection of features'),
    features: z
      .array(z.looseObject({ id: z.string().optional().describe('Of the dataset') }))
      .describe('Items, each with the members that `fields` requests'),
    links: z.array(LinkJson).describe('`next` leads to the following page'),
    numberReturned: z.int().min(0).describe('Items of this page'),
    numberMatched: z
      .int()
      .min(0)
      .optional()
      .describe('Items of all pages, if at most some thousands have to be examined for it'),
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
    type: z.literal('Collection').describe('What it is'),
    stac_version: z.string().describe('The version of STAC'),
    id: z.string().describe('Code of the group, or `category.` and the code of a category'),
    title: z.string().describe('Its name'),
    description: z.string().describe('What is in it'),
    license: z.string().describe('`other`: that of each dataset'),
    extent: z
      .object({
        spatial: z
          .object({ bbox: z.array(z.array(z.number())).describe('One box around all datasets') })
          .describe('Where the datasets are'),
        temporal: z
          .object({
            interval: z
              .array(z.array(z.string().nullable()))
              .describe('From the first moment to the last; null where it is open'),
          })
          .describe('The period that the datasets describe'),
      })
      .describe('Where and when the datasets are'),
    links: z.array(LinkJson).describe('Its items among others'),
  })
  .meta({ id: 'StacCollection', description: 'A group of datasets', examples: [exampleCollection] });
export type CollectionJson = z.infer<typeof CollectionJson>;

export const CollectionsJson = z
  .object({
    collections: z.array(CollectionJson).describe('Groups by their codes, then categories by theirs'),
    links: z.array(LinkJson).describe('`next` leads to the following page'),
    numberReturned: z.int().min(0).describe('Collections of this page'),
  })
  .meta({
    id: 'StacCollections',
    description: 'One page of collections',
    examples: [{ collections: [exampleCollection], links: exampleLinks, numberReturned: 1 }],
  });

export const CatalogJson = z
  .looseObject({
    type: z.literal('Catalog').describe('What it is'),
    stac_version: z.string().describe('The version of STAC'),
    id: z.string().describe('Of the catalogue'),
    title: z.string().describe('Its name'),
    description: z.string().describe('What is in it'),
    conformsTo: z.array(z.string()).describe('The requests that a client may make'),
    links: z.array(LinkJson).describe('Collections, search, description'),
  })
  .meta({
    id: 'StacCatalog',
    description: 'Where a STAC client begins',
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
    description: 'The requests that a client may make',
    examples: [{ conformsTo: ['https://api.stacspec.org/v1.0.0/core'] }],
  });
