import { createStopwatch, type Stopwatch } from '../common/stopwatch.ts';
import type { Findings, RasterSource, VectorSource, Warning, WarningCode } from './findings.ts';

/** More warnings than anybody reads; a file may deserve one per feature. */
const maxWarnings = 100;

/** Gathers what a task sees in its file, as it goes: a task that refuses the file leaves what it found until then. */
export interface FindingsCollector {
  /** Replaces what was set before, as a task learns more. */
  setSource(source: VectorSource): void;
  /** Replaces what was set before, as a task learns more. */
  setRaster(raster: RasterSource): void;
  /** The same warning again counts once. */
  warn(code: WarningCode, message: string): void;
  readonly time: Stopwatch['time'];
  gathered(): Findings;
}

/** Begins to gather; numbers that JSON cannot hold are left out or written as text. */
export function createFindings(): FindingsCollector {
  const stopwatch = createStopwatch();
  let source: VectorSource | null = null;
  let raster: RasterSource | null = null;
  const warnings: Warning[] = [];
  return {
    setSource(found) {
      source = { ...found, extent: allFinite(found.extent) };
    },
    setRaster(found) {
      raster = {
        ...found,
        extent: allFinite(found.extent),
        resolution: allFinite(found.resolution),
      };
    },
    warn(code, message) {
      const isKnown = warnings.some((known) => known.code === code && known.message === message);
      if (!isKnown && warnings.length < maxWarnings) warnings.push({ code, message });
    },
    time: stopwatch.time,
    gathered: () => ({ source, raster, timings: stopwatch.seconds(), warnings: [...warnings] }),
  };
}

function allFinite<T extends readonly number[]>(numbers: T | null): T | null {
  return numbers?.every(Number.isFinite) === true ? numbers : null;
}
