import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';

const notFound = 5;
const alreadyExists = 6;
const secondsOfHour = 3600;
/** What has ended is kept for those who look why; nothing of ours depends on it. */
const retentionHours = 72;

/** A connection of a client or of a worker. */
type Server = Pick<Connection, 'workflowService'>;

/** Returns how long a namespace keeps what has ended, in hours; undefined where there is no such namespace. */
export async function retentionHoursOf(
  { workflowService }: Server,
  namespace: string,
): Promise<number | undefined> {
  try {
    const { config } = await workflowService.describeNamespace({ namespace });
    return Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / secondsOfHour;
  } catch (error) {
    if (hasCode(error, notFound)) return undefined;
    throw error;
  }
}

/** Makes a namespace unless it is there. @throws when the server does not let us, as that of Temporal Cloud. */
export async function ensureNamespace(server: Server, namespace: string): Promise<void> {
  if ((await retentionHoursOf(server, namespace)) !== undefined) return;
  const workflowExecutionRetentionPeriod = msToTs(`${retentionHours}h`);
  try {
    await server.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  } catch (error) {
    if (!hasCode(error, alreadyExists)) throw error;
  }
}

function hasCode(error: unknown, code: number): boolean {
  if (!isGrpcServiceError(error)) return false;
  const found: number = error.code;
  return found === code;
}
