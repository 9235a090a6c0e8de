import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Logger } from 'pino';
import { reasonOf } from '../../lib/error-facts.ts';
import { withTimeout } from '../../lib/concurrency/with-timeout.ts';
import { openObjectStore } from '../../runtime/components.ts';
import type { Config } from '../../config.ts';
import { readNatsUrl } from '../../message-queue/nats/address.ts';
import { loadEnginePackage } from '../../runtime/workflow-engine.ts';
import { readWorkflowEngineUrl } from '../../workflow-engine/address.ts';
import type { Finding } from './finding.ts';
import { checkIssuer } from '../../access/oidc.ts';
import { isLoopbackOnly } from '../../lib/addresses.ts';
import { CannotListen } from '../../runtime/cannot-listen.ts';

const answerMilliseconds = 12_000;
const listenMilliseconds = 5000;
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

const accessTitle = 'Access';

/** Examines who has access to the service, and whether it can authenticate them. */
export async function examineAccess(config: Config): Promise<Finding> {
  const { authentication } = config;
  if (authentication.mode === 'oidc') return await examineIssuer(authentication.issuer);
  const line =
    authentication.mode === 'off'
      ? await openness(config)
      : 'token: asks for tokens that ./steppe token makes';
  return { title: accessTitle, lines: [line] };
}

async function openness({ httpHost, publicUrl }: Config): Promise<string> {
  // A name that cannot be resolved is reported by the examination of the address.
  if (!(await isLoopbackOnly(httpHost).catch(() => true))) {
    return `off: anyone who can reach ${httpHost} may read and write; AUTH_MODE=token asks for tokens`;
  }
  if (publicUrl !== undefined)
    return `off: anyone whom the proxy of ${publicUrl} lets through may read and write`;
  return 'off: anyone on this machine may read and write, no other machine reaches it';
}

async function examineIssuer(issuer: string): Promise<Finding> {
  try {
    await checkIssuer(issuer);
    return { title: accessTitle, lines: [`oidc: asks for tokens of ${issuer}, whose keys can be fetched`] };
  } catch (error) {
    const line = `oidc: the keys of ${issuer} cannot be fetched: ${reasonOf(error)}`;
    return { title: accessTitle, lines: [line], isFault: true };
  }
}

/** Examines whether the service can listen on its address; a running service already holds its port. */
export async function examineAddress(config: Config, serviceRuns: boolean): Promise<Finding> {
  const { httpHost, httpPort } = config;
  const title = 'Address';
  const address = `${httpHost} port ${httpPort}`;
  try {
    await tryListening(config);
    if (httpPort === 0) return { title, lines: [`${httpHost}, any free port`] };
    const state = serviceRuns ? 'free; the service that runs listens elsewhere, or not yet' : 'free';
    return { title, lines: [`${address}: ${state}`] };
  } catch (error) {
    if (serviceRuns && error instanceof CannotListen && error.isInUse) {
      return { title, lines: [`${address}: in use, while the service of this DATA_DIR runs`] };
    }
    return { title, lines: [reasonOf(error)], isFault: true };
  }
}

/** Listens on HTTP_HOST and HTTP_PORT briefly. @throws {CannotListen} */
async function tryListening(config: Config): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host: config.httpHost, port: config.httpPort, exclusive: true });
    await withTimeout(listenMilliseconds, once(server, 'listening'));
  } catch (cause) {
    throw new CannotListen('HTTP', { host: config.httpHost, port: config.httpPort }, cause);
  } finally {
    server.close();
  }
}
