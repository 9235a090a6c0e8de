import { ask, Refused } from '../service/ask.ts';
import { forgetDataset } from './uploads.ts';

/** Deletes a dataset, with its row in the tray. A dataset that is gone already counts as deleted. @throws {Refused} */
export async function deleteDataset(id: string): Promise<void> {
  try {
    await ask(`/datasets/${id}`, { method: 'DELETE' });
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
  }
  forgetDataset(id);
}
