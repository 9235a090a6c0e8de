import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { databaseUrl } from './commands.ts';
import { type Service, startService } from './service.ts';

const Target = z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() });
const Note = z.object({ database: z.object({ target: Target }) });

/** Starts an api beside a service that has its own database, on the same database and object store. */
export async function startSecondApi(
  { dataDir }: Pick<Service, 'dataDir'>,
  env: Readonly<Record<string, string>> = {},
) {
  const note = Note.parse(JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8')));
  const url = databaseUrl(note.database.target);
  const ownDir = await mkdtemp(join(tmpdir(), 'steppe-api-'));
  const api = await startService({
    dataDir: ownDir,
    env: {
      DATABASE_URL: url,
      MESSAGE_QUEUE_URL: url,
      OBJECT_STORE_URL: pathToFileURL(join(dataDir, 'objects')).href,
      LOG_LEVEL: 'warn',
      ...env,
    },
    command: [process.execPath, 'src/main.ts', 'api'],
  });
  return {
    baseUrl: api.baseUrl,
    output: api.output,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await rm(ownDir, { recursive: true, force: true });
    },
  };
}
