"""Writes files of NetCDF, HDF5, HDF4, GRIB, Erdas Imagine and ASCII grids into a folder, and what independent programs read in them."""
import json
import sys
from pathlib import Path

import cftime
import h5py
import netCDF4
import numpy as np
import rasterio
import xarray as xr

folder = Path(sys.argv[1])
rng = np.random.default_rng(7)
cases = []


def expect(file, format_, variable, positions, values, grid=None, crs="EPSG:4326", period=None, when=None, tile=None):
    """Values north up, with NaN for none; grid = centre of the upper left cell and steps."""
    name = f"expected-{len(cases)}.npy"
    np.save(folder / name, np.asarray(values, dtype="f8"))
    cases.append(dict(file=file, format=format_, variable=variable, positions=positions, expected=name, grid=grid, crs=crs, period=period, when=when, tile=tile))


def refuse(file, format_, variable, words):
    cases.append(dict(file=file, format=format_, variable=variable, refused=words))


def north_up(array, lat, lon):
    """Sorts as the service does: north first, longitudes from -180 to 180."""
    lon = np.asarray(lon, dtype="f8")
    turned = np.where(lon >= 180 - 1e-9, lon - 360, lon)
    is_global = abs(len(lon) * abs(lon[1] - lon[0]) - 360) < 0.01
    if not (is_global or (lon >= 180).all() or (lon < 180).all()):
        turned = lon
    rows, columns = np.argsort(-np.asarray(lat, dtype="f8")), np.argsort(turned)
    lat, lon = np.asarray(lat, dtype="f8")[rows], turned[columns]
    grid = [float(lon[0]), float(lat[0]), float((lon[-1] - lon[0]) / (len(lon) - 1)), float((lat[0] - lat[-1]) / (len(lat) - 1))]
    return np.asarray(array)[rows][:, columns], grid


def expect_xarray(file, format_, variable, positions, engine="netcdf4", group=None, lat="latitude", lon="longitude", name=None, **more):
    with xr.open_dataset(folder / file, engine=engine, group=group, decode_times=False) as data:
        array = data[name or variable].isel(positions).transpose(lat, lon)
        values, grid = north_up(array.values, data[lat].values, data[lon].values)
    expect(file, format_, variable, positions, values, grid, **more)


def climate(file, nc_format, lat, lon, times, units, calendar="standard", dtype="f4", name="t2m", encoding=None, attrs=None, chunk=None, order=None):
    """A file like those of ERA5-Land and CHIRPS, written by the netCDF library."""
    data = netCDF4.Dataset(folder / file, "w", format=nc_format)
    data.Conventions = "CF-1.7"
    sizes = {"time": None, "latitude": len(lat), "longitude": len(lon)}
    order = order or ("time", "latitude", "longitude")
    for dimension, size in sizes.items():
        data.createDimension(dimension, size)
    for dimension, values, unit in (("latitude", lat, "degrees_north"), ("longitude", lon, "degrees_east")):
        variable = data.createVariable(dimension, "f4" if dtype == "f4" else "f8", (dimension,))
        variable.units, variable.long_name = unit, dimension
        variable[:] = values
    variable = data.createVariable("time", "i4" if all(float(t).is_integer() for t in times) else "f8", ("time",))
    variable.units, variable.calendar = units, calendar
    variable[:] = times
    variable = data.createVariable(name, dtype, order, fill_value=(encoding or {}).get("fill"))
    for key, value in (attrs or {"units": "K", "long_name": "2 metre temperature"}).items():
        variable.setncattr(key, value)
    raw = (rng.random((len(times), len(lat), len(lon))) * 20000 - 5000).astype("f8")
    if np.dtype(dtype).kind in "iu":
        limits = np.iinfo(dtype)
        raw = np.clip(np.round(raw), limits.min + 2, limits.max - 2) if limits.max < 30000 else np.round(raw)
    if (encoding or {}).get("fill") is not None:
        raw[:, 1, 2] = encoding["fill"]
    variable.set_auto_maskandscale(False)
    axes = [("time", "latitude", "longitude").index(one) for one in order]
    for step in range(len(times)):
        if order[0] == "time":
            variable[step] = np.transpose(raw, axes)[step].astype(dtype)
    if order[0] != "time":
        variable[:] = np.transpose(raw, axes).astype(dtype)
    data.close()


KZ_LAT, KZ_LON = np.round(np.arange(55.5, 40, -0.5), 4), np.round(np.arange(46, 88, 0.5), 4)
for nc_format, suffix, kind in (("NETCDF3_CLASSIC", "c1", "netcdf"), ("NETCDF3_64BIT_OFFSET", "c2", "netcdf"), ("NETCDF3_64BIT_DATA", "c5", "netcdf"), ("NETCDF4", "n4", "hdf5"), ("NETCDF4_CLASSIC", "n4c", "hdf5")):
    packed = {"scale_factor": 0.0021, "add_offset": 281.4, "units": "K", "long_name": "2 metre temperature", "missing_value": np.int16(-32767)}
    climate(f"era5-land-{suffix}.nc", nc_format, KZ_LAT, KZ_LON, [438288 + 744 * i for i in range(3)], "hours since 1970-01-01 00:00:00.0", dtype="i2", encoding={"fill": -32767}, attrs=packed)
    for step, period in ((0, ["2020-01-01", "2020-01-31"]), (2, ["2020-03-01", "2020-03-31"])):
        expect_xarray(f"era5-land-{suffix}.nc", kind, "t2m", {"time": step}, period=period)
    climate(f"chirps-{suffix}.nc", nc_format, np.arange(40.25, 55, 0.5), KZ_LON, [0, 1, 2], "days since 1980-1-1 0:0:0", dtype="f4", name="precip", encoding={"fill": -9999.0}, attrs={"units": "mm/day", "missing_value": np.float32(-9999)})
    expect_xarray(f"chirps-{suffix}.nc", kind, "precip", {"time": 1}, period=["1980-01-02", "1980-01-02"], when="1980-01-02T00:00:00")

# A global grid from 0 to 360, and one that crosses the 180th meridian.
for suffix, nc_format, kind in (("c2", "NETCDF3_64BIT_OFFSET", "netcdf"), ("n4", "NETCDF4", "hdf5")):
    climate(f"global-{suffix}.nc", nc_format, np.arange(89, -90, -2), np.arange(0, 360, 2.0), [0], "days since 2001-01-01", dtype="f8")
    expect_xarray(f"global-{suffix}.nc", kind, "t2m", {"time": 0})
    climate(f"edges-{suffix}.nc", nc_format, np.arange(-89, 90, 2), np.arange(1, 360, 2.0), [0], "days since 2001-01-01", dtype="f8")
    expect_xarray(f"edges-{suffix}.nc", kind, "t2m", {"time": 0})
    climate(f"west-{suffix}.nc", nc_format, np.arange(60, 40, -1.0), np.arange(350, 360, 1.0), [0], "days since 2001-01-01", dtype="f4")
    expect_xarray(f"west-{suffix}.nc", kind, "t2m", {"time": 0})
    climate(f"pacific-{suffix}.nc", nc_format, np.arange(60, 40, -1.0), np.arange(170, 190, 1.0), [0], "days since 2001-01-01", dtype="f4")
    expect_xarray(f"pacific-{suffix}.nc", kind, "t2m", {"time": 0})
    climate(f"transposed-{suffix}.nc", nc_format, np.arange(55, 40, -1.0), np.arange(50, 80, 1.0), [0, 1], "days since 2001-01-01", dtype="i4", order=("longitude", "latitude", "time") if nc_format == "NETCDF4" else ("time", "longitude", "latitude"))
    expect_xarray(f"transposed-{suffix}.nc", kind, "t2m", {"time": 1})

# Calendars, with bounds and without.
for calendar, units, values, when, period in (
    ("360_day", "days since 2000-01-01", [15, 45, 75], "2000-02-16T00:00:00", ["2000-02-01", "2000-02-29"]),
    ("noleap", "days since 1999-01-01", [424], "2000-03-01T00:00:00", ["2000-03-01", "2000-03-01"]),
    ("365_day", "days since 2001-01-01", [15.5, 45.0, 74.5], "2001-02-15T00:00:00", ["2001-02-01", "2001-02-28"]),
    ("all_leap", "days since 2001-01-01", [59], "2001-02-29T00:00:00", ["2001-02-28", "2001-02-28"]),
    ("julian", "days since 2000-01-01", [0], "2000-01-01T00:00:00", ["2000-01-14", "2000-01-14"]),
    ("gregorian", "days since 1582-10-04", [1], "1582-10-15T00:00:00", ["1582-10-15", "1582-10-15"]),
    ("proleptic_gregorian", "days since 0001-01-01", [730119], "2000-01-01T00:00:00", ["2000-01-01", "2000-01-01"]),
):
    index = min(1, len(values) - 1)
    assert cftime.num2date(values[index], units, calendar, only_use_cftime_datetimes=True).isoformat() == when, (calendar, cftime.num2date(values[index], units, calendar, only_use_cftime_datetimes=True).isoformat())
    climate(f"calendar-{calendar}.nc", "NETCDF3_CLASSIC", KZ_LAT, KZ_LON, values, units, calendar=calendar)
    expect_xarray(f"calendar-{calendar}.nc", "netcdf", "t2m", {"time": index}, when=when, period=period)
climate("calendar-lunar.nc", "NETCDF3_CLASSIC", KZ_LAT, KZ_LON, [0], "days since 2000-01-01", calendar="lunar")
refuse("calendar-lunar.nc", "netcdf", "t2m", "lunar")
climate("months.nc", "NETCDF3_CLASSIC", KZ_LAT, KZ_LON, [0], "months since 2000-01-01")
refuse("months.nc", "netcdf", "t2m", "months since")
climate("gaussian.nc", "NETCDF3_CLASSIC", np.degrees(np.arcsin(np.polynomial.legendre.leggauss(48)[0])), np.arange(0, 360, 3.75), [0], "days since 2000-01-01")
refuse("gaussian.nc", "netcdf", "t2m", "evenly")

# CMIP with bounds, levels and a packed bottom-up variable; unsigned bytes, valid ranges, several missing values.
for suffix, nc_format, kind in (("c2", "NETCDF3_64BIT_OFFSET", "netcdf"), ("n4", "NETCDF4", "hdf5")):
    lat, lon = np.arange(-88.75, 90, 2.5), np.arange(0, 360, 2.5)
    with netCDF4.Dataset(folder / f"cmip-{suffix}.nc", "w", format=nc_format) as data:
        for name, size in (("time", None), ("plev", 3), ("lat", len(lat)), ("lon", len(lon)), ("bnds", 2)):
            data.createDimension(name, size)
        for name, values, standard in (("plev", [85000.0, 50000.0, 10000.0], "air_pressure"), ("lat", lat, "latitude"), ("lon", lon, "longitude")):
            variable = data.createVariable(name, "f8", (name,))
            variable.standard_name = standard
            variable.axis = {"plev": "Z", "lat": "Y", "lon": "X"}[name]
            variable[:] = values
        variable = data.createVariable("time", "f8", ("time",))
        variable.units, variable.calendar, variable.bounds = "days since 1850-01-01", "360_day", "time_bnds"
        variable[:] = [54015.0, 54045.0]
        data.createVariable("time_bnds", "f8", ("time", "bnds"))[:] = [[54000, 54030], [54030, 54060]]
        variable = data.createVariable("ta", "f4", ("time", "plev", "lat", "lon"), fill_value=1e20)
        variable.units, variable.missing_value, variable.coordinates = "K", np.float32(1e20), "time plev lat lon"
        values = rng.random((2, 3, len(lat), len(lon))).astype("f4") * 100 + 200
        values[:, :, 3, 4] = 1e20
        variable.set_auto_mask(False)
        variable[:] = values
        for name, dtype, attrs in (("flags", "i1", {"_Unsigned": "true"}), ("signed", "i1", {}), ("ndvi", "i2", {"valid_range": np.array([-2000, 10000], "i2"), "scale_factor": 0.0001}), ("holes", "i2", {"missing_value": np.int16(-5)}), ("counts", "i4", {"valid_min": np.int32(10)})):
            variable = data.createVariable(name, dtype, ("lat", "lon"), fill_value=-3000 if name == "ndvi" else None)
            variable.set_auto_maskandscale(False)
            for key, value in attrs.items():
                variable.setncattr(key, value)
            plain = np.arange(len(lat) * len(lon)).reshape(len(lat), len(lon))
            variable[:] = ((plain % 246) - 120 if dtype == "i1" else (plain % 14000) - 3000).astype(dtype)
    expect_xarray(f"cmip-{suffix}.nc", kind, "ta", {"time": 1, "plev": 2}, lat="lat", lon="lon", when="2000-02-16T00:00:00", period=["2000-02-01", "2000-02-29"])
    for name in ("flags", "signed", "ndvi", "holes", "counts"):
        with netCDF4.Dataset(folder / f"cmip-{suffix}.nc") as data:
            # netCDF4 masks by valid_range too, which xarray does not.
            read = data[name][:].astype("f8").filled(np.nan)
            if name == "holes":
                read[read == -5] = np.nan
        values, grid = north_up(read, lat, lon)
        expect(f"cmip-{suffix}.nc", kind, name, {}, values, grid)

# Groups, strings and a scalar time.
with netCDF4.Dataset(folder / "groups.nc", "w") as data:
    group = data.createGroup("product").createGroup("daily")
    data.createDimension("lat", 8)
    data.createDimension("lon", 12)
    for name, values, unit in (("lat", np.arange(48, 40, -1.0), "degrees_north"), ("lon", np.arange(60, 72, 1.0), "degrees_east")):
        variable = data.createVariable(name, "f8", (name,))
        variable.units = unit
        variable[:] = values
    variable = group.createVariable("time", "f8", ())
    variable.units = "hours since 2020-06-01"
    variable[...] = 36
    variable = group.createVariable("tp", "f8", ("lat", "lon"), zlib=True, shuffle=True, chunksizes=(3, 5), fill_value=np.nan)
    variable.coordinates = "time"
    variable[:] = rng.random((8, 12))
    variable[2, 3] = np.nan
    data.createVariable("names", str, ())[...] = "степь"
    values = group["tp"][:].filled(np.nan)
expect("groups.nc", "hdf5", "product/daily/tp", {}, values, [60, 48, 1, 1], when="2020-06-02T12:00:00", period=["2020-06-02", "2020-06-02"])

# Projected grids, in metres and kilometres.
for suffix, nc_format, kind in (("c2", "NETCDF3_64BIT_OFFSET", "netcdf"), ("n4", "NETCDF4", "hdf5")):
    for unit, factor in (("m", 1000.0), ("km", 1.0)):
        with netCDF4.Dataset(folder / f"lambert-{unit}-{suffix}.nc", "w", format=nc_format) as data:
            data.createDimension("y", 20)
            data.createDimension("x", 30)
            for name, values in (("x", np.arange(30) * 10 - 150), ("y", np.arange(20) * 10 - 100)):
                variable = data.createVariable(name, "f8", (name,))
                variable.units, variable.standard_name = unit, f"projection_{name}_coordinate"
                variable[:] = values * factor
            variable = data.createVariable("lcc", "i4", ())
            variable.grid_mapping_name = "lambert_conformal_conic"
            variable.standard_parallel = np.array([40.0, 56.0])
            variable.longitude_of_central_meridian, variable.latitude_of_projection_origin = 67.0, 48.0
            variable.earth_radius = 6371229.0
            variable = data.createVariable("tas", "f4", ("y", "x"))
            variable.grid_mapping, variable.coordinates = "lcc", "lat lon"
            values = rng.random((20, 30)).astype("f4")
            variable[:] = values
            for name in ("lat", "lon"):
                variable = data.createVariable(name, "f8", ("y", "x"))
                variable.units = "degrees_north" if name == "lat" else "degrees_east"
                variable[:] = 50 if name == "lat" else 60
        expect(f"lambert-{unit}-{suffix}.nc", kind, "tas", {}, values[::-1], [-150000, 90000, 10000, 10000], crs="+proj=lcc +lat_1=40 +lat_2=56 +lat_0=48 +lon_0=67 +R=6371229 +units=m +no_defs")

# CORDEX on a rotated pole, WRF on a curvilinear grid, and arrays without coordinates.
for suffix, nc_format, kind in (("c2", "NETCDF3_64BIT_OFFSET", "netcdf"), ("n4", "NETCDF4", "hdf5")):
    with netCDF4.Dataset(folder / f"cordex-{suffix}.nc", "w", format=nc_format) as data:
        data.createDimension("rlat", 5)
        data.createDimension("rlon", 6)
        for name, standard in (("rlat", "grid_latitude"), ("rlon", "grid_longitude")):
            variable = data.createVariable(name, "f8", (name,))
            variable.standard_name, variable.units = standard, "degrees"
            variable[:] = np.arange(len(variable))
        variable = data.createVariable("rotated_pole", "i4", ())
        variable.grid_mapping_name, variable.grid_north_pole_latitude = "rotated_latitude_longitude", 39.25
        variable = data.createVariable("tas", "f4", ("rlat", "rlon"))
        variable.grid_mapping = "rotated_pole"
        variable[:] = 1
    refuse(f"cordex-{suffix}.nc", kind, "tas", "rotated pole")
    with netCDF4.Dataset(folder / f"wrf-{suffix}.nc", "w", format=nc_format) as data:
        for name, size in (("Time", None), ("south_north", 5), ("west_east", 6), ("DateStrLen", 19)):
            data.createDimension(name, size)
        for name, unit in (("XLAT", "degree_north"), ("XLONG", "degree_east")):
            variable = data.createVariable(name, "f4", ("Time", "south_north", "west_east"))
            variable.units = unit
            variable[:] = np.random.random((1, 5, 6))
        variable = data.createVariable("T2", "f4", ("Time", "south_north", "west_east"))
        variable.coordinates, variable.units = "XLONG XLAT", "K"
        variable[:] = np.ones((1, 5, 6))
    refuse(f"wrf-{suffix}.nc", kind, "T2", "curvilinear")
    with netCDF4.Dataset(folder / f"bare-{suffix}.nc", "w", format=nc_format) as data:
        data.createDimension("a", 5)
        data.createDimension("b", 6)
        data.createVariable("v", "f4", ("a", "b"))[:] = 1
    refuse(f"bare-{suffix}.nc", kind, "v", "no coordinates")

    # A CRS as an attribute of the variable, without a grid mapping, as rioxarray wrote it.
    with netCDF4.Dataset(folder / f"sinusoidal-{suffix}.nc", "w", format=nc_format) as data:
        for name, standard, first, step, size in (("y", "projection_y_coordinate", 5e6, -500.0, 5), ("x", "projection_x_coordinate", -7e6, 500.0, 6)):
            data.createDimension(name, size)
            variable = data.createVariable(name, "f8", (name,))
            variable.standard_name, variable.units = standard, "metre"
            variable[:] = first + step * np.arange(size)
        variable = data.createVariable("ndvi", "f4", ("y", "x"))
        variable.crs = "+a=6371007.181 +b=6371007.181 +lon_0=0 +no_defs +proj=sinu +units=m +x_0=0 +y_0=0"
        variable[:] = np.arange(30.0).reshape(5, 6)
    expect(f"sinusoidal-{suffix}.nc", kind, "ndvi", {}, np.arange(30.0).reshape(5, 6), [-7e6, 5e6, 500, 500], crs="+proj=sinu +lon_0=0 +R=6371007.181 +units=m +no_defs")

# HDF5 without NetCDF: lengths alone tell the coordinates.
with h5py.File(folder / "imerg.h5", "w") as data:
    grid = data.create_group("Grid")
    grid["lon"], grid["lat"] = np.arange(-179.5, 180, 1.0, dtype="f4"), np.arange(-89.5, 90, 1.0, dtype="f4")
    grid["lon"].attrs["units"], grid["lat"].attrs["units"] = "degrees_east", "degrees_north"
    values = rng.random((1, 360, 180)).astype("f4")
    values[0, 5, 5] = -9999.9
    one = grid.create_dataset("precipitation", data=values, chunks=(1, 60, 60), compression="gzip", shuffle=True)
    one.attrs["_FillValue"], one.attrs["units"] = np.float32(-9999.9), "mm/hr"
values[0, 5, 5] = np.nan
expect("imerg.h5", "hdf5", "Grid/precipitation", {"dimension 0": 0}, values[0].T[::-1], [-179.5, 89.5, 1, 1])

# Values in other files are refused, links to other files not followed.
with h5py.File(folder / "target.h5", "w") as data:
    data["secret"] = np.ones((4, 4))
(folder / "raw.bin").write_bytes(np.ones((4, 4)).tobytes())
for version in ("earliest", "latest"):
    with h5py.File(folder / f"external-{version}.h5", "w", libver=version) as data:
        data["lat"], data["lon"] = np.arange(4.0), np.arange(4.0)
        data.create_dataset("v", (4, 4), "f8", external=[(str(folder / "raw.bin"), 0, 128)])
    refuse(f"external-{version}.h5", "hdf5", None, "other files")
    with h5py.File(folder / f"virtual-{version}.h5", "w", libver=version) as data:
        layout = h5py.VirtualLayout((4, 4), "f8")
        layout[:] = h5py.VirtualSource(str(folder / "target.h5"), "secret", (4, 4))
        data.create_virtual_dataset("v", layout)
    refuse(f"virtual-{version}.h5", "hdf5", None, "other files")
with h5py.File(folder / "linked.h5", "w") as data:
    data["lat"], data["lon"] = np.arange(40, 44.0), np.arange(60, 65.0)
    data["v"] = np.arange(20.0).reshape(4, 5)
    data["w"] = h5py.ExternalLink(str(folder / "target.h5"), "/secret")
expect("linked.h5", "hdf5", "v", {}, np.arange(20.0).reshape(4, 5)[::-1], [60, 43, 1, 1])
refuse("linked.h5", "hdf5", "w", "no variable")

exec((Path(__file__).parent / "make-other-files.py").read_text())
(folder / "cases.json").write_text(json.dumps(cases))
