import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { words } from '../words/words.ts';

/** What takes longer than this is worth a sentence. */
const slowAfterMs = 4000;

/** Stands for a part of the page that is on its way; says so when that takes long. */
export function Waiting() {
  const isSlow = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => void (isSlow.value = true), slowAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <div class="skeleton" aria-hidden="true" />
      <p class="muted" role="status">
        {isSlow.value && words().failure.slow}
      </p>
    </>
  );
}
