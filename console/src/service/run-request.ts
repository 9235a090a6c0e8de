import { hrefOf, replaceQuery } from '../address/address.ts';
import { Refused, refusedOf } from './fetch.ts';
import { post } from './request.ts';
import type { LandscapeGraph, LandscapePlan, LandscapeRun } from './types.ts';

type Param = LandscapeGraph['params'][number];
type Query = Readonly<Record<string, string | undefined>>;

/** The settings of a new run; a missing parameter takes its default. */
export interface RunRequest {
  readonly params: Readonly<Record<string, number | readonly number[]>>;
  /** Ids of pinned datasets, by the code of their group. */
  readonly overrides: Readonly<Record<string, string>>;
  /** The nodes of this stage and of all later ones are always computed. */
  readonly from_stage: number | null;
}

/** The settings of a run in the address, and the parts of the address that are unknown. */
export interface ReadRequest extends RunRequest {
  readonly misread: readonly string[];
}

const lastStage = 3;
const pin = /^([a-z0-9-]+):([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i;

/** The key of a parameter in the address. */
function keyOf(name: string): string {
  return name === 'tie_priority' ? 'ties' : name;
}

/** Reads the run from the address. Missing and invalid settings take their defaults. */
export function readRequest(query: URLSearchParams, params: readonly Param[]): ReadRequest {
  const misread: string[] = [];
  const given = params.flatMap((param): [string, number | readonly number[]][] => {
    const text = query.get(keyOf(param.name));
    if (text === null) return [];
    const value = valueOf(text, param);
    if (value === undefined) misread.push(`${keyOf(param.name)}=${text}`);
    return value === undefined || isSame(value, param.default) ? [] : [[param.name, value]];
  });
  const pins = (query.get('pin') ?? '').split(',').filter(Boolean);
  const overrides = pins.flatMap((text): [string, string][] => {
    const [, group, id] = pin.exec(text) ?? [];
    if (group === undefined || id === undefined) misread.push(`pin=${text}`);
    return group === undefined || id === undefined ? [] : [[group, id.toLowerCase()]];
  });
  const from = query.get('from');
  const stage = from === null ? undefined : wholeOf(from, 0, lastStage);
  if (from !== null && stage === undefined) misread.push(`from=${from}`);
  return {
    params: Object.fromEntries(given),
    overrides: Object.fromEntries(overrides),
    from_stage: stage ?? null,
    misread,
  };
}

/** Parameters by name; those without a default are always written. */
type WithDefault = Pick<Param, 'name'> & { readonly default?: Param['default'] };

/** Writes a run for the address; default values are left out. */
export function queryOf(request: RunRequest, params: readonly WithDefault[]): Query {
  const given = params.map((param) => {
    const value = request.params[param.name];
    return [
      keyOf(param.name),
      value === undefined || (param.default !== undefined && isSame(value, param.default))
        ? undefined
        : String(value),
    ];
  });
  const pins = Object.entries(request.overrides).map(([group, id]) => `${group}:${id}`);
  return {
    ...Object.fromEntries(given),
    pin: pins.length === 0 ? undefined : pins.join(','),
    from: request.from_stage === null ? undefined : String(request.from_stage),
  };
}

/** Returns the address of the page of inputs with the settings of a run. */
export function settingsHref(
  { params, overrides, from_stage }: Pick<LandscapeRun, 'params' | 'overrides' | 'from_stage'>,
  graph: { readonly params: readonly WithDefault[] },
): string {
  return hrefOf(['landscape'], queryOf({ params, overrides, from_stage }, graph.params));
}

/** Writes a changed run to the address, without a new history entry. */
export function keepRequest(request: RunRequest, params: readonly Param[]): void {
  replaceQuery(queryOf(request, params));
}

/** The value of a parameter in a run: the one set, or the default. */
export function valueIn(
  { params }: RunRequest,
  { name, default: defaultValue }: Param,
): number | readonly number[] {
  return params[name] ?? defaultValue;
}

/** Returns the run with another value of a parameter. */
export function withParam<T extends RunRequest>(
  request: T,
  { name, default: defaultValue }: Param,
  value: number | readonly number[],
): T {
  const { [name]: _before, ...others } = request.params;
  return { ...request, params: isSame(value, defaultValue) ? others : { ...others, [name]: value } };
}

/** Returns the run with a pinned dataset for a group, or without one. */
export function withPin<T extends RunRequest>(request: T, group: string, id: string | undefined): T {
  const { [group]: _before, ...others } = request.overrides;
  return { ...request, overrides: id === undefined ? others : { ...others, [group]: id } };
}

/** Returns the list with one member moved up (-1) or down (1). */
export function moved(list: readonly number[], place: number, by: -1 | 1): readonly number[] {
  const [one, other] = [list[place], list[place + by]];
  if (one === undefined || other === undefined) return list;
  return list.with(place, other).with(place + by, one);
}

/** Requests the plan of a run; nothing is stored. @throws {Refused} */
export async function planRun(body: RunRequest, signal: AbortSignal): Promise<LandscapePlan> {
  try {
    return await post('/landscape/plans', { body, signal });
  } catch (error) {
    const { message, status, requestId } = refusedOf(error);
    // The request changes nothing, even without an answer.
    throw new Refused(message, { status, requestId });
  }
}

function valueOf(text: string, { minimum, maximum, default: defaultValue }: Param) {
  if (typeof defaultValue === 'number') return wholeOf(text, minimum ?? -Infinity, maximum ?? Infinity);
  const list = text.split(',').map((part) => wholeOf(part, 1, defaultValue.length));
  const known = list.filter((member) => member !== undefined);
  return new Set(known).size === defaultValue.length && list.length === defaultValue.length
    ? known
    : undefined;
}

function wholeOf(text: string, minimum: number, maximum: number): number | undefined {
  const value = /^-?\d{1,6}$/.test(text) ? Number(text) : undefined;
  return value !== undefined && value >= minimum && value <= maximum ? value : undefined;
}

function isSame(one: number | readonly number[], other: number | readonly number[]): boolean {
  return String(one) === String(other);
}
