import type { LandscapeWords } from '../words.ts';

export const inputs: LandscapeWords['inputs'] = {
  title: 'Входные данные и план',
};
