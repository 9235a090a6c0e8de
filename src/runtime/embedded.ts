import type { Logger } from 'pino';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { EmbeddedTarget } from '../database/embedded/cluster.ts';
import { openEmbeddedDatabase } from '../database/embedded/embedded.ts';
import { type OwnedDataDir, readNote } from './data-dir.ts';
import { serviceConnections } from './connections.ts';

const DatabaseNote = z.object({ target: EmbeddedTarget });

/** Starts the embedded PostgreSQL of a DATA_DIR that this process owns, and writes its address to the note there. */
export async function startEmbedded(
  dataDir: OwnedDataDir,
  { config, log, shutdown: signal }: { config: Config; log: Logger; shutdown: AbortSignal },
) {
  return await openEmbeddedDatabase({
    dataDir: config.dataDir,
    connections: serviceConnections(config),
    log,
    signal,
    onStart: async (database) => await dataDir.writeNote({ pid: process.pid, database }),
  });
}

/** Returns the address of the PostgreSQL in the note of the owner of DATA_DIR; undefined while it is not running. */
export async function readEmbeddedTarget(dataDir: string): Promise<EmbeddedTarget | undefined> {
  return DatabaseNote.safeParse((await readNote(dataDir))?.database).data?.target;
}
