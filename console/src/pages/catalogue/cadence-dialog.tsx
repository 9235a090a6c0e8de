import { type Changes, FormDialog } from '../../parts/dialogs.tsx';
import { Choice, Field } from '../../parts/fields.tsx';
import { useAction } from '../../parts/hooks.ts';
import type { DatasetGroup, GroupFreshness } from '../../service/types.ts';
import { put, remove } from '../../service/request.ts';
import { words } from '../../words/words.ts';

const units = ['Y', 'M', 'W', 'D'] as const;

interface Parts {
  readonly count: string;
  readonly unit: string;
}

/** Splits a duration into number and unit; returns the default for undefined. */
function partsOf(duration: string | undefined, byDefault: Parts): Parts {
  const [, count, unit] = /^P(\d+)([YMWD])$/.exec(duration ?? '') ?? [];
  return count === undefined || unit === undefined ? byDefault : { count, unit };
}

/** Sets or removes the cadence of a group: how often it is delivered, and the permitted delay. */
export function CadenceDialog({
  group,
  freshness,
  onClose,
  onSaved,
}: {
  readonly group: DatasetGroup;
  /** Undefined without a cadence. */
  readonly freshness: GroupFreshness | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { cadence: text } = words().catalogue;
  const every = partsOf(freshness?.every, { count: '', unit: 'Y' });
  const grace = partsOf(freshness?.grace, { count: '0', unit: 'D' });
  const save = async (changes: Changes): Promise<void> => {
    const durationOf = (name: 'every' | 'grace', { count, unit }: Parts) => {
      const number = changes[name] ?? count;
      return number === '0' ? 'P0D' : `P${number}${changes[`${name}_unit`] ?? unit}`;
    };
    const body = { every: durationOf('every', every), grace: durationOf('grace', grace) };
    await put('/dataset-groups/{id}/cadence', { path: { id: group.id }, body });
    onSaved();
  };
  const removing = useAction(async () => {
    await remove('/dataset-groups/{id}/cadence', { path: { id: group.id } });
    onSaved();
    onClose();
  });
  const options = units.map((unit) => ({ id: unit, name: text.units[unit] }));
  return (
    <FormDialog title={text.title(group.name)} save={save} onClose={onClose}>
      <p class="small muted">{text.lead}</p>
      <div class="pair">
        <Field
          label={text.every}
          name="every"
          value={every.count}
          pattern="[1-9][0-9]{0,2}"
          maxLength={3}
          required
        />
        <Choice label={text.everyUnit} name="every_unit" value={every.unit} options={options} />
      </div>
      <div class="pair">
        <Field
          label={text.grace}
          name="grace"
          value={grace.count}
          pattern="0|[1-9][0-9]{0,2}"
          maxLength={3}
          required
        />
        <Choice label={text.graceUnit} name="grace_unit" value={grace.unit} options={options} />
      </div>
      {freshness !== undefined && (
        <p>
          <button type="button" class="button quiet" disabled={removing.isRunning} onClick={removing.run}>
            {text.remove}
          </button>
        </p>
      )}
      <p class="wrong" role="alert">
        {removing.failure}
      </p>
    </FormDialog>
  );
}
