"""Reads tiles by GDAL's driver OGCAPI: a raster into a GeoTIFF, and the features of a zoom of vector tiles as JSON lines."""

import ctypes
import glob
import json
import os
import sys

import pyogrio
from pyogrio.raw import read

base, raster, picture, box, *collections = sys.argv[1:]

# Wheels of pyogrio have a whole GDAL, of which they show vectors alone.
folder = os.path.join(os.path.dirname(pyogrio.__file__), '..', 'pyogrio.libs')
gdal = ctypes.CDLL(glob.glob(os.path.join(folder, 'libgdal*'))[0])
pointer, text = ctypes.c_void_p, ctypes.c_char_p
gdal.GDALOpenEx.restype = gdal.GDALCreateCopy.restype = gdal.GDALGetDriverByName.restype = pointer
gdal.GDALOpenEx.argtypes = [text, ctypes.c_uint, pointer, pointer, pointer]
gdal.GDALGetDriverByName.argtypes = [text]
gdal.GDALCreateCopy.argtypes = [pointer, text, pointer, ctypes.c_int, pointer, pointer, pointer]
gdal.GDALClose.argtypes = [pointer]
gdal.GDALAllRegister()
rasters = 2
options = (text * 2)(b'API=TILES', None)
source = gdal.GDALOpenEx(f'OGCAPI:{base}/ogc/collections/{raster}'.encode(), rasters, None, options, None)
assert source, 'GDAL cannot open the raster'
copy = gdal.GDALCreateCopy(gdal.GDALGetDriverByName(b'GTiff'), picture.encode(), source, 0, None, None, None)
assert copy, 'GDAL cannot read the raster'
gdal.GDALClose(copy)
gdal.GDALClose(source)

# Of vector tiles, GDAL takes the box of the collection for metres.
bounds = dict(zip(['MINX', 'MINY', 'MAXX', 'MAXY'], box.split(',')))
for collection in collections:
    at = f'OGCAPI:{base}/ogc/collections/{collection}'
    meta, _, _, columns = read(at, layer='Zoom level 2', API='TILES', **bounds)
    rows = zip(*[column.tolist() for column in columns])
    print(json.dumps([dict(zip(meta['fields'].tolist(), row)) for row in rows], ensure_ascii=False))
