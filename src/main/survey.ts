import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { createServiceClient } from '../client/service-client.ts';
import { compareRasters } from '../compose.ts';
import type { Config } from '../config.ts';
import { listItems } from '../survey/files.ts';
import { watchHealth } from '../survey/health.ts';
import { createProgressBar, findingLine, summaryTable } from '../survey/present.ts';
import { runSurvey } from '../survey/survey.ts';
import { baseUrlOf, requireService } from './base-url.ts';
import { readOptions } from './options.ts';

const usage = `Usage: npm run survey -- FOLDER [--verify] [--delete] [--base-url URL] [--parallel N] [--report FILE]

Uploads every file below FOLDER to a running service, as each type that its extension allows, and says what became of it.
Tables whose columns look like KATO codes and years are mapped too. Everything stays in the category "survey";
with --delete each dataset is deleted when nothing was wrong with it. --verify compares each COG with its source pixel by
pixel and checks each GeoJSON against RFC 7946; --report writes all findings as JSON. Ends with 1 when anything stays in
between, is answered with a 5xx, breaks off, is not what it must be or is refused in words that are not for people, and
when /healthz failed meanwhile.`;

const options = {
  verify: { type: 'boolean' },
  delete: { type: 'boolean' },
  'base-url': { type: 'string' },
  parallel: { type: 'string' },
  report: { type: 'string' },
} as const;

const defaultParallel = 4;
const maxParallel = 64;

/** Takes a folder of files through a running service and prints what became of each. */
export async function survey(
  config: Config,
  _log: Logger,
  signal: AbortSignal,
  args: readonly string[],
): Promise<number> {
  const { folder, verify, discard, parallel, report, baseUrl } = readArguments(args, config);
  const client = createServiceClient(baseUrl, signal);
  await requireService(client);
  const { items, leftOut } = await listItems(folder);
  const bar = createProgressBar(process.stderr, items.length);
  await using health = watchHealth(client);
  const findings = await runSurvey({
    items,
    client,
    parallel,
    verify,
    discard,
    compareRasters,
    signal,
    onStarted: (item) => bar.start(item.name),
    onFound: (finding) => bar.end(findingLine(finding), (text) => process.stdout.write(text)),
  }).catch((error: unknown) => {
    bar.clear();
    throw signal.aborted ? new Error('stopped before all files were through') : error;
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
}

function readArguments(args: readonly string[], config: Config) {
  const { values, positionals } = readOptions(args, usage, options);
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new Error(usage);
  const parallel = Number(values.parallel ?? defaultParallel);
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > maxParallel) {
    throw new Error(`--parallel: a whole number from 1 to ${maxParallel}.`);
  }
  return {
    folder: resolve(folder),
    verify: values.verify === true,
    discard: values.delete === true,
    parallel,
    report: values.report,
    baseUrl: baseUrlOf(values['base-url'], config),
  };
}
