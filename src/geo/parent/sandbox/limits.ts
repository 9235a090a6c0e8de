import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { GiB, MiB } from '../../../lib/units.ts';

/** Limits that the kernel sets on a child; what is absent is not limited. */
export interface Limits {
  /** Private memory that can be written to, beyond what Node.js needs to start. */
  readonly memoryBytes?: number | undefined;
  /** Processor time of all threads together. */
  readonly cpuSeconds?: number | undefined;
  /** Size of the largest file that it may write. */
  readonly fileBytes?: number | undefined;
}

/** Node.js has this much writable memory mapped (heap, code, stacks of its threads) before it has done anything. */
const nodeDataBytes = 640 * MiB;
const openFiles = 256;
/** A child that ignores the signal at the limit is killed this much later. */
const cpuGraceSeconds = 5;

/** Hard limits of this process, which only root could raise for a child. */
export type Ceilings = ReturnType<typeof parseCeilings>;

/** Reads the hard limits of this process; none on systems that do not tell. */
export async function readCeilings(): Promise<Ceilings> {
  return parseCeilings(await readFile('/proc/self/limits', 'utf8').catch(() => ''));
}

/** Parses the hard limits in Linux's `/proc/self/limits`. */
export function parseCeilings(text: string) {
  const hardLimit = (title: string): number => {
    const hard = new RegExp(`^${title}\\s+\\S+\\s+(\\d+)`, 'm').exec(text)?.[1];
    return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard);
  };
  return {
    dataBytes: hardLimit('Max data size'),
    cpuSeconds: hardLimit('Max cpu time'),
    fileBytes: hardLimit('Max file size'),
    openFiles: hardLimit('Max open files'),
  };
}

/** Returns the arguments of `prlimit`. Data, not address space: V8 reserves gigabytes that it never touches. */
export function limitArguments(limits: Limits, ceilings: Ceilings): readonly string[] {
  const { memoryBytes, cpuSeconds, fileBytes } = limits;
  const argument = (name: string, wanted: number | undefined, ceiling: number, grace = 0): string[] => {
    if (wanted === undefined) return [];
    const [soft, hard] = [Math.min(wanted, ceiling), Math.min(wanted + grace, ceiling)];
    return [`--${name}=${soft === hard ? soft : `${soft}:${hard}`}`];
  };
  const dataBytes = memoryBytes === undefined ? undefined : memoryBytes + nodeDataBytes;
  return [
    '--core=0',
    ...argument('nofile', openFiles, ceilings.openFiles),
    ...argument('data', dataBytes, ceilings.dataBytes),
    ...argument('cpu', cpuSeconds, ceilings.cpuSeconds, cpuGraceSeconds),
    ...argument('fsize', fileBytes, ceilings.fileBytes),
  ];
}

/**
 * Returns the options of V8: of the limit, so that it collects garbage instead of running into it, and a young generation
 * in which all that a child loads has room, which saves a sixth of the processor time of a small file.
 */
export function heapArguments({ memoryBytes }: Limits): readonly string[] {
  if (memoryBytes === undefined) return [];
  return [`--max-old-space-size=${Math.floor(memoryBytes / MiB)}`, '--min-semi-space-size=16'];
}

/** Returns the default memory of one child: half of the machine, between 1 and 4 GiB. */
export function defaultMemoryBytes(): number {
  const machine = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(4 * GiB, Math.max(1 * GiB, Math.floor(machine / 2)));
}

/** Pixels that are all alike take next to no room, but their time. */
const baseCpuSeconds = { raster: 600, vector: 120 };
const cpuSecondsPerMiB = 60;
/** One core takes 0.06 s for values that are all alike, and up to 0.4 s for others. */
const cpuSecondsPerMillion = 2;
const baseFileBytes = GiB;
/** An archive may unpack to this many times its size, and so may rasters that were compressed with losses. */
const fileGrowth = 200;

/** Returns the limits for reading an upload of so many bytes, and of so many values where that is more than every raster may have. */
export function limitsForUpload(bytes: number, kind: 'raster' | 'vector', values = 0): Limits {
  const cpuSeconds = (bytes / MiB) * cpuSecondsPerMiB + (values / 1e6) * cpuSecondsPerMillion;
  return {
    cpuSeconds: baseCpuSeconds[kind] + Math.ceil(cpuSeconds),
    fileBytes: baseFileBytes + bytes * fileGrowth,
  };
}

/** A tenth of what one core assembles and checks (about 5 million): disks may be slow, and others at work. */
const assembledPixelsPerSecond = 500_000;

/** Returns the time for assembling so many pixels, in seconds: that of an upload is too short for a country in 10 m. */
export function deadlineForPixels(deadlineOfUploadSeconds: number, pixels: number): number {
  return deadlineOfUploadSeconds + Math.ceil(pixels / assembledPixelsPerSecond);
}

/** A fifth of what one core converts, and checks, of values that differ. */
const secondsPerMillion = 1;
const secondsPerMiB = 1;

/**
 * Returns the time for a file, in seconds: that of every file, a second for each MiB, and a second for each million values of a raster
 * that has more than every one may.
 */
export function deadlineForUpload(baseSeconds: number, bytes: number, values = 0): number {
  return baseSeconds + Math.ceil((bytes / MiB) * secondsPerMiB + (values / 1e6) * secondsPerMillion);
}
