import { Refused } from '../../service/ask.ts';
import { halted, isLoading } from './demonstration-state.ts';

/** Loads the demonstration, whose script comes only now. */
export async function startDemonstration(): Promise<void> {
  if (isLoading.peek()) return;
  isLoading.value = true;
  try {
    const { loadDemonstration } = await import('./demonstration.ts').catch(() => {
      throw new Refused('', { status: 0 });
    });
    await loadDemonstration();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    halted.value = {
      failure: error,
      again: () => location.reload(),
      giveUp: () => void (halted.value = undefined),
    };
  } finally {
    isLoading.value = false;
  }
}
