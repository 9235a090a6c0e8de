import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findFile } from './files.ts';
import { extensionOf } from './original/file-name.ts';
import type { DatasetRow } from './schema.ts';
import { uploadProblems } from '../messages/request/english.ts';
import { type EngineTask, type GeoEngine, UnprocessableFile } from '../geo/engine.ts';
import { bringObject, ObjectMissing, type ObjectStore } from '../object-store/object-store.ts';
import type { Attempt } from '../jobs/handler.ts';
import type pg from 'pg';
import type { Database } from '../database/tables/tables.ts';
import { Problem } from '../lib/errors.ts';
import { createStopwatch, type Stopwatch } from '../lib/stopwatch.ts';
import type { Findings, Warning } from '../geo/findings.ts';

/**
 * Provides the uploaded file, or its COG, in the attempt's scratch folder, with its extension, for the engine: the
 * stored file itself, without a copy, if the engine's child process cannot write to it.
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

export interface ProcessingDependencies {
  readonly db: Database;
  /** For COPY, which needs its own client. */
  readonly pool: pg.Pool;
  readonly objectStore: ObjectStore;
  readonly engine: GeoEngine;
}

/** Collects the findings of one attempt, from the engine and from our own steps. */
export interface ImportDiagnostics {
  /** Measures the time of one of our own steps, whose names differ from the engine's. */
  readonly time: Stopwatch['time'];
  /** Adds findings of the engine; later findings replace earlier ones. */
  found(findings: Findings): void;
  warn(warnings: readonly Warning[]): void;
  /** Returns all findings so far. */
  findings(): Findings;
}

const nothing: Findings = { source: null, raster: null, timings: {}, warnings: [] };

/** Runs an attempt that collects diagnostics. @throws {UnprocessableFile} with the diagnostics, for any problem. */
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

/** Returns the findings about a file when a job fails; none if the engine died. */
export function findingsOf(error: unknown): Findings {
  return error instanceof UnprocessableFile ? error.findings : nothing;
}
