import { address } from '../../address/address.ts';
import { Choice } from '../../parts/fields.tsx';
import { Failure } from '../../parts/loading.tsx';
import { shownGroup } from '../../service/graph-words.ts';
import { listUploadGroups } from '../../service/groups.ts';
import { useResource } from '../../service/resource.ts';
import { words } from '../../words/words.ts';

/** Loads the groups for a `GroupChoice`. */
export const useUploadGroups = () => useResource('groups for uploads', listUploadGroups);

/** The group of what is registered, first that of the page; without a label for none, one is always chosen. */
export function GroupChoice({
  groups: { resource, reload },
  none,
}: {
  readonly groups: ReturnType<typeof useUploadGroups>;
  readonly none?: string;
}) {
  const { value: groups, failure } = resource.value;
  const usual = none === undefined ? groups?.[0]?.id : undefined;
  return (
    <>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {groups !== undefined && (
        <Choice
          label={words().dataset.group}
          name="dg_id"
          value={address.value.query.get('group') ?? usual ?? ''}
          options={groups.map(shownGroup)}
          {...(none === undefined ? {} : { none })}
        />
      )}
    </>
  );
}
