export interface OpenData {
  readonly name: string;
  readonly url: string;
  /** The licence, and the steps before an upload. */
  readonly terms: string;
}

const copernicusDem: OpenData = {
  name: 'Copernicus DEM GLO-30 and GLO-90',
  url: 'https://dataspace.copernicus.eu/',
  terms: 'Free for general use with attribution (© DLR e.V., © Airbus Defence and Space). Metres already.',
};
const era5Land: OpenData = {
  name: 'ERA5-Land',
  url: 'https://cds.climate.copernicus.eu/',
  terms: 'Copernicus licence: free with attribution. Aggregate the years yourself.',
};
const openStreetMap: OpenData = {
  name: 'OpenStreetMap',
  url: 'https://download.geofabrik.de/',
  terms: 'ODbL 1.0. Upload the lines as a vector, then make the distances here with the recipe `distance`.',
};
const soilGrids: OpenData = {
  name: 'SoilGrids 2.0',
  url: 'https://soilgrids.org/',
  terms: 'CC BY 4.0.',
};

/** Sources of open data for each slot, by the key of the slot. */
export const openData: Readonly<Record<string, readonly OpenData[]>> = {
  dem: [copernicusDem],
  'land-cover': [
    {
      name: 'ESA WorldCover 2021 v200',
      url: 'https://esa-worldcover.org/',
      terms: 'CC BY 4.0. The classes are those of the slot.',
    },
  ],
  'protected-areas': [
    {
      name: 'World Database on Protected Areas (WDPA)',
      url: 'https://www.protectedplanet.net/',
      terms:
        'Non-commercial use only without permission of UNEP-WCMC. Rasterise with the classes of the slot.',
    },
  ],
  precipitation: [
    {
      name: 'CHELSA 2.1',
      url: 'https://www.chelsa-climate.org/',
      terms: 'Free with citation. BIO12, with its scale.',
    },
    {
      name: 'WorldClim 2.1',
      url: 'https://www.worldclim.org/',
      terms: 'Read its terms before commercial use. BIO12, mm.',
    },
    era5Land,
  ],
  pet: [
    {
      name: 'Global Aridity Index and Potential Evapotranspiration Database v3',
      url: 'https://doi.org/10.6084/m9.figshare.7504448',
      terms: 'CC BY 4.0. The yearly ET0.',
    },
    era5Land,
  ],
  'temperature-sum': [era5Land],
  'snow-depth': [{ ...era5Land, terms: `${era5Land.terms} Metres: multiply by 100.` }],
  'soil-texture': [
    {
      name: 'OpenLandMap soil texture class (USDA)',
      url: 'https://openlandmap.org/',
      terms: 'CC BY-SA 4.0. The codes are those of the slot.',
    },
    { ...soilGrids, terms: 'CC BY 4.0. Derive the USDA classes from sand, silt and clay.' },
  ],
  'soil-organic-carbon': [{ ...soilGrids, terms: 'CC BY 4.0. `soc` is in dg/kg: divide by 10.' }],
  'soil-salinity': [
    {
      name: 'Global Map of Salt-affected Soils (GSASmap)',
      url: 'https://www.fao.org/global-soil-partnership/gsasmap/en/',
      terms: 'Read the terms of FAO before commercial use. ECe of the topsoil.',
    },
  ],
  ndvi: [
    {
      name: 'MODIS MOD13Q1',
      url: 'https://lpdaac.usgs.gov/products/mod13q1v061/',
      terms: 'No restrictions. Multiply by 0.0001.',
    },
  ],
  'distance-water': [
    openStreetMap,
    {
      name: 'HydroRIVERS',
      url: 'https://www.hydrosheds.org/products/hydrorivers',
      terms: 'Free with attribution, also for commercial use.',
    },
    {
      name: 'JRC Global Surface Water',
      url: 'https://global-surface-water.appspot.com/',
      terms: 'Free with attribution (EC JRC/Google).',
    },
  ],
  'distance-road': [openStreetMap],
};
