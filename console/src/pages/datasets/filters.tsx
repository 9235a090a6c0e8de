import { address, replaceQuery } from '../../address/address.ts';
import { listGroups } from '../../service/catalogue.ts';
import { useResource } from '../../service/resource.ts';
import { words } from '../../words/words.ts';

/** Filters that stand in the address, so that a list can be sent to somebody. */
export function Filters() {
  const { datasets, types, statuses } = words();
  const { resource } = useResource('groups', listGroups);
  const { query } = address.value;
  const groups = (resource.value.value ?? []).map(({ id, name }) => [id, name] as const);
  const change = (name: string, value: string): void => replaceQuery({ [name]: value, page: undefined });
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="field wide">
        <span>{datasets.search}</span>
        <input
          type="search"
          value={query.get('q') ?? ''}
          onInput={(event) => change('q', event.currentTarget.value)}
        />
      </label>
      <Choice label={datasets.type} name="type" options={Object.entries(types)} onChange={change} />
      <Choice label={datasets.status} name="status" options={Object.entries(statuses)} onChange={change} />
      <Choice label={datasets.group} name="group" options={groups} onChange={change} />
      <Day label={datasets.from} name="from" onChange={change} />
      <Day label={datasets.to} name="to" onChange={change} />
    </form>
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
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={address.value.query.get(name) ?? ''}
        onChange={(event) => onChange(name, event.currentTarget.value)}
      >
        <option value="">{words().datasets.any}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
