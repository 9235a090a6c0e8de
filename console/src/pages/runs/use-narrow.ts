import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Below this width the columns of the graph do not stand side by side. */
const narrow = '(max-width: 900px)';

/** Whether the page is too narrow for the graph. */
export function useNarrow(): boolean {
  const isNarrow = useSignal(matchMedia(narrow).matches);
  useEffect(() => {
    const media = matchMedia(narrow);
    const follow = (): void => void (isNarrow.value = media.matches);
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, []);
  return isNarrow.value;
}
