/** No value changes in silence. */
export const rows = {
  'D9 cells dbf':
    'Cells of a .dbf are what the bytes say: a value that fits the declared type is of that type, any other is its text, which goes through the rules for cells',
  'D9 cells gpkg':
    'Cells of a GeoPackage are what SQLite stores (typeof): a value that fits the declared type is of that type, any other is its text',
  'D9 cells whole':
    'Nothing is cut, wrapped or made 0: decimals of integer columns, twenty digits, large integers, text',
  'D9 cells properties':
    'Properties of .gpkg and shapefiles are the same values as the cells of a table by KATO',
  'D9 columns': 'Columns of any declared SQL type are columns',
  'D9 missing':
    'Missing is null and the key stays, in every row: blanks, stars, 00000000 in D, ? in L, NaN in N',
  'D9 dates': 'Impossible dates are kept as their text, with the warning dates_impossible',
  'D9 binary dbf':
    'Binary dbf types are read, or the column is named in the warning columns_left_out and left out',
  'D9 ids': 'Ids of GeoJSON features are a column id when no property is called so',
  'D9 ids left out': 'Else they are left out with the warning ids_left_out',
  'D9 codes':
    'KATO codes match whatever a spreadsheet did to them: .0, an apostrophe, blanks, U+00A0 and U+200B inside or round the digits, an exponent in a numeric cell',
  'D9 codes padding': 'A code of eight digits or fewer is not padded',
  'D9 codes repaired': 'kato_code is the repaired code, and the warning codes_repaired counts repairs',
  'D9 encodings':
    'A declared encoding whose letters are far less likely than those of another is overruled, with the warning encoding_overruled, which names both',
  'D9 encodings UTF-8': 'Valid multi-byte UTF-8 always wins',
  'D9 encodings kept': 'A declaration that fits is not overruled',
  'D9 longitudes':
    'Longitudes from −360 to 360 of a GeoJSON without crs, a GeoPackage and a shapefile are read on the turned circle, with the warning longitudes_turned',
  'D9 axes':
    'When no coordinate lies in the box of the districts and all would if swapped, the warning is axes_maybe_swapped; nothing is swapped',
  'D9 quantities': "An SLD quantity is rounded to the raster's type before it is compared",
  'D9 nodata':
    'Nodata is compared as GDAL does, with tolerance for floats, in drawing, legends and statistics',
  'D9 scale': 'Scale and offset count in drawing, styles and legends: quantities are in units',
  'D9 scale report': 'Scale and offset are in the report',
  'D9 solids':
    'Flat pieces of solids (TIN, PolyhedralSurface, Triangle, MultiPatch) are read as their footprint, with the warning solids_flattened',
  'D9 log':
    'A GeoPackage whose edits are in a -wal beside it is read with its log from a zip that holds both',
  'D9 log alone': 'Alone it is refused with a sentence that says to close the program that has it open',
  'D9 first bytes': 'An upload that is refused by its first bytes names what it is, and the way out',
  'D9 other JSON': 'JSON that is no GeoJSON is named too: JSON Lines, TopoJSON',
  'D9 datum': 'A CRS with no way to WGS 84 better than ballpark: datum_unknown, of vectors and rasters',
  'D9 nodata suspected':
    "Half or more of a raster at −32768, −9999, −99999 or the type's minimum without a nodata tag: nodata_suspected",
  'D9 style property': "A style's rule over a property that no feature has is told by the name of its rule",
  'D9 style part': "A style's part that is not drawn is told by the name of its rule",
  'D9 other warnings':
    'Every warning that GDAL raises is known by code or counted as other_warnings with its text',
  'D9 languages': 'The new warnings are said in English, Russian and Kazakh',
  'D9 described': 'Their codes are listed in the description of the interface',
};
