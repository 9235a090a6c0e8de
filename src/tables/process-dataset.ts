import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Updateable } from 'kysely';
import { nextUpdatedAt } from '../database/transaction.ts';
import type { DatasetStatus, FileType, Tables, Transaction } from '../database/tables/tables.ts';
import { detectColumns } from '../table/columns.ts';
import { extentColumns } from '../datasets/extent/extents.ts';
import { measured } from '../datasets/extent/geojson-extent.ts';
import { type ImportReport, reportOf, writeReport } from '../datasets/report.ts';
import { createTableFacts } from './match/table-facts.ts';
import { separatorWarnings, readDistrictCodes } from '../table/row-warnings.ts';
import {
  type DatasetFile,
  filesOfDataset,
  firstView,
  type NewFile,
  replaceFiles,
} from '../datasets/files.ts';
import { findReference, type PinnedFile, pinReference } from '../datasets/reference/create-reference.ts';
import { referenceProblems } from '../messages/datasets/english.ts';
import { describeObject } from '../object-store/ledger.ts';
import { addCounts, startCounting } from '../datasets/statistics.ts';
import { addFeatures } from '../datasets/vector-features.ts';
import { storeForms } from '../datasets/geojson-forms.ts';
import type { EngineTask, RasterCounts } from '../geo/engine.ts';
import type { Warning } from '../geo/findings.ts';
import type { WrittenFeatures } from '../geo/flatgeobuf/layout.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import type { Attempt } from '../jobs/handler.ts';
import { type ImportDiagnostics, fetchInput, type ProcessingDependencies } from '../datasets/input-file.ts';
import { linesOf, openRows, readRows } from '../table/rows.ts';
import { jsonText, storeRows, withListener } from './match/stored-rows.ts';
import { ignore } from '../lib/concurrency/promises.ts';

/** Status of a dataset while its file is being read. */
const workingStatus = {
  raster: 'processing',
  vector: 'processing',
  vector_with_kato: 'parsing',
} as const satisfies Record<FileType, DatasetStatus>;

/** New columns and files of the dataset. */
interface Outcome {
  readonly columns: Updateable<Tables['datasets']>;
  readonly files: readonly NewFile[];
  readonly rows: ImportReport['rows'];
  /** For a small raster. */
  readonly counts?: RasterCounts | undefined;
  /** For a file that stays on another server. */
  readonly pinned?: PinnedFile | undefined;
  /** For a vector with no more features than a FlatGeobuf can hold. */
  readonly features?: WrittenFeatures | undefined;
}

/**
 * Reads the uploaded file of a dataset, once after upload: pending → processing → ready for rasters and vectors,
 * pending → parsing → awaiting_mapping for tables by KATO.
 */
export async function processDataset(
  dependencies: ProcessingDependencies & {
    /** Returns warnings about a ready dataset, in the transaction that makes it ready. */
    readonly warningsOf: (trx: Transaction, datasetId: string) => Promise<readonly Warning[]>;
  },
  attempt: Attempt,
  diagnostics: ImportDiagnostics,
): Promise<void> {
  const dataset = await begin(attempt);
  if (dataset === undefined) return; // deleted, or already done
  const task = await diagnostics.time('fetch', async () => await fetchInput(dependencies, attempt, dataset));
  const read = readers[dataset.file_type];
  const { columns, files, rows, counts, features, pinned } = await read(
    dependencies,
    { ...task, files: dataset.files },
    attempt,
    diagnostics,
  );
  const findings = diagnostics.findings();
  await attempt.publish(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('datasets')
      .set({ ...columns, parse_error: null, failure: null, updated_at: nextUpdatedAt })
      .where('id', '=', attempt.refId)
      .where('status', '=', workingStatus[dataset.file_type])
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await replaceFiles(trx, attempt.refId, files);
    if (pinned !== undefined) await describeObject(trx, pinned.key, pinned);
    if (counts !== undefined) await addCounts(trx, attempt.refId, counts);
    else if (dataset.file_type === 'raster') await startCounting(trx, [attempt.refId]);
    if (dataset.file_type === 'vector') await addFeatures(trx, attempt.refId, features);
    if (columns.view_state === 'pending') await enqueueJob(trx, 'make-view', attempt.refId);
    const warnings = [...findings.warnings, ...(await dependencies.warningsOf(trx, attempt.refId))];
    const seen = { engine: dependencies.engine.version, findings: { ...findings, warnings }, rows };
    await writeReport(trx, reportOf(attempt.refId, seen));
  });
}

/** Sets the working status unless an earlier attempt has; undefined if nothing is left to do. */
async function begin(attempt: Attempt) {
  return await attempt.fenced(async (trx) => {
    const dataset = await trx
      .selectFrom('datasets')
      .select(['file_type', 'status', 'filename', filesOfDataset])
      .where('id', '=', attempt.refId)
      .forUpdate()
      .executeTakeFirst();
    if (dataset === undefined) return undefined;
    const status = workingStatus[dataset.file_type];
    if (dataset.status !== status && dataset.status !== 'pending') return undefined;
    const begun = dataset.status === status ? {} : { status, updated_at: nextUpdatedAt };
    await trx
      .updateTable('datasets')
      .set({ ...begun, progress: null })
      .where('id', '=', attempt.refId)
      .execute();
    return dataset;
  });
}

type ReadFile = (
  dependencies: ProcessingDependencies,
  task: EngineTask & { readonly files: readonly DatasetFile[] },
  attempt: Attempt,
  diagnostics: ImportDiagnostics,
) => Promise<Outcome>;

const readers: Readonly<Record<FileType, ReadFile>> = {
  async raster({ engine }, task, attempt, diagnostics) {
    const progress = createProgressKeeper(attempt);
    const { cogPath, bbox, place, meshPath, needsView, counts, findings } = await engine.convertRaster({
      ...task,
      onProgress: progress.keep,
    });
    await progress.end();
    diagnostics.found(findings);
    const reference = findReference(task.files);
    if (reference !== undefined && cogPath !== task.inputPath) throw referenceProblems.notCog();
    const pinned = reference && (await pinReference(attempt, reference, cogPath));
    const store = async () => ({
      key: pinned?.key ?? (await attempt.store('cog', '.tif', { path: cogPath })),
      meshKey: meshPath && (await attempt.store('view', '.mesh', { path: meshPath })),
    });
    const { key, meshKey } = await diagnostics.time('store', store);
    const view = firstView({ meshKey, needsView });
    return {
      columns: {
        status: 'ready',
        // Metres of a mine, or degrees of the Moon, would be read as degrees of the earth.
        bbox: place === 'elsewhere' ? null : [...bbox],
        view_state: view.state,
        ...extentColumns(place === 'earth' ? bbox : undefined),
      },
      files: [...pinnedOriginal(pinned), { kind: 'cog', key }, ...view.files],
      rows: null,
      counts,
      pinned,
    };
  },

  async vector({ engine, objectStore }, task, attempt, diagnostics) {
    const reference = findReference(task.files);
    // Before the child has the file, which it may be able to change.
    const pinned = reference && (await pinReference(attempt, reference, task.inputPath));
    const { geojsonPath, features, findings } = await engine.assembleVector(task);
    diagnostics.found(findings);
    const bytes: AsyncIterable<Buffer> = createReadStream(geojsonPath);
    const { pieces, extent } = measured(bytes);
    const forms = { kind: 'geojson', madeFrom: null } as const;
    const store = async (): Promise<readonly NewFile[]> => {
      const text = Readable.from(pieces, { objectMode: false });
      const stored = [...pinnedOriginal(pinned), ...(await storeForms(objectStore, text, attempt, forms))];
      if (features === undefined) return stored;
      return [...stored, { kind: 'fgb', key: await attempt.store('features', '.fgb', features) }];
    };
    const files = await diagnostics.time('store', store);
    const columns = { status: 'ready', ...extentColumns(extent()) } as const;
    return { columns, files, rows: null, features, pinned };
  },

  async vector_with_kato({ engine, db }, task, attempt, diagnostics) {
    const table = await engine.readTable(task);
    diagnostics.found(table.findings);
    const lines = linesOf(openRows(table.rowsPath, attempt.signal));
    const facts = createTableFacts(table.columns, await readDistrictCodes(db));
    const rows = withListener(readRows(table, lines), facts.add);
    const detect = async () => await detectColumns(table.columns, rows);
    const { columns, formats } = await diagnostics.time('detect', detect);
    diagnostics.warn(separatorWarnings(formats));
    const key = await diagnostics.time('store', async () => await storeRows(table, attempt));
    const factsKey = await attempt.store('facts', '.json', jsonText(facts.result()));
    const attribute_columns = JSON.stringify(columns);
    const column_formats = JSON.stringify(formats);
    return {
      columns: { status: 'awaiting_mapping', attribute_columns, column_formats },
      files: [
        { kind: 'rows', key },
        { kind: 'facts', key: factsKey },
      ],
      rows: { read: table.rowCount, skipped: null },
    };
  },
};

/** Returns the original of a file that stays on another server; nothing for an upload, which keeps its own. */
function pinnedOriginal(pinned: PinnedFile | undefined): readonly NewFile[] {
  return pinned === undefined ? [] : [{ kind: 'original', key: pinned.key }];
}

const keepEveryMs = 2000;

/**
 * Stores the progress of an attempt that reads the file of a dataset, at most every two seconds. The progress never
 * decreases; failed writes are skipped.
 */
function createProgressKeeper(attempt: Attempt) {
  let keeping = Promise.resolve();
  let isKeeping = false;
  let keptAt = 0;

  async function write(share: number): Promise<void> {
    await attempt.fenced(async (trx) => {
      await trx
        .updateTable('datasets')
        .set((eb) => ({ progress: eb.fn('greatest', ['progress', eb.val(share)]) }))
        .where('id', '=', attempt.refId)
        .where('status', '=', 'processing')
        .execute();
    });
  }

  return {
    keep(this: void, share: number): void {
      const now = performance.now();
      if (isKeeping || now - keptAt < keepEveryMs) return;
      [isKeeping, keptAt] = [true, now];
      keeping = write(share)
        .catch(ignore) // the next update is more recent; an attempt that lost its job notices it elsewhere
        .finally(() => (isKeeping = false));
    },
    /** Waits for pending writes. */
    async end(this: void): Promise<void> {
      await keeping;
    },
  };
}
