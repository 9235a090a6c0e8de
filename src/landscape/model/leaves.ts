import type { ClassBand, FloatBand } from './bands.ts';

/** Height above sea level. Its raster is the reference grid: every node depends on it, whatever it reads. */
export const elevation = measured('dem', 'Elevation', 'm', [-500, 9000]);

/** Classes of ESA WorldCover. */
export const landCover = classified(
  'land-cover',
  'Land cover',
  [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100],
);

/** 0 none, 1 regulated use, 2 strict. Rasterised polygons have no value outside, which is no protection. */
export const protectedAreas: ClassBand = {
  ...classified('protected-areas', 'Protected areas', [0, 1, 2]),
  zeroWhereMissing: true,
};

export const precipitation = measured('precipitation', 'Annual precipitation', 'mm/yr', [0, 5000]);

/** ET0; its lower bound keeps the aridity index finite. */
export const evapotranspiration = measured('pet', 'Annual reference evapotranspiration', 'mm/yr', [1, 4000]);

/** Sum of daily means on days above 10 °C. */
export const temperatureSum = measured('temperature-sum', 'Sum of active temperatures', 'C d/yr', [0, 8000]);

/** Long-term mean of the yearly maximum. */
export const snowDepth = measured('snow-depth', 'Snow depth', 'cm', [0, 1000]);

/** USDA classes in the codes of OpenLandMap: C, SiC, SC, CL, SiCL, SCL, L, SiL, SL, Si, LS, S. */
export const soilTexture = classified(
  'soil-texture',
  'Topsoil texture',
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
);

export const soilOrganicCarbon = measured('soil-organic-carbon', 'Topsoil organic carbon', 'g/kg', [0, 600]);

/** Electrical conductivity of the saturated paste, ECe. */
export const soilSalinity = measured('soil-salinity', 'Topsoil salinity', 'dS/m', [0, 200]);

/** NDVI, mean of May to September over several years. */
export const vegetationIndex = measured('ndvi', 'Vegetation index', null, [-1, 1]);

export const distanceToWater = measured('distance-water', 'Distance to water', 'm', [0, 2e6]);
export const distanceToRoad = measured('distance-road', 'Distance to road', 'm', [0, 2e6]);

/** The rasters that users upload, in graph order: that of `GET /landscape/slots`. */
export const leaves: readonly (FloatBand | ClassBand)[] = [
  elevation,
  landCover,
  protectedAreas,
  precipitation,
  evapotranspiration,
  temperatureSum,
  snowDepth,
  soilTexture,
  soilOrganicCarbon,
  soilSalinity,
  vegetationIndex,
  distanceToWater,
  distanceToRoad,
];

function measured(
  key: string,
  title: string,
  unit: string | null,
  range: readonly [min: number, max: number],
): FloatBand {
  return { key, group: `landscape-in-${key}`, title, unit, type: 'float32', range };
}

function classified(key: string, title: string, classes: readonly number[]): ClassBand {
  return { key, group: `landscape-in-${key}`, title, unit: null, type: 'uint8', classes };
}
