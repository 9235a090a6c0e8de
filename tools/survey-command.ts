import { stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { defineCommand } from '../src/commands/command.ts';
import { type OptionValues, UsageError } from '../src/commands/options.ts';
import { openEngineChildren } from '../src/runtime/engines.ts';
import { createComparison } from './compare/comparison.ts';
import { reachService } from './reach-service.ts';
import { listItems, uploadableExtensions } from './survey/files.ts';
import { createProgressBar, findingLine, summaryTable } from './survey/present.ts';
import { runSurvey, watchHealth } from './survey/survey.ts';

const usage = `Usage: npm run survey -- FOLDER [--verify] [--delete] [--base-url URL] [--parallel N] [--report FILE]

Uploads every file below FOLDER to a running service, as each type that its extension allows, and prints the results.
Tables whose columns look like KATO codes and years are mapped too. Everything stays in the category "survey"; --delete
deletes each dataset without faults. --verify compares each COG with its source pixel by pixel and each FlatGeobuf feature by
feature, and checks each GeoJSON against RFC 7946; --report writes all findings as JSON. The exit code is 1 when an upload does not end, is answered with a
5xx, breaks off, has a wrong result or is refused with internals in its message, and when /healthz failed meanwhile. A
service that requires tokens takes the one in STEPPE_TOKEN.`;

const options = {
  verify: { type: 'boolean', default: false },
  delete: { type: 'boolean', default: false },
  'base-url': { type: 'string' },
  parallel: { type: 'string', default: '4' },
  report: { type: 'string' },
} as const;
const maxParallel = 64;

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
    const children = verify ? await openEngineChildren(config, log) : undefined;
    const compareRasters = children && createComparison(children, 'raster', signal);
    const compareFeatures = children && createComparison(children, 'vector', signal);
    const bar = createProgressBar(process.stderr, items.length);
    await using health = watchHealth(client);
    const findings = await runSurvey({
      items,
      parallel,
      verify,
      discard,
      client,
      compareRasters,
      compareFeatures,
      signal,
      onStarted: (item) => bar.start(item.name),
      onFound: (finding) => bar.end(findingLine(finding), (text) => process.stdout.write(text)),
    }).catch((error: unknown) => {
      bar.clear();
      throw signal.aborted ? new Error('interrupted; not all files were processed') : error;
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
 * @throws {Error} when there are none, before any service is used.
 */
async function readWanted(values: OptionValues<typeof options>, path: string | undefined) {
  if (path === undefined) throw new UsageError('say which folder to survey');
  const parallel = Number(values.parallel);
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > maxParallel) {
    throw new UsageError(`--parallel: a whole number from 1 to ${maxParallel}`);
  }
  if (values.report !== undefined) await requireFolder(dirname(resolve(values.report)), '--report: ');
  const folder = resolve(path);
  await requireFolder(folder);
  const { items, leftOut } = await listItems(folder);
  if (items.length === 0) {
    const extensions = uploadableExtensions.join(', ');
    throw new Error(`no file in ${folder} can be uploaded; a survey takes ${extensions}`);
  }
  return { items, leftOut, parallel };
}

async function requireFolder(folder: string, option = ''): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new Error(`${option}there is no folder ${folder}`);
}
