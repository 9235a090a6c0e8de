import { resolve } from 'node:path';
import { writeBackup } from '../backup/backup.ts';
import { usageMistakes, backupWords } from '../messages/service/english.ts';
import { defineCommand } from './command.ts';
import { UsageError } from './options.ts';
import { withComponents, withBareComponents } from './with-components.ts';
import { readBackup } from '../backup/manifest.ts';
import { restoreBackup } from '../backup/restore.ts';
import { prepareDatabase } from '../runtime/prepare.ts';
import { checkStore, describeReport } from '../object-store/fsck.ts';

const backupUsage = `Usage: ./steppe backup FOLDER

Copies all tables and objects, as of one moment, into a new folder, beside a running service or alone. What the service
deletes meanwhile is kept until the backup ends. A folder without manifest.json is no backup. It has the data of all users
and the digests of tokens: keep it as safe as the service.`;

export const backup = defineCommand({
  name: 'backup',
  summary: 'copy all data into a folder, while the service runs',
  usage: backupUsage,
  isQuiet: true,
  options: {},
  maxArguments: 1,
  async run(context) {
    const [given] = context.positionals;
    if (given === undefined) throw new UsageError(usageMistakes.noBackupFolder);
    const folder = resolve(given);
    await withComponents(context, async (components) => {
      const { objects, tables } = await writeBackup(
        { ...components, objectStore: components.storedObjects },
        folder,
        context.shutdown,
      );
      const bytes = [...objects, ...tables].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      process.stdout.write(
        `Backed up ${tables.length} tables and ${objects.length} objects, ${bytes} bytes, into ${folder}.\n`,
      );
    });
  },
});

const restoreUsage = `Usage: ./steppe restore FOLDER [--keep-webhooks]

Restores a backup into an empty database and an empty object store, of any kind that Steppe works with, then checks every
object. Proves all files of the backup before anything is written. Start it again when it was interrupted. Ends with 1
when something is damaged.

  --keep-webhooks   leaves webhooks on, for a service that takes the place of the one that was backed up; without it they are
                    switched off, so that a copy sends nothing to the servers to which the service sends`;

/** Fills an empty database and store from a backup. Exit code 1 if something is damaged afterwards. */
export const restore = defineCommand({
  name: 'restore',
  summary: 'fill an empty database and store from a backup',
  usage: restoreUsage,
  isQuiet: true,
  options: { 'keep-webhooks': { type: 'boolean' } },
  maxArguments: 1,
  async run(context) {
    const [given] = context.positionals;
    if (given === undefined) throw new UsageError(usageMistakes.noRestoreFolder);
    const { log, shutdown } = context;
    const folder = resolve(given);
    const manifest = await readBackup(folder, shutdown);
    return await withBareComponents(context, async (components) => {
      const { db, objectStore } = components;
      const keepsWebhooks = context.values['keep-webhooks'] === true;
      const { webhooksOff } = await restoreBackup(
        { ...components, objectStore: components.storedObjects },
        folder,
        manifest,
        {
          signal: shutdown,
          keepsWebhooks,
        },
      );
      await prepareDatabase(components, log, shutdown, false);
      const report = await checkStore(db, objectStore, { digests: true });
      process.stdout.write(`Restored the backup of ${manifest.createdAt}.\n${describeReport(report)}`);
      if (webhooksOff > 0) process.stdout.write(`${backupWords.webhooksOff(webhooksOff)}\n`);
      return report.damage.length === 0 ? 0 : 1;
    });
  },
});
