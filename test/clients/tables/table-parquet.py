"""Compares tables of a folder: N.long.parquet and N.wide.parquet with N.json, the observations as the service lists them. Prints how many."""

import json
import sys
from pathlib import Path

import pandas
import pyarrow.parquet

def float_if(cell):
    return float(cell) if isinstance(cell, int) else cell


def plain(frame):
    frame = frame.copy()
    frame["value"] = frame["value"].astype("float64")
    for name in ("start_date", "end_date"):
        frame[name] = pandas.to_datetime(frame[name]).astype("datetime64[s]")
    for name in ("kato_code", "value_text"):
        frame[name] = frame[name].astype("string")
    return frame


columns = ["kato_code", "start_date", "end_date", "value", "value_text"]
folder = Path(sys.argv[1])
tables = sorted(folder.glob("*.json"))
for path in tables:
    table = json.loads(path.read_text())
    listed = pandas.DataFrame(table["observations"], columns=columns)
    long = pandas.read_parquet(path.with_suffix(".long.parquet"))
    assert long["value"].dtype == "float64", long.dtypes
    pandas.testing.assert_frame_equal(
        plain(long[columns]), plain(listed), check_exact=True, obj=path.name
    )

    file = pyarrow.parquet.ParquetFile(path.with_suffix(".wide.parquet"))
    assert file.metadata.created_by.startswith("Steppe "), file.metadata.created_by
    wide = file.read().to_pylist()
    expected = {}
    for each in table["observations"]:
        key = (each["kato_code"], each["start_date"])
        cell = each["value"] if each["value"] is not None else each["value_text"]
        expected.setdefault(key, []).append(cell)
    found = {}
    for row in wide:
        code = row[table["kato_column"]]
        for each in table["year_columns"]:
            text = row.get(f"{each['column']}_text")
            value = row[each["column"]]
            found.setdefault((code, each["start_date"]), []).append(
                text if text is not None else value
            )
    assert expected.keys() == found.keys(), path.name
    order = lambda cells: sorted(map(float_if, cells), key=repr)
    for key, cells in expected.items():
        assert order(cells) == order(found[key]), (path.name, key)
print(f"{len(tables)} tables are equal")
