import type { ClientConfig } from 'pg';
import { reasonOf } from '../../lib/error-facts.ts';
import { endsWithin, withTimeout } from '../../lib/concurrency/with-timeout.ts';
import { readEmbeddedTarget } from '../../runtime/embedded.ts';
import type { Config } from '../../config.ts';
import { createDatabaseConnection } from '../../database/connect.ts';
import { checkEmbeddedDatabase } from '../../database/embedded/embedded.ts';
import type { Finding } from './finding.ts';
import { nearestExisting } from './folder.ts';

const title = 'Database';
const oldestVersion = 15;
const answerMilliseconds = 5000;
const closeMilliseconds = 500;

/** Examines the existing database; does not start one. */
export async function examineDatabase(
  { databaseUrl, dataDir }: Config,
  state: { readonly serviceRuns: boolean; readonly dataDirIsUsable: boolean },
): Promise<Finding> {
  if (databaseUrl !== undefined) return await examineGiven(databaseUrl);
  if (state.serviceRuns) return await examineRunning(dataDir);
  if (state.dataDirIsUsable) return await examineResting(dataDir);
  return { title, lines: ['embedded, cannot be started without DATA_DIR'], isFault: true };
}

async function examineGiven(databaseUrl: string): Promise<Finding> {
  const place = placeOf(databaseUrl);
  try {
    const version = await askVersion(databaseUrl);
    const isFault = Number.parseInt(version, 10) < oldestVersion;
    const state = isFault ? `is older than ${oldestVersion}` : 'answers';
    return { title, lines: [`${place}: PostgreSQL ${version} ${state}`], isFault };
  } catch (error) {
    return { title, lines: [`${place} does not answer: ${reasonOf(error)}`], isFault: true };
  }
}

/** Returns DATABASE_URL without its secrets. */
function placeOf(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `${host === '' ? (searchParams.get('host') ?? '') : host}${pathname}`;
}

async function examineRunning(dataDir: string): Promise<Finding> {
  const target = await readEmbeddedTarget(dataDir);
  if (target === undefined) {
    return { title, lines: ['embedded, not running yet, or not any more'] };
  }
  try {
    return { title, lines: [`embedded: PostgreSQL ${await askVersion(target)} answers`] };
  } catch (error) {
    return { title, lines: [`embedded, does not answer: ${reasonOf(error)}`], isFault: true };
  }
}

async function examineResting(dataDir: string): Promise<Finding> {
  try {
    await checkEmbeddedDatabase(await nearestExisting(dataDir));
    return { title, lines: ['embedded, starts and ends with the service'] };
  } catch (error) {
    return { title, lines: [`embedded, cannot be started: ${reasonOf(error)}`], isFault: true };
  }
}

/** Returns the server's version of PostgreSQL, such as `18.4`. @throws the error that prevents an answer in time. */
async function askVersion(target: string | ClientConfig): Promise<string> {
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
