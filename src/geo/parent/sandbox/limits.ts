import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { GiB, MiB } from '../../../lib/units.ts';

/** Limits that the kernel enforces on a child; an absent one is unlimited. */
export interface Limits {
  /** Private writable memory, in addition to that of an idle Node.js. */
  readonly memoryBytes?: number | undefined;
  /** Processor time of all threads. */
  readonly cpuSeconds?: number | undefined;
  /** Maximum size of a written file. */
  readonly fileBytes?: number | undefined;
}

/** Writable memory that an idle Node.js has mapped (heap, code, stacks of threads). */
const nodeDataBytes = 640 * MiB;
const openFiles = 256;
/** Time from the signal at the limit to the kill of a child that ignores it. */
const cpuGraceSeconds = 5;

/** Hard limits of this process, which only root could raise for a child. */
export type Ceilings = ReturnType<typeof parseCeilings>;

/** Reads the hard limits of this process; none on systems without `/proc`. */
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

/** Returns the arguments of `prlimit`. Limits data, not address space: V8 reserves gigabytes that it never uses. */
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
 * Returns the V8 options for a limit, so that V8 collects garbage before it reaches the limit, and a young generation
 * that holds everything a child loads, which saves a sixth of the processor time of a small file.
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

/** Minimum processor time: uniform pixels take hardly any bytes, but time. */
const baseCpuSeconds = { raster: 600, vector: 120 };
const cpuSecondsPerMiB = 60;
/** One core takes 0.06 s for uniform values, and up to 0.4 s for others. */
const cpuSecondsPerMillion = 2;
const baseFileBytes = GiB;
/** Maximum growth of an archive when unpacked, and of a raster with lossy compression. */
const fileGrowth = 200;

/** Returns the limits for reading an upload of this size, and of this many values if a raster exceeds the usual maximum. */
export function limitsForUpload(bytes: number, kind: 'raster' | 'vector', values = 0): Limits {
  const cpuSeconds = (bytes / MiB) * cpuSecondsPerMiB + (values / 1e6) * cpuSecondsPerMillion;
  return {
    cpuSeconds: baseCpuSeconds[kind] + Math.ceil(cpuSeconds),
    fileBytes: baseFileBytes + bytes * fileGrowth,
  };
}

/** A tenth of the speed of one core (about 5 million): disks may be slow, and other processes busy. */
const assembledPixelsPerSecond = 500_000;

/** Returns the timeout for assembling this many pixels, in seconds: that of an upload is too short for a country in 10 m. */
export function deadlineForPixels(deadlineOfUploadSeconds: number, pixels: number): number {
  return deadlineOfUploadSeconds + Math.ceil(pixels / assembledPixelsPerSecond);
}

/** A fifth of the speed at which one core converts and verifies varied values. */
const secondsPerMillion = 1;
const secondsPerMiB = 1;

/**
 * Returns the timeout for a file in seconds: the base, one second per MiB, and one second per million values of a
 * raster that exceeds the usual maximum.
 */
export function deadlineForUpload(baseSeconds: number, bytes: number, values = 0): number {
  return baseSeconds + Math.ceil((bytes / MiB) * secondsPerMiB + (values / 1e6) * secondsPerMillion);
}
