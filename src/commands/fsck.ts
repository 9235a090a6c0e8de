import { checkStore, describeReport } from '../object-store/fsck.ts';
import { defineCommand } from './command.ts';
import { withComponents } from './with-components.ts';

const usage = `Usage: ./steppe fsck [--digests]

Checks that objects, ledger and rows agree, beside a running service or alone, and says what does not. Repairs nothing.
Ends with 1 when something is damaged.

  --digests   reads every object as well, and compares its SHA-256 with that in the ledger`;

/** Checks that store, ledger and rows agree. Exit code 1 if something is damaged. */
export const fsck = defineCommand({
  name: 'fsck',
  summary: 'check that store, ledger and rows agree',
  usage,
  isQuiet: true,
  options: { digests: { type: 'boolean' } },
  run: async (context) =>
    await withComponents(context, async ({ db, objectStore }) => {
      const report = await checkStore(db, objectStore, { digests: context.values.digests === true });
      process.stdout.write(describeReport(report));
      return report.damage.length === 0 ? 0 : 1;
    }),
});
