import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../database/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import { publishObject, retireObjects, writeDraft } from '../../object-store/ledger.ts';
import type { ObjectWriter } from '../geojson-forms.ts';
import type { StorageDependencies } from '../original/receive-file.ts';

/** Each holds a database connection while it reads; later ones wait for their turn. */
const maxRemakes = 4;

/** Creates what keeps one process from making files that are outdated more than once, or too many at a time. */
export function createRemakes() {
  const underWay = new Map<string, Promise<void>>();
  const turns = createTurns(maxRemakes);
  return {
    /** Does the work of this name, unless it is under way; resolves when it has been done. */
    async once(name: string, work: () => Promise<void>): Promise<void> {
      const known = underWay.get(name);
      if (known !== undefined) return await known;
      const remake = turns(work).finally(() => underWay.delete(name));
      underWay.set(name, remake);
      await remake;
    },
  };
}

interface Replacement<Keys> {
  readonly datasetId: string;
  /** The objects of the file that is replaced. */
  readonly oldKeys: readonly (string | null)[];
  /** Stores all forms of the new file. */
  store(writer: ObjectWriter): Promise<Keys>;
  /** Writes the keys into the dataset in the place of the old ones; false when these are no longer there. */
  replace(trx: Transaction, keys: Keys): Promise<boolean>;
}

/** Makes a file of a dataset anew; no effect if the dataset was changed, deleted or served by another process meanwhile. */
export async function remakeFile<Keys extends Readonly<Record<string, string>>>(
  { db, objectStore }: StorageDependencies,
  { datasetId, oldKeys, store, replace }: Replacement<Keys>,
): Promise<void> {
  const remake = randomUUID();
  await using drafts = new AsyncDisposableStack();
  const keys = await store({
    async store(folder, extension, form) {
      const made = `${folder}/${datasetId}/${remake}${extension}`;
      return drafts.use(await writeDraft(db, objectStore, made, form)).key;
    },
  });
  await inTransaction(db, async (trx) => {
    if (!(await replace(trx, keys))) return;
    for (const made of Object.values(keys)) await publishObject(trx, made);
    await retireObjects(trx, oldKeys);
  });
}

/** Limits work to `count` at a time; the rest waits in the order in which it came. */
function createTurns(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
