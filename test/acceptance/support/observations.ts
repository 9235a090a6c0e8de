import type { Answer, Client } from '../client.ts';
import type { Page } from './catalogue.ts';

export interface Observation {
  readonly id: string;
  readonly dataset_id: string;
  readonly kato_code: string;
  readonly start_date: string;
  readonly end_date: string | null;
  readonly value: number | null;
  readonly value_text: string | null;
}

export type ObservationPage = Page<Observation>;

export async function askObservations(client: Client, id: string, query = ''): Promise<Answer> {
  return await client.expect(200, 'GET', `/datasets/${id}/observations${query}`);
}

/** Reads every observation of a dataset, page by page. */
export async function readObservations(client: Client, id: string): Promise<readonly Observation[]> {
  const found: Observation[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await askObservations(client, id, `?page_size=100&page=${page}`);
    const { data, total_pages } = answer.read<ObservationPage>();
    found.push(...data);
    if (page >= total_pages) return found;
  }
}

/** Code, start, end, value and text of an observation. */
export const brief = ({ kato_code, start_date, end_date, value, value_text }: Observation) =>
  [kato_code, start_date, end_date, value, value_text] as const;
