import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { leaves } from '../../../src/landscape/model/leaves.ts';
import { describeObject, publishObject, writeDraft } from '../../../src/object-store/ledger.ts';
import { measureStream } from '../../../src/object-store/measure.ts';
import { createBlockDigests, writePin } from '../../../src/remote/pin.ts';
import type { RemoteFiles } from '../../../src/remote/remote-files.ts';
import { groupId, insertRaster } from '../geo/rasters.ts';
import type { startRuns } from './runs.ts';

type Runs = Pick<Awaited<ReturnType<typeof startRuns>>, 'db' | 'store'>;

/** A file on another server, and the group of its dataset. */
export interface ReferredFile {
  readonly group: string;
  readonly address: string;
  readonly bytes: Buffer;
}

/** Inserts a ready raster whose COG stays on another server, as it is there now. */
export async function refer(
  { db, store }: Runs,
  reader: Pick<RemoteFiles, 'probe'>,
  { group, address, bytes }: ReferredFile,
): Promise<string> {
  const { head: _, ...version } = await reader.probe(address);
  const blocks = createBlockDigests();
  const facts = await measureStream(Readable.from([bytes]), undefined, blocks.push);
  const pin = { ...version, digests: blocks.end() };
  const key = `references/${randomUUID()}/1.tif`;
  await using draft = await writeDraft(db, store, key, Readable.from([writePin(pin)], { objectMode: false }));
  await db.transaction().execute(async (trx) => {
    await publishObject(trx, draft.key);
    await describeObject(trx, key, facts);
  });
  const columns = { dg_id: await groupId(db, group), size_bytes: facts.sizeBytes };
  const id = await insertRaster(db, columns, key);
  const { etag = null, lastModified = null } = version;
  const known = { dataset_id: id, address, etag, last_modified: lastModified, reason: null };
  await db.insertInto('dataset_references').values(known).execute();
  return id;
}

/** Returns the bytes of the first raster of each slot, by leaf. */
export async function filledSlots({ db, store }: Runs): Promise<ReadonlyMap<string, Buffer>> {
  const bytes = new Map<string, Buffer>();
  for (const { key } of leaves) {
    const { object_key: object } = await db
      .selectFrom('datasets')
      .innerJoin('dataset_files', 'dataset_files.dataset_id', 'datasets.id')
      .select('object_key')
      .where('dg_id', '=', await groupId(db, `landscape-in-${key}`))
      .where('kind', '=', 'cog')
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirstOrThrow();
    bytes.set(key, await buffer(await store.read(object)));
  }
  return bytes;
}
