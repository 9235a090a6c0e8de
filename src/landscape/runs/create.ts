import { randomUUID } from 'node:crypto';
import { enqueueJob } from '../../jobs/enqueue.ts';
import type { Database } from '../../database/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { nodes } from '../graph/graph.ts';
import { checkRunInput } from './input.ts';
import { readRunView } from './queries.ts';
import type { LandscapeRun } from './schema.ts';

/** Stores a run with its pending nodes and queues it, in one transaction. @throws {Problem} as `checkRunInput` does. */
export async function createRun(
  { db, messageQueue }: { readonly db: Database; readonly messageQueue: MessageQueue },
  body: unknown,
): Promise<LandscapeRun> {
  const { run, jobId } = await inTransaction(db, async (trx) => {
    const { params, overrides, fromStage } = await checkRunInput(trx, body);
    const id = randomUUID();
    await trx
      .insertInto('landscape_runs')
      .values({
        id,
        params: JSON.stringify(params),
        overrides: JSON.stringify(overrides),
        from_stage: fromStage,
      })
      .execute();
    await trx
      .insertInto('landscape_run_nodes')
      .values(nodes.map(({ code, stage }) => ({ id: randomUUID(), run_id: id, node_code: code, stage })))
      .execute();
    return { run: await readRunView(trx, id), jobId: await enqueueJob(trx, 'run-landscape', id) };
  });
  await messageQueue.notify(jobId, 'runs');
  return run;
}
