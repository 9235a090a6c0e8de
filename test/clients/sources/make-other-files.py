"""The part of make-files.py about GRIB, HDF4, Erdas Imagine and ASCII grids; it has its names."""
import zipfile

import eccodes
from pyhdf.HDF import HC, HDF
from pyhdf.SD import SD, SDC
from pyhdf.V import *  # noqa: F403: HDF.vgstart needs it


def write_grib(file, sample, fields):
    """Messages from a sample of ecCodes."""
    with open(folder / file, "wb") as out:
        for keys, values in fields:
            message = eccodes.codes_grib_new_from_samples(sample)
            for key, value in keys.items():
                eccodes.codes_set(message, key, value)
            if np.isnan(values).any():
                eccodes.codes_set(message, "bitmapPresent", 1)
                eccodes.codes_set(message, "missingValue", 1e30)
            eccodes.codes_set_values(message, np.where(np.isnan(values), 1e30, values).ravel())
            eccodes.codes_write(message, out)
            eccodes.codes_release(message)


def lat_lon(lat, lon, is_first):
    keys = {
        "Ni": len(lon), "Nj": len(lat),
        "latitudeOfFirstGridPointInDegrees": lat[0], "latitudeOfLastGridPointInDegrees": lat[-1],
        "longitudeOfFirstGridPointInDegrees": lon[0], "longitudeOfLastGridPointInDegrees": lon[-1],
        "iDirectionIncrementInDegrees": abs(lon[1] - lon[0]), "jDirectionIncrementInDegrees": abs(lat[1] - lat[0]),
        "jScansPositively": int(lat[-1] > lat[0]), "bitsPerValue": 24,
    }
    return keys


grib_grids = {
    "era5": (np.arange(56, 39.9, -0.25), np.arange(46, 88.1, 0.25)),
    "gfs": (np.arange(90, -90.1, -2.0), np.arange(0, 359, 2.0)),
    "upward": (np.arange(40, 50.1, 0.5), np.arange(60, 70.1, 0.5)),
    "west": (np.arange(50, 40, -1.0), np.arange(350, 360, 1.0)),
}
for edition, sample in ((1, "regular_ll_sfc_grib1"), (2, "regular_ll_sfc_grib2")):
    for name, (lat, lon) in grib_grids.items():
        file = f"{name}-{edition}.grib"
        fields, written = [], []
        for step, (date, hour) in enumerate(((20200131, 0), (20200131, 1200), (20200201, 0))):
            values = rng.random((len(lat), len(lon))) * 60 + 240
            if name == "era5":
                values[3:5, 4:9] = np.nan
            keys = {**lat_lon(lat, lon, step == 0), "dataDate": date, "dataTime": hour, "stepRange": "0", "shortName": "2t"}
            fields.append((keys, values))
        write_grib(file, sample, fields)
        with open(folder / file, "rb") as opened:
            for step, when in enumerate(("2020-01-31T00:00:00", "2020-01-31T12:00:00", "2020-02-01T00:00:00")):
                message = eccodes.codes_grib_new_from_file(opened)
                eccodes.codes_set(message, "missingValue", 1e30)
                read = eccodes.codes_get_values(message).reshape(len(lat), len(lon))
                read = np.where(read == 1e30, np.nan, read)
                eccodes.codes_release(message)
                if step != 1:
                    values, grid = north_up(read, lat, lon)
                    expect(file, "grib", "*", {"time": step}, values, grid, when=when, period=[when[:10]] * 2)
    for kind, name, words in (("regular_gg", "gaussian", "Gaussian"), ("rotated_ll", "rotated", "rotated pole"), ("reduced_gg", "reduced", "Gaussian"), ("sh", "harmonics", "harmonics")):
        sample_name = f"{kind}_{'ml' if kind == 'sh' else 'sfc'}_grib{edition}" if kind != "reduced_gg" else f"reduced_gg_pl_32_grib{edition}"
        try:
            message = eccodes.codes_grib_new_from_samples(sample_name)
        except eccodes.CodesInternalError:
            continue
        with open(folder / f"{name}-{edition}.grib", "wb") as out:
            eccodes.codes_write(message, out)
        eccodes.codes_release(message)
        refuse(f"{name}-{edition}.grib", "grib", None, words)
    # A message that states another length than it has: the library would make a field without values.
    message = bytearray((folder / f"upward-{edition}.grib").read_bytes())
    at, width = (4, 3) if edition == 1 else (8, 8)
    message[at : at + width] = (int.from_bytes(message[at : at + width], "big") - 100).to_bytes(width, "big")
    (folder / f"wrong-length-{edition}.grib").write_bytes(message)
    refuse(f"wrong-length-{edition}.grib", "grib", None, "cut short")
    # Two grids in one file.
    (folder / f"two-{edition}.grib").write_bytes((folder / f"upward-{edition}.grib").read_bytes() + (folder / f"west-{edition}.grib").read_bytes())
    refuse(f"two-{edition}.grib", "grib", None, "2 different grids")

structure = """GROUP=SwathStructure
END_GROUP=SwathStructure
GROUP=GridStructure
\tGROUP=GRID_1
\t\tGridName="%s"
\t\tXDim=72
\t\tYDim=36
\t\tUpperLeftPointMtrs=(%s)
\t\tLowerRightMtrs=(%s)
\t\tProjection=%s
%s\t\tGridOrigin=HDFE_GD_UL
\t\tGROUP=Dimension
\t\tEND_GROUP=Dimension
\t\tGROUP=DataField
\t\t\tOBJECT=DataField_1
\t\t\t\tDataFieldName="%s"
\t\t\t\tDataType=DFNT_INT16
\t\t\t\tDimList=("YDim","XDim")
\t\t\tEND_OBJECT=DataField_1
\t\tEND_GROUP=DataField
\t\tGROUP=MergedFields
\t\tEND_GROUP=MergedFields
\tEND_GROUP=GRID_1
END_GROUP=GridStructure
GROUP=PointStructure
END_GROUP=PointStructure
END
"""


def write_hdf_eos(file, grid, field, corners, projection, more=""):
    path = str(folder / file)
    data = SD(path, SDC.WRITE | SDC.CREATE | SDC.TRUNC)
    data.attr("StructMetadata.0").set(SDC.CHAR8, (structure % (grid, *corners, projection, more, field)).ljust(32000, "\0"))
    data.attr("HDFEOSVersion").set(SDC.CHAR8, "HDFEOS_V2.17")
    variable = data.create(field, SDC.INT16, (36, 72))
    variable.dim(0).setname(f"YDim:{grid}")
    variable.dim(1).setname(f"XDim:{grid}")
    for name, type_, value in (("long_name", SDC.CHAR8, field), ("units", SDC.CHAR8, "NDVI"), ("valid_range", SDC.INT16, [-2000, 10000]), ("_FillValue", SDC.INT16, -3000), ("scale_factor", SDC.FLOAT64, 10000.0), ("add_offset", SDC.FLOAT64, 0.0)):
        variable.attr(name).set(type_, value)
    values = (np.arange(36 * 72).reshape(36, 72) * 6 - 3000).astype("i2")
    variable[:] = values
    reference = variable.ref()
    variable.endaccess()
    data.end()
    file_ = HDF(path, HC.WRITE)
    groups = file_.vgstart()
    outer = groups.create(grid)
    outer._class = "GRID"
    for name in ("Data Fields", "Grid Attributes"):
        inner = groups.create(name)
        inner._class = "GRID Vgroup"
        if name == "Data Fields":
            inner.add(HC.DFTAG_NDG, reference)
        outer.insert(inner)
        inner.detach()
    outer.detach()
    groups.end()
    file_.close()
    return np.where((values < -2000) | (values > 10000), np.nan, values / 10000)


values = write_hdf_eos("mod13c2.hdf", "MOD_Grid_monthly_CMG_VI", "CMG 0.05 Deg Monthly NDVI", ("-180000000.000000,90000000.000000", "180000000.000000,-90000000.000000"), "GCTP_GEO")
expect("mod13c2.hdf", "hdf4", "eos_grids/MOD_Grid_monthly_CMG_VI/Data Fields/CMG 0.05 Deg Monthly NDVI", {}, values, [-177.5, 87.5, 5, 5])
sinusoidal = "\t\tProjParams=(6371007.181000,0,0,0,0,0,0,0,0,0,0,0,0)\n\t\tSphereCode=-1\n"
values = write_hdf_eos("mod13q1.hdf", "MODIS_Grid_16DAY_250m_500m_VI", "250m 16 days NDVI", ("5559752.598333,5559752.598333", "6671703.118000,5003777.338500"), "GCTP_SNSOID", sinusoidal)
step = (6671703.118 - 5559752.598333) / 72, (5559752.598333 - 5003777.3385) / 36
expect("mod13q1.hdf", "hdf4", "eos_grids/MODIS_Grid_16DAY_250m_500m_VI/Data Fields/250m 16 days NDVI", {}, values, [5559752.598333 + step[0] / 2, 5559752.598333 - step[1] / 2, *step], crs="+proj=sinu +lon_0=0 +R=6371007.181 +units=m +no_defs")
data = SD(str(folder / "plain.hdf"), SDC.WRITE | SDC.CREATE | SDC.TRUNC)
variable = data.create("precip", SDC.FLOAT32, (4, 6))
variable[:] = np.arange(24.0).reshape(4, 6).astype("f4")
for index, (name, values) in enumerate((("lat", [52.0, 53.0, 54.0, 55.0]), ("lon", [60.0, 61.0, 62.0, 63.0, 64.0, 65.0]))):
    dimension = variable.dim(index)
    dimension.setname(name)
    dimension.setscale(SDC.FLOAT64, values)
variable.endaccess()
data.end()
expect("plain.hdf", "hdf4", "scientific_datasets/precip", {}, np.arange(24.0).reshape(4, 6)[::-1], [60, 55, 1, 1])
data = SD(str(folder / "outside.hdf"), SDC.WRITE | SDC.CREATE | SDC.TRUNC)
variable = data.create("v", SDC.FLOAT32, (4, 6))
variable.setexternalfile(str(folder / "outside.bin"), 0)
variable[:] = np.ones((4, 6), "f4")
variable.endaccess()
data.end()
refuse("outside.hdf", "hdf4", None, "other files")

for dtype in ("uint8", "int16", "float32", "float64"):
    values = (rng.random((2, 70, 90)) * 200).astype(dtype)
    with rasterio.open(folder / f"{dtype}.img", "w", driver="HFA", height=70, width=90, count=2, dtype=dtype, crs="EPSG:32642", transform=rasterio.transform.from_origin(500000, 5400000, 30, 30), nodata=7, COMPRESSED="YES") as out:
        out.write(values)
    expect(f"{dtype}.img", "imagine", "band 2", {}, np.where(values[1] == 7, np.nan, values[1].astype("f8")), [500015, 5399985, 30, 30], crs="EPSG:32642")
with rasterio.open(folder / "spilled.img", "w", driver="HFA", height=70, width=90, count=1, dtype="uint8", USE_SPILL="YES") as out:
    out.write(np.ones((1, 70, 90), "uint8"))
refuse("spilled.img", "imagine", None, "other files")

rows = np.arange(12.0).reshape(3, 4)
for name, header, factor in (
    ("corner", "ncols 4\nnrows 3\nxllcorner 60\nyllcorner 40\ncellsize 0.5\nNODATA_value -9999\n", 1),
    ("centre", "NCOLS 4\r\nNROWS 3\r\nXLLCENTER 60.25\r\nYLLCENTER 40.25\r\nCELLSIZE 0.5\r\nNODATA_VALUE -9999\r\n", 0.25),
    ("no-nodata", "ncols        4\nnrows        3\nxllcorner    60.0\nyllcorner    40.0\ncellsize     0.5\n", 1e-7),
    ("comma", "ncols 4\nnrows 3\nxllcorner 60,0\nyllcorner 40,0\ncellsize 0,5\nNODATA_value -9999\n", 1.5),
    ("dx", "ncols 4\nnrows 3\nxllcorner 60\nyllcorner 40\ndx 0.5\ndy 0.5\nNODATA_value -9999\n", 100000),
):
    values = rows * factor
    values[1, 1] = -9999
    lines = "\n".join(" ".join(repr(float(v)).replace(".", "," if name == "comma" else ".") if factor % 1 else str(int(v)) for v in row) for row in values)
    (folder / f"{name}.asc").write_text(header + lines)
    expect(f"{name}.asc", "ascii-grid", "band 1", {}, np.where(values == -9999, np.nan, values), [60.25, 41.25, 0.5, 0.5], crs=None)
(folder / "words.asc").write_text("ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 two")
refuse("words.asc", "ascii-grid", None, "not a number")
(folder / "short.asc").write_text("ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3")
refuse("short.asc", "ascii-grid", None, "cut short")

# Tiles in an archive, each read alone; what becomes of all of them is another test.
with zipfile.ZipFile(folder / "tiles.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for name in ("uint8.img", "int16.img", "centre.asc"):
        archive.write(folder / name, f"tiles/{name}")
    with rasterio.open(folder / "float32.img") as data:
        values, profile = data.read(), data.profile
    with rasterio.open(folder / "tile.tif", "w", **{**profile, "driver": "GTiff", "tiled": True, "blockxsize": 32, "blockysize": 32, "compress": "deflate"}) as out:
        out.write(values)
    archive.write(folder / "tile.tif", "tiles/tile.tif")
    heights = rng.integers(-100, 5000, (1201, 1201)).astype(">i2")
    heights[7, 9] = -32768
    archive.writestr("tiles/N47E066.hgt", heights.tobytes())
# In the order of their names: N47E066.hgt, centre.asc, int16.img, tile.tif, uint8.img.
second = 1 / 1200
expect("tiles.zip", "zip", "band 1", {}, np.where(heights == -32768, np.nan, heights.astype("f8")), [66, 48, second, second], tile=0)
expect("tiles.zip", "zip", "band 1", {}, np.where(values[0] == 7, np.nan, values[0].astype("f8")), [500015, 5399985, 30, 30], crs="EPSG:32642", tile=3)
with rasterio.open(folder / "uint8.img") as data:
    values = data.read(1)
expect("tiles.zip", "zip", "band 1", {}, np.where(values == 7, np.nan, values.astype("f8")), [500015, 5399985, 30, 30], crs="EPSG:32642", tile=4)
for name, entries, words in (
    ("link", {"a.tif": "../../etc/passwd"}, "link"),
    ("nested", {"N47E066.hgt.zip": "PK"}, "no tiles"),
):
    with zipfile.ZipFile(folder / f"{name}.zip", "w") as archive:
        for path, content in entries.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (0o120777 if name == "link" else 0o100644) << 16
            archive.writestr(entry, content)
    refuse(f"{name}.zip", "zip", None, words)
