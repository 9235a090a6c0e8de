import type { ClassBand, FloatBand } from './bands.ts';

/** An input raster of the graph. */
export type Leaf = (FloatBand | ClassBand) & LeafTexts;

interface LeafTexts {
  /** The quantity that the values measure; classes are listed after it. */
  readonly quantity: string;
  /** Open data that can fill the slot. */
  readonly source: string;
  /** The way in which such data are brought in, in a sentence that names the recipes of the page. */
  readonly how: string;
  /** The names of its classes, by value; null for numbers. */
  readonly labels: Readonly<Record<number, string>> | null;
}

/** Its raster is the reference grid: every node depends on it, even without reading it. */
export const elevation = measured('dem', 'Elevation', {
  unit: 'm',
  range: [-500, 9000],
  quantity: 'Height above sea level. Its grid is the grid of every result',
  source: 'Copernicus DEM GLO-30 or GLO-90',
  how: 'Download its tiles as GeoTIFF, upload them, and make one raster of them: “Several rasters as one”.',
});

export const landCover = classified('land-cover', 'Land cover', {
  labels: {
    10: 'Trees',
    20: 'Shrubs',
    30: 'Grass',
    40: 'Crops',
    50: 'Built-up',
    60: 'Bare',
    70: 'Snow and ice',
    80: 'Water',
    90: 'Wetland',
    95: 'Mangroves',
    100: 'Moss and lichen',
  },
  quantity: 'Classes of ESA WorldCover',
  source: 'ESA WorldCover v200',
  how: 'Download its tiles as GeoTIFF, upload them, and make one raster of them: “Several rasters as one”.',
});

/** Rasterised polygons have no value outside, which means not protected. */
export const protectedAreas: ClassBand & LeafTexts = {
  ...classified('protected-areas', 'Protected areas', {
    labels: {
      0: 'None',
      1: 'Regulated use (zakaznik, buffer zone)',
      2: 'Strict (zapovednik, core of a national park)',
    },
    quantity: 'Degree of protection',
    source: 'WDPA or the national cadastre, rasterised',
    how: 'Upload the borders as a vector, and make the classes of it: “An attribute of polygons”.',
  }),
  zeroWhereMissing: true,
};

export const precipitation = measured('precipitation', 'Annual precipitation', {
  unit: 'mm/yr',
  range: [0, 5000],
  quantity: 'Long-term mean of the year',
  source: 'ERA5-Land, CHELSA or WorldClim',
  how: 'Upload the 12 months of CHELSA, or take rasters of a NetCDF file of ERA5-Land under “Rasters from files”; then add them up: “Computed from rasters”.',
});

/** Its lower bound keeps the aridity index finite. */
export const evapotranspiration = measured('pet', 'Annual reference evapotranspiration', {
  unit: 'mm/yr',
  range: [1, 4000],
  quantity: 'Reference evapotranspiration ET0, long-term mean of the year',
  source: 'Global-ET0 v3 or ERA5-Land',
  how: 'Upload the annual GeoTIFF of Global-ET0 as it is. Potential evaporation of ERA5-Land is not ET0.',
});

export const temperatureSum = measured('temperature-sum', 'Sum of active temperatures', {
  unit: 'C d/yr',
  range: [0, 8000],
  quantity: 'Sum of the daily means on days above 10 °C, long-term mean',
  source: 'ERA5-Land daily means',
  how: 'Take the rasters of a year from a NetCDF or GRIB file under “Rasters from files”, and add up by days what is above 10 °C; then make the mean of several years: “Computed from rasters”.',
});

export const snowDepth = measured('snow-depth', 'Snow depth', {
  unit: 'cm',
  range: [0, 1000],
  quantity: 'Long-term mean of the yearly maximum',
  source: 'ERA5-Land snow depth, times 100',
  how: 'Take the rasters of each year from a NetCDF or GRIB file under “Rasters from files”, and make their greatest value in cm; then the mean of several years: “Computed from rasters”.',
});

export const soilTexture = classified('soil-texture', 'Topsoil texture', {
  labels: {
    1: 'Clay',
    2: 'Silty clay',
    3: 'Sandy clay',
    4: 'Clay loam',
    5: 'Silty clay loam',
    6: 'Sandy clay loam',
    7: 'Loam',
    8: 'Silt loam',
    9: 'Sandy loam',
    10: 'Silt',
    11: 'Loamy sand',
    12: 'Sand',
  },
  quantity: 'USDA classes in the codes of OpenLandMap',
  source: 'OpenLandMap, or derived from SoilGrids',
  how: 'Upload the GeoTIFF of texture classes of OpenLandMap as it is; or a soil map as a vector, and make the classes of it: “An attribute of polygons”.',
});

export const soilOrganicCarbon = measured('soil-organic-carbon', 'Topsoil organic carbon', {
  unit: 'g/kg',
  range: [0, 600],
  quantity: 'Organic carbon of the topsoil, 0 to 30 cm',
  source: 'SoilGrids 2.0 soc, divided by 10',
  how: 'Upload the layers 0–5, 5–15 and 15–30 cm, and make their mean, times 0.1: “Computed from rasters”.',
  usualFactor: 10,
});

export const soilSalinity = measured('soil-salinity', 'Topsoil salinity', {
  unit: 'dS/m',
  range: [0, 200],
  quantity: 'Electrical conductivity ECe of the topsoil',
  source: 'FAO GSASmap',
  how: 'Upload its GeoTIFF as it is; or the polygons of a survey as a vector, and make the numbers of them: “An attribute of polygons”.',
});

export const vegetationIndex = measured('ndvi', 'Vegetation index', {
  unit: null,
  range: [-1, 1],
  quantity: 'NDVI of May to September, mean of several years',
  source: 'MOD13Q1, times 0.0001',
  how: 'Take the rasters of May to September from its HDF files under “Rasters from files”, and make their mean: “Computed from rasters”.',
  usualFactor: 10_000,
});

export const distanceToWater = measured('distance-water', 'Distance to water', {
  unit: 'm',
  range: [0, 2e6],
  quantity: 'Distance to a perennial river, lake or canal',
  source: 'proximity to water of OpenStreetMap, HydroRIVERS or JRC Global Surface Water',
  how: 'Download the waters of Kazakhstan from Geofabrik, upload them as a vector, and measure: “Distance to features”.',
});

export const distanceToRoad = measured('distance-road', 'Distance to road', {
  unit: 'm',
  range: [0, 2e6],
  quantity: 'Distance to a motor road',
  source: 'proximity to roads of OpenStreetMap',
  how: 'Download the roads of Kazakhstan from Geofabrik, upload them as a vector, and measure: “Distance to features”.',
});

/** The rasters that users upload, in the order of the graph and of `GET /landscape/slots`. */
export const leaves: readonly Leaf[] = [
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
  facts: Omit<LeafTexts, 'labels'> &
    Required<Pick<FloatBand, 'unit' | 'range'>> &
    Pick<FloatBand, 'usualFactor'>,
): FloatBand & LeafTexts {
  return { key, group: `landscape-in-${key}`, title, type: 'float32', labels: null, ...facts };
}

function classified(
  key: string,
  title: string,
  facts: LeafTexts & { readonly labels: Readonly<Record<number, string>> },
): ClassBand & LeafTexts {
  const classes = Object.keys(facts.labels).map(Number);
  return { key, group: `landscape-in-${key}`, title, unit: null, type: 'uint8', classes, ...facts };
}
