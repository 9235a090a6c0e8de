import { round } from './memory.ts';
import { measuredHere } from './machine.ts';
import type { GridSize } from './leaf-files.ts';
import type { WholeCountry } from './spread-model.ts';
import type { RunFigures } from './spread-site.ts';

/** Applies to runs with at least this number of pixels. */
const leastEfficiency = 0.8;
const leastPixels = 64e6;
const mostUploadRatio = 1.5;
const allOutputs = 19;

export interface RunRow {
  readonly leaves: 'aligned' | 'in another CRS';
  readonly path: 'local' | 'spread';
  readonly workers: number;
  readonly size: GridSize;
  /** The number of cores of the workers. */
  readonly cores: number;
  readonly figures: RunFigures;
  /** The figures of the local run over the same leaves; undefined for that run itself. */
  readonly base: RunFigures | undefined;
}

/** Median durations of uploads, in seconds. */
interface Uploads {
  readonly idle: number;
  readonly during: number;
  readonly ratio: number;
}

/** Returns the processor time of the run on one machine as a share of that of this run. */
function efficiencyOf({ figures, base }: RunRow): number | undefined {
  return base && base.workerSeconds / figures.workerSeconds;
}

/** Returns the same efficiency in elapsed time; undefined if workers shared a core, or the local run had several. */
function wallEfficiencyOf({ leaves, figures, base, workers, cores }: RunRow): number | undefined {
  return base && leaves === 'aligned' && workers <= cores
    ? base.wallSeconds / (workers * figures.wallSeconds)
    : undefined;
}

/** Returns the number of COGs that equal those of the local run. */
function equalCogs({ figures, base }: RunRow): number | undefined {
  return base && [...base.digests].filter(([code, digest]) => figures.digests.get(code) === digest).length;
}

/** Formats a run as a line of JSON. */
export function rowLine(row: RunRow): string {
  const { leaves, path, workers, size, cores, figures } = row;
  const { blocks } = figures;
  return JSON.stringify({
    bench: 'spread',
    leaves,
    path,
    workers,
    ...size,
    coresOfWorkers: Math.min(workers, cores),
    wallSeconds: round(figures.wallSeconds),
    workerSeconds: round(figures.workerSeconds),
    ...(blocks && {
      blocksWallSeconds: round(blocks.wallSeconds),
      blocksWorkerSeconds: round(blocks.workerSeconds),
    }),
    efficiency: hundredths(efficiencyOf(row)),
    wallEfficiency: hundredths(wallEfficiencyOf(row)),
    temporalSeconds: round(figures.temporalSeconds),
    postgresSeconds: round(figures.postgresSeconds),
    storeSeconds: round(figures.storeSeconds),
    readMB: round(figures.readBytes / 1e6),
    writtenMB: round(figures.writtenBytes / 1e6),
    scratchPeakMB: round(figures.scratchBytes / 1e6),
    residentPeakMiB: round(figures.residentMiB),
    equalCogs: equalCogs(row),
    cogs: figures.digests.size,
  });
}

/** Lists missed targets. */
export function targets(rows: readonly RunRow[], { ratio }: Uploads): readonly string[] {
  const missed = rows.flatMap((row) => {
    const name = `${row.leaves}, ${row.path}, ${row.workers} workers`;
    const found: string[] = [];
    if (row.figures.digests.size !== allOutputs) found.push(`${name}: ${row.figures.digests.size} COGs`);
    if ((equalCogs(row) ?? allOutputs) !== allOutputs)
      found.push(`${name}: COGs differ from the local run's`);
    const efficiency = efficiencyOf(row);
    const isLarge = row.size.width * row.size.height >= leastPixels; // start-up costs less relative to a large run
    if (isLarge && efficiency !== undefined && efficiency < leastEfficiency)
      found.push(`${name}: efficiency ${efficiency.toFixed(2)} is below ${leastEfficiency}`);
    return found;
  });
  if (Number.isNaN(ratio)) return [...missed, 'no upload has ended during a run'];
  const isSlow = ratio > mostUploadRatio;
  return isSlow ? [...missed, `uploads take ${ratio.toFixed(2)} times as long during a run`] : missed;
}

/** Returns the measured part of docs/scale.md. */
export function spreadText({
  rows,
  uploads,
  whole,
}: {
  readonly rows: readonly RunRow[];
  readonly uploads: Uploads;
  readonly whole: WholeCountry;
}): string {
  const [first] = rows;
  if (first === undefined) throw new Error('nothing was measured');
  const { size, cores } = first;
  const head = [
    'Leaves',
    'Workers',
    'Wall, s',
    'Workers, s',
    'Efficiency',
    'By the clock',
    'Temporal, s',
    'PostgreSQL, s',
    'Store, s',
    'Read, MB',
    'Written, MB',
    'Scratch, MB',
    'Memory, MiB',
    'Equal COGs',
  ];
  const lines = rows.map((row) => [
    row.leaves,
    row.path === 'local' ? '1, not spread' : String(row.workers),
    ...[row.figures.wallSeconds, row.figures.workerSeconds].map(secondsText),
    ...[efficiencyOf(row), wallEfficiencyOf(row)].map((share) => share?.toFixed(2) ?? ''),
    ...[row.figures.temporalSeconds, row.figures.postgresSeconds, row.figures.storeSeconds].map(secondsText),
    ...[row.figures.readBytes, row.figures.writtenBytes, row.figures.scratchBytes].map((bytes) =>
      (bytes / 1e6).toFixed(0),
    ),
    row.figures.residentMiB.toFixed(0),
    row.base === undefined ? '' : `${equalCogs(row)} of ${row.base.digests.size}`,
  ]);
  const pixels = ((size.width * size.height) / 1e6).toFixed(1);
  const model = whole.hours.map(({ cores: count, hours }) => `| on ${count} cores | ${durationOf(hours)} |`);
  return `
${measuredHere()}: ${size.width} × ${size.height} pixels (${pixels} megapixels), 13 leaves, 19 outputs. Each worker has one slot and one of ${cores} cores; the local run in another CRS uses all cores.

${tableOf(head, lines)}

An upload of 4 megapixels takes ${uploads.idle.toFixed(2)} s while nothing runs and ${uploads.during.toFixed(2)} s during the last of these runs (medians): ${uploads.ratio.toFixed(2)} times as long.

| All of Kazakhstan at 10 m: 27 gigapixels in ${whole.blocks.toLocaleString('en')} blocks | |
|---|---|
| core hours of workers | ${whole.coreHours.toFixed(0)} |
| core hours of Temporal, of PostgreSQL | ${whole.temporalHours.toFixed(1)}, ${whole.postgresHours.toFixed(1)} |
| read from the store, written to it | ${(whole.readBytes / 1e9).toFixed(0)} GB, ${(whole.writtenBytes / 1e9).toFixed(0)} GB |
${model.join('\n')}
`;
}

function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const rows = [head, head.map(() => '---'), ...lines];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function durationOf(hours: number): string {
  return hours < 1 ? `${Math.ceil(hours * 60)} min` : `${hours.toFixed(1)} h`;
}

function secondsText(seconds: number): string {
  return seconds < 10 ? seconds.toFixed(1) : seconds.toFixed(0);
}

function hundredths(share: number | undefined): number | undefined {
  return share === undefined ? undefined : Math.round(share * 100) / 100;
}
