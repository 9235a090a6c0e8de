import type { Logger } from 'pino';
import { reasonOf } from '../../lib/error-facts.ts';
import { withTimeout } from '../../lib/concurrency/with-timeout.ts';
import { openObjectStore } from '../../runtime/components.ts';
import type { Config } from '../../config.ts';
import { readNatsUrl } from '../../message-queue/nats/address.ts';
import { loadEnginePackage } from '../../runtime/workflow-engine.ts';
import { readWorkflowEngineUrl } from '../../workflow-engine/address.ts';
import type { Finding } from './finding.ts';

const answerMilliseconds = 12_000;
/** A key that does not exist. */
const absentKey = 'doctor';

/** Requests a missing object from the bucket of OBJECT_STORE_URL: tests access without writing. */
export async function examineBucket(config: Config, log: Pick<Logger, 'warn'>): Promise<Finding> {
  const title = 'Objects';
  const { host } = new URL(config.objectStoreUrl ?? '');
  const store = await openObjectStore(config, log);
  try {
    await withTimeout(answerMilliseconds, store.size(absentKey));
    return { title, lines: [`bucket ${host} answers`] };
  } catch (error) {
    return { title, lines: [`bucket ${host} cannot be used: ${reasonOf(error)}`], isFault: true };
  } finally {
    store.close?.();
  }
}

/** Connects to the servers of MESSAGE_QUEUE_URL and disconnects. */
export async function examineNats(messageQueueUrl: string): Promise<Finding> {
  const title = 'Queue';
  const address = readNatsUrl(messageQueueUrl);
  const place = address.servers.join(', ');
  try {
    const { askNats } = await import('../../message-queue/nats/connection.ts');
    return { title, lines: [`${place}: nats-server ${await askNats(address)} answers`] };
  } catch (error) {
    return { title, lines: [`${place} does not answer: ${reasonOf(error)}`], isFault: true };
  }
}

/** Requests the version of the workflow engine and its namespace, which the first worker creates if it may. */
export async function examineWorkflowEngine(workflowEngineUrl: string): Promise<Finding> {
  const title = 'Runs';
  const address = readWorkflowEngineUrl(workflowEngineUrl);
  const { server, namespace } = address;
  try {
    const { serverVersion, retentionHours } = await (await loadEnginePackage()).examine(address);
    const kept =
      retentionHours === undefined
        ? `namespace ${namespace} is made by the first worker`
        : `namespace ${namespace} keeps what has ended for ${retentionHours} h`;
    return { title, lines: [`${server}: Temporal ${serverVersion} answers`, kept] };
  } catch (error) {
    return { title, lines: [`${server} cannot be used: ${reasonOf(error)}`], isFault: true };
  }
}
