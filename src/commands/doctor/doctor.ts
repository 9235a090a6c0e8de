import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { checkComponents } from '../../compose/compose.ts';
import type { Config } from '../../config.ts';
import { isOwned, readNote } from '../../process/data-dir.ts';
import { examineAccess } from './access.ts';
import { examineAddress } from './address.ts';
import { examineDatabase } from './database.ts';
import { examineEngine } from './geo-engine.ts';
import { type Finding, tableOf } from './finding.ts';
import { examineFolder } from './folder.ts';

/**
 * Prints how well this installation stands, beside a running service or without one; 1 when it can not work. Nothing is
 * started but a child of the geo engine, and nothing changes.
 */
export async function doctor(config: Config, log: Logger): Promise<number> {
  checkComponents(config, 'serve');
  const { dataDir, objectStoreUrl } = config;
  const service = await findService(dataDir);
  const data = await examineFolder('Data', dataDir);
  const findings: readonly Finding[] = [
    { title: 'Node.js', lines: [process.versions.node] },
    ...(await examineEngine(config, log)),
    data,
    ...(objectStoreUrl === undefined ? [] : [await examineFolder('Objects', fileURLToPath(objectStoreUrl))]),
    await examineDatabase(config, {
      serviceRuns: service.isThere,
      dataDirIsUsable: data.isFault !== true,
    }),
    await examineAddress(config, service.isThere),
    await examineAccess(config),
    { title: 'Service', lines: [service.description] },
  ];
  process.stdout.write(tableOf(findings));
  return findings.some(({ isFault }) => isFault === true) ? 1 : 0;
}

async function findService(dataDir: string): Promise<{ isThere: boolean; description: string }> {
  try {
    if (!isOwned(dataDir)) return { isThere: false, description: 'none works with this DATA_DIR' };
  } catch {
    return { isThere: false, description: 'this account can not see whether one works with this DATA_DIR' };
  }
  const pid = (await readNote(dataDir))?.pid;
  const who = pid === undefined ? 'one' : `process ${pid}`;
  return { isThere: true, description: `${who} works with this DATA_DIR` };
}
