import { useSignal } from '@preact/signals';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { datasetName } from '../../service/graph-words.ts';
import type { FieldsProps } from './one-of.tsx';
import { useDatasets } from './use-datasets.ts';

/** Compares names with their numbers as numbers: months and tiles come in their order. */
const byNumbers = new Intl.Collator(undefined, { numeric: true });

/** The choice of rasters in an order, one by one or all that a text finds. */
export function RasterChoice({ draft, words }: Omit<FieldsProps, 'facts'>) {
  const text = useSignal('');
  const { resource, reload } = useDatasets('raster', text.value);
  const { value, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined) return <Waiting />;
  if (value.total === 0 && text.value === '') return <p class="needs-attention">{words.noRasters}</p>;
  const { rasters } = draft.value;
  const choose = (chosen: readonly string[]): void =>
    void (draft.value = { ...draft.value, rasters: chosen });
  const shown = value.data.toSorted((one, other) => byNumbers.compare(one.name, other.name));
  const others = shown.map(({ id }) => id).filter((id) => !rasters.includes(id));
  return (
    <fieldset class="make-options stack">
      <legend>{words.rasters}</legend>
      <label class="field">
        <span>{words.find}</span>
        <input
          type="search"
          value={text.value}
          onInput={({ currentTarget }) => void (text.value = currentTarget.value)}
        />
      </label>
      <div class="actions">
        <button
          type="button"
          class="button quiet"
          disabled={others.length === 0}
          onClick={() => choose([...rasters, ...others])}
        >
          {words.chooseAll(value.data.length)}
        </button>
        <button type="button" class="button quiet" disabled={rasters.length === 0} onClick={() => choose([])}>
          {words.chooseNone}
        </button>
        <span class="small muted make-count" role="status">
          {words.chosen(rasters.length)}
        </span>
      </div>
      <div class="make-rasters">
        {shown.map((dataset) => (
          <label key={dataset.id}>
            <input
              type="checkbox"
              checked={rasters.includes(dataset.id)}
              onChange={({ currentTarget: { checked } }) => {
                const rest = rasters.filter((id) => id !== dataset.id);
                choose(checked ? [...rest, dataset.id] : rest);
              }}
            />
            <span>
              {rasters.includes(dataset.id) && <b>{rasters.indexOf(dataset.id) + 1}. </b>}
              {datasetName(dataset)}
            </span>
          </label>
        ))}
      </div>
      {value.total > value.data.length && (
        <p class="small muted">{words.firstOnly(value.data.length, value.total)}</p>
      )}
    </fieldset>
  );
}
