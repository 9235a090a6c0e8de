import type { GroupWords } from '../../landscape/landscape.ts';

export const groups: GroupWords = {
  category: {
    name: 'Ландшафт бағдарламасы',
    description: 'Ландшафт бағдарламасының кіріс деректері мен нәтижелері.',
  },
  slotName: (title) => `Ландшафт бағдарламасы, кіріс деректер: ${title}`,
  nodeName: (code, title) => `Ландшафт бағдарламасы ${code}: ${title}`,
  missingIsZero: '; мәні жоқ болса — 0 класы',
  wholeNumbers: 'Бүтін сандар; белгісіз класс мәні жоқ деп есептеледі.',
  unit: (unit) => `Өлшем бірлігі: ${unit}`,
  range: (min, max) => `Мәндер ${min} … ${max} аралығында; қалғандары мәні жоқ деп есептеледі.`,
  upload: (source) => `Бірінші арнасы оқылатын GeoTIFF; мысалы, ${source}.`,
  madeBy: (code) => `Ландшафт бағдарламасының ${code} түйінінің растрлары, оларды есептеулер жасайды.`,
  noValue: (value) => `${value} — мәні жоқ.`,
};
