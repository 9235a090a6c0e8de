import type { Sentences } from '../areas.ts';
import { grouped } from './wording.ts';

export const vectorTiles: Sentences<'vector_tile'> = {
  vector_tile: {
    raster: () => 'растрдың векторлық тайлдары болмайды',
    tooLarge: (mebibytes, most) =>
      `GeoJSON көлемі ${grouped(mebibytes)} МиБ; көлемі ${most} МиБ-тан аспайтын GeoJSON ғана сызылады, бірақ оны толық жүктеп алуға болады`,
    tooManyPositions: (most) =>
      `GeoJSON ішінде ${grouped(most)} нүктеден көп; нүктесі одан аз GeoJSON ғана сызылады, бірақ оны толық жүктеп алуға болады`,
    notGeoJson: () => 'сақталған GeoJSON оқылмайды',
  },
};
