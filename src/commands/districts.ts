import { importDistrictsFile } from '../compose/districts.ts';
import { restoreDistricts } from '../catalogue/districts/restore.ts';
import { type DistrictCounts } from '../catalogue/districts/plan.ts';
import { openEngine } from '../compose/compose.ts';
import { defineCommand, type CommandContext } from './command.ts';
import { districtsOptions, readDistrictsArguments } from './districts-arguments.ts';
import { withComponents } from './with-components.ts';

const usage = `Usage: ./steppe districts import FILE --kato COLUMN --name COLUMN
         [--name-kk COLUMN] [--name-en COLUMN] [--level region|district]
         [--replace | --replace-all-levels] [--dry-run]
       ./steppe districts restore [--replace] [--dry-run]

"import" takes administrative units from a vector file (.geojson, .gpkg, .zip): one area and one code of digits per row.
Units that are there already are changed, new ones added; --replace removes those that the file does not have. It is
refused when all regions or all districts would go because the file has none; --replace-all-levels removes those too.
Without --level a code of two digits and seven zeros is a region. All rows are checked before anything changes.

"restore" brings back the 244 units of the first start as they were. Other units stay, unless --replace removes them.

--dry-run checks all the same, says what would change, and changes nothing.`;

/** Imports administrative units, or brings back those of the first start; beside a running service or alone. */
export const districts = defineCommand({
  name: 'districts',
  summary: 'import administrative units from a file, or restore the first ones',
  usage,
  isQuiet: true,
  options: districtsOptions,
  maxArguments: 2,
  async run({ values, positionals, ...context }) {
    const call = await readDistrictsArguments(values, positionals);
    try {
      const counts = await change(context, call);
      process.stdout.write(describe(counts, call.wanted));
      return 0;
    } catch (error) {
      if (!context.shutdown.aborted) throw error;
      process.stderr.write('steppe: stopped; nothing was changed\n');
      return 1;
    }
  },
});

async function change(
  context: CommandContext,
  call: Awaited<ReturnType<typeof readDistrictsArguments>>,
): Promise<DistrictCounts> {
  const { config, log, shutdown: signal } = context;
  return await withComponents(context, async (components) => {
    if (call.action === 'restore') return await restoreDistricts({ db: components.db, signal }, call.wanted);
    const engine = await openEngine(config, log);
    return await importDistrictsFile({ components, engine, signal }, call.file, call.wanted);
  });
}

function describe(counts: DistrictCounts, { dryRun }: { readonly dryRun: boolean }): string {
  const { total, added, changed, removed } = counts;
  const sentence = `${total} units: ${added} added, ${changed} changed, ${removed} removed.\n`;
  return dryRun
    ? `${sentence}Nothing was changed: this is what it would be without --dry-run.\n`
    : `${sentence}Maps of tables by KATO show them from their next request on.\n`;
}
