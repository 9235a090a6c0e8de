import { type Band, classNoData, floatNoData } from '../model/bands.ts';
import type { GraphNode } from '../model/node.ts';

/** What people read of a dataset group. */
export interface GroupText {
  readonly name: string;
  readonly description: string;
}

interface SlotAdvice {
  /** What the values are. */
  readonly quantity: string;
  /** Open data that can fill the slot. */
  readonly source: string;
}

const advice: ReadonlyMap<string, SlotAdvice> = new Map(
  Object.entries({
    dem: {
      quantity: 'Height above sea level. Its grid is the grid of every result',
      source: 'Copernicus DEM GLO-30 or GLO-90',
    },
    'land-cover': {
      quantity:
        'Classes of ESA WorldCover: 10 trees, 20 shrubs, 30 grass, 40 crops, 50 built-up, 60 bare, 70 snow and ice, ' +
        '80 water, 90 wetland, 95 mangroves, 100 moss and lichen',
      source: 'ESA WorldCover v200',
    },
    'protected-areas': {
      quantity:
        '0 none, 1 regulated use (zakaznik, buffer zone), 2 strict (zapovednik, core of a national park); no value means 0',
      source: 'WDPA or the national cadastre, rasterised',
    },
    precipitation: { quantity: 'Long-term mean of the year', source: 'ERA5-Land, CHELSA or WorldClim' },
    pet: {
      quantity: 'Reference evapotranspiration ET0, long-term mean of the year',
      source: 'Global-ET0 v3 or ERA5-Land',
    },
    'temperature-sum': {
      quantity: 'Sum of the daily means on days above 10 °C, long-term mean',
      source: 'ERA5-Land daily means',
    },
    'snow-depth': {
      quantity: 'Long-term mean of the yearly maximum',
      source: 'ERA5-Land snow depth, times 100',
    },
    'soil-texture': {
      quantity:
        'USDA classes in the codes of OpenLandMap: 1 clay, 2 silty clay, 3 sandy clay, 4 clay loam, 5 silty clay loam, ' +
        '6 sandy clay loam, 7 loam, 8 silt loam, 9 sandy loam, 10 silt, 11 loamy sand, 12 sand',
      source: 'OpenLandMap, or derived from SoilGrids',
    },
    'soil-organic-carbon': {
      quantity: 'Organic carbon of the topsoil, 0 to 30 cm',
      source: 'SoilGrids 2.0 soc, divided by 10',
    },
    'soil-salinity': {
      quantity: 'Electrical conductivity ECe of the topsoil',
      source: 'FAO GSASmap',
    },
    ndvi: { quantity: 'NDVI of May to September, mean of several years', source: 'MOD13Q1, times 0.0001' },
    'distance-water': {
      quantity: 'Distance to a perennial river, lake or canal',
      source: 'proximity to water of OpenStreetMap, HydroRIVERS or JRC Global Surface Water',
    },
    'distance-road': {
      quantity: 'Distance to a motor road',
      source: 'proximity to roads of OpenStreetMap',
    },
  }),
);

/** Says what to upload to a slot. */
export function slotText(leaf: Band): GroupText {
  const known = advice.get(leaf.key);
  if (known === undefined) throw new Error(`nobody has said what slot ${leaf.key} takes`);
  const { quantity, source } = known;
  return {
    name: `Landscape input: ${leaf.title}`,
    description: `${quantity}. ${valuesOf(leaf)} A GeoTIFF, whose first band is read; for example ${source}.`,
  };
}

function valuesOf(band: Band): string {
  if (band.type === 'uint8') return 'Whole numbers; unknown classes count as no value.';
  const unit = band.unit === null ? '' : `Unit: ${band.unit}. `;
  const [min, max] = band.range ?? [-Infinity, Infinity];
  return `${unit}Values from ${min} to ${max}; others count as no value.`;
}

/** Says what the rasters of an output are. */
export function outputText({ code, output, legend }: GraphNode): GroupText {
  const values =
    legend.kind === 'values'
      ? `${legend.entries.map(({ value, label }) => `${value} ${label}`).join(', ')}; ${classNoData} no value.`
      : `${output.unit === null ? '' : `Unit: ${output.unit}; `}${floatNoData} no value.`;
  return {
    name: `Landscape ${code}: ${output.title}`,
    description: `Rasters of node ${code} of the Landscape Program, made by its runs. ${values}`,
  };
}
