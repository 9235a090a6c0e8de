import { listed, quoted } from '../lib/readable.ts';
import { conflict, invalid, problem, sentences } from './define.ts';

const wait = ': GET /datasets/{id}/status tells how far it is';

/** Ends of sentences that refuse something because of a status: the next step of a client. */
export const nextSteps = {
  pending: wait,
  processing: wait,
  parsing: wait,
  awaiting_mapping: ': POST /datasets/{id}/mapping comes next, with columns out of its attribute_columns',
  extracting: wait,
  ready: '',
  failed: ': parse_error says why, and POST /datasets/{id}/retry tries again',
};
type Status = keyof typeof nextSteps;

/** A table by KATO whose mapping may have failed. */
interface TableState {
  readonly status: Status;
  readonly kato_column: string | null;
}

/** Returns the next step of a client; where a mapping has failed, it can be another mapping. */
function nextStepOf({ status, kato_column: mapped }: TableState): string {
  if (status !== 'failed' || mapped === null) return nextSteps[status];
  return `${nextSteps.failed}, or with step=mapping lets another mapping follow`;
}

export const datasetProblems = sentences('dataset', {
  notFound: problem('not_found', () => 'no such dataset'),
  noneFreshest: problem('not_found', () => 'no such dataset group, or no dataset of it matches'),
  noReport: problem('not_found', () => 'the file has not been looked at yet'),
  nothingToChange: invalid(
    (fields: readonly string[]) => `the body must have at least one of ${fields.join(', ')}`,
  ),
  notFailed: conflict(
    (status: Status) => `only a failed dataset can be retried; this one is ${status}${nextSteps[status]}`,
  ),
  neverMapped: conflict(
    () =>
      'the dataset failed before it was mapped, so there is no mapping to take back: parse_error says why, and POST /datasets/{id}/retry reads the file again',
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
});

const unknownColumn = 'is not among the attribute_columns of the dataset';

/** Faults of the fields of a mapping. */
export const mappingFaults = sentences('mapping_fault', {
  notAYearColumn: 'must be an object with column, start_date and, for a period, end_date',
  endBeforeStart: 'must not be before start_date',
  katoColumn: 'is the KATO column already',
  mappedTwice: 'is mapped more than once',
  unknownColumn,
  misspeltColumn: (meant: string) => `${unknownColumn}; did you mean ${quoted(meant)}?`,
  unknownAmong: (names: readonly string[]) => `${unknownColumn}, which are ${listed(names.map(quoted))}`,
});
