import { randomUUID } from 'node:crypto';
import type { Database, RunNodeStatus, RunStatus } from '../../../src/database/tables/tables.ts';
import { defaultParams } from '../../../src/landscape/model/params.ts';
import { replaceRecord } from '../../../src/landscape/runs/record.ts';
import { insertRaster } from '../geo/rasters.ts';

interface StoredNode {
  readonly code: string;
  readonly status?: RunNodeStatus;
  /** Dataset ids by group code. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly output: string;
}

/** Inserts a run with only these nodes, as if it had been executed; returns its id. */
export async function insertRun(
  db: Database,
  nodes: readonly StoredNode[] = [],
  status: RunStatus = 'succeeded',
): Promise<string> {
  const id = randomUUID();
  const now = new Date();
  await db
    .insertInto('landscape_runs')
    .values({
      id,
      status,
      params: JSON.stringify(defaultParams),
      overrides: '{}',
      from_stage: null,
      started_at: status === 'queued' ? null : now,
      finished_at: status === 'succeeded' || status === 'failed' ? now : null,
    })
    .execute();
  if (nodes.length === 0) return id;
  const rows = nodes.map(({ code, status: nodeStatus = 'succeeded', inputs, output }) => ({
    id: randomUUID(),
    run_id: id,
    node_code: code,
    stage: Number(code[0]),
    status: nodeStatus,
    fingerprint: 'f'.repeat(64),
    inputs: JSON.stringify(Object.entries(inputs).map(([group, dataset_id]) => ({ group, dataset_id }))),
    output_id: output,
    started_at: now,
    finished_at: now,
  }));
  await db.insertInto('landscape_run_nodes').values(rows).execute();
  return id;
}

/** Inserts an output of an adopted run; returns its id. */
export async function insertAdopted(db: Database): Promise<string> {
  const id = await insertRaster(db);
  await adopt(db, id);
  return id;
}

/** Adopts a run that has made a dataset. */
export async function adopt(db: Database, datasetId: string): Promise<void> {
  const run = await insertRun(db, [{ code: '01', inputs: {}, output: datasetId }]);
  await replaceRecord(db, run, {
    body: { state: 'adopted' },
    author: { name: null, credentials: null },
    isExpected: () => true,
  });
}
