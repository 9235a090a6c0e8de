/** Makes toys on the given database and store; at the given step it reports and waits to be killed. */
import { pino } from 'pino';
import { createDatabaseConnection } from '../database/connect.ts';
import { startWorker } from './worker.ts';
import { createDirectoryObjectStore } from '../object-store/directory.ts';
import { silentQueue } from '../../test/support/landscape/pretended-runs.ts';
import { createToyHandler, toyWorkerName } from './toy-result.for-tests.ts';

const { target, root, scratchRoot, step } = JSON.parse(process.argv[2] ?? '{}');
const { db } = createDatabaseConnection(target, {
  maxConnections: 4,
  applicationName: toyWorkerName,
  onError: () => undefined,
});
startWorker({
  db,
  objectStore: createDirectoryObjectStore(root),
  messageQueue: silentQueue,
  handlers: {
    'make-result': createToyHandler(db, async (at) => {
      if (at !== step) return;
      process.stdout.write(at);
      await new Promise(() => undefined);
    }),
  },
  concurrency: 1,
  scratchRoot,
  log: pino({ level: 'silent' }),
  timing: { pollEveryMs: 20 },
});
