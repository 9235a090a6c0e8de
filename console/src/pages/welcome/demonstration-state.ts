import { signal } from '@preact/signals';
import { Refused } from '../../service/ask.ts';

/** The reason why the demonstration stands still, and the way on; it is told on whatever page is open. */
export const halted = signal<
  { readonly failure: Refused; readonly again: () => void; readonly giveUp: () => void } | undefined
>(undefined);
/** True while the demonstration is on its way. */
export const isLoading = signal(false);

/** The code of the category of its three files. */
export const demonstrationCode = 'demonstration';

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
