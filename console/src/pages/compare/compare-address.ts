import type { RunComparison } from '../../service/types.ts';

/** A change from one class to another; null stands for no class. */
export interface Change {
  readonly from: number | null;
  readonly to: number | null;
}

/** One of the two runs. */
export type Side = 'a' | 'b';

/** A map of one of the runs: the key of a node, or the group of a slot. */
export interface ShownMap {
  readonly side: Side;
  readonly key: string;
}

/** The state of the page in the query of its address. */
export interface CompareState {
  /** Code of the node; undefined if the address has none. */
  readonly node: string | undefined;
  readonly by: Exclude<RunComparison['by'], 'all'>;
  /** Both maps with a divider, or the changes. */
  readonly shows: 'swipe' | 'changes';
  /** The one change that is shown. */
  readonly change: Change | undefined;
  /** Position of the divider, in percent of the width. */
  readonly split: number;
  readonly left: ShownMap | undefined;
  readonly right: ShownMap | undefined;
  /** KATO code of the unit whose border is drawn. */
  readonly unit: string | undefined;
}

const middle = 50;

/** Reads the state; invalid parts are ignored. */
export function readCompareState(query: URLSearchParams): CompareState {
  const node = query.get('node') ?? '';
  const unit = query.get('unit') ?? '';
  const change = readChange(query.get('change') ?? '');
  const split = query.get('split') ?? '';
  return {
    node: /^\d{2}$/.test(node) ? node : undefined,
    by: query.get('by') === 'region' ? 'region' : 'district',
    shows: query.get('show') === 'changes' || change !== undefined ? 'changes' : 'swipe',
    change,
    split: /^\d{1,3}$/.test(split) ? Math.min(100, Number(split)) : middle,
    left: readShown(query.get('left') ?? ''),
    right: readShown(query.get('right') ?? ''),
    unit: /^\d{9}$/.test(unit) ? unit : undefined,
  };
}

const none = 'none';

function readChange(text: string): Change | undefined {
  const [, from, to] = /^(\d{1,3}|none)-(\d{1,3}|none)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const sideOf = (side: string) => (side === none ? null : Number(side));
  return { from: sideOf(from), to: sideOf(to) };
}

/** Query parameters for the changes of a node. @param only the single change to show */
export function queryOfChanges(node: string, only: Change | undefined): URLSearchParams {
  const change = only && { from: String(only.from ?? none), to: String(only.to ?? none) };
  return new URLSearchParams({ node, ...change });
}

/** Writes a change for the address. */
export function writeChange({ from, to }: Change): string {
  return `${from ?? none}-${to ?? none}`;
}

export function readShown(text: string): ShownMap | undefined {
  const [, side, key] = /^([ab])\.([\w-]{1,100})$/.exec(text) ?? [];
  return (side === 'a' || side === 'b') && key !== undefined ? { side, key } : undefined;
}

export function writeShown({ side, key }: ShownMap): string {
  return `${side}.${key}`;
}
