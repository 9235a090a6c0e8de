import type { Findings, RasterSource, VectorSource, Warning, WarningCode } from '../findings.ts';

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
  /** Runs `work` and adds the seconds that it took to those of the step. */
  time<T>(step: string, work: () => T | Promise<T>): Promise<T>;
  gathered(): Findings;
}

/** Begins to gather; the numbers that JSON can not hold are left out or written as text. */
export function createFindings(): FindingsCollector {
  let source: VectorSource | null = null;
  let raster: RasterSource | null = null;
  const timings = new Map<string, number>();
  const warnings: Warning[] = [];
  return {
    setSource(found) {
      source = { ...found, extent: allFinite(found.extent) };
    },
    setRaster(found) {
      raster = {
        ...found,
        nodata: textOfNonFinite(found.nodata),
        extent: allFinite(found.extent),
        resolution: allFinite(found.resolution),
      };
    },
    warn(code, message) {
      const isKnown = warnings.some((known) => known.code === code && known.message === message);
      if (!isKnown && warnings.length < maxWarnings) warnings.push({ code, message });
    },
    async time(step, work) {
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        const seconds = (performance.now() - startedAt) / 1000;
        timings.set(step, (timings.get(step) ?? 0) + seconds);
      }
    },
    gathered: () => ({ source, raster, timings: Object.fromEntries(timings), warnings: [...warnings] }),
  };
}

function allFinite<T extends readonly number[]>(numbers: T | null): T | null {
  return numbers?.every(Number.isFinite) === true ? numbers : null;
}

function textOfNonFinite(value: number | string | null): number | string | null {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
