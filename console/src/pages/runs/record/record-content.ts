import type { RunRecord } from '../../../service/landscape-types.ts';

/** The editable part of a record. */
export type RecordContent = Pick<RunRecord, 'name' | 'note' | 'state' | 'basis'>;

export const recordStates = [
  'draft',
  'proposed',
  'adopted',
  'withdrawn',
] as const satisfies readonly RunRecord['state'][];

export function contentOf({ name, note, state, basis }: RecordContent): RecordContent {
  return { name, note, state, basis };
}

const textNames = ['name', 'note', 'basis'] as const;

/** The parts in which two contents differ. */
export function differencesOf(one: RecordContent, other: RecordContent): readonly (keyof RecordContent)[] {
  return ([...textNames, 'state'] as const).filter((part) => one[part] !== other[part]);
}

/**
 * Puts the fields of a form on what is stored now. A field that is as the form was opened with leaves what is stored; an
 * empty text clears.
 */
export function withChanges(
  stored: RecordContent,
  opened: RecordContent,
  fields: ReadonlyMap<string, string>,
): RecordContent {
  const textOf = (name: (typeof textNames)[number]): string | null => {
    const typed = fields.get(name)?.replaceAll('\r\n', '\n').trim() ?? '';
    const before = opened[name]?.replaceAll('\r\n', '\n').trim() ?? '';
    return typed === before ? stored[name] : typed || null;
  };
  const chosen = recordStates.find((state) => state === fields.get('state'));
  return {
    name: textOf('name'),
    note: textOf('note'),
    state: chosen === undefined || chosen === opened.state ? stored.state : chosen,
    basis: textOf('basis'),
  };
}
