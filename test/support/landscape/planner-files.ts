import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { netcdfFile, type NetcdfVariable } from '../geo/netcdf-files.ts';
import { hostileZip } from '../hostile/hostile-zip.ts';
import { projectRoot } from '../project.ts';

/** The files of an agency over the region of the demonstration, as they come: paths by what they are. */
export interface PlannerFiles {
  /** Polygons in Pulkovo 1942, zone 12, with texture, organic carbon and salinity. */
  readonly soil: string;
  /** Three tiles of measured elevation, side by side with a common strip. */
  readonly tiles: readonly string[];
  /** Means of twelve months as ERA5-Land has them: kelvin, and metres a day. Its values are made up. */
  readonly climate: string;
  /** Lines in UTM, with Cyrillic names in windows-1251. */
  readonly roads: string;
}

export const soilTextures = ['Глина', 'Суглинок средний', 'Супесь', 'Суглинок тяжёлый'] as const;

/** Writes the files into a folder. */
export async function writePlannerFiles(folder: string): Promise<PlannerFiles> {
  const climate = join(folder, 'era5-land-2020.nc');
  await writeFile(climate, climateFile());
  return {
    soil: writeSoilMap(join(folder, 'pochvy.gpkg')),
    tiles: writeTiles(folder),
    climate,
    roads: await writeRoads(folder),
  };
}

/** The box of the demonstration, degrees. */
const [west, south, east, north] = [68, 51.7, 69.5, 52.8] as const;

function writeTiles(folder: string): string[] {
  const source = gdal.open(join(projectRoot, 'examples/landscape/dem.tif'));
  const { x: width, y: height } = source.rasterSize;
  const paths = [0, 1, 2].map((index) => {
    const from = Math.max(0, Math.floor((index * width) / 3) - 6);
    const to = Math.floor(((index + 1) * width) / 3);
    const path = join(folder, `relief-${index + 1}.tif`);
    gdal
      .translate(path, source, [
        '-srcwin',
        ...[from, 0, to - from, height].map(String),
        '-co',
        'COMPRESS=LZW',
      ])
      .close();
    return path;
  });
  source.close();
  return paths;
}

/** Five by four patches, each somewhat beyond its neighbours so that none leaves a gap. */
function writeSoilMap(path: string): string {
  const [columns, rows, beyond] = [5, 4, 0.002];
  const file = gdal.drivers.get('GPKG').create(path);
  const system = gdal.SpatialReference.fromEPSG(28_412);
  const toGrid = fromDegreesTo(system);
  const layer = file.layers.create('pochvy', system, gdal.wkbPolygon);
  layer.fields.add(new gdal.FieldDefn('Мехсостав', gdal.OFTString));
  layer.fields.add(new gdal.FieldDefn('Corg', gdal.OFTReal));
  layer.fields.add(new gdal.FieldDefn('EC', gdal.OFTReal));
  for (let index = 0; index < columns * rows; index += 1) {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const x = (at: number): number => west + ((east - west) * at) / columns;
    const y = (at: number): number => south + ((north - south) * at) / rows;
    const [left, right] = [x(column) - beyond, x(column + 1) + beyond];
    const [bottom, top] = [y(row) - beyond, y(row + 1) + beyond];
    const corners = [
      [left, bottom],
      [right, bottom],
      [right, top],
      [left, top],
      [left, bottom],
    ];
    const ring = corners.map(([lon, lat]) => `${lon} ${lat}`).join(', ');
    const geometry = gdal.Geometry.fromWKT(`POLYGON ((${ring}))`);
    geometry.transform(toGrid);
    const feature = new gdal.Feature(layer);
    feature.fields.set([
      soilTextures[index % soilTextures.length],
      12 + (index % 7) * 3.5,
      (index % 6) * 1.5,
    ]);
    feature.setGeometry(geometry);
    layer.features.add(feature);
  }
  file.close();
  return path;
}

async function writeRoads(folder: string): Promise<string> {
  const path = join(folder, 'dorogi.shp');
  const system = gdal.SpatialReference.fromEPSG(32_642);
  const toGrid = fromDegreesTo(system);
  const file = gdal.drivers.get('ESRI Shapefile').create(path);
  const layer = file.layers.create('dorogi', system, gdal.wkbLineString, ['ENCODING=CP1251']);
  layer.fields.add(new gdal.FieldDefn('Название', gdal.OFTString));
  const roads = [
    ['Кокшетау — Астана', 'LINESTRING (67.9 52.9, 68.6 52.3, 69.1 52, 69.6 51.6)'],
    ['Атбасар — Державинск', 'LINESTRING (67.9 51.8, 68.4 51.82, 69 51.75)'],
  ] as const;
  for (const [name, line] of roads) {
    const geometry = gdal.Geometry.fromWKT(line);
    geometry.transform(toGrid);
    const feature = new gdal.Feature(layer);
    feature.fields.set([name]);
    feature.setGeometry(geometry);
    layer.features.add(feature);
  }
  file.close();
  const parts = ['shp', 'shx', 'dbf', 'prj', 'cpg'].map((end) => ({
    name: `dorogi.${end}`,
    bytes: readFileSync(path.replace(/shp$/, end)),
  }));
  const zip = join(folder, 'dorogi.zip');
  await writeFile(zip, hostileZip(parts));
  return zip;
}

/** Transforms longitude and latitude to easting and northing, in this order, whatever that of the system is. */
function fromDegreesTo(system: gdal.SpatialReference): gdal.CoordinateTransformation {
  const degrees = gdal.SpatialReference.fromProj4('+proj=longlat +datum=WGS84');
  return new gdal.CoordinateTransformation(degrees, gdal.SpatialReference.fromProj4(system.toProj4()));
}

/** Twelve months on a grid of 0.1 degrees from north to south, packed in 16 bits as the archive of ERA5-Land does. */
function climateFile(): Buffer {
  const lats = Array.from({ length: 15 }, (_, index) => 52.95 - index * 0.1);
  const lons = Array.from({ length: 19 }, (_, index) => 67.85 + index * 0.1);
  const months = Array.from({ length: 12 }, (_, index) => Date.UTC(2020, index, 1));
  const hoursSince1900 = months.map((month) => (month - Date.UTC(1900, 0, 1)) / 3_600_000);
  const over = (value: (month: number, lat: number) => number) =>
    months.flatMap((_, month) => lats.flatMap((lat) => lons.map(() => value(month, lat))));
  const warmth = (month: number) => Math.cos(((month - 6) * Math.PI) / 6);
  const packed = (name: string, units: string, scale: number, values: readonly number[]): NetcdfVariable => ({
    name,
    type: 'int16',
    dimensions: ['time', 'latitude', 'longitude'],
    attributes: { units, long_name: name, scale_factor: scale, add_offset: 0, _FillValue: -32_767 },
    values: values.map((value) => Math.round(value / scale)),
  });
  return netcdfFile({ time: 12, latitude: lats.length, longitude: lons.length }, [
    axis('latitude', 'degrees_north', lats),
    axis('longitude', 'degrees_east', lons),
    {
      name: 'time',
      type: 'int32',
      dimensions: ['time'],
      attributes: { units: 'hours since 1900-01-01 00:00:00.0', calendar: 'gregorian' },
      values: hoursSince1900,
    },
    packed(
      't2m',
      'K',
      0.01,
      over((month, lat) => 276 + 18 * warmth(month) - (lat - 52)),
    ),
    packed(
      'tp',
      'm',
      1e-7,
      over((month) => 0.0009 + 0.0005 * warmth(month)),
    ),
    packed(
      'sde',
      'm',
      1e-4,
      over((month, lat) => Math.max(0, -0.3 * warmth(month) + (lat - 52) * 0.02)),
    ),
  ]);
}

function axis(name: string, units: string, values: readonly number[]): NetcdfVariable {
  return { name, type: 'float32', dimensions: [name], attributes: { units }, values };
}
