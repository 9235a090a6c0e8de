import { randomUUID } from 'node:crypto';
import type { Database } from '../../../src/database/tables/tables.ts';
import { nodes } from '../../../src/landscape/graph/graph.ts';
import { elevation } from '../../../src/landscape/model/leaves.ts';
import { LandscapeParams } from '../../../src/landscape/model/params.ts';

/** Inserts a succeeded run in which one raster stands for every group; returns its id. */
export async function insertSucceededRun(db: Database, dataset: string): Promise<string> {
  const id = randomUUID();
  const params = JSON.stringify(LandscapeParams.parse({}));
  const ended = { status: 'succeeded', started_at: new Date(), finished_at: new Date() } as const;
  await db
    .insertInto('landscape_runs')
    .values({ id, params, overrides: '{}', from_stage: null, ...ended })
    .execute();
  await db
    .insertInto('landscape_run_nodes')
    .values(
      nodes.map(({ code, stage, inputs }) => ({
        id: randomUUID(),
        run_id: id,
        node_code: code,
        stage,
        ...ended,
        fingerprint: code,
        inputs: JSON.stringify([elevation, ...inputs].map(({ group }) => ({ group, dataset_id: dataset }))),
        output_id: dataset,
      })),
    )
    .execute();
  return id;
}
