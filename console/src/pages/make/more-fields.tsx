import { useSignal } from '@preact/signals';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { datasetName } from '../../service/graph-words.ts';
import { get } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import { AttributeChoice } from './attribute-choice.tsx';
import { type FieldsProps, OneOf } from './one-of.tsx';
import type { Draft } from './recipe-draft.ts';
import { useDatasets } from './use-datasets.ts';

/** The parts of a recipe that most users leave as they are. */
export function MoreFields(props: FieldsProps) {
  const isOpen = useSignal(false);
  return (
    <details
      class="make-more"
      open={isOpen.value}
      onToggle={({ currentTarget }) => void (isOpen.value = currentTarget.open)}
    >
      <summary>{props.words.more}</summary>
      {isOpen.value && <Opened {...props} />}
    </details>
  );
}

function Opened(props: FieldsProps) {
  const { draft, words } = props;
  const { method, vector, limit, rule } = draft.value;
  return (
    <div class="stack">
      {method === 'rasterize' && rule !== 'centre' && (
        <TextField name="minCoverage" hint={words.minCoverageHint} {...props} />
      )}
      {method === 'distance' && (
        <>
          <OneOf
            label={words.measure}
            names={words.measures}
            options={['geodesic', 'grid']}
            value={draft.value.measure}
            onChange={(measure) => void (draft.value = { ...draft.value, measure })}
          />
          {limit.trim() !== '' && (
            <OneOf
              label={words.beyond}
              names={words.beyonds}
              options={['no_data', 'limit']}
              value={draft.value.beyond}
              onChange={(beyond) => void (draft.value = { ...draft.value, beyond })}
            />
          )}
          {vector !== '' && <FilterFields key={vector} {...props} />}
        </>
      )}
      <GridChoice {...props} />
      <TextField name="name" hint={words.nameHint} {...props} />
      <div class="make-pair">
        <DayField name="start" {...props} />
        <DayField name="end" {...props} />
      </div>
    </div>
  );
}

interface TextFieldProps extends FieldsProps {
  readonly name: 'name' | 'minCoverage';
  readonly hint: string;
}

function TextField({ name, hint, draft, words }: TextFieldProps) {
  const changed = (text: string): Draft => ({ ...draft.value, [name]: text });
  return (
    <label class="field">
      <span>{words.own[name]}</span>
      <input
        inputMode={name === 'minCoverage' ? 'decimal' : 'text'}
        maxLength={255}
        value={draft.value[name]}
        onInput={({ currentTarget }) => void (draft.value = changed(currentTarget.value))}
      />
      <span class="small muted">{hint}</span>
    </label>
  );
}

function DayField({ name, draft, words }: FieldsProps & { readonly name: 'start' | 'end' }) {
  const changed = (text: string): Draft => ({ ...draft.value, [name]: text });
  return (
    <label class="field">
      <span>{words.own[name]}</span>
      <input
        type="date"
        value={draft.value[name]}
        onInput={({ currentTarget }) => void (draft.value = changed(currentTarget.value))}
      />
    </label>
  );
}

/** The raster whose grid the result has. */
function GridChoice({ draft, words }: FieldsProps) {
  const { resource, reload } = useDatasets('raster');
  const { value, failure } = resource.value;
  const { method, grid } = draft.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined) return <Waiting />;
  const usual = method === 'mosaic' || method === 'arithmetic' ? 'first' : 'reference';
  const named = usual === 'first' ? (['first', 'reference'] as const) : (['reference'] as const);
  return (
    <label class="field">
      <span>{words.grid}</span>
      <select
        value={grid}
        onChange={({ currentTarget }) => void (draft.value = { ...draft.value, grid: currentTarget.value })}
      >
        {named.map((each) => (
          <option key={each} value={each === usual ? '' : each}>
            {words.grids[each]}
          </option>
        ))}
        {value.data.map((dataset) => (
          <option key={dataset.id} value={dataset.id}>
            {datasetName(dataset)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The features to which distances are measured: all, or those with some values of an attribute. */
function FilterFields(props: FieldsProps) {
  const { draft, words } = props;
  const { filterBy } = draft.value;
  return (
    <>
      <AttributeChoice
        label={words.filterBy}
        none={words.allFeatures}
        vector={draft.value.vector}
        attribute={filterBy}
        onChange={(attribute) =>
          void (draft.value = { ...draft.value, filterBy: attribute, filterValues: [] })
        }
      />
      {filterBy !== '' && <FilterValues key={filterBy} {...props} />}
    </>
  );
}

function FilterValues({ facts, draft, words }: FieldsProps) {
  const { vector, filterBy, filterValues } = draft.value;
  const { resource, reload } = useResource(`values to filter ${vector} ${filterBy}`, async (signal) => {
    const query = { dataset_id: vector, attribute: filterBy };
    return await get('/landscape/slots/{code}/make/values', { path: { code: facts.group }, query, signal });
  });
  const { value: found, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (found === undefined) return <Waiting />;
  return (
    <fieldset class="make-options">
      <legend>{words.filterValues}</legend>
      <div class="make-rasters">
        {found.values.flatMap(({ value }) =>
          value === null ? (
            []
          ) : (
            <label key={value}>
              <input
                type="checkbox"
                checked={filterValues.includes(value)}
                onChange={({ currentTarget: { checked } }) => {
                  const others = draft.value.filterValues.filter((each) => each !== value);
                  draft.value = { ...draft.value, filterValues: checked ? [...others, value] : others };
                }}
              />
              {value}
            </label>
          ),
        )}
      </div>
      {!found.is_complete && <p class="needs-attention small">{words.notAll}</p>}
    </fieldset>
  );
}
