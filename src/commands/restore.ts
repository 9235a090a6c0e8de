import { resolve } from 'node:path';
import { readBackup } from '../backup/manifest.ts';
import { restoreBackup } from '../backup/restore.ts';
import { prepareDatabase } from '../runtime/prepare.ts';
import { usageMistakes } from '../messages/service.ts';
import { checkStore, describeReport } from '../object-store/fsck.ts';
import { defineCommand } from './command.ts';
import { UsageError } from './options.ts';
import { withBareComponents } from './with-components.ts';

const usage = `Usage: ./steppe restore FOLDER

Restores a backup into an empty database and an empty object store, of any kind that Steppe works with, then checks every
object. Proves all files of the backup before anything is written. Start it again when it was interrupted. Ends with 1
when something is damaged.`;

/** Fills an empty database and store from a backup; 1 when something is damaged then. */
export const restore = defineCommand({
  name: 'restore',
  summary: 'fill an empty database and store from a backup',
  usage,
  isQuiet: true,
  options: {},
  maxArguments: 1,
  async run(context) {
    const [given] = context.positionals;
    if (given === undefined) throw new UsageError(usageMistakes.noRestoreFolder);
    const { log, shutdown } = context;
    const folder = resolve(given);
    const manifest = await readBackup(folder, shutdown);
    return await withBareComponents(context, async (components) => {
      const { db, objectStore } = components;
      await restoreBackup(components, folder, manifest, shutdown);
      await prepareDatabase(components, log, shutdown, false);
      const report = await checkStore(db, objectStore, { digests: true });
      process.stdout.write(`Restored the backup of ${manifest.createdAt}.\n${describeReport(report)}`);
      return report.damage.length === 0 ? 0 : 1;
    });
  },
});
