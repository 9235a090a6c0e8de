import { problem, sentences, conflict, invalid } from '../base/define.ts';
import { nextSteps } from '../datasets/english.ts';

const typeNames: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['integer', 'a number'],
  ['date', 'a day such as 2024-06-01, or a time'],
  ['boolean', 'true or false, and only for = and <>'],
  ['time', 'a time such as 2024-06-01T00:00:00Z, or an interval'],
  ['geometry', 'a geometry in S_INTERSECTS'],
]);

/** Faults of a filter in CQL2, without the name of its parameter. */
export const filterFaults = sentences('filter', {
  syntax: (character: number) => `is not CQL2 at character ${character}`,
  notAnOperation: 'must be CQL2 JSON: an object with op and args',
  tooManyParts: (max: number) => `must have at most ${max} operations, values and positions`,
  tooDeep: (levels: number) => `must have at most ${levels} nested operations`,
  unsupported: (name: string) => `has ${name.slice(0, 64)}, which is not supported here`,
  unknownProperty: (name: string) => `has the property ${name.slice(0, 64)}, which is not a queryable`,
  noProperty: (op: string) => `must have a property in each ${op}`,
  wrongArguments: (op: string) => `has ${op} with a wrong number of arguments`,
  wrongValue: (property: string, type: string) =>
    `must compare ${property.slice(0, 64)} with ${typeNames.get(type) ?? type}`,
  wrongPattern: (property: string, max: number) =>
    `must have a text of at most ${max} characters after LIKE, and a property of text before it, not ${property.slice(0, 64)}`,
  wrongGeometry: (max: number) =>
    `must have a geometry or a box in degrees of at most ${max} positions in S_INTERSECTS`,
  tooCostly: 'compares geometries with too many edges; use a box or a simpler geometry',
});

/** Faults of parameters that OGC APIs and STAC share, without their names. */
export const standardFaults = sentences('standard', {
  unknownParameter: 'is not a parameter of this path',
  unknownMember: 'is not a member of a search; filter, in CQL2 JSON, narrows it by any property',
  query: (operators: readonly string[]) =>
    `must be an object of properties, each with an object of operators and values: ${operators.join(', ')}`,
  datetime:
    'must be a time such as 2024-06-01T00:00:00Z, or two times separated by a slash, the earlier first; one of them may be ..',
  bbox: 'must be four numbers, or six with heights: west, south, east, north, with south not above north',
  geometry: (max: number) => `must be a GeoJSON geometry in degrees with at most ${max} positions`,
  format: (name: string) => `must be ${name}`,
  offset: 'must be a whole number of 0 or more',
  limit: 'must be a whole number of 1 or more',
  token: 'must be taken from the link next of this search',
  boxAndGeometry: 'must not be sent together with bbox',
  unknownSort: (names: readonly string[]) => `must be ${names.join(', ')}, with - in front for descending`,
  noCollection: problem('not_found', () => 'no such collection'),
});

type Status = keyof typeof nextSteps;

/** Reasons for the absence of a FlatGeobuf. */
export const flatGeobufProblems = sentences('flatgeobuf', {
  noFeatures: invalid(() => 'only a vector has a FlatGeobuf'),
  noFeaturesYet: conflict(
    (status: Status) =>
      `the dataset is ${status}; its FlatGeobuf exists once it is ready${nextSteps[status]}`,
  ),
  featuresNotMade: problem(
    'not_found',
    () =>
      'the dataset has no FlatGeobuf: an old dataset, or one for which writing it has failed, gets it later; a file with too many features or columns never gets it',
  ),
});

/** Reasons for the absence of a GeoPackage. */
export const geopackageOutProblems = sentences('geopackage_out', {
  noVector: invalid(
    (type: 'raster' | 'vector_with_kato') =>
      `only a vector comes as a GeoPackage; ${type === 'raster' ? 'a raster comes as .cog' : 'a table by KATO comes as .parquet'}`,
  ),
  tooManyColumns: invalid(
    (columns: number, most: number) =>
      `a GeoPackage has at most ${most} columns here, and this dataset has ${columns}: take its .fgb`,
  ),
  tooLarge: invalid(
    (features: number, maxMiB: number) =>
      `the dataset is too large for a GeoPackage, which has at most ${features.toLocaleString('en')} features and is made of at most ${maxMiB} MiB: take its .fgb, which QGIS opens as well`,
  ),
  largeFeature: invalid(
    (number: number, maxMiB: number) =>
      `feature ${number} has more than ${maxMiB} MiB, more than one feature of a GeoPackage may have here: take the .fgb of the dataset`,
  ),
  noRoom: problem(
    'unavailable',
    () => 'the disk of the service has no room for the GeoPackage; take the .fgb, or ask again later',
  ),
});

const valueNames: ReadonlyMap<string, string> = new Map([
  ['string', 'one text'],
  ['boolean', 'true or false'],
  ['date', 'a day such as 2024-06-01'],
]);

/** Sentences of the OGC APIs for features. */
export const featureSentences = sentences('ogc_feature', {
  noCollection: problem('not_found', () => 'no such collection'),
  geometryElsewhere: (number: number) =>
    `The geometry of feature ${number} is too large for an answer: this file contains it`,
  noFeature: problem('not_found', () => 'no such feature'),
  tooLarge: problem(
    'malformed',
    (number: number, maxMiB: number) =>
      `feature ${number} has more than ${maxMiB} MiB; the FlatGeobuf of the dataset has it, and token=${number + 1} continues after it`,
  ),
  crs: (addresses: readonly string[]) => `must be ${addresses.join(' or ')}`,
  token: 'must be taken from the link next of this collection',
  unknownProperty: (name: string) => `names “${name}”, which is not a property of the collection`,
  filterLanguage: 'must be cql2-text or cql2-json',
  value: (type: string) => `must be ${valueNames.get(type) ?? 'a number'}`,
  noFeatures: problem(
    'not_found',
    () => 'the collection is a raster, which has no features: its tiles are at /map/tiles of the collection',
  ),
});

export const eventFaults = sentences('event_fault', {
  notAnEvent: 'must be the id of an event',
  notAPlace: 'must be the id of an event, or 0 for all events that are kept',
  notTypes: (types: readonly string[]) => `must have some of ${types.join(', ')}, separated by commas`,
});

export const eventProblems = sentences('event', {
  tooManyListeners: problem('busy', () => 'too many clients listen to events; try again later'),
});

export const webhookProblems = sentences('webhook', {
  notFound: problem('not_found', () => 'no such webhook'),
  tooMany: conflict((most: number) => `there are ${most} webhooks already; delete one that is not needed`),
  tooManySecrets: conflict(
    (most: number) =>
      `messages of this webhook are signed with ${most} earlier secrets already; keep_hours 0 ends them`,
  ),
  testsWait: conflict((count: number) => `${count} tests of this webhook wait to be sent`),
  nothingToChange: invalid(
    (fields: readonly string[]) => `the body must have at least one of ${fields.join(', ')}`,
  ),
});

export const webhookFaults = sentences('webhook_fault', {
  notUrl:
    'must be an https URL without user, password and fragment, of at most 2000 characters, such as https://maps.example/hooks',
  privateUrl:
    'must be an https URL that does not lead into a private network; WEBHOOK_ALLOWED_NETWORKS can allow networks',
});

/** Gaps of a metadata record, and its standard words. */
export const metadataPhrases = sentences('metadata', {
  noAbstract: 'The dataset has no description. Add one: it becomes the abstract of the record.',
  noOrganisation:
    'No organisation is responsible for the data. Name it here, or for all datasets with METADATA_ORGANISATION.',
  noEmail: 'There is no e-mail address for questions. Add it here, or for all datasets with METADATA_EMAIL.',
  noLicence:
    'The conditions of use are not stated. Add a licence here, or for all datasets with METADATA_LICENCE.',
  noTopic: 'No topic of ISO 19115 is chosen.',
  noLineage: 'The origin of the data is not stated.',
  noExtent:
    'The position on the earth is not known: the dataset is not ready, or its file has no georeference.',
  noReferenceSystem:
    'The reference system is not known: the dataset is not ready, or its file names none. Upload a file with a reference system.',
  noPeriod: 'The period that the data describe is not stated.',
  noResolution: 'The scale is not stated.',
  noKeywords: 'There are no keywords.',
  lineageOfRun: (title: string, node: string, run: string) =>
    `${title}: computed by node ${node} of the Landscape Program in run ${run}, from the sources below.`,
  unit: (unit: string) => `Unit of the values: ${unit}`,
  original: 'Original file',
  cog: 'Cloud-Optimized GeoTIFF',
  tiles: 'Map tiles in the colours of the style',
  geojson: 'GeoJSON',
  flatGeobuf: 'FlatGeobuf: each feature with its attributes',
  geoPackage: 'GeoPackage for QGIS, with its style',
  geoParquet: 'GeoParquet',
  csv: 'Table as CSV',
  workbook: 'Table as a workbook',
  page: 'The dataset',
  catalogue: 'Datasets of Steppe',
  catalogueText: 'Geodata: rasters, vectors and tables by KATO, and zonings computed from them.',
  unknownOrganisation: 'not stated',
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  ogc_feature: featureSentences,
  filter: filterFaults,
  flatgeobuf: flatGeobufProblems,
  geopackage_out: geopackageOutProblems,
  event: eventProblems,
  event_fault: eventFaults,
  metadata: metadataPhrases,
  standard: standardFaults,
  webhook: webhookProblems,
  webhook_fault: webhookFaults,
};
