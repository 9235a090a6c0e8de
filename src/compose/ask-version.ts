import type { ClientConfig } from 'pg';
import { createDatabaseConnection } from '../database/connect.ts';
import { withTimeout } from '../common/with-timeout.ts';
import { endsWithin } from '../common/with-timeout.ts';

const answerMilliseconds = 5000;
const closeMilliseconds = 500;

/** The version of the PostgreSQL that answers there, such as `18.4`. @throws what keeps it from answering in time. */
export async function askVersion(target: string | ClientConfig): Promise<string> {
  const connection = createDatabaseConnection(target, {
    maxConnections: 1,
    applicationName: 'steppe-doctor',
    onError: () => undefined,
  });
  try {
    const asked = connection.pool.query<{ version: string }>(
      "select split_part(current_setting('server_version'), ' ', 1) as version",
    );
    const { rows } = await withTimeout(answerMilliseconds, asked);
    return rows[0]?.version ?? '';
  } finally {
    await endsWithin(closeMilliseconds, connection.close());
  }
}
