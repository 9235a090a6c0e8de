import { defineCommand } from './command.ts';
import { migrateDatabase } from './with-components.ts';

const usage = `Usage: ./steppe migrate

Brings the database up to date, making it where there is none, and ends. Every start of a service does the same; other
commands never do.`;

export const migrate = defineCommand({
  name: 'migrate',
  summary: 'bring the database up to date, then end',
  usage,
  isQuiet: true,
  options: {},
  async run(context) {
    await migrateDatabase(context);
    process.stdout.write('The database is up to date.\n');
  },
});
