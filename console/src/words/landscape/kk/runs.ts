import type { LandscapeWords } from '../words.ts';

export const runs: LandscapeWords['runs'] = {
  title: 'Есептеулер',
};
