import { lazy, useLoaded } from '../../parts/lazy.tsx';
import { loadJudgeWords } from './words/judge-words.ts';
import type { LandscapeWords } from '../landscape/words/words.ts';
import { language } from '../../words/words.ts';

const page = lazy(async () => {
  const [{ JudgePage }] = await Promise.all([import('./judge-page.tsx'), loadJudgeWords(language())]);
  return JudgePage;
});

interface LazyJudgeProps {
  readonly id: string;
  readonly landscape: LandscapeWords;
}

/** The page that judges the zoning of a run. */
export function LazyJudge(props: LazyJudgeProps) {
  return useLoaded(page, props);
}
