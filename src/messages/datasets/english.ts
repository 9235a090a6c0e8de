import type { FieldErrors } from '../../lib/errors.ts';
import { listed, quoted } from '../../lib/readable.ts';
import { conflict, invalid, problem, sentences } from '../base/define.ts';

const wait = ': GET /datasets/{id}/status shows its progress';

/** Ends of refusals because of a status: the client's next step. */
export const nextSteps = {
  pending: wait,
  processing: wait,
  parsing: wait,
  awaiting_mapping: ': POST /datasets/{id}/mapping comes next, with columns out of its attribute_columns',
  extracting: wait,
  ready: '',
  failed: ': parse_error gives the reason, and POST /datasets/{id}/retry tries again',
};
type Status = keyof typeof nextSteps;

/** A table by KATO whose mapping may have failed. */
interface TableState {
  readonly status: Status;
  readonly kato_column: string | null;
}

/** Returns the client's next step; after a failed mapping, that may be another mapping. */
function nextStepOf({ status, kato_column: mapped }: TableState): string {
  if (status !== 'failed' || mapped === null) return nextSteps[status];
  return `${nextSteps.failed}, or, with step=mapping, allows another mapping`;
}

export const datasetProblems = sentences('dataset', {
  notFound: problem('not_found', () => 'no such dataset'),
  noneFreshest: problem('not_found', () => 'no such dataset group, or no dataset of it matches'),
  noReport: problem('not_found', () => 'the file has not been looked at yet'),
  adopted: conflict(
    ({ name, runs }: { readonly name: string; readonly runs: number }) =>
      `the dataset belongs to the adopted run ${quoted(name)}${runs > 1 ? ` and ${runs - 1} more` : ''}, so it cannot be deleted; change the state of the run first`,
  ),
  nothingToChange: invalid(
    (fields: readonly string[]) => `the body must have at least one of ${fields.join(', ')}`,
  ),
  notFailed: conflict(
    (status: Status) => `only a failed dataset can be retried; this one is ${status}${nextSteps[status]}`,
  ),
  neverMapped: conflict(
    () =>
      'the dataset failed before it was mapped, so there is no mapping to take back: parse_error gives the reason, and POST /datasets/{id}/retry reads the file again',
  ),
  rasterForGeoJson: invalid(() => 'a raster has no GeoJSON'),
  noGeoJsonYet: conflict(
    (dataset: TableState) =>
      `the dataset is ${dataset.status}; its GeoJSON exists once it is ready${nextStepOf(dataset)}`,
  ),
  noTable: invalid(() => 'only a vector_with_kato dataset has series'),
  noSeriesYet: conflict(
    (dataset: TableState) =>
      `the dataset is ${dataset.status}; its series exist once it is ready${nextStepOf(dataset)}`,
  ),
  notARaster: invalid(() => 'only a raster has a COG'),
  noCogYet: conflict(
    (status: Status) => `the raster is ${status}; its COG has not been made${nextSteps[status]}`,
  ),
  noStatistics: invalid(() => 'only a raster has statistics'),
  noStatisticsYet: conflict(
    (status: Status) =>
      `the raster is ${status}; its pixels are counted once it is ready${nextSteps[status]}`,
  ),
  notCountedYet: problem(
    'not_found',
    () => 'the pixels of the raster are being counted: ask again in a moment',
  ),
  notCountable: problem(
    'not_found',
    () => 'the raster has no statistics: its values are complex numbers, or its pixels could not be counted',
  ),
  notCounted: problem(
    'not_found',
    () => 'the pixels of the raster could not be counted; the service tries this again later',
  ),
});

/** Faults of well-formed fields. */
export const datasetFaults = sentences('dataset_fault', {
  noCategory: 'no such category',
  noGroup: 'no such dataset group',
  endBeforeStart: 'must not be before start_date',
});

export const mappingProblems = sentences('mapping', {
  wrongFileType: invalid(() => 'only a vector_with_kato dataset can be mapped'),
  wrongStatus: conflict(
    (dataset: TableState) => `a dataset cannot be mapped while it is ${dataset.status}${nextStepOf(dataset)}`,
  ),
  tooEarly: conflict((of: TableState) => `this is not known while it is ${of.status}${nextStepOf(of)}`),
  notReadAgain: conflict(() => 'the file could not be read again; ask once more in a minute'),
});

const unknownColumn = 'is not among the attribute_columns of the dataset';

export const mappingFaults = sentences('mapping_fault', {
  notAYearColumn: 'must be an object with column, start_date and, for a period, end_date',
  endBeforeStart: 'must not be before start_date',
  katoColumn: 'is the KATO column already',
  mappedTwice: 'is mapped more than once',
  factorWithoutUnits: 'needs unit and source_unit beside it, so that the conversion can be checked',
  unknownColumn,
  misspeltColumn: (meant: string) => `${unknownColumn}; did you mean ${quoted(meant)}?`,
  unknownAmong: (names: readonly string[]) => `${unknownColumn}, which are ${listed(names.map(quoted))}`,
});

export const categoryProblems = sentences('category', {
  notFound: problem('not_found', () => 'no such category'),
  codeTaken: conflict(() => 'another category has this code'),
  inUse: conflict((users: 'datasets' | 'child categories') => `the category still has ${users}`),
});

export const groupProblems = sentences('group', {
  notFound: problem('not_found', () => 'no such dataset group'),
  codeTaken: conflict(() => 'another dataset group has this code'),
  inUse: conflict(() => 'the dataset group still has datasets'),
});

export const categoryFaults = sentences('category_fault', {
  noParent: 'does not exist',
  ownAncestor: 'must not make the category its own ancestor',
  slug: 'must be lower-case latin letters, digits and single dashes between them',
});

/** Faults of the parent of a category, by field. */
export const parentFaults = {
  missing: { parent_id: categoryFaults.noParent },
  descendant: { parent_id: categoryFaults.ownAncestor },
} satisfies Record<string, FieldErrors>;

export const slugFault = categoryFaults.slug;

const anotherMapping = 'POST /datasets/{id}/retry?step=mapping';

/** Reasons not to use the attribute table of a file. */
export const tableProblems = sentences('table', {
  noColumns: invalid(
    () =>
      'The file has no columns, so there is nothing to map: add a column with KATO codes and at least one column with values.',
  ),
  longRow: invalid(
    (row: number, millions: number) =>
      `Row ${row} of the attribute table has more than ${millions} million characters; shorten its texts or remove columns, and upload the file again.`,
  ),
  columnGone: invalid(
    (column: string) => `The file has no column "${column}" any more; upload it again and map it again.`,
  ),
  longCode: invalid(
    (cell: LongCell) =>
      `${describe(cell)}; ask for another mapping (${anotherMapping}) and map the column that holds KATO codes.`,
  ),
  longValue: invalid(
    (cell: LongCell) =>
      `${describe(cell)}; ask for another mapping (${anotherMapping}) and map columns that hold values.`,
  ),
  tooMuchText: invalid(
    (code: string, mebibytes: number) =>
      `The texts of code "${code}" have more than ${mebibytes} MiB together, which is more than a map can show; ask for another mapping (${anotherMapping}) and map columns that hold values.`,
  ),
});

interface LongCell {
  readonly column: string;
  /** In UTF-16 units. */
  readonly length: number;
  /** One-based. */
  readonly row: number;
}

function describe({ column, length, row }: LongCell): string {
  return `Column "${column}" contains a text of ${length} characters in row ${row}`;
}

const instead = 'Download the file, and upload it.';

/** Why a file on another server cannot be read, or is refused. */
export const remoteFaults = sentences('remote', {
  off: 'This service reads no files of other servers: its operator has listed none in REFERENCE_HOSTS and REFERENCE_BUCKETS.',
  notAnAddress:
    'must be an https address without user name, password and fragment, or an object as s3://bucket/key, at most 2000 characters long',
  hostNotListed: (host: string) =>
    `The operator of this service has not listed ${host} in REFERENCE_HOSTS, so nothing is read from it.`,
  bucketNotListed: (bucket: string) =>
    `The operator of this service has not listed this part of the bucket ${bucket} in REFERENCE_BUCKETS, so nothing is read from it.`,
  bucketSettings: (bucket: string) =>
    `The bucket ${bucket} cannot be read with the settings and credentials that the operator of this service has given for it.`,
  longDocument: (host: string, mostMiB: number) => `The document of ${host} is longer than ${mostMiB} MiB.`,
  privateAddress: (host: string) =>
    `${host} has an address in a private or reserved network, from which this service never reads.`,
  noSuchHost: (host: string) => `The name ${host} has no address.`,
  noAnswer: (host: string) => `${host} did not answer in time.`,
  noConnection: (host: string) => `The connection to ${host} failed.`,
  badCertificate: (host: string) =>
    `The certificate of ${host} is not valid for it, or not from a known issuer.`,
  redirectedAway: (host: string) =>
    `The address redirects to ${host}, which is not an https address of a host in REFERENCE_HOSTS.`,
  tooManyRedirects: (host: string) => `${host} redirects again and again.`,
  denied: (host: string) => `${host} refuses to give the file. ${instead}`,
  missing: (host: string) => `${host} has no file at this address.`,
  otherStatus: (host: string, status: number) => `${host} answered with status ${status}.`,
  noRanges: (host: string) => `${host} does not serve parts of files (ranges). ${instead}`,
  encoded: (host: string) =>
    `${host} sends the file in a content encoding, and its parts cannot be read. ${instead}`,
  noLength: (host: string) => `${host} does not tell the length of the file. ${instead}`,
  otherBytes: (host: string) => `${host} sent other bytes than it announced.`,
  empty: 'The file is empty.',
  tooLarge: (mostGiB: number) => `The file has more than ${mostGiB} GiB.`,
  changed: (host: string) =>
    `The file on ${host} is not the one that was registered any more. Register it again as a new dataset.`,
  wrongName:
    'The name of the file must end with .tif, .tiff or .fgb: only Cloud-Optimized GeoTIFF and FlatGeobuf can stay on another server.',
  notATiff: 'The file is not a TIFF, although its name says so.',
  notAFlatGeobuf: 'The file is not a FlatGeobuf, although its name says so.',
});

export const referenceProblems = sentences('reference', {
  notCog: invalid(
    () =>
      `The file is not a complete Cloud-Optimized GeoTIFF: its parts cannot be read one by one. ${instead} The service converts it then.`,
  ),
  notAReference: conflict(() => 'the file of the dataset is stored here already'),
  notReady: conflict(() => 'the dataset is not ready; its file can be copied once it is'),
});

export const stacFaults = sentences('stac_source', {
  notStac: 'The document is not a STAC item, item collection, collection or catalogue.',
  wrongItem: 'It has an item without id, properties or assets.',
  noAsset: (asset: string) => `The item has no file ${quoted(asset)} that can be registered.`,
  pagesByPost:
    'The next pages are requested by POST, which this service does not do. Use an address whose pages are requested by GET.',
  tooManyDocuments: (most: number) =>
    `More than ${most} documents lead to the items; the others are not read.`,
});

export const stacProblems = sentences('stac_import', {
  noImport: problem('not_found', () => 'no such import, or it is older than 30 days'),
  notNow: problem('unavailable', () => 'the items could not be read; try again later'),
});

export const originPhrases = sentences('origin', {
  invented: 'Invented data, for demonstration only',
  ofInvented: (names: string) => `For demonstration only. Computed from invented data: ${names}`,
  deleted: 'a deleted dataset',
  isMeasured: 'measured',
  isDerived: 'derived from measurements',
  isInvented: 'invented',
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  category: categoryProblems,
  category_fault: categoryFaults,
  dataset: datasetProblems,
  dataset_fault: datasetFaults,
  group: groupProblems,
  mapping: mappingProblems,
  mapping_fault: mappingFaults,
  origin: originPhrases,
  reference: referenceProblems,
  remote: remoteFaults,
  stac_import: stacProblems,
  stac_source: stacFaults,
  table: tableProblems,
};
