import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';

const notFound = 5;
const alreadyExists = 6;
const secondsOfHour = 3600;
/** Retention of ended workflows for diagnosis; the service does not depend on it. */
const retentionHours = 72;

/** A connection of a client or of a worker. */
type Server = Pick<Connection, 'workflowService'>;

/** Returns the retention of a namespace, in hours; undefined when it does not exist. */
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

/** Creates a namespace if it does not exist. @throws when the server does not allow it, such as Temporal Cloud. */
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
