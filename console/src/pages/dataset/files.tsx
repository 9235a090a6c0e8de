import { fileNameOf } from '../../parts/downloads.ts';
import { FileLink, type LinkedFile } from '../../parts/file-link.tsx';
import type { Dataset } from '../../service/types.ts';
import { language, words } from '../../words/words.ts';

/** The files of a dataset to download. They are links; if a token has to be sent, the page fetches them. */
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
    ...(status === 'ready' && type === 'vector' ? featuresOf(path, name) : []),
    ...(status === 'ready' && type === 'vector_with_kato' ? tablesOf(`${path}/observations`, name) : []),
    sld !== null && { label: text.sld, path: `${path}/sld`, name: fileNameOf(name, 'sld') },
  ];
  return files.filter((file) => file !== false);
}

/** Files with each feature and its attributes, beside the GeoJSON with one feature for the whole dataset. */
function featuresOf(path: string, name: string): readonly LinkedFile[] {
  const { dataset: text } = words();
  return [
    { label: text.geoPackage, path: `${path}.gpkg`, name: fileNameOf(name, 'gpkg'), isWritten: true },
    { label: text.flatGeobuf, path: `${path}.fgb`, name: fileNameOf(name, 'fgb') },
    { label: text.geoParquet, path: `${path}.parquet`, name: fileNameOf(name, 'parquet'), isWritten: true },
  ];
}

/** The table as it was uploaded, and with one row for each value. */
function tablesOf(path: string, name: string): readonly LinkedFile[] {
  const { dataset: text } = words();
  const lang = language();
  return [
    {
      label: text.tableXlsx,
      path: `${path}.xlsx?lang=${lang}`,
      name: fileNameOf(name, 'xlsx'),
      isWritten: true,
    },
    {
      label: text.tableCsv,
      path: `${path}.csv?lang=${lang}`,
      name: fileNameOf(name, 'csv'),
      isWritten: true,
    },
    {
      label: text.longCsv,
      path: `${path}.csv?shape=long&lang=${lang}`,
      name: fileNameOf(name, 'csv'),
      isWritten: true,
    },
  ];
}
