import { useSignal } from '@preact/signals';
import { refusedOf } from '../service/fetch.ts';
import { sentenceOf } from './loading.tsx';
import { useEffect } from 'preact/hooks';

/** The action of a button: it does not run twice at once, and gives a sentence when it is refused. */
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

/** Sets the title of the page for the tab, the history and screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Steppe`;
  }, [title]);
}
