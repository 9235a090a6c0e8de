"""Writes rasters with GDAL, and remembers how each is to be drawn."""

import re

import numpy as np
import rasterio
import rasterio.shutil
from rasterio.enums import ColorInterp, Resampling

GTIFF = {"TILED": "YES", "COMPRESS": "DEFLATE"}


class Writer:
    def __init__(self, folder, wanted):
        self.folder = folder
        self.wanted = wanted
        self.cases = []

    def plain(self, name, data, crs, affine, options=GTIFF, paint=None, sld=None, **more):
        """A GeoTIFF without overviews, which the service makes a COG of."""
        if not self._wants(name):
            return
        path = self._path(name)
        self._write(path, data, crs, affine, options, **more)
        self._remember(name, path, paint, sld, kept=False)

    def cog(self, name, data, crs, affine, paint=None, sld=None, mask=None, colours=None, lossy=0, **options):
        """A COG by GDAL's driver for them."""
        if not self._wants(name):
            return
        path = self._path(name)
        source = path.with_suffix(".source.tif")
        self._write(source, data, crs, affine, GTIFF, mask=mask, colours=colours)
        options = {"OVERVIEW_RESAMPLING": "MODE" if lossy == 0 else "AVERAGE", **options}
        rasterio.shutil.copy(source, path, driver="COG", **options)
        self._remember(name, path, paint, sld, kept=True, lossy=lossy)

    def laid_out(self, name, data, crs, affine, paint=None, sld=None, **options):
        """A COG in a form that the driver for COGs does not write."""
        if not self._wants(name):
            return
        path = self._path(name)
        source = path.with_suffix(".source.tif")
        apart = {key: value for key, value in options.items() if key == "INTERLEAVE"}
        self._write(source, data, crs, affine, {**GTIFF, **apart})
        with rasterio.open(source, "r+") as raster:
            raster.build_overviews([2, 4], Resampling.nearest)
        creation = {"TILED": "YES", "BLOCKXSIZE": 512, "BLOCKYSIZE": 512, "COPY_SRC_OVERVIEWS": "YES"}
        rasterio.shutil.copy(source, path, driver="GTiff", **creation, **options)
        self._remember(name, path, paint, sld, kept=True)

    def _wants(self, name):
        return len(self.wanted) == 0 or name in self.wanted

    def _path(self, name):
        return self.folder / (re.sub(r"[^A-Za-z0-9-]+", "_", name) + ".tif")

    def _remember(self, name, path, paint, sld, kept, lossy=0):
        case = {"name": name, "file": path.name, "kept": kept, "paint": paint, "lossy": lossy}
        self.cases.append(case if sld is None else {**case, "sld": sld})

    def _write(self, path, data, crs, affine, options, nodata=None, mask=None, alpha=False, colours=None):
        bands = data if data.ndim == 3 else data[None]
        count, height, width = bands.shape
        shape = {"count": count, "height": height, "width": width, "dtype": bands.dtype.name}
        place = {"crs": crs, "transform": affine, "nodata": nodata}
        is_colour = count >= 3 and np.issubdtype(bands.dtype, np.unsignedinteger)
        interleave = options.get("INTERLEAVE", "PIXEL")
        meaning = {"photometric": "RGB"} if is_colour and interleave == "PIXEL" else {}
        if alpha:
            meaning["alpha"] = "YES"
        with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
            with rasterio.open(path, "w", driver="GTiff", **shape, **place, **meaning, **options) as raster:
                if alpha:
                    raster.colorinterp = [*raster.colorinterp[:-1], ColorInterp.alpha]
                if colours is not None:
                    raster.write_colormap(1, colours)
                raster.write(bands)
                if mask is not None:
                    raster.write_mask(mask)
