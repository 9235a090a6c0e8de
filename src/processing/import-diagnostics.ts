import { Problem } from '../common/errors.ts';
import { UnprocessableFile } from '../geo/engine.ts';
import type { Findings, Warning } from '../geo/findings.ts';
import { createStopwatch, type Stopwatch } from '../common/stopwatch.ts';

/** What one attempt learns of a file: from the engine, and by its own steps. */
export interface ImportDiagnostics {
  /** For our own steps; their names are none of the engine's. */
  readonly time: Stopwatch['time'];
  /** Takes over what the engine found; later findings replace earlier ones. */
  found(findings: Findings): void;
  warn(warnings: readonly Warning[]): void;
  /** All of it together, so far. */
  findings(): Findings;
}

const nothing: Findings = { source: null, raster: null, timings: {}, warnings: [] };

function createImportDiagnostics(): ImportDiagnostics {
  const stopwatch = createStopwatch();
  const own: Warning[] = [];
  let ofEngine = nothing;
  return {
    time: stopwatch.time,
    found: (findings) => (ofEngine = findings),
    warn: (warnings) => void own.push(...warnings),
    findings: () => ({
      ...ofEngine,
      timings: { ...ofEngine.timings, ...stopwatch.seconds() },
      warnings: [...ofEngine.warnings, ...own],
    }),
  };
}

/**
 * Runs an attempt that takes diagnostics.
 * @throws {UnprocessableFile} with all diagnostics so far, for whatever problem ends the attempt.
 */
export async function withDiagnostics(
  work: (diagnostics: ImportDiagnostics) => Promise<void>,
): Promise<void> {
  const diagnostics = createImportDiagnostics();
  try {
    await work(diagnostics);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error instanceof UnprocessableFile) diagnostics.found(error.findings);
    throw new UnprocessableFile(error.message, diagnostics.findings(), { cause: error });
  }
}

/** What is known of a file when a job fails: next to nothing when the engine died, which leaves no word. */
export function findingsOf(error: unknown): Findings {
  return error instanceof UnprocessableFile ? error.findings : nothing;
}
