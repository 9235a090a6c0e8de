import { reasonOf } from '../../common/error-facts.ts';
import { askVersion } from '../../compose/ask-version.ts';
import { checkEmbedded } from '../../compose/compose.ts';
import type { Config } from '../../config.ts';
import { readTarget } from '../with-components.ts';
import type { Finding } from './finding.ts';
import { nearestExisting } from './folder.ts';

const title = 'Database';
const oldestVersion = 15;

/** Asks the database that is there; starts none. */
export async function examineDatabase(
  { databaseUrl, dataDir }: Config,
  state: { readonly serviceRuns: boolean; readonly dataDirIsUsable: boolean },
): Promise<Finding> {
  if (databaseUrl !== undefined) return await examineGiven(databaseUrl);
  if (state.serviceRuns) return await examineRunning(dataDir);
  if (state.dataDirIsUsable) return await examineResting(dataDir);
  return { title, lines: ['embedded, can not be started without DATA_DIR'], isFault: true };
}

async function examineGiven(databaseUrl: string): Promise<Finding> {
  const place = placeOf(databaseUrl);
  try {
    const version = await askVersion(databaseUrl);
    const isFault = Number.parseInt(version, 10) < oldestVersion;
    const verdict = isFault ? `is older than ${oldestVersion}` : 'answers';
    return { title, lines: [`${place}: PostgreSQL ${version} ${verdict}`], isFault };
  } catch (error) {
    return { title, lines: [`${place} does not answer: ${reasonOf(error)}`], isFault: true };
  }
}

/** Where DATABASE_URL leads to, without its secrets. */
function placeOf(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `${host === '' ? (searchParams.get('host') ?? '') : host}${pathname}`;
}

async function examineRunning(dataDir: string): Promise<Finding> {
  const target = await readTarget(dataDir);
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
    await checkEmbedded(await nearestExisting(dataDir));
    return { title, lines: ['embedded, starts and ends with the service'] };
  } catch (error) {
    return { title, lines: [`embedded, can not be started: ${reasonOf(error)}`], isFault: true };
  }
}
