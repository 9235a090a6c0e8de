import type { Sentences } from '../areas.ts';
import { grouped } from './wording.ts';

export const vectorTiles: Sentences<'vector_tile'> = {
  vector_tile: {
    raster: () => 'у растра нет векторных тайлов',
    tooLarge: (mebibytes, most) =>
      `GeoJSON занимает ${grouped(mebibytes)} МиБ; рисуется только GeoJSON не более ${most} МиБ, но скачать его можно целиком`,
    tooManyPositions: (most) =>
      `в GeoJSON больше ${grouped(most)} точек; рисуется только GeoJSON с меньшим их числом, но скачать его можно целиком`,
    notGeoJson: () => 'сохранённый GeoJSON не читается',
  },
};
