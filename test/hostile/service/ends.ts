import { createClient, type DatasetState } from '../../support/client.ts';
import type { End } from './attack.ts';

const ends: readonly string[] = ['ready', 'awaiting_mapping', 'failed'];

type EndedState = DatasetState & { readonly status: Exclude<End, 'refused'> };

/** State of a dataset once no job processes it any more. */
export async function endOf(baseUrl: string, id: string): Promise<EndedState> {
  const client = createClient(baseUrl);
  let state = await client.status(id);
  while (!isEnded(state)) {
    const { body } = await client.json<DatasetState>(
      `/datasets/${id}/status?current=${state.status}&wait=10`,
    );
    state = body;
  }
  return state;
}

export function isEnded(state: DatasetState): state is EndedState {
  return ends.includes(state.status);
}
