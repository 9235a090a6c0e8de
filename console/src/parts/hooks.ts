import { useSignal } from '@preact/signals';
import { refusedOf } from '../service/ask.ts';
import { sentenceOf } from './loading.tsx';
import { useEffect } from 'preact/hooks';

/** Something that a button does: not twice at once, and with a sentence when it is refused. */
export function useAction(act: () => Promise<unknown>) {
  const isRunning = useSignal(false);
  const failure = useSignal<string | undefined>(undefined);
  const run = async (): Promise<void> => {
    if (isRunning.peek()) return;
    isRunning.value = true;
    failure.value = undefined;
    try {
      await act();
    } catch (error) {
      failure.value = sentenceOf(refusedOf(error));
    } finally {
      isRunning.value = false;
    }
  };
  return { run: () => void run(), isRunning: isRunning.value, failure: failure.value };
}

/** Names the page in the tab, in the history and for a screen reader. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Steppe`;
  }, [title]);
}
