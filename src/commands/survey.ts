import { writeFile } from 'node:fs/promises';
import type { ServiceClient } from '../clients/client/service-client.ts';
import { openRasterComparison } from '../compose/compose.ts';
import { watchHealth } from '../clients/survey/health.ts';
import { createProgressBar, findingLine, summaryTable } from '../clients/survey/present.ts';
import { runSurvey } from '../clients/survey/survey.ts';
import { defineCommand, type CommandContext } from './command.ts';
import { reachService } from './reach-service.ts';
import { readSurveyArguments, surveyOptions } from './survey-arguments.ts';

const usage = `Usage: npm run survey -- FOLDER [--verify] [--delete] [--base-url URL] [--parallel N] [--report FILE]

Uploads every file below FOLDER to a running service, as each type that its extension allows, and says what became of it.
Tables whose columns look like KATO codes and years are mapped too. Everything stays in the category "survey";
with --delete each dataset is deleted when nothing was wrong with it. --verify compares each COG with its source pixel by
pixel and checks each GeoJSON against RFC 7946; --report writes all findings as JSON. Ends with 1 when anything stays in
between, is answered with a 5xx, breaks off, is not what it must be or is refused in words that are not for people, and
when /healthz failed meanwhile. A service that asks for tokens finds one in STEPPE_TOKEN.`;

/** Takes a folder of files through a running service and prints what became of each. */
export const survey = defineCommand({
  name: 'survey',
  summary: 'take every file of a folder through a running service',
  usage,
  isQuiet: true,
  options: surveyOptions,
  maxArguments: 1,
  async run({ values, positionals, ...context }) {
    const wanted = await readSurveyArguments(values, positionals);
    const client = await reachService(values['base-url'], context);
    return await surveyWith(client, wanted, context);
  },
});

/** 1 when anything is not as it must be. */
async function surveyWith(
  client: ServiceClient,
  { report, leftOut, ...wanted }: Awaited<ReturnType<typeof readSurveyArguments>>,
  { config, log, shutdown: signal }: CommandContext,
): Promise<number> {
  const compareRasters = wanted.verify ? await openRasterComparison(config, log, signal) : undefined;
  const bar = createProgressBar(process.stderr, wanted.items.length);
  await using health = watchHealth(client);
  const findings = await runSurvey({
    ...wanted,
    client,
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
