import { resolve } from 'node:path';
import { writeBackup } from '../backup/backup.ts';
import { usageMistakes } from '../messages/service/english.ts';
import { defineCommand } from './command.ts';
import { UsageError } from './options.ts';
import { withComponents } from './with-components.ts';

const usage = `Usage: ./steppe backup FOLDER

Copies all tables and objects, as of one moment, into a new folder, beside a running service or alone. What the service
deletes meanwhile is kept until the backup ends. A folder without manifest.json is no backup. It has the data of all users
and the digests of tokens: keep it as safe as the service.`;

export const backup = defineCommand({
  name: 'backup',
  summary: 'copy all data into a folder, while the service runs',
  usage,
  isQuiet: true,
  options: {},
  maxArguments: 1,
  async run(context) {
    const [given] = context.positionals;
    if (given === undefined) throw new UsageError(usageMistakes.noBackupFolder);
    const folder = resolve(given);
    await withComponents(context, async (components) => {
      const { objects, tables } = await writeBackup(components, folder, context.shutdown);
      const bytes = [...objects, ...tables].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      process.stdout.write(
        `Backed up ${tables.length} tables and ${objects.length} objects, ${bytes} bytes, into ${folder}.\n`,
      );
    });
  },
});
