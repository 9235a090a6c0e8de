/** What a task sees in its file, as types: without the schemas of `findings.ts`, which a child would take long to load. */
import type { Message } from '../lib/message.ts';
import { createStopwatch } from '../lib/stopwatch.ts';
import type { Findings, RasterSource, VectorSource, Warning, WarningCode } from './findings.ts';

/** Returns a message as reports have it: in English, and as code and facts if it has these. */
export function wordsOf({ english, sentence }: Message): Pick<Warning, 'message' | 'sentence'> {
  if (sentence === undefined) return { message: english };
  return { message: english, sentence: { code: sentence.code, facts: [...sentence.facts] } };
}

/** Makes a warning of a sentence of the messages. */
export function warningOf(code: WarningCode, message: Message): Warning {
  return { code, ...wordsOf(message) };
}

/** More warnings than anybody reads; a file may deserve one per feature. */
const maxWarnings = 100;

/** Gathers what a task sees in its file, as it goes: a task that refuses the file leaves what it found until then. */
export type FindingsCollector = ReturnType<typeof createFindings>;

/** Begins to gather; numbers that JSON cannot hold are left out or written as text. */
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
    /** Replaces what was set before, as a task learns more. */
    setSource(found: VectorSource): void {
      source = { ...found, extent: allFinite(found.extent) };
    },
    setRaster(found: RasterSource): void {
      const [extent, resolution] = [allFinite(found.extent), allFinite(found.resolution)];
      raster = { ...found, extent, resolution };
    },
    /** Adds a warning, unless it is there already. */
    warn(code: WarningCode, message: Message): void {
      add(warningOf(code, message));
    },
    add,
    /** Asks for more warnings when everything has been seen, also of a file that is refused. */
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
