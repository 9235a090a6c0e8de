import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceClient } from '../service-client.ts';
import type { SurveyItem } from './files.ts';
import { type Finding, type Look, lookAt } from './look.ts';

const healthPauseMs = 1000;

export interface Survey {
  readonly items: readonly SurveyItem[];
  readonly client: ServiceClient;
  /** The number of files in progress at once. */
  readonly parallel: number;
  readonly verify: boolean;
  /** Deletes each dataset without trouble, so that thousands of files do not fill the service. */
  readonly discard: boolean;
  readonly compareRasters: Look['compareRasters'];
  readonly compareFeatures: Look['compareFeatures'];
  /** Ends the survey; files in progress are not reported. */
  readonly signal: AbortSignal;
  onStarted(item: SurveyItem): void;
  onFound(finding: Finding): void;
}

/** Processes every item with the service, several at a time; findings are reported as they complete. */
export async function runSurvey(survey: Survey): Promise<readonly Finding[]> {
  const { items, client, verify, discard, compareRasters, compareFeatures } = survey;
  const categoryId = await client.openCategory('survey', 'Survey');
  const styledId = await uploadPoint(client, categoryId);
  const look = { client, categoryId, styledId, verify, discard, compareRasters, compareFeatures };
  const waiting = items.values();
  const findings: Finding[] = [];
  const work = async (): Promise<void> => {
    for (const item of waiting) {
      survey.onStarted(item);
      const finding = await lookAt(item, look);
      survey.signal.throwIfAborted();
      findings.push(finding);
      survey.onFound(finding);
    }
  };
  await Promise.all(Array.from({ length: survey.parallel }, work));
  if (discard) await client.remove(styledId);
  return findings;
}

/** Uploads a dataset to which styles are applied. */
async function uploadPoint(client: ServiceClient, categoryId: string): Promise<string> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'steppe-survey-'));
  const path = join(folder.path, 'styled.geojson');
  await writeFile(path, '{"type":"Point","coordinates":[71.43,51.13]}');
  return (await client.upload(path, { category_id: categoryId, file_type: 'vector' })).id;
}

/** Checks the health of the service once a second, until it is disposed. */
export function watchHealth(client: ServiceClient) {
  const outages: string[] = [];
  const ended = new AbortController();
  const look = async (): Promise<void> => {
    const ailment = await client.ailment();
    if (ailment !== undefined) outages.push(`${new Date().toISOString()}: ${ailment}`);
  };
  const watching = (async () => {
    while (!ended.signal.aborted) {
      await look();
      await sleep(healthPauseMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  const stop = async (): Promise<void> => {
    ended.abort();
    await watching;
  };
  return {
    /** Checks a last time; returns each failed check in words. */
    async finish(): Promise<readonly string[]> {
      await stop();
      await look();
      return outages;
    },
    [Symbol.asyncDispose]: stop,
  };
}
