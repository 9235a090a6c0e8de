"""Reads files of the service by their address, as programs do that ask for ranges, and prints what each has found."""

import sys

import fsspec
import geopandas
import pandas
import pyarrow.parquet
import pyogrio

vector, table = sys.argv[1:]
print(len(geopandas.read_parquet(f"{vector}.parquet")))
print(pyarrow.parquet.ParquetFile(fsspec.open(f"{vector}.parquet").open()).read_row_group(0).num_rows)
print(len(pyogrio.read_dataframe(f"/vsicurl/{vector}.gpkg", layer="features")))
print(len(geopandas.read_parquet(f"{table}.parquet")))
print(len(pandas.read_parquet(f"{table}/observations.parquet?shape=long")))
