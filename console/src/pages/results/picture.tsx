import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { fetchFromService, refusalOf } from '../../service/ask.ts';
import { useResource } from '../../service/resource.ts';
import { inTurn } from '../../service/turns.ts';

const pixels = 512;

/** The small picture of a raster, fetched once it is wanted, with the token that an image alone would not send. */
export function Picture({ id, isWanted }: { readonly id: string; readonly isWanted: boolean }) {
  const { resource } = useResource(`picture ${id} ${isWanted}`, async (signal) =>
    isWanted ? await inTurn(signal, async () => await fetchPicture(id, signal)) : undefined,
  );
  const url = useSignal<string | undefined>(undefined);
  const { value, failure } = resource.value;
  useEffect(() => {
    if (value === undefined) return undefined;
    const made = URL.createObjectURL(value);
    url.value = made;
    return () => URL.revokeObjectURL(made);
  }, [value]);
  if (failure !== undefined) return <span class="picture is-away" />;
  return url.value === undefined ? (
    <span class="picture" />
  ) : (
    <img class="picture" src={url.value} alt="" width={pixels} height={pixels} />
  );
}

async function fetchPicture(id: string, signal: AbortSignal): Promise<Blob> {
  const path = `/datasets/${encodeURIComponent(id)}/thumbnail.png?size=${pixels}`;
  return await fetchFromService(path, { signal }, async (response) => {
    if (!response.ok) throw await refusalOf(response);
    return await response.blob();
  });
}
