import './origin.css';
import { get } from '../service/request.ts';
import { useResource } from '../service/resource.ts';
import { language, words } from '../words/words.ts';
import { Failure } from './loading.tsx';

/** A warning of invented data, in the words of the service. */
export function Invented({ warning }: { readonly warning: string }) {
  return (
    <p class="invented small" role="note">
      <span aria-hidden="true">⚠ </span>
      {warning}
    </p>
  );
}

/** Warns of invented values in a dataset, or in anything from which it was made. */
export function OriginOf({ id, isStated = false }: { readonly id: string; readonly isStated?: boolean }) {
  const { origin: text } = words();
  const { resource, reload } = useResource(
    `origin ${id} ${language()}`,
    async (signal) => await get('/datasets/{id}/lineage', { path: { id }, signal }),
  );
  const { value, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (value === undefined) return null;
  const { origin, warning } = value;
  if (warning !== null) return <Invented warning={warning} />;
  return isStated && origin !== null ? (
    <p class="small muted">
      {text.title}: {text[origin]}
    </p>
  ) : null;
}
