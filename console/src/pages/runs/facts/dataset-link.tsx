import { hrefOf } from '../../../address/address.ts';
import { useResource } from '../../../service/resource.ts';
import { runsWords } from '../words/words.ts';
import { get } from '../../../service/request.ts';

interface DatasetLinkProps {
  readonly id: string;
  /** The name, if it is known; otherwise it is requested. */
  readonly name?: string | undefined;
}

/** A dataset by its name, as a link to its page. */
export function DatasetLink({ id, name }: DatasetLinkProps) {
  return name === undefined ? <AskedLink key={id} id={id} /> : <a href={hrefOf(['datasets', id])}>{name}</a>;
}

/** Characters of the id that replace an unknown name. */
const idCharacters = 8;

function AskedLink({ id }: DatasetLinkProps) {
  const { resource } = useResource(
    id,
    async (signal) => (await get('/datasets/{id}', { path: { id }, signal })).name,
  );
  const { value, failure } = resource.value;
  const short = id.slice(0, idCharacters);
  if (failure?.status === 404)
    return (
      <span class="muted">
        {short}… ({runsWords().panel.deleted})
      </span>
    );
  return <a href={hrefOf(['datasets', id])}>{value ?? `${short}…`}</a>;
}
