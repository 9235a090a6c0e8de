import type { AllSentences } from '../../areas.ts';
import { counted, listed, quoted } from './wording.ts';

const named = (name: string | null): string => (name === null ? 'нет' : quoted(name));

export const watch = {
  cadence: {
    none: () => 'для группы данных не задана периодичность',
  },
  cadence_fault: {
    notEvery:
      'должно быть длительностью ISO 8601 из одного числа от 1 до 999 и одной единицы: годы, месяцы, недели или дни, например P1Y, P3M, P2W или P10D',
    notGrace:
      'должно быть длительностью ISO 8601 из одного числа от 1 до 999 и одной единицы: годы, месяцы, недели или дни, например P60D, либо P0D',
  },
  watch_fault: {
    notHold:
      'должно быть длительностью ISO 8601: от P1D до P7D или одно число от 1 до 999 часов, минут или секунд, например PT2H, PT30M или PT0S',
  },
  watch: {
    name: (inputs) =>
      `Черновик наблюдения: ${listed(inputs.map(({ title, month }) => (month === null ? title : `${title} ${month}`)))}`,
    note: (inputs, hasAdopted) =>
      `Создан наблюдением за входными данными. Отличия от ${hasAdopted ? 'утверждённого' : 'предыдущего'} расчёта — ${inputs
        .map(({ title, from, to }) => `${title}: ${named(from)} → ${named(to)}`)
        .join('; ')}.`,
    firstName: 'Черновик наблюдения: первый расчёт',
    firstNote: (inputs) =>
      `Создан наблюдением за входными данными; сравнивать было не с чем. Использует ${counted(inputs.length, 'входной растр', 'входных растра', 'входных растров')}.`,
  },
} satisfies Partial<AllSentences>;
