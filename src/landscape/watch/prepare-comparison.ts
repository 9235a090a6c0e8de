import { findFile } from '../../datasets/files.ts';
import { getDataset } from '../../datasets/queries.ts';
import type { Database } from '../../database/tables/tables.ts';
import { Problem } from '../../lib/errors.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import type { ZonedRuns } from '../balance/zoned-runs.ts';
import { countChange } from '../comparison/count-change.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { zoning } from '../graph/zoning-inputs.ts';
import { findAdoptedRun } from '../runs/record.ts';
import { getRun, readRun } from '../runs/run-rows.ts';
import type { LandscapeRun } from '../runs/schema.ts';

export interface ComparingDependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly zonedRuns: Pick<ZonedRuns, 'land'>;
}

/**
 * Counts the land of the adopted run and of the last draft by pairs of zones in a job, after the draft has succeeded, so that their
 * comparison is available at once. Idempotent: results that exist, or are being made, are not counted again.
 */
export async function prepareComparison({
  db,
  messageQueue,
  zonedRuns,
}: ComparingDependencies): Promise<void> {
  const draft = await db
    .selectFrom('landscape_watch_drafts')
    .innerJoin('landscape_runs', 'landscape_runs.id', 'landscape_watch_drafts.run_id')
    .select(['run_id', 'compared_with', 'landscape_runs.status'])
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (draft?.status !== 'succeeded') return;
  const adopted = await findAdoptedRun(db);
  if (adopted === undefined || adopted.id === draft.run_id || adopted.id === draft.compared_with) return;
  const [a, b] = [await getRun(db, adopted.id), await getRun(db, draft.run_id)];
  try {
    const graphVersions = [await versionOf(db, adopted.id), await versionOf(db, draft.run_id)] as const;
    const views = [await zonesOf(db, a), await zonesOf(db, b)];
    const counted = await countChange(
      { areas: { db, messageQueue }, zonedRuns },
      { a, b, rasters: { node: zoning, views, graphVersions }, by: 'district' },
    );
    if (counted.isPending) return; // the next check asks again: a layer may be made before the count
  } catch (error) {
    // The comparison itself reports why it is unavailable.
    if (!(error instanceof Problem)) throw error;
  }
  await db
    .updateTable('landscape_watch_drafts')
    .set({ compared_with: adopted.id })
    .where('run_id', '=', draft.run_id)
    .execute();
}

async function zonesOf(db: Database, run: LandscapeRun): Promise<{ readonly storedCogKey: string }> {
  const [output] = run.nodes?.find(({ node_code: code }) => code === zoning.code)?.outputs ?? [];
  const files = output === undefined ? [] : (await getDataset(db, output.dataset_id)).files;
  const storedCogKey = findFile(files, 'cog');
  if (storedCogKey === null) throw landscapeProblems.rasterOfRunGone(zoning.output.group);
  return { storedCogKey };
}

async function versionOf(db: Database, id: string): Promise<number> {
  return (await readRun(db, id))?.graphVersion ?? 1;
}
