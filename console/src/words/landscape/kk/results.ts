import type { LandscapeWords } from '../words.ts';

export const results: LandscapeWords['results'] = {
  title: 'Нәтижелер',
};
