import type { Message } from '../../lib/message.ts';
import { listed } from '../../lib/readable.ts';
import { conflict, problem, sentences } from '../base/define.ts';

/** Failures of a run at a node. The run's error puts the node's code in front. */
export const runFaults = sentences('run_fault', {
  cancelled: 'cancelled',
  atNode: (node: string, fault: Message) => `${node}: ${fault.english}`,
  internalError: (node: string) => `node ${node}: internal error`,
  outputNotStored: (node: string) => `node ${node}: output could not be stored`,
  noReadyRaster: (groups: readonly string[]) => `no ready raster for input groups: ${groups.join(', ')}`,
  datasetNotAvailable: (id: string, group: string) => `dataset ${id} of group ${group} is not available`,
  unreadable: (group: string) => `input group ${group}: raster cannot be read`,
  noCrs: (group: string) => `input group ${group}: CRS missing or not supported`,
  noOverlap: (group: string) => `input group ${group} does not overlap the reference grid`,
  picture: (group: string, bands: number) =>
    `input group ${group}: a picture of ${bands} bands instead of a raster with one band of values`,
  noValidPixel: (group: string) =>
    `input group ${group} has no valid pixel on the reference grid; check unit, scale and nodata`,
  referenceWithoutCrs: 'reference raster: no CRS',
  referenceNotNorthUp: 'reference raster: not north-up',
  referenceTooLarge: 'reference raster: too many pixels',
});

export const overrideFaults = sentences('override', {
  notAnObject: 'must be an object of dataset ids by group code',
  tooMany: (most: number) => `must have at most ${most} groups`,
  notAnInput: 'not an input group of the graph',
  notAUuid: 'must be a uuid',
  notFound: 'dataset not found',
  notARaster: 'dataset is not a raster',
  notReady: 'dataset is not ready',
});

export const paramFaults = sentences('param', {
  tiePriority: 'must be a list of the numbers from 1 to 5, each of them once',
});

export const landscapeProblems = sentences('landscape', {
  noSuchRun: problem('not_found', () => 'there is no such run'),
  runHasEnded: problem(
    'conflict',
    () => 'the run has ended: only a run that is queued or running can be cancelled',
  ),
  gapsNotYet: conflict(() => 'the run has not ended; its gaps are known once it has succeeded'),
  gapsOfFailedRun: problem('not_found', () => 'the run has failed; only a run that has succeeded has gaps'),
  gapsNotCounted: problem(
    'not_found',
    () =>
      'the gaps of this run were not counted, because an earlier release has executed it or an input was deleted; the next run over the same inputs counts them',
  ),
  rasterOfRunGone: problem(
    'not_found',
    (group: string) => `the raster that this run has for ${group} was deleted since`,
  ),
  inputsMissing: conflict(
    (groups: readonly string[]) => `no ready raster for input groups: ${groups.join(', ')}`,
  ),
  noResultGroup: problem('not_found', (code: string) => `there is no dataset group ${code}`),
  noSlotGroup: problem(
    'not_found',
    (code: string) => `there is no dataset group ${code}: the next start of the service creates it again`,
  ),
  noSuchSlot: problem('not_found', (meant: string | undefined) => {
    const suggestion = meant === undefined ? '' : ` did you mean ${meant}?`;
    return `there is no such slot;${suggestion} GET /landscape/slots lists them all`;
  }),
});

/** A missing dataset, and its group. */
interface GoneDataset {
  readonly id: string;
  readonly group: string;
}

/** Refusals to change the record of a run. */
export const recordProblems = sentences('record', {
  changed: problem(
    'precondition_failed',
    () => 'the record was changed since the revision that If-Match names; read it again',
  ),
  notSucceeded: conflict(
    (status: 'queued' | 'running' | 'succeeded' | 'failed') =>
      `only a run that has succeeded can be adopted; this one is ${status}`,
  ),
  datasetsGone: conflict(
    (gone: readonly GoneDataset[]) =>
      `the run cannot be adopted, because these datasets of it were deleted: ${listed(gone.map(({ id, group }) => `${id} of group ${group}`))}`,
  ),
});

/** A raster of a slot: its name, and the end of its period as a calendar date. */
interface SlotRaster {
  readonly name: string;
  readonly endDate: string | null;
}

const endOf = (date: string | null) => (date === null ? 'has no end_date' : `ends on ${date}`);

export const slotWarnings = sentences('slot_warning', {
  /** Warns that runs use another raster of the slot. */
  notFreshest: (freshest: SlotRaster, ownEndDate: string | null) =>
    `Not the freshest of this slot: "${freshest.name}" ${endOf(freshest.endDate)}, this one ${endOf(ownEndDate)}, and runs use the one ` +
    'with the greatest end_date, then the newest. To use this one, change its end_date or pin it in the overrides of a run.',
});
