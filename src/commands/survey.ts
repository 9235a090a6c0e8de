import { stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { listItems, uploadableExtensions } from '../clients/survey/files.ts';
import { watchHealth } from '../clients/survey/health.ts';
import { createProgressBar, findingLine, summaryTable } from '../clients/survey/present.ts';
import { runSurvey } from '../clients/survey/survey.ts';
import { openEngineChildren } from '../runtime/engines.ts';
import { createRasterComparison } from '../geo/parent/compare-rasters.ts';
import { commandFailures, usageMistakes } from '../messages/commands.ts';
import { defineCommand } from './command.ts';
import { type OptionValues, UsageError } from './options.ts';
import { reachService } from './reach-service.ts';

const usage = `Usage: npm run survey -- FOLDER [--verify] [--delete] [--base-url URL] [--parallel N] [--report FILE]

Uploads every file below FOLDER to a running service, as each type that its extension allows, and says what became of it.
Tables whose columns look like KATO codes and years are mapped too. Everything stays in the category "survey";
with --delete each dataset is deleted when nothing was wrong with it. --verify compares each COG with its source pixel by
pixel and checks each GeoJSON against RFC 7946; --report writes all findings as JSON. Ends with 1 when anything stays in
between, is answered with a 5xx, breaks off, is not what it must be or is refused in words that are not for people, and
when /healthz failed meanwhile. A service that asks for tokens finds one in STEPPE_TOKEN.`;

const options = {
  verify: { type: 'boolean', default: false },
  delete: { type: 'boolean', default: false },
  'base-url': { type: 'string' },
  parallel: { type: 'string', default: '4' },
  report: { type: 'string' },
} as const;
const maxParallel = 64;

/** Takes a folder of files through a running service and prints what became of each; 1 when anything went wrong. */
export const survey = defineCommand({
  name: 'survey',
  summary: 'take every file of a folder through a running service',
  usage,
  isQuiet: true,
  options,
  maxArguments: 1,
  async run({ values, positionals: [path], ...context }) {
    const { items, leftOut, parallel } = await readWanted(values, path);
    const { verify, delete: discard, report } = values;
    const client = await reachService(values['base-url'], context);
    const { config, log, shutdown: signal } = context;
    const compareRasters = verify
      ? createRasterComparison(await openEngineChildren(config, log), signal)
      : undefined;
    const bar = createProgressBar(process.stderr, items.length);
    await using health = watchHealth(client);
    const findings = await runSurvey({
      items,
      parallel,
      verify,
      discard,
      client,
      compareRasters,
      signal,
      onStarted: (item) => bar.start(item.name),
      onFound: (finding) => bar.end(findingLine(finding), (text) => process.stdout.write(text)),
    }).catch((error: unknown) => {
      bar.clear();
      throw signal.aborted ? new Error(commandFailures.surveyStopped) : error;
    });
    bar.clear();
    if (report !== undefined) await writeFile(report, `${JSON.stringify(findings, undefined, 2)}\n`);
    process.stdout.write(summaryTable(findings, leftOut));
    const outages = await health.finish();
    for (const outage of outages) process.stdout.write(`  !! ${outage}\n`);
    const isAlive = await client.isReady();
    if (!isAlive) process.stdout.write('The service does not answer any more.\n');
    const isUntroubled = findings.every(({ troubles }) => troubles.length === 0);
    return isAlive && isUntroubled && outages.length === 0 ? 0 : 1;
  },
});

/**
 * Finds the files to survey.
 * @throws {Error} when that would come to nothing, before any service is asked.
 */
async function readWanted(values: OptionValues<typeof options>, path: string | undefined) {
  if (path === undefined) throw new UsageError(usageMistakes.noSurveyFolder);
  const parallel = Number(values.parallel);
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > maxParallel) {
    throw new UsageError(usageMistakes.wrongParallel(maxParallel));
  }
  if (values.report !== undefined) await requireFolder(dirname(resolve(values.report)), '--report: ');
  const folder = resolve(path);
  await requireFolder(folder);
  const { items, leftOut } = await listItems(folder);
  if (items.length === 0) throw new Error(commandFailures.nothingToSurvey(folder, uploadableExtensions));
  return { items, leftOut, parallel };
}

async function requireFolder(folder: string, option = ''): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new Error(commandFailures.noFolder(folder, option));
}
