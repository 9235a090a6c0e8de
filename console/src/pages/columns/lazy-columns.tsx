import { lazy, useLoaded } from '../../parts/lazy.tsx';
import { loadColumnsWords } from './words/columns-words.ts';
import { language } from '../../words/words.ts';
import type { ColumnsProps } from './columns-page.tsx';

const page = lazy<ColumnsProps>(async () => {
  const [{ ColumnsPage }] = await Promise.all([import('./columns-page.tsx'), loadColumnsWords(language())]);
  return ColumnsPage;
});

/** The page of the columns of a table, whose script and words come when it is opened. */
export function LazyColumns(props: ColumnsProps) {
  return useLoaded(page, { ...props });
}
