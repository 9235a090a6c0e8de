import { useSignal } from '@preact/signals';
import { Refused, fetchFromService, refusalOf } from '../../service/ask.ts';
import type { Dataset } from '../../service/types.ts';
import { words } from '../../words/words.ts';

/** The files of a dataset to download. They are fetched by the page, because a link carries no token. */
export function Files({ dataset }: { readonly dataset: Dataset }) {
  const { dataset: text } = words();
  const failure = useSignal<string | undefined>(undefined);
  const { id, file_type: type, status, filename, sld_storage_key: sld } = dataset;
  const isReady = status === 'ready';
  const files = [
    { label: text.original, path: `/datasets/${id}/download`, name: filename, isThere: true },
    {
      label: text.cog,
      path: `/datasets/${id}.cog`,
      name: `${id}.tif`,
      isThere: isReady && type === 'raster',
    },
    {
      label: text.geojson,
      path: `/datasets/${id}.geojson`,
      name: `${id}.geojson`,
      isThere: isReady && type !== 'raster',
    },
    { label: text.sld, path: `/datasets/${id}/sld`, name: `${id}.sld`, isThere: sld !== null },
  ].filter(({ isThere }) => isThere);
  const save = async (path: string, name: string): Promise<void> => {
    failure.value = undefined;
    try {
      await download(path, name);
    } catch (error) {
      failure.value =
        error instanceof Refused && error.message !== '' ? error.message : words().failure.network;
    }
  };
  return (
    <>
      <ul class="files">
        {files.map(({ label, path, name }) => (
          <li key={path}>
            <button type="button" class="button quiet" onClick={() => void save(path, name)}>
              ↓ {label}
            </button>
          </li>
        ))}
      </ul>
      <p class="wrong" role="alert">
        {failure.value}
      </p>
    </>
  );
}

async function download(path: string, name: string): Promise<void> {
  const response = await fetchFromService(path);
  if (!response.ok) throw await refusalOf(response);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
