import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

const narrow = '(max-width: 860px)';

/** Folds its content away behind a label where the page is narrow, and shows it as it is elsewhere. */
export function Fold({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const isNarrow = useSignal(matchMedia(narrow).matches);
  useEffect(() => {
    const media = matchMedia(narrow);
    const follow = (): void => void (isNarrow.value = media.matches);
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, []);
  if (!isNarrow.value) return <>{children}</>;
  return (
    <details class="fold">
      <summary>{label}</summary>
      {children}
    </details>
  );
}
