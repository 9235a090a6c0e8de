import { defineCommand } from './command.ts';
import { withComponents } from './with-components.ts';

const usage = `Usage: ./steppe migrate

Brings the database up to date, making it where there is none, and ends. Every start of a service does the same.`;

/** Brings the database up to date. */
export const migrate = defineCommand({
  name: 'migrate',
  summary: 'bring the database up to date, then end',
  usage,
  isQuiet: true,
  options: {},
  run: async (context) =>
    await withComponents(context, async () => {
      process.stdout.write('The database is up to date.\n');
    }),
});
