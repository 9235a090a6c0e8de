import { formatNumber, digitsOf } from '../../common/formats/numbers.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { registerWords as words } from '../messages/registers/english.ts';
import type { Message } from '../lib/message.ts';
import type { RegisterComparison } from './schema.ts';

type DifferenceClass = RegisterComparison['classes'][number];

/** Diverging colours, readable without red and green: ColorBrewer 2, BrBG (Apache-2.0), from the second register being greater. */
const diverging = {
  0: ['#f5f5f5'],
  1: ['#5ab4ac', '#f5f5f5', '#d8b365'],
  2: ['#01665e', '#5ab4ac', '#f5f5f5', '#d8b365', '#8c510a'],
} as const;
const onlyColours = { a: '#6b6b6b', b: '#b5b5b5' } as const;

/** Classes of differences with equal bounds on both sides of zero, and one class for the units of each register alone. */
export function differenceClasses(
  differences: readonly number[],
  { unit, language }: { readonly unit: string; readonly language: Language },
) {
  const bounds = boundsOf(differences);
  const say = (message: Message) => translate(message, language);
  const written = (value: number) =>
    formatNumber(value, language, digitsOf(value)) + (unit === '' ? '' : `\u00a0${unit}`);
  const [inner, outer] = bounds;
  const labelled = ((): readonly Omit<DifferenceClass, 'color'>[] => {
    if (inner === undefined) return [{ label: say(words.alike), from: 0, to: 0 }];
    const middle = { label: say(words.within(written(inner))), from: -inner, to: inner };
    if (outer === undefined)
      return [
        { label: say(words.moreFrom(written(inner))), from: inner, to: null },
        middle,
        { label: say(words.lessFrom(written(inner))), from: null, to: -inner },
      ];
    return [
      { label: say(words.moreFrom(written(outer))), from: outer, to: null },
      { label: say(words.moreThan(written(inner), written(outer))), from: inner, to: outer },
      middle,
      { label: say(words.lessThan(written(inner), written(outer))), from: -outer, to: -inner },
      { label: say(words.lessFrom(written(outer))), from: null, to: -outer },
    ];
  })();
  const colours: readonly string[] = diverging[bounds.length === 0 ? 0 : bounds.length === 1 ? 1 : 2];
  const classes: readonly DifferenceClass[] = [
    ...labelled.map((each, index) => ({ ...each, color: colours[index] ?? '' })),
    ...(['a', 'b'] as const).map((side) => ({
      label: say(words.only(side)),
      color: onlyColours[side],
      from: null,
      to: null,
    })),
  ];
  const middle = Math.floor(labelled.length / 2);
  return {
    classes,
    /** Returns the index of the class of a difference, or of a unit that one register alone has. */
    indexOf(difference: number | 'a' | 'b'): number {
      if (typeof difference === 'string') return labelled.length + (difference === 'a' ? 0 : 1);
      const steps = bounds.filter((bound) => Math.abs(difference) >= bound).length;
      return difference > 0 ? middle - steps : middle + steps;
    },
  };
}

/** Returns up to two round bounds: half of the differences are less than the first, about one in seven reaches the second. */
function boundsOf(differences: readonly number[]): readonly number[] {
  const sizes = differences
    .map(Math.abs)
    .filter((size) => size > 0)
    .toSorted((one, other) => one - other);
  const at = (share: number) => sizes[Math.min(sizes.length - 1, Math.floor(share * sizes.length))];
  return [...new Set([at(0.5), at(0.85)].flatMap((size) => (size === undefined ? [] : [roundDown(size)])))];
}

const mantissas = [5, 2, 1] as const;

function roundDown(value: number): number {
  const exponent = Math.floor(Math.log10(value));
  const power = 10 ** Math.abs(exponent);
  const scaled = exponent < 0 ? value * power : value / power;
  const mantissa = mantissas.find((each) => each <= scaled) ?? 1;
  return exponent < 0 ? mantissa / power : mantissa * power;
}
