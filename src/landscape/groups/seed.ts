import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Insertable } from 'kysely';
import { underMigrationLock } from '../../database/migrate.ts';
import type { Database, Tables, Transaction } from '../../database/tables/tables.ts';
import { keepCompiledStyle } from '../../maps/styles/compiled-styles.ts';
import { publishObject, writeDraft } from '../../object-store/ledger.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import { compileSld } from '../../../common/maps/style/sld-compile.ts';
import { ensureLandscapeCategory } from './group-rows.ts';
import { outputText, slotText } from './group-texts.ts';
import { nodes } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import { legendSld } from './results.ts';

interface SeedDependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
}

/**
 * Creates the missing category and groups of the program; existing ones stay unchanged. Any number of instances may do so at once. The
 * groups of inputs come first, because they need no object store.
 */
export async function seedLandscape(dependencies: SeedDependencies): Promise<void> {
  await underMigrationLock(dependencies.db, async (trx) => {
    await ensureLandscapeCategory(trx);
    await insertGroups(
      trx,
      leaves.map((leaf) => ({ id: randomUUID(), code: leaf.group, ...slotText(leaf) })),
    );
  });
  await seedOutputGroups(dependencies);
}

/**
 * Creates the missing groups of outputs, each with its legend as the shared style. The legends are stored before the lock is taken, so
 * that an unresponsive store does not block migrations by others.
 */
export async function seedOutputGroups({ db, objectStore }: SeedDependencies): Promise<void> {
  const codes = nodes.map(({ output }) => output.group);
  const present = await db.selectFrom('dataset_groups').select('code').where('code', 'in', codes).execute();
  const absent = nodes.filter(({ output }) => !present.some(({ code }) => code === output.group));
  if (absent.length === 0) return;
  await using drafts = new AsyncDisposableStack();
  const groups: Insertable<Tables['dataset_groups']>[] = [];
  const legends = new Map<string, string>();
  for (const node of absent) {
    const id = randomUUID();
    const key = `styles/${id}/${randomUUID()}.sld`;
    const sld = legendSld(node);
    const body = Readable.from([Buffer.from(sld)], { objectMode: false });
    legends.set(key, JSON.stringify(compileSld(sld)));
    drafts.use(await writeDraft(db, objectStore, key, body));
    const style = {
      sld_storage_key: key,
      sld_filename: `${node.output.group}.sld`,
      sld_content_type: 'application/xml',
    };
    groups.push({ id, code: node.output.group, ...outputText(node), ...style });
  }
  await underMigrationLock(db, async (trx) => {
    const made = new Set(await insertGroups(trx, groups));
    for (const [key, compiled] of legends) {
      if (!made.has(key)) continue;
      await publishObject(trx, key);
      await keepCompiledStyle(trx, key, compiled);
    }
  });
}

/** Inserts groups; returns the keys of the styles of the new ones. */
async function insertGroups(
  trx: Transaction,
  groups: readonly Insertable<Tables['dataset_groups']>[],
): Promise<string[]> {
  const made = await trx
    .insertInto('dataset_groups')
    .values(groups)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('sld_storage_key')
    .execute();
  return made.map(({ sld_storage_key: key }) => key).filter((key) => key !== null);
}
