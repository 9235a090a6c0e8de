import { lazy, useLoaded } from '../../parts/lazy.tsx';
import { loadConnectWords } from './words/connect-words.ts';
import { language } from '../../words/words.ts';
import type { ConnectProps } from './connect-page.tsx';

const page = lazy<ConnectProps>(async () => {
  const [{ ConnectPage }] = await Promise.all([import('./connect-page.tsx'), loadConnectWords(language())]);
  return ConnectPage;
});

/** The page on which other programs are connected. */
export function LazyConnect(props: ConnectProps) {
  return useLoaded(page, { ...props });
}
