import type { inputs as english } from '../en/inputs.ts';

export const inputs: typeof english = {
  title: 'Входные данные и план',
};
