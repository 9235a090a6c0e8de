import { address, hrefOf } from '../../address/address.ts';
import type { RegisterComparison } from '../../service/types.ts';

export type SideName = 'a' | 'b';
export const sideNames = ['a', 'b'] as const satisfies readonly SideName[];
type Level = RegisterComparison['by'];

/** Parameters of a side of a request; without one, the service chooses. */
export const sideMembers = ['date', 'class', 'factor'] as const;
type SideMember = (typeof sideMembers)[number];
export type SideQuery = Readonly<Partial<Record<`${SideName}_${SideMember}`, string>>>;

const levels = ['republic', 'region', 'district', 'okrug', 'settlement'] as const satisfies readonly Level[];
const forms: Readonly<Record<SideMember, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  class: /^-?\d{1,15}(?:,-?\d{1,15})*$/,
  factor: /^\d{1,12}(?:\.\d{1,12})?$/,
};

/** The state of the page in the query of its address. */
export interface RegistersState {
  /** Parameters of the comparison. */
  readonly asked: SideQuery & { readonly by?: Level; readonly kato?: string };
  /** KATO code of the unit that is shown on the map. */
  readonly unit: string | undefined;
}

/** Reads the state; invalid parts are ignored. */
export function readRegistersState(query: URLSearchParams): RegistersState {
  const asked: Partial<Record<`${SideName}_${SideMember}`, string>> = {};
  for (const side of sideNames)
    for (const member of sideMembers) {
      const text = query.get(`${side}_${member}`) ?? '';
      if (forms[member].test(text)) asked[`${side}_${member}`] = text;
    }
  const by = levels.find((level) => level === query.get('by'));
  const [kato, unit] = [query.get('kato') ?? '', query.get('unit') ?? ''];
  return {
    asked: { ...asked, ...(by && { by }), ...(/^\d{9}$/.test(kato) && { kato }) },
    unit: /^\d{9}$/.test(unit) ? unit : undefined,
  };
}

/** The ids of the two datasets; a dash in the address, or nothing, is one that is not chosen. */
export function chosenIds(): Readonly<Record<SideName, string | undefined>> {
  const [, a, b] = address.value.path;
  const idOf = (part: string | undefined) =>
    part === undefined || part === '-' ? undefined : part.toLowerCase();
  return { a: idOf(a), b: idOf(b) };
}

/** The address of a pair, with what was asked of the sides that stay. */
export function hrefOfPair(
  ids: Readonly<Record<SideName, string | undefined>>,
  query: Readonly<Record<string, string | undefined>>,
): string {
  const parts = ids.b === undefined ? [ids.a ?? '-'] : [ids.a ?? '-', ids.b];
  return hrefOf(['registers', ...parts], query);
}
