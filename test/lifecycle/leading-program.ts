import { createDatabaseConnection } from '../../src/database/connect.ts';
import { startLeading } from '../../src/database/lease.ts';
import { ignore } from '../../src/lib/concurrency/promises.ts';

/** A process that leads or follows, and notifies its parent each time that it does the work. Its argument is the database, as JSON. */
const { db } = createDatabaseConnection(JSON.parse(process.argv[2] ?? ''), {
  maxConnections: 1,
  applicationName: 'leading',
  onError: ignore,
});
startLeading(
  db,
  { warn: ignore },
  {
    name: 'processes',
    work: async () => void process.send?.('worked'),
    timing: { everyMs: 50, pollEveryMs: 1000, leaseMs: 300 },
  },
);
process.once('disconnect', () => process.exit());
