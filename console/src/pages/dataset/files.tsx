import { fileNameOf } from '../../parts/downloads.ts';
import { FileLink, type LinkedFile } from '../../parts/file-link.tsx';
import type { Dataset } from '../../service/types.ts';
import { words } from '../../words/words.ts';

/** The files of a dataset to download: links, but where a token has to be sent the page fetches them. */
export function Files({ dataset }: { readonly dataset: Dataset }) {
  return (
    <ul class="files">
      {filesOf(dataset).map((file) => (
        <li key={file.path}>
          <FileLink file={file} />
        </li>
      ))}
    </ul>
  );
}

function filesOf({ id, name, file_type: type, status, filename, sld_storage_key: sld }: Dataset) {
  const { dataset: text } = words();
  const path = `./datasets/${encodeURIComponent(id)}`;
  const files: (LinkedFile | false)[] = [
    { label: text.original, path: `${path}/download`, name: filename },
    status === 'ready' &&
      (type === 'raster'
        ? { label: text.cog, path: `${path}.cog`, name: fileNameOf(name, 'tif') }
        : { label: text.geojson, path: `${path}.geojson`, name: fileNameOf(name, 'geojson') }),
    sld !== null && { label: text.sld, path: `${path}/sld`, name: fileNameOf(name, 'sld') },
  ];
  return files.filter((file) => file !== false);
}
