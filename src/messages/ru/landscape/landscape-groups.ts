import type { GroupWords } from '../../landscape/landscape.ts';

export const groups: GroupWords = {
  category: {
    name: 'Ландшафтная программа',
    description: 'Входные данные и результаты Ландшафтной программы.',
  },
  slotName: (title) => `Ландшафтная программа, входные данные: ${title}`,
  nodeName: (code, title) => `Ландшафтная программа ${code}: ${title}`,
  missingIsZero: '; нет значения — класс 0',
  wholeNumbers: 'Целые числа; неизвестный класс считается отсутствием значения.',
  unit: (unit) => `Единица измерения: ${unit}`,
  range: (min, max) => `Значения от ${min} до ${max}; остальные считаются отсутствием значения.`,
  upload: (source) => `GeoTIFF, из которого читается первый канал; например, ${source}.`,
  madeBy: (code) => `Растры узла ${code} Ландшафтной программы, которые создают её расчёты.`,
  noValue: (value) => `${value} — нет значения.`,
};
