import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceClient } from '../client/service-client.ts';
import type { SurveyItem } from './files.ts';
import { type Finding, type Look, lookAt } from './look.ts';

export interface Survey {
  readonly items: readonly SurveyItem[];
  readonly client: ServiceClient;
  /** Files under way at the same time. */
  readonly parallel: number;
  readonly verify: boolean;
  /** Deletes each dataset that has no trouble, so that thousands of files do not fill the service. */
  readonly discard: boolean;
  readonly compareRasters: Look['compareRasters'];
  /** Ends the survey; what is under way by then is nobody's fault and not reported. */
  readonly signal: AbortSignal;
  onStarted(item: SurveyItem): void;
  onFound(finding: Finding): void;
}

/** Takes every item through the service, several at a time; findings come as they end. */
export async function runSurvey(survey: Survey): Promise<readonly Finding[]> {
  const { items, client, verify, discard, compareRasters } = survey;
  const categoryId = await client.openCategory('survey', 'Survey');
  const styledId = await uploadPoint(client, categoryId);
  const look = { client, categoryId, styledId, verify, discard, compareRasters };
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

/** Uploads a dataset to put styles on. */
async function uploadPoint(client: ServiceClient, categoryId: string): Promise<string> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'steppe-survey-'));
  const path = join(folder.path, 'styled.geojson');
  await writeFile(path, '{"type":"Point","coordinates":[71.43,51.13]}');
  return (await client.upload(path, { category_id: categoryId, file_type: 'vector' })).id;
}
