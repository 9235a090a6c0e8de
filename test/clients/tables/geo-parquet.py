"""Compares vectors of a folder: N.fgb as GDAL reads it with N.parquet as pyarrow and geopandas do. Prints how many features there are."""

import sys
from pathlib import Path

import geopandas
import pyarrow.parquet
import pyogrio
import pyogrio.raw
import shapely

features = 0
for path in sorted(Path(sys.argv[1]).glob("*.fgb")):
    _, expected = pyogrio.raw.read_arrow(path)
    found = pyarrow.parquet.read_table(path.with_suffix(".parquet"))
    frame = geopandas.read_parquet(path.with_suffix(".parquet"))
    place = frame.geometry.name
    assert frame.crs.to_string() == "OGC:CRS84", frame.crs
    assert len(frame) == expected.num_rows == found.num_rows, path.name
    boxes = next(name for name in found.column_names[::-1] if name.endswith("bbox"))
    assert found.column_names[-2:] == [place, boxes], found.column_names
    names = [name for name in expected.column_names if name != "wkb_geometry"]
    assert found.column_names[:-2] == names, (path.name, names, found.column_names)
    for name in names:
        assert expected[name].to_pylist() == found[name].to_pylist(), (path.name, name)
    geometries = pyogrio.read_dataframe(path, columns=[]).geometry
    for wanted, got, box in zip(geometries, frame.geometry, found[boxes].to_pylist()):
        if wanted is None or wanted.is_empty:
            assert got is None and box is None, path.name
            continue
        assert shapely.to_wkb(wanted) == shapely.to_wkb(got), (path.name, wanted, got)
        assert tuple(box.values()) == got.bounds, path.name
    if frame.geometry.notna().any():
        west, south, east, north = frame.total_bounds
        part = (west, south, (west + east) / 2, (south + north) / 2)
        within = geopandas.read_parquet(path.with_suffix(".parquet"), bbox=part)
        met = frame.bounds
        assert len(within) == (
            (met.minx <= part[2])
            & (met.maxx >= part[0])
            & (met.miny <= part[3])
            & (met.maxy >= part[1])
        ).sum(), path.name
    features += len(frame)
print(f"{features} features are equal")
