import { get } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';

const mostDatasets = 100;

/** The ready datasets of a type, the newest first; with a text, those whose names contain it. */
export function useDatasets(type: 'vector' | 'raster', text = '') {
  return useResource(`to make ${type} ${text}`, async (signal) => {
    const q = text.trim();
    const query = {
      file_type: type,
      status: 'ready',
      page_size: mostDatasets,
      ...(q !== '' && { q }),
    } as const;
    return await get('/datasets', { query, signal });
  });
}
