import { Failure, Waiting } from '../../parts/loading.tsx';
import { get } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';

interface AttributeChoiceProps {
  readonly label: string;
  /** Label for no attribute, whose name is empty. */
  readonly none: string;
  readonly vector: string;
  readonly attribute: string;
  readonly onChange: (attribute: string) => void;
}

/** A choice of an attribute of a vector. */
export function AttributeChoice({ label, none, vector, attribute, onChange }: AttributeChoiceProps) {
  const { resource, reload } = useResource(`attributes of ${vector}`, async (signal) => {
    const path = { collectionId: vector };
    return await get('/ogc/collections/{collectionId}/queryables', { path, signal });
  });
  const { value, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined) return <Waiting />;
  const names = Object.entries(value.properties).flatMap(([name, property]) =>
    isAttribute(property) ? [name] : [],
  );
  return (
    <label class="field">
      <span>{label}</span>
      <select value={attribute} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{none}</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Geometries and their boxes have a format. */
function isAttribute(property: unknown): boolean {
  return typeof property === 'object' && property !== null && 'type' in property;
}
