import { z } from 'zod';
import { OriginField } from '../datasets/origins.ts';
import { Guid, textOfAtMost } from '../validation/fields.ts';

/** The topics of ISO 19115 (`MD_TopicCategoryCode`). */
const topics = [
  'farming',
  'biota',
  'boundaries',
  'climatologyMeteorologyAtmosphere',
  'economy',
  'elevation',
  'environment',
  'geoscientificInformation',
  'health',
  'imageryBaseMapsEarthCover',
  'intelligenceMilitary',
  'inlandWaters',
  'location',
  'oceans',
  'planningCadastre',
  'society',
  'structure',
  'transportation',
  'utilitiesCommunication',
] as const;

/** Local part and domain in printable ASCII, which a `mailto:` URL can contain unchanged. */
const EmailAddress = z
  .string()
  .max(255)
  .regex(/^[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+$/);

const exampleFields = {
  organisation: 'Institute of Soil Science',
  email: 'data@soil.example',
  licence: 'https://creativecommons.org/licenses/by/4.0/',
  topic_category: 'geoscientificInformation' as const,
  lineage: 'Digitised from the soil map of 1987 at 1:300,000.',
  origin: 'derived' as const,
  purpose: null,
  scale_denominator: 300_000,
  keywords: ['soil', 'salinity'],
};

/** The fields that people add to the record of a dataset. */
export const MetadataFields = z.object({
  organisation: textOfAtMost(255)
    .nullable()
    .default(null)
    .describe('The organisation responsible for the data; null: the organisation of the service'),
  email: EmailAddress.nullable()
    .default(null)
    .describe('E-mail address of the organisation; null: that of the service'),
  licence: textOfAtMost(2000)
    .nullable()
    .default(null)
    .describe('The URL of a licence, or the conditions of use as a text; null: those of the service'),
  topic_category: z
    .enum(topics)
    .nullable()
    .default(null)
    .describe('Topic category of ISO 19115; null if none was chosen'),
  lineage: textOfAtMost(4000)
    .nullable()
    .default(null)
    .describe('The source of the data; null for an output: its run and inputs'),
  origin: OriginField.optional(),
  purpose: textOfAtMost(2000)
    .nullable()
    .default(null)
    .describe('The purpose of the data; null if it is not set'),
  scale_denominator: z
    .int()
    .min(1)
    .max(1e9)
    .nullable()
    .default(null)
    .describe('The denominator of the scale: 300000 for a map at 1:300,000; null if it is not set'),
  keywords: z.array(textOfAtMost(100)).max(20).default([]).describe('Keywords of the data'),
});
export type MetadataFields = z.infer<typeof MetadataFields>;

export const MetadataInput = MetadataFields.meta({
  id: 'MetadataInput',
  description:
    'The fields that people have entered in the metadata record of a dataset; an omitted field is cleared',
  examples: [exampleFields],
});

/** The elements that a record may lack. */
export const elements = [
  'abstract',
  'organisation',
  'email',
  'licence',
  'topic_category',
  'lineage',
  'extent',
  'reference_system',
  'period',
  'resolution',
  'keywords',
] as const;
export type Element = (typeof elements)[number];

const Missing = z.object({
  element: z.enum(elements).describe('The missing element'),
  level: z
    .enum(['mandatory', 'recommended'])
    .describe('The obligation; `mandatory`: catalogues with the INSPIRE profile refuse a record without it'),
  iso: z.string().describe('Name of the element in ISO 19139'),
  message: z
    .string()
    .describe('The missing element and the way to set it, as a sentence in the language of the request'),
  set_with: z
    .object({
      method: z.enum(['PUT', 'PATCH']).describe('Method of the request that sets the element'),
      path: z.string().describe('Path of the request'),
      field: z.string().describe('Field of the body'),
    })
    .nullable()
    .describe('The request that sets the element; null if it comes from the file itself'),
});
export type Missing = z.infer<typeof Missing>;

const example = {
  dataset_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  record: '/datasets/7c9e6679-7425-40de-944b-e07fc1f90ae7/metadata.xml',
  is_complete: false,
  fields: exampleFields,
  missing: [
    {
      element: 'abstract' as const,
      level: 'mandatory' as const,
      iso: 'gmd:abstract',
      message: 'The dataset has no description. Add one: it becomes the abstract.',
      set_with: {
        method: 'PATCH' as const,
        path: '/datasets/7c9e6679-7425-40de-944b-e07fc1f90ae7',
        field: 'description',
      },
    },
  ],
};

export const DatasetMetadata = z
  .object({
    dataset_id: Guid.describe('Id of the dataset'),
    record: z.string().describe('The path of its ISO 19139 record'),
    is_complete: z.boolean().describe('True if no mandatory element is missing'),
    fields: MetadataFields.describe('The fields that people have entered'),
    missing: z.array(Missing).describe('The missing elements, mandatory ones first'),
  })
  .meta({
    id: 'DatasetMetadata',
    description:
      'The fields that people have entered in the metadata record of a dataset, and the missing elements',
    examples: [example],
  });
export type DatasetMetadata = z.infer<typeof DatasetMetadata>;
