import { useSignal } from '@preact/signals';
import { Choice } from '../../parts/fields.tsx';
import { Dialog, FormActions } from '../../parts/dialogs.tsx';
import { useAction } from '../../parts/hooks.ts';
import { seriesWords } from './words/words.ts';
import type { GroupZonal } from '../../service/types.ts';
import { put } from '../../service/request.ts';

/** Creates the table, or changes its settings. */
export function SeriesDialog({
  group,
  settings,
  onClose,
  onSaved,
}: {
  readonly group: string;
  readonly settings: GroupZonal['settings'];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const text = seriesWords();
  const hasSum = useSignal(settings?.stats.includes('sum') ?? false);
  const shown = useSignal<string>(settings?.stats[0] ?? 'mean');
  const saving = useAction(async (form: HTMLFormElement) => {
    const body = settingsIn(new FormData(form), settings);
    await put('/dataset-groups/{id}/zonal', { path: { id: group }, body });
    onSaved();
    onClose();
  });
  const others = new Set<string>(settings?.stats.slice(1));
  const options = Object.entries(text.stats).map(([id, name]) => ({ id, name }));
  return (
    <Dialog title={settings === null ? text.switchOn : text.settings} onClose={onClose}>
      <form
        class="stack series-form"
        onInput={({ currentTarget }) => {
          const form = new FormData(currentTarget);
          shown.value = options.find(({ id }) => id === form.get('stat'))?.id ?? shown.value;
          hasSum.value = [...form.getAll('stat'), ...form.getAll('beside')].includes('sum');
        }}
        onSubmit={(event) => {
          event.preventDefault();
          saving.run(event.currentTarget);
        }}
      >
        <Choice label={text.shown} name="stat" value={settings?.stats[0] ?? 'mean'} options={options} />
        <fieldset>
          <legend>{text.beside}</legend>
          {options.map(({ id, name }) => (
            <label key={id} class="series-stat" hidden={id === shown.value}>
              <input type="checkbox" name="beside" value={id} defaultChecked={others.has(id)} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        <Choice
          label={text.units}
          name="by"
          value={settings?.by ?? 'district'}
          options={levelsOffered(settings?.by).map((id) => ({ id, name: text.levels[id] }))}
        />
        <label class="field">
          <span>{text.minimum}</span>
          <input
            name="minimum"
            type="number"
            min="0"
            max="100"
            step="0.1"
            required
            defaultValue={String(Math.round((settings?.min_valid_share ?? 0.8) * 1000) / 10)}
          />
        </label>
        <label class="series-stat">
          <input
            type="checkbox"
            name="count"
            required={hasSum.value}
            defaultChecked={settings?.values_are === 'count'}
          />
          <span>{text.count}</span>
        </label>
        <p class="wrong" role="alert">
          {saving.failure}
        </p>
        <FormActions
          label={settings === null ? text.switchOn : text.save}
          isDisabled={saving.isRunning}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

type By = NonNullable<GroupZonal['settings']>['by'];

/** The levels to choose from: the usual ones, and the one that the table has. */
function levelsOffered(chosen: By | undefined): readonly By[] {
  const usual: readonly By[] = ['district', 'region', 'all'];
  return chosen === undefined || usual.includes(chosen) ? usual : [chosen, ...usual];
}

/** Makes the settings of a table from a form; settings without a field stay as they are. */
function settingsIn(form: FormData, before: GroupZonal['settings']): object {
  const stats = [...form.getAll('stat'), ...form.getAll('beside')];
  return {
    by: form.get('by') ?? 'district',
    stats: [...new Set(stats)],
    min_valid_share: Number(form.get('minimum') ?? 0) / 100,
    values_are: form.get('count') === null ? 'density' : 'count',
    ...(before?.name ? { name: before.name } : {}),
    ...(before?.category_id ? { category_id: before.category_id } : {}),
  };
}
