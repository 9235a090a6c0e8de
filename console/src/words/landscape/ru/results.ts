import type { results as english } from '../en/results.ts';

export const results: typeof english = {
  title: 'Результаты',
};
