import { useSignal } from '@preact/signals';
import { refusedOf } from '../service/fetch.ts';
import { sentenceOf } from './loading.tsx';
import { useEffect } from 'preact/hooks';

/** The action of a button: it does not run twice at once, and gives a sentence when it is refused. */
export function useAction<A extends readonly unknown[]>(act: (...args: A) => Promise<unknown>) {
  const isRunning = useSignal(false);
  const failure = useSignal<string | undefined>(undefined);
  const run = async (args: A): Promise<void> => {
    if (isRunning.peek()) return;
    isRunning.value = true;
    failure.value = undefined;
    try {
      await act(...args);
    } catch (error) {
      failure.value = sentenceOf(refusedOf(error));
    } finally {
      isRunning.value = false;
    }
  };
  return { run: (...args: A) => void run(args), isRunning: isRunning.value, failure: failure.value };
}

/** Sets the title of the page for the tab, the history and screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Steppe`;
  }, [title]);
}

/** Returns true while a media query matches. */
export function useMedia(query: string): boolean {
  const matches = useSignal(matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const follow = (): void => void (matches.value = media.matches);
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, [query]);
  return matches.value;
}
