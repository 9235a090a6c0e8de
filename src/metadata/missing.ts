import { metadataPhrases as phrases } from '../messages/standards/english.ts';
import type { Message } from '../lib/message.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import type { RecordFacts } from './facts.ts';
import type { DatasetMetadata, Element, Missing } from './schema.ts';

/** The place where an element of the record is set: the fields of the record, those of the dataset, or only the file. */
interface Rule {
  readonly element: Element;
  readonly level: Missing['level'];
  readonly iso: string;
  readonly message: Message;
  readonly set: readonly ['PUT' | 'PATCH', string] | null;
  isMissing(facts: RecordFacts): boolean;
}

const rules: readonly Rule[] = [
  {
    element: 'abstract',
    level: 'mandatory',
    iso: 'gmd:abstract',
    message: phrases.noAbstract,
    set: ['PATCH', 'description'],
    isMissing: ({ abstract }) => abstract === null,
  },
  {
    element: 'organisation',
    level: 'mandatory',
    iso: 'gmd:contact/gmd:organisationName',
    message: phrases.noOrganisation,
    set: ['PUT', 'organisation'],
    isMissing: ({ organisation }) => organisation === null,
  },
  {
    element: 'email',
    level: 'mandatory',
    iso: 'gmd:contact/gmd:electronicMailAddress',
    message: phrases.noEmail,
    set: ['PUT', 'email'],
    isMissing: ({ email }) => email === null,
  },
  {
    element: 'licence',
    level: 'mandatory',
    iso: 'gmd:resourceConstraints',
    message: phrases.noLicence,
    set: ['PUT', 'licence'],
    isMissing: ({ licence }) => licence === null,
  },
  {
    element: 'topic_category',
    level: 'mandatory',
    iso: 'gmd:topicCategory',
    message: phrases.noTopic,
    set: ['PUT', 'topic_category'],
    isMissing: ({ fields, made }) => fields.topic_category === null && made === null,
  },
  {
    element: 'lineage',
    level: 'mandatory',
    iso: 'gmd:lineage',
    message: phrases.noLineage,
    set: ['PUT', 'lineage'],
    isMissing: ({ fields, made }) => (fields.lineage ?? '').trim() === '' && made === null,
  },
  {
    element: 'extent',
    level: 'mandatory',
    iso: 'gmd:extent/gmd:EX_GeographicBoundingBox',
    message: phrases.noExtent,
    set: null,
    isMissing: ({ box }) => box === null,
  },
  {
    element: 'reference_system',
    level: 'mandatory',
    iso: 'gmd:referenceSystemInfo',
    message: phrases.noReferenceSystem,
    set: null,
    isMissing: ({ crs }) => crs === null,
  },
  {
    element: 'period',
    level: 'recommended',
    iso: 'gmd:extent/gmd:EX_TemporalExtent',
    message: phrases.noPeriod,
    set: ['PATCH', 'start_date'],
    isMissing: ({ dataset }) => dataset.start_date === null && dataset.end_date === null,
  },
  {
    element: 'resolution',
    level: 'recommended',
    iso: 'gmd:spatialResolution',
    message: phrases.noResolution,
    set: ['PUT', 'scale_denominator'],
    isMissing: ({ grid, fields }) => (grid?.resolution ?? null) === null && fields.scale_denominator === null,
  },
  {
    element: 'keywords',
    level: 'recommended',
    iso: 'gmd:descriptiveKeywords',
    message: phrases.noKeywords,
    set: ['PUT', 'keywords'],
    isMissing: ({ fields }) => fields.keywords.length === 0,
  },
];

/** Describes the fields that people have added to a record, and its missing elements, in a language. */
export function describeMetadata(facts: RecordFacts, language: Language): DatasetMetadata {
  const { id } = facts.dataset;
  const path = `/datasets/${id}`;
  const missing = rules
    .filter(({ isMissing }) => isMissing(facts))
    .map(({ element, level, iso, message, set }): Missing => {
      const said = { element, level, iso, message: translate(message, language) };
      if (set === null) return { ...said, set_with: null };
      const [method, field] = set;
      return { ...said, set_with: { method, path: method === 'PUT' ? `${path}/metadata` : path, field } };
    });
  return {
    dataset_id: id,
    record: `${path}/metadata.xml`,
    is_complete: missing.every(({ level }) => level === 'recommended'),
    fields: facts.fields,
    missing,
  };
}
