import type { LandscapeWords } from '../words.ts';

export const inputs: LandscapeWords['inputs'] = {
  title: 'Кіріс деректер және жоспар',
};
