import { functionalZoning, leadingSector } from '../graph/nodes.ts';
import type { NearestChange, Outcome } from './changes.ts';
import { shortestOf } from './floats.ts';
import type { ExplainedChange } from './schema.ts';
import type { Locale } from './locale.ts';

/** Describes changes in the language of the reader: numbers first, the smallest relative change leading. */
export function changeAnswers(
  changes: readonly NearestChange[],
  before: Outcome,
  locale: Locale,
): ExplainedChange[] {
  const shareOf = (change: NearestChange) =>
    change.kind === 'number' ? Math.abs(change.to - change.from) / Math.max(Math.abs(change.from), 1e-9) : 0;
  const order = ['number', 'class', 'threshold', 'order'];
  return changes
    .toSorted(
      (one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || shareOf(one) - shareOf(other),
    )
    .map((change) => {
      const { after } = change;
      const move = (from: number | undefined, to: number | undefined) => ({
        from: from ?? null,
        to: to ?? null,
      });
      return {
        ...factsOf(change, outcomeIn(after, locale), locale),
        S: move(before.S, after.S),
        E: move(before.E, after.E),
        zone: move(before.zone, after.zone),
        code: move(before.code, after.code),
      };
    });
}

function outcomeIn({ code }: Outcome, { words, ...locale }: Locale): string {
  return code === undefined ? words.noZone : words.inZone(locale.valueOf(functionalZoning.output, code));
}

type Facts = Omit<ExplainedChange, 'S' | 'E' | 'zone' | 'code'>;
type OfKind<Kind extends NearestChange['kind']> = Extract<NearestChange, { readonly kind: Kind }>;

const none = { group: null, unit: null, classes: null, comparison: null, order: null } as const;

function factsOf(change: NearestChange, outcome: string, locale: Locale): Facts {
  if (change.kind === 'number') return ofNumber(change, outcome, locale);
  if (change.kind === 'class') return ofClass(change, outcome, locale);
  return change.kind === 'threshold'
    ? ofThreshold(change, outcome, locale)
    : ofOrder(change, outcome, locale);
}

function ofNumber(
  { band, from, bound, comparison }: OfKind<'number'>,
  outcome: string,
  locale: Locale,
): Facts {
  const said = locale.valueAndBound(band, from, bound);
  const name = locale.nameOf(band.key);
  const isBelow = comparison === 'below';
  return {
    ...none,
    kind: 'number',
    name: band.key,
    title: locale.titleOf(band),
    group: band.group,
    unit: locale.unitOf(band),
    from: shortestOf(from),
    to: shortestOf(bound),
    comparison,
    text: locale.words.numberChange({ name, from: said.value, bound: said.bound, isBelow, outcome }),
  };
}

function ofClass({ band, from, to }: OfKind<'class'>, outcome: string, { words, ...locale }: Locale): Facts {
  const said = words.either(to.map((value) => locale.valueOf(band, value)));
  return {
    ...none,
    kind: 'class',
    name: band.key,
    title: locale.titleOf(band),
    group: band.group,
    from,
    to: to.length === 1 ? (to[0] ?? null) : null,
    classes: to.map((value) => ({ value, title: locale.classTitle(band, value) })),
    text: words.classChange(locale.nameOf(band.key), locale.valueOf(band, from), said, outcome),
  };
}

function ofThreshold({ param, from, to }: OfKind<'threshold'>, outcome: string, locale: Locale): Facts {
  const title = locale.paramOf(param);
  return {
    ...none,
    kind: 'threshold',
    name: param,
    title,
    from,
    to,
    comparison: 'equal',
    text: locale.words.thresholdChange(title, from, to, outcome),
  };
}

function ofOrder({ first, second, order }: OfKind<'order'>, outcome: string, locale: Locale): Facts {
  return {
    ...none,
    kind: 'order',
    name: leadingSector.params[0] ?? '',
    title: locale.paramOf('tie_priority'),
    from: null,
    to: null,
    order,
    text: locale.words.orderChange(locale.sectorOf(first), locale.sectorOf(second), outcome),
  };
}
