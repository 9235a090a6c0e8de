import { useEffect } from 'preact/hooks';

/** Names the page in the tab, in the history and for a screen reader. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Steppe`;
  }, [title]);
}
