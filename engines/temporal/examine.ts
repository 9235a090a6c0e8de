import { Connection } from '@temporalio/client';
import type { WorkflowEngineAddress } from '../../src/workflow-engine/address.ts';
import type { EngineFacts } from '../../src/workflow-engine/engine-package.ts';
import { connectionOptions } from './connection.ts';
import { retentionHoursOf } from './namespace.ts';

const answerMilliseconds = 5000;

/** Requests the version of the server and the namespace. @throws the error that prevents an answer within five seconds. */
export async function examine(address: WorkflowEngineAddress): Promise<EngineFacts> {
  const options = await connectionOptions(address);
  const connection = Connection.lazy({ ...options, connectTimeout: answerMilliseconds });
  try {
    await connection.ensureConnected();
    return await connection.withDeadline(Date.now() + answerMilliseconds, async () => {
      const { serverVersion } = await connection.workflowService.getSystemInfo({});
      return { serverVersion, retentionHours: await retentionHoursOf(connection, address.namespace) };
    });
  } finally {
    await connection.close();
  }
}
