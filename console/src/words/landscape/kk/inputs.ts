import type { inputs as english } from '../en/inputs.ts';

export const inputs: typeof english = {
  title: 'Кіріс деректер және жоспар',
};
