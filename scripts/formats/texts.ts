import { readConfig } from '../../src/config.ts';
import type { FileType } from '../../src/database/tables/tables.ts';
import { extensionsByFileType } from '../../src/datasets/original/content-kind.ts';
import { maxFeatures } from '../../src/geo/child/vector/features/feature-writer.ts';
import { maxRasterValues } from '../../src/geo/child-program.ts';
import { maxFeatureColumns } from '../../src/geo/flatgeobuf/layout.ts';
import { GiB } from '../../src/lib/units.ts';

const typesOf = (fileType: FileType): string =>
  extensionsByFileType[fileType].map((extension) => `\`${extension}\``).join(', ');

const defaults = readConfig({});

export const everyText = `| \`file_type\` | Extensions | Contents |
|---|---|---|
| \`vector\` | ${typesOf('vector')} | GeoJSON, GeoPackage, or an archive with one of them or a shapefile |
| \`vector_with_kato\` | ${typesOf('vector_with_kato')} | the same, with a column of KATO codes; geometry is not needed |
| \`raster\` | ${typesOf('raster')} | GeoTIFF and BigTIFF |
| a style | \`.sld\`, \`.xml\` | Styled Layer Descriptor, up to 5 MiB |

The page also reads \`.xlsx\`, \`.xls\`, \`.ods\`, \`.csv\` and text tables, and sends them as \`vector_with_kato\`.

| Limit | Usual value | Setting |
|---|---|---|
| one request | ${defaults.maxUploadBytes / GiB} GiB | \`HTTP_MAX_UPLOAD_BYTES\` |
| an upload in pieces (tus) | ${defaults.uploadLimits.maxBytes / GiB} GiB | \`RESUMABLE_MAX_BYTES\` |
| time to process a file | ${defaults.engineDeadlineSeconds / 60} minutes | \`ENGINE_DEADLINE_SECONDS\` |
| values of a raster, all bands together | ${maxRasterValues.toLocaleString('en')} | |
| features of a FlatGeobuf, and of \`/ogc\` | ${maxFeatures.toLocaleString('en')} | |
| columns of a FlatGeobuf | ${maxFeatureColumns.toLocaleString('en')} | |

The original file is stored unchanged, and can be downloaded. If its name or its first bytes do not fit, the upload is refused with 422 on \`file\`. If a file proves unreadable later, its dataset becomes \`failed\`, with
the reason in \`parse_error\`.`;

export const vectorText = `Steppe reads the first layer of a file that has features.

- The output is RFC 7946: WGS 84 longitude and latitude, outer rings counter-clockwise, at most seven decimals, no \`crs\` member.
- The geometry is the union of all features; points, lines and areas may mix. A layer without features and a table without geometry become ready as well.
- Other coordinate systems are transformed. Without one, coordinates are longitude and latitude if all of them are in range. Longitudes from −360 to 360 are normalised to −180 to 180.
- If latitude comes first, Steppe never swaps the coordinates, but reports it.
- A polygon that is not valid is repaired: overlapping holes, and holes beyond the outline, contain no land.
- Curves become lines. Flat pieces of solids (TIN, polyhedral surface, triangle, MultiPatch) are read as their footprint.
- Heights (Z) stay as in the file, in its unit, in FlatGeobuf, GeoPackage, GeoParquet and single features of \`/ogc\`. The dissolved GeoJSON and all maps are in the plane. Measures (M) are left out.`;

export const geojsonText = `\`.geojson\` in UTF-8, with or without a byte-order mark: a FeatureCollection, a Feature or a geometry.

- Properties keep their own text, digit by digit: \`1.10\` stays \`1.10\`, and a number beyond a double keeps its digits. Missing properties stay missing.
- Ids of features become a column \`id\` if no property has that name.
- A \`crs\` member is used if it names an EPSG number or CRS84; it is never fetched.`;

export const archiveText = `\`.zip\`, with Zip64 and data descriptors, with Deflate or uncompressed, names in UTF-8, cp866 or windows-1251, with \`/\` or \`\\\`. At any depth it contains one shapefile, one \`.geojson\`
or one \`.gpkg\`, a \`.gpkg\` with its \`-wal\`. Hidden files and \`__MACOSX\` are ignored.`;

export const shapefileText = `A \`.zip\` with \`.shp\` and \`.dbf\`, and optionally \`.shx\`, \`.prj\`, \`.cpg\`, \`.cst\` and \`.shp.xml\`. The charset of texts is the first of these that exists:

1. the charset in \`.cpg\`;
2. the charset in \`.cst\`;
3. the language byte of the \`.dbf\`;
4. UTF-8 if the texts are valid UTF-8;
5. the most likely of windows-1251, cp866, ISO-8859-5 and KZ-1048, by the letters.

If the letters contradict a declared charset, the letters decide; valid multi-byte UTF-8 always wins. Cells are read from the bytes of the \`.dbf\`:

| Type | Value | Missing: null |
|---|---|---|
| C | the text without blanks at its end | blanks |
| N, F | a number if the field fits the declared type, otherwise its text | blanks, stars, NaN |
| D | the date, \`2020-01-31\`; an impossible one is its text | blanks, stars, \`00000000\` |
| L | its letter (\`T\`, \`Y\`, \`F\`, \`N\`) | blank, \`?\`, stars |
| I, B (of eight bytes), Y, T, @ of FoxPro | the number or the time | blanks |
| other binary types, and M | an empty column is read; any other column is left out, with a warning | |`;

export const geopackageText = `\`.gpkg\`: tables and registered views, with the coordinate system of the layer.

- A cell has the type that SQLite stores (\`typeof()\`), whatever type its column declares: numbers keep all their digits, texts are texts, bytes become hexadecimal digits; 0 and 1 in a column of booleans are false and true.
- A column may declare any type.
- If the latest changes of a file are still in its \`-wal\`, put both into one \`.zip\`.
- Steppe runs no SQL of the file except views that read the file's own tables by harmless functions.`;

export const flatGeobufText = `\`.fgb\`, version 3, of any writer, by its address on another server (\`POST /datasets/references\`); uploads have the formats above. Its features are read in the order of the file, without its index.

- Cells keep all their digits: a number of 32 bits has the shortest decimal that is this number, a 64-bit integer all its digits. Bytes become hexadecimal digits, a missing value null.
- Its WKT is the coordinate system, otherwise its code.
- A file with more or fewer features than its header names is refused.`;

export const tableText = `A dataset of the type \`vector_with_kato\` may have any of the formats above. Its columns are those of the file, in the same order.

- KATO codes match units of any level, whatever a spreadsheet has done to them: \`110000000.0\`, \`1.1E+8\` from a numeric cell, an apostrophe in front, blanks and invisible characters around or between the digits all mean \`110000000\`.
- No digit is added: a code of eight digits stays as it is.
- Rows without a code are skipped.
- Each row gives an observation for each mapped column, including empty cells.`;

export const rasterText = `\`.tif\` and \`.tiff\`: TIFF and BigTIFF, with any compression and type of values that GDAL reads.

- The COG keeps CRS, grid, bands, type, nodata, colour table, scale, offset and metadata without loss. An upload that is a valid COG is kept as it is, unless its overviews do not match its pixels.
- Values are in units (value × scale + offset) in tiles, legends and statistics.
- A nodata value is compared as in GDAL, with a tolerance for floating point; quantities of a style are rounded to the type of the raster before they are compared.`;

export const workbookText = `\`.xlsx\` and \`.ods\` up to 16 MiB, 128 MiB unpacked, with at most 200,000 cells with content, as templates of [forms](forms.md). Nothing in a workbook is run or loaded: one with macros, controls, embedded objects, connections or links to other files is refused, and so is a signed one, because filling would break its signature.`;

export const styleText = `\`.sld\` and \`.xml\` up to 5 MiB: SLD 1.0.0 and 1.1.0 with the root element StyledLayerDescriptor, in UTF-8, UTF-16 or any encoding that the file declares, without DOCTYPE. The style is stored unchanged.
[maps.md](maps.md) describes the parts that are drawn. The header \`X-Style-Left-Out\` and \`GET …/sld/report\` name the other parts, by these codes:`;
