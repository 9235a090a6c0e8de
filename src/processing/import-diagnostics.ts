import { Problem } from '../lib/errors.ts';
import { createStopwatch, type Stopwatch } from '../lib/stopwatch.ts';
import { UnprocessableFile } from '../geo/engine.ts';
import type { Findings, Warning } from '../geo/findings.ts';

/** Gathers what one attempt learns of a file, from the engine and by its own steps. */
export interface ImportDiagnostics {
  /** Times one of our own steps; the engine has other names for its own. */
  readonly time: Stopwatch['time'];
  /** Takes over what the engine found; later findings replace earlier ones. */
  found(findings: Findings): void;
  warn(warnings: readonly Warning[]): void;
  /** Returns everything together, so far. */
  findings(): Findings;
}

const nothing: Findings = { source: null, raster: null, timings: {}, warnings: [] };

/** Runs an attempt that gathers diagnostics. @throws {UnprocessableFile} with them, for any problem. */
export async function withDiagnostics(
  work: (diagnostics: ImportDiagnostics) => Promise<void>,
): Promise<void> {
  const stopwatch = createStopwatch();
  const own: Warning[] = [];
  let ofEngine = nothing;
  const diagnostics: ImportDiagnostics = {
    time: stopwatch.time,
    found: (findings) => (ofEngine = findings),
    warn: (warnings) => void own.push(...warnings),
    findings: () => ({
      ...ofEngine,
      timings: { ...ofEngine.timings, ...stopwatch.seconds() },
      warnings: [...ofEngine.warnings, ...own],
    }),
  };
  try {
    await work(diagnostics);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error instanceof UnprocessableFile) diagnostics.found(error.findings);
    throw new UnprocessableFile(error.message, diagnostics.findings(), {
      cause: error,
      sentence: error.sentence,
    });
  }
}

/** Returns what is known of a file when a job fails; an engine that died leaves nothing. */
export function findingsOf(error: unknown): Findings {
  return error instanceof UnprocessableFile ? error.findings : nothing;
}
