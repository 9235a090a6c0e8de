import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables/tables.ts';
import { metadataPhrases as phrases } from '../messages/standards/english.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { listDatasets } from '../datasets/list/list.ts';
import type { DatasetKey } from '../datasets/list/cursor.ts';
import type { DatasetSummary } from '../datasets/schema.ts';
import { readWarnings } from '../landscape/groups/warnings.ts';
import { downloadsOf } from './downloads.ts';
import { type Box, boxOf, type Publisher, responsibleFor } from './facts.ts';
import { type MetadataFields } from './schema.ts';
import { noFields, readMetadata, readWithFeatures } from './stored.ts';

/** The JSON-LD context, inline: a reader can interpret the catalogue without a network. */
const context = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  hydra: 'http://www.w3.org/ns/hydra/core#',
  geosparql: 'http://www.opengis.net/ont/geosparql#',
} as const;
const mediaTypes = 'http://www.iana.org/assignments/media-types/';
/** Codes of languages in the EU authority table, which DCAT-AP requires. */
const languages: Readonly<Record<Language, string>> = { en: 'ENG', ru: 'RUS', kk: 'KAZ' };

const Node = z.record(z.string(), z.unknown());

export const Catalogue = z
  .object({
    '@context': Node.describe('The JSON-LD context, inline, so that a reader needs no network'),
    '@id': z.string().describe('Address of the catalogue'),
    '@type': z.literal('dcat:Catalog').describe('The type, a DCAT catalogue'),
    'dcat:dataset': z
      .array(Node)
      .describe('The datasets of this page: `dcat:Dataset` with their distributions'),
    'hydra:view': Node.describe('Links to this page, the first page and, if it exists, the next page'),
  })
  .catchall(z.unknown())
  .meta({
    id: 'Catalogue',
    description: 'A page of the catalogue of datasets according to DCAT-AP 3, as JSON-LD',
    examples: [
      {
        '@context': { dcat: context.dcat },
        '@id': 'http://localhost:8080/catalog.jsonld',
        '@type': 'dcat:Catalog',
        'dcat:dataset': [],
        'hydra:view': {
          '@id': 'http://localhost:8080/catalog.jsonld',
          '@type': 'hydra:PartialCollectionView',
        },
      },
    ],
  });

interface CatalogueOptions {
  readonly db: Database;
  readonly publisher: Publisher;
  /** The address of the service, without a trailing slash. */
  readonly base: string;
  readonly language: Language;
  readonly limit: number;
  /** The place at which the page begins, from the link to the next page. */
  readonly after: { readonly text: string; readonly key: DatasetKey } | undefined;
}

/** Describes one page of the ready datasets, newest first, according to DCAT-AP 3. */
export async function readCatalogue(options: CatalogueOptions): Promise<object> {
  const { db, publisher, base, language, limit, after } = options;
  const slice = { limit, offset: 0, after: after?.key };
  const { rows, next } = await listDatasets(db, { status: 'ready' }, slice);
  const ids = rows.map(({ id }) => id);
  const [fields, boxes, withFeatures, warnings] = await Promise.all([
    readMetadata(db, ids),
    readBoxes(db, ids),
    readWithFeatures(db, ids),
    readWarnings(db, ids, language),
  ]);
  const address = `${base}/catalog.jsonld`;
  const pageAt = (place?: string) =>
    `${address}?page_size=${limit}${place === undefined ? '' : `&after=${place}`}`;
  const said = (message: Parameters<typeof translate>[0]) => ({
    '@value': translate(message, language),
    '@language': language,
  });
  return {
    '@context': context,
    '@id': address,
    '@type': 'dcat:Catalog',
    'dct:title': said(phrases.catalogue),
    'dct:description': said(phrases.catalogueText),
    'dct:publisher': agent(publisher.organisation ?? translate(phrases.unknownOrganisation, language)),
    'dct:language': {
      '@id': `http://publications.europa.eu/resource/authority/language/${languages[language]}`,
    },
    'foaf:homepage': { '@id': `${base}/` },
    ...(isAddress(publisher.licence) && { 'dct:license': { '@id': publisher.licence } }),
    'dcat:dataset': rows.map((row) =>
      describe(row, {
        base,
        language,
        publisher,
        fields: fields.get(row.id)?.fields ?? noFields,
        box: boxes.get(row.id),
        hasFeatures: withFeatures.has(row.id),
        provenance: [warnings.get(row.id) ?? '', fields.get(row.id)?.fields.lineage ?? '']
          .filter((text) => text !== '')
          .join('. '),
      }),
    ),
    'hydra:view': {
      '@id': pageAt(after?.text),
      '@type': 'hydra:PartialCollectionView',
      'hydra:first': { '@id': pageAt() },
      ...(next !== undefined && { 'hydra:next': { '@id': pageAt(next) } }),
    },
  };
}

interface Around {
  readonly base: string;
  readonly language: Language;
  readonly publisher: Publisher;
  readonly fields: MetadataFields;
  readonly box: Box | undefined;
  readonly hasFeatures: boolean;
  /** Origin of the data; empty if it is not stated. */
  readonly provenance: string;
}

function describe(
  row: DatasetSummary,
  { base, language, publisher, fields, box, hasFeatures, provenance }: Around,
): object {
  const { organisation, email, licence } = responsibleFor(fields, publisher);
  const address = `${base}/datasets/${row.id}`;
  const description = (row.description ?? '').trim();
  return {
    '@id': address,
    '@type': 'dcat:Dataset',
    'dct:identifier': row.id,
    'dct:title': row.name,
    // Harvesters refuse a dataset without a description.
    'dct:description': description === '' ? row.name : description,
    'dct:issued': moment(row.created_at),
    'dct:modified': moment(row.updated_at),
    'dcat:landingPage': { '@id': `${base}/#/datasets/${row.id}` },
    ...(fields.keywords.length > 0 && { 'dcat:keyword': fields.keywords }),
    ...(organisation !== null && { 'dct:publisher': agent(organisation) }),
    ...((organisation !== null || email !== null) && {
      'dcat:contactPoint': {
        '@type': 'vcard:Kind',
        ...(organisation !== null && { 'vcard:fn': organisation }),
        ...(email !== null && { 'vcard:hasEmail': { '@id': `mailto:${email}` } }),
      },
    }),
    ...(provenance !== '' && {
      'dct:provenance': { '@type': 'dct:ProvenanceStatement', 'dct:description': provenance },
    }),
    ...((row.start_date !== null || row.end_date !== null) && {
      'dct:temporal': {
        '@type': 'dct:PeriodOfTime',
        ...(row.start_date !== null && { 'dcat:startDate': dayOf(row.start_date) }),
        ...(row.end_date !== null && { 'dcat:endDate': dayOf(row.end_date) }),
      },
    }),
    ...(box !== undefined && {
      'dct:spatial': {
        '@type': 'dct:Location',
        'dcat:bbox': { '@type': 'geosparql:wktLiteral', '@value': wktOf(box) },
      },
    }),
    'dcat:distribution': downloadsOf(row, hasFeatures).map(({ path, name, mediaType, role }) => ({
      '@id': `${base}${path}`,
      '@type': 'dcat:Distribution',
      'dct:title': { '@value': translate(name, language), '@language': language },
      'dcat:accessURL': { '@id': `${base}${path}` },
      ...(role === 'download' && { 'dcat:downloadURL': { '@id': `${base}${path}` } }),
      'dcat:mediaType': { '@id': `${mediaTypes}${mediaType}` },
      ...(licence !== null && {
        'dct:license': isAddress(licence)
          ? { '@id': licence }
          : { '@type': 'dct:LicenseDocument', 'dct:description': licence },
      }),
    })),
  };
}

const agent = (name: string) => ({ '@type': 'foaf:Agent', 'foaf:name': name });
const moment = (value: string) => ({ '@type': 'xsd:dateTime', '@value': value });
const dayOf = (value: string) => ({ '@type': 'xsd:date', '@value': value });

function isAddress(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
}

/** Writes a box as WKT; a box across 180° becomes two polygons. */
function wktOf([west, south, east, north]: Box): string {
  const ring = (left: number, right: number) =>
    `((${[left, right, right, left, left].map((x, corner) => `${x} ${corner < 2 || corner === 4 ? south : north}`).join(', ')}))`;
  return west <= east
    ? `POLYGON ${ring(west, east)}`
    : `MULTIPOLYGON (${ring(west, 180)}, ${ring(-180, east)})`;
}

/** Reads the extents of rasters; rasters that do not lie on the earth are left out. */
async function readBoxes(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Box>> {
  const rows = await db
    .selectFrom('datasets')
    .innerJoin('import_reports', 'import_reports.dataset_id', 'datasets.id')
    .select(['datasets.id', 'datasets.bbox'])
    .where('datasets.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(sql<boolean>`import_reports.raster ->> 'crs' is not null`)
    .execute();
  return new Map(
    rows.flatMap(({ id, bbox }) => {
      const box = boxOf(bbox);
      return box === null ? [] : [[id, box] as const];
    }),
  );
}
