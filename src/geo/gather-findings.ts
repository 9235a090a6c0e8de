/** Types of a task's findings, without the schemas of `findings.ts`, which are slow to load. */
import type { Message } from '../lib/message.ts';
import { createStopwatch } from '../lib/stopwatch.ts';
import type { Findings, RasterSource, VectorSource, Warning, WarningCode } from './findings.ts';

/** Returns a message as in reports: in English, with code and facts if it has these. */
export function reportedMessage({ english, sentence }: Message): Pick<Warning, 'message' | 'sentence'> {
  if (sentence === undefined) return { message: english };
  return { message: english, sentence: { code: sentence.code, facts: [...sentence.facts] } };
}

export function warningOf(code: WarningCode, message: Message): Warning {
  return { code, ...reportedMessage(message) };
}

/** Maximum number of warnings; a file may cause one per feature. */
const maxWarnings = 100;

/** Collects the findings of a task as it proceeds, so that a refused file has those up to the refusal. */
export type FindingsCollector = ReturnType<typeof createFindings>;

/** Creates an empty collector; numbers that JSON cannot represent are omitted or written as text. */
export function createFindings() {
  const stopwatch = createStopwatch();
  let source: VectorSource | null = null;
  let raster: RasterSource | null = null;
  const warnings: Warning[] = [];
  const late: (() => readonly Warning[])[] = [];
  function add(warning: Warning): void {
    const isKnown = warnings.some(
      ({ code, message }) => code === warning.code && message === warning.message,
    );
    if (!isKnown && warnings.length < maxWarnings) warnings.push(warning);
  }
  return {
    /** Replaces earlier facts, as the task learns more. */
    setSource(found: VectorSource): void {
      source = { ...found, extent: allFinite(found.extent) };
    },
    setRaster(found: RasterSource): void {
      const [extent, resolution] = [allFinite(found.extent), allFinite(found.resolution)];
      raster = { ...found, extent, resolution };
    },
    /** Adds a warning, unless it exists already. */
    warn(code: WarningCode, message: Message): void {
      add(warningOf(code, message));
    },
    add,
    /** Registers a callback for further warnings at the end, called for a refused file as well. */
    warnLater(of: () => readonly Warning[]): void {
      late.push(of);
    },
    time: stopwatch.time,
    gathered: (): Findings => {
      const all = [...warnings, ...late.flatMap((of) => of())].slice(0, maxWarnings);
      return { source, raster, timings: stopwatch.seconds(), warnings: all };
    },
  };
}

function allFinite<T extends readonly number[]>(numbers: T | null): T | null {
  return numbers?.every(Number.isFinite) === true ? numbers : null;
}
