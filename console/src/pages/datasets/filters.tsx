import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { address, replaceQuery } from '../../address/address.ts';
import { Failure } from '../../parts/loading.tsx';
import { listGroups } from '../../service/groups.ts';
import { shownGroup } from '../../service/graph-words.ts';
import { useResource } from '../../service/resource.ts';
import { words } from '../../words/words.ts';

/** Filters of the list, which the address records so that a list can be shared. */
export function Filters() {
  const { datasets, types, statuses } = words();
  const { resource, reload } = useResource('groups', listGroups);
  const { query } = address.value;
  const { value, failure } = resource.value;
  const groups = (value ?? []).map(shownGroup).map(({ id, name }) => [id, name] as const);
  const change = (name: string, value: string): void => replaceQuery({ [name]: value, page: undefined });
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <Search value={query.get('q') ?? ''} onChange={(text) => change('q', text)} />
      <Choice label={datasets.type} name="type" options={Object.entries(types)} onChange={change} />
      <Choice label={datasets.status} name="status" options={Object.entries(statuses)} onChange={change} />
      <Choice label={datasets.group} name="group" options={groups} onChange={change} />
      <Day label={datasets.from} name="from" onChange={change} />
      <Day label={datasets.to} name="to" onChange={change} />
      {failure !== undefined && <Failure failure={failure} retry={reload} title={datasets.groupsFailed} />}
    </form>
  );
}

/** Browsers limit changes of the address, and a request for each key would load the service. */
const searchAfterMs = 250;

function Search({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
  const typed = useSignal(value);
  const applied = useRef(value);
  const applySearch = (text: string): void => {
    if (text === applied.current) return;
    applied.current = text;
    onChange(text);
  };
  useEffect(() => {
    // The address may also change by a link or by navigation.
    if (value === applied.current) return;
    applied.current = value;
    typed.value = value;
  }, [value]);
  useEffect(() => {
    const timer = setTimeout(() => applySearch(typed.value), searchAfterMs);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return (
    <label class="field wide">
      <span>{words().datasets.search}</span>
      <input
        type="search"
        value={typed.value}
        onInput={(event) => void (typed.value = event.currentTarget.value)}
        onChange={(event) => applySearch(event.currentTarget.value)}
      />
    </label>
  );
}

function Day({
  label,
  name,
  onChange,
}: {
  readonly label: string;
  readonly name: string;
  readonly onChange: (name: string, value: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="date"
        value={address.value.query.get(name) ?? ''}
        onChange={(event) => onChange(name, event.currentTarget.value)}
      />
    </label>
  );
}

function Choice({
  label,
  name,
  options,
  onChange,
}: {
  readonly label: string;
  readonly name: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (name: string, value: string) => void;
}) {
  const chosen = address.value.query.get(name) ?? '';
  return (
    <label class="field">
      <span>{label}</span>
      <select value={chosen} onChange={(event) => onChange(name, event.currentTarget.value)}>
        <option value="">{words().datasets.any}</option>
        {/* The filter applies even if its value is unknown. */}
        {chosen !== '' && !options.some(([value]) => value === chosen) && (
          <option value={chosen}>{chosen}</option>
        )}
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
