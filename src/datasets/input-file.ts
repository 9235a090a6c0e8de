import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findFile } from './files.ts';
import { extensionOf } from './original/file-name.ts';
import type { DatasetRow } from './schema.ts';
import { uploadProblems } from '../messages/request.ts';
import { type EngineTask, type GeoEngine, UnprocessableFile } from '../geo/engine.ts';
import { bringObject, ObjectMissing, type ObjectStore } from '../object-store/object-store.ts';
import type { Attempt } from '../jobs/handler.ts';
import type pg from 'pg';
import type { Database } from '../database/tables/tables.ts';
import { Problem } from '../lib/errors.ts';
import { createStopwatch, type Stopwatch } from '../lib/stopwatch.ts';
import type { Findings, Warning } from '../geo/findings.ts';

/**
 * Brings the uploaded file, or the COG made of it, into the attempt's scratch folder, under its own extension, ready for the engine: the stored
 * file itself, without a copy, where the engine's child cannot write to it.
 */
export async function fetchInput(
  { objectStore, engine }: Pick<ProcessingDependencies, 'objectStore' | 'engine'>,
  attempt: Attempt,
  { files, filename }: Pick<DatasetRow, 'files' | 'filename'>,
  kind: 'original' | 'cog' = 'original',
): Promise<EngineTask> {
  const key = findFile(files, kind);
  if (key === null) throw uploadProblems.fileGone();
  const inputPath = join(attempt.scratch, `input${extensionOf(filename)}`);
  const scratch = join(attempt.scratch, 'engine');
  await mkdir(scratch);
  try {
    const { signal } = attempt;
    await bringObject(objectStore, key, { path: inputPath, isGuarded: engine.guardsInput, signal });
  } catch (error) {
    throw error instanceof ObjectMissing ? uploadProblems.fileGone().because(error) : error;
  }
  return { inputPath, scratch, signal: attempt.signal };
}

/** Dependencies of the job handlers. */
export interface ProcessingDependencies {
  readonly db: Database;
  /** For COPY, which needs a client of its own. */
  readonly pool: pg.Pool;
  readonly objectStore: ObjectStore;
  readonly engine: GeoEngine;
}

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
