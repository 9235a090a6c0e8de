import type { DatasetRow } from './schema.ts';

const underWay = ': GET /datasets/{id}/status tells how far it is';

const nextSteps: Readonly<Record<DatasetRow['status'], string>> = {
  pending: underWay,
  processing: underWay,
  parsing: underWay,
  awaiting_mapping: ': POST /datasets/{id}/mapping comes next, with columns out of its attribute_columns',
  extracting: underWay,
  ready: '',
  failed: ': parse_error says why, and POST /datasets/{id}/retry tries again',
};

/** The end of a sentence that refuses something because of a status: what can be done next; empty when nothing is left. */
export function nextStepOf(status: DatasetRow['status']): string {
  return nextSteps[status];
}
