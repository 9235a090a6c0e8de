import { type Threshold, thresholds, type ZoningCase } from './zoning.ts';

/** A case that differs from another one in one parameter. */
export type Variant = {
  /** Undefined if the threshold would leave the range 1 to 5. */
  readonly zoning: ZoningCase | undefined;
} & (
  | { readonly kind: 'threshold'; readonly param: Threshold; readonly from: number; readonly to: number }
  | {
      readonly kind: 'order';
      /** The two neighbours that swap places, the preferred one first. */ readonly sectors: readonly [
        number,
        number,
      ];
    }
);

/** Lists the variants of a case: each threshold one lower and one higher, and each pair of neighbours in the order swapped. */
export function variantsOf(zoning: ZoningCase): readonly Variant[] {
  return [
    ...thresholds.flatMap((param) => [-1, 1].map((step) => moved(zoning, param, step))),
    ...swapped(zoning),
  ];
}

function moved(zoning: ZoningCase, param: Threshold, step: number): Variant {
  const from = zoning[param];
  const to = from + step;
  const isValid = to >= 1 && to <= 5;
  return { kind: 'threshold', param, from, to, zoning: isValid ? { ...zoning, [param]: to } : undefined };
}

function swapped(zoning: ZoningCase): readonly Variant[] {
  const order = zoning.tie_priority;
  return order.slice(1).map((second, index) => {
    const first = order[index] ?? 0;
    const swappedOrder = order.with(index, second).with(index + 1, first);
    return { kind: 'order', sectors: [first, second], zoning: { ...zoning, tie_priority: swappedOrder } };
  });
}
