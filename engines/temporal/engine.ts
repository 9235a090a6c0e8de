import {
  ApplicationFailure,
  Client,
  Connection,
  NamespaceNotFoundError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { WorkflowEngineAddress } from '../../src/workflow-engine/address.ts';
import {
  EngineAway,
  type StepFailure,
  type WorkflowEngine,
  type WorkflowState,
} from '../../src/landscape/spread/workflow-engine.ts';
import { ignore } from '../../src/lib/concurrency/promises.ts';
import { workflowDigest } from './bundle.ts';
import { connectionOptions } from './connection.ts';
import { ensureNamespace } from './namespace.ts';
import type { EngineLog } from './runtime.ts';
import { serveSteps } from './step-worker.ts';

const answerMilliseconds = 5000;
const workflowType = 'landscapePass';

/** Opens the engine at an address; it does not have to be available yet. @throws when a file in the address cannot be read. */
export async function openEngine(address: WorkflowEngineAddress, log: EngineLog): Promise<WorkflowEngine> {
  const options = await connectionOptions(address);
  const connection = Connection.lazy(options);
  const { workflow } = new Client({ connection, namespace: address.namespace });
  /** Returns an answer of the engine. @throws {EngineAway} without an answer, and when the namespace does not exist yet. */
  const answered = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await connection.withDeadline(Date.now() + answerMilliseconds, ask);
    } catch (cause) {
      // The database of the engine was emptied: workers keep polling without being notified.
      if (cause instanceof NamespaceNotFoundError)
        await ensureNamespace(connection, address.namespace).catch(ignore);
      throw new EngineAway('the workflow engine does not answer', { cause });
    }
  };
  return {
    workflowDigest: workflowDigest(),
    async start({ id, queue, input }) {
      await answered(
        async () =>
          await workflow.start(workflowType, {
            workflowId: id,
            taskQueue: queue,
            args: [input],
            workflowIdConflictPolicy: 'USE_EXISTING',
            workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          }),
      );
    },
    stateOf: async (id) => await answered(async () => await stateOf(workflow.getHandle(id))),
    async end(id, how) {
      const handle = workflow.getHandle(id);
      await answered(
        async () =>
          await (how === 'cancel' ? handle.cancel() : handle.terminate('its run has ended')).catch(
            unlessAbsent,
          ),
      );
    },
    async listOpen(prefix) {
      const query = `WorkflowType = '${workflowType}' AND ExecutionStatus = 'Running'`;
      return await answered(async () => {
        const ids: string[] = [];
        for await (const { workflowId } of workflow.list({ query })) {
          if (workflowId.startsWith(prefix)) ids.push(workflowId);
        }
        return ids;
      });
    },
    serve: (work) => serveSteps({ ...work, connection: options, namespace: address.namespace, log }),
    close: async () => await connection.close(),
  };
}

async function stateOf(handle: WorkflowHandle): Promise<WorkflowState> {
  try {
    const { status } = await handle.describe();
    switch (status.name) {
      case 'RUNNING':
      case 'PAUSED':
        return { state: 'open' };
      case 'COMPLETED':
        return { state: 'done' };
      case 'FAILED':
        return { state: 'failed', failure: await failureOf(handle) };
      default:
        return { state: 'ended' };
    }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { state: 'absent' };
    throw error;
  }
}

/** Returns the failure of the step with which the workflow failed. */
async function failureOf(handle: WorkflowHandle): Promise<StepFailure> {
  const thrown: unknown = await handle.result().catch((error: unknown) => error);
  let message = 'it does not say why';
  for (let error = thrown; error instanceof Error; error = error.cause) {
    ({ message } = error);
    if (!(error instanceof ApplicationFailure)) continue;
    return { type: error.type ?? '', message, details: error.details?.[0] };
  }
  return { type: '', message, details: undefined };
}

function unlessAbsent(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
