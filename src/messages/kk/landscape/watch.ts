import type { AllSentences } from '../../areas.ts';
import { listed, quoted } from './wording.ts';

const named = (name: string | null): string => (name === null ? 'жоқ' : quoted(name));

export const watch = {
  cadence: {
    none: () => 'деректер тобының мерзімділігі берілмеген',
  },
  cadence_fault: {
    notEvery:
      'бір саннан (1-ден 999-ға дейін) және бір бірліктен тұратын ISO 8601 ұзақтығы болуы тиіс: жыл, ай, апта немесе күн, мысалы P1Y, P3M, P2W немесе P10D',
    notGrace:
      'бір саннан (1-ден 999-ға дейін) және бір бірліктен тұратын ISO 8601 ұзақтығы болуы тиіс: жыл, ай, апта немесе күн, мысалы P60D, немесе P0D',
  },
  watch_fault: {
    notHold:
      'ISO 8601 ұзақтығы болуы тиіс: P1D мен P7D аралығы немесе 1-ден 999-ға дейінгі сағат, минут не секунд саны, мысалы PT2H, PT30M немесе PT0S',
  },
  watch: {
    name: (inputs) =>
      `Бақылау жобасы: ${listed(inputs.map(({ title, month }) => (month === null ? title : `${title} ${month}`)))}`,
    note: (inputs, hasAdopted) =>
      `Кіріс деректерді бақылау жасаған. ${hasAdopted ? 'Бекітілген' : 'Алдыңғы'} есептеуден айырмасы — ${inputs
        .map(({ title, from, to }) => `${title}: ${named(from)} → ${named(to)}`)
        .join('; ')}.`,
    firstName: 'Бақылау жобасы: бірінші есептеу',
    firstNote: (inputs) =>
      `Кіріс деректерді бақылау жасаған; салыстыратын есептеу болған жоқ. ${inputs.length} кіріс растрды пайдаланады.`,
  },
} satisfies Partial<AllSentences>;
