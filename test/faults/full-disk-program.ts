/** Writes one draft into a store whose disk is full, and prints the outcome. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { createDatabaseConnection } from '../../src/database/connect.ts';
import { createDirectoryObjectStore } from '../../src/object-store/directory.ts';
import { writeDraft } from '../../src/object-store/ledger.ts';
import { MiB } from '../../src/lib/units.ts';

const Orders = z.object({
  target: z.object({ host: z.string(), user: z.string(), database: z.string() }),
  storeRoot: z.string(),
});

const { target, storeRoot } = Orders.parse(JSON.parse(process.argv[2] ?? ''));
const { db } = createDatabaseConnection(target, {
  maxConnections: 2,
  applicationName: 'full-disk-program',
  onError: () => undefined,
});
const body = Readable.from(Array.from({ length: 8 }, () => Buffer.alloc(MiB)));
const outcome = await writeDraft(db, createDirectoryObjectStore(storeRoot), 'suite/big.tif', body).then(
  () => 'written',
  (error: unknown) => String(error),
);
process.stdout.write(outcome);
await db.destroy();
