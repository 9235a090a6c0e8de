"""Opens the filled forms of a folder (`NAME.filled.xlsx`, `NAME.filled.ods`) beside their templates, with LibreOffice, openpyxl and odfpy. Prints how many are right."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

from odf.opendocument import load as load_odf
from openpyxl import load_workbook

folder = Path(sys.argv[1])
expected = json.loads((folder / "expected.json").read_text())


def filled_of(name):
    return folder / f"{Path(name).stem}.filled{Path(name).suffix}"


def is_same(found, wanted):
    if isinstance(wanted, (int, float)) and isinstance(found, (int, float)):
        return abs(found - wanted) <= 1e-9 * max(1, abs(wanted))
    return found == wanted


def parts_of(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None, path
        infos = archive.infolist()
        return [(info.filename, info.compress_type, info.date_time) for info in infos], {info.filename: archive.read(info) for info in infos}


def check_values(name, recalculated):
    """The values that LibreOffice computes, and that no text has become a formula."""
    values, formulas = load_workbook(recalculated, data_only=True), load_workbook(recalculated)
    for index, cells in enumerate(expected[name].values()):
        # The converter changes the names of some sheets.
        sheet = values.sheetnames[index]
        for place, wanted in cells.items():
            found = values[sheet][place].value
            assert is_same(found, wanted), f"{name} {sheet} {place}: {found!r} instead of {wanted!r}"
            if isinstance(wanted, str) and wanted[:1] in "=+-@":
                assert formulas[sheet][place].data_type == "s", f"{name} {sheet} {place} is a formula"


def looks_of(sheet):
    cells = {
        cell.coordinate: [repr(part) for part in (cell.number_format, cell.font, cell.fill, cell.border, cell.alignment, cell.protection)]
        for row in sheet.iter_rows()
        for cell in row
        if cell.has_style
    }
    widths = {key: (each.width, each.hidden) for key, each in sheet.column_dimensions.items()}
    heights = {key: each.height for key, each in sheet.row_dimensions.items() if each.height is not None}
    return {
        "cells": cells,
        "widths": widths,
        "heights": heights,
        "merged": sorted(map(str, sheet.merged_cells.ranges)),
        "protection": repr(sheet.protection),
        "conditional": repr([(str(area.sqref), [rule.type for rule in area.rules]) for area in sheet.conditional_formatting]),
        "validations": repr([(each.type, str(each.sqref)) for each in sheet.data_validations.dataValidation]),
        "view": (sheet.freeze_panes, sheet.sheet_state),
        "print": (sheet.print_area, sheet.print_title_rows, sheet.page_setup.orientation),
        "charts": len(sheet._charts),
        "tables": sorted(sheet.tables),
    }


def check_xlsx(template, filled):
    (names, before), (filled_names, after) = parts_of(template), parts_of(filled)
    assert names == filled_names
    for part, content in before.items():
        is_sheet = part.startswith("xl/worksheets/sheet")
        assert is_sheet or part == "xl/workbook.xml" or content == after[part], f"{filled} {part} has changed"
    assert b'fullCalcOnLoad="1"' in after["xl/workbook.xml"]
    one, other, results = load_workbook(template), load_workbook(filled), load_workbook(filled, data_only=True)
    assert one.sheetnames == other.sheetnames
    assert {name: each.attr_text for name, each in one.defined_names.items()} == {name: each.attr_text for name, each in other.defined_names.items()}
    for name in one.sheetnames:
        assert looks_of(one[name]) == looks_of(other[name]), f"{filled} {name} looks different"
        for row in one[name].iter_rows():
            for cell in row:
                if cell.data_type != "f":
                    continue
                kept = other[name][cell.coordinate].value
                assert getattr(kept, "text", kept) == getattr(cell.value, "text", cell.value)
                assert results[name][cell.coordinate].value is None, f"{filled} {cell.coordinate} has an old result"


def check_ods(template, filled):
    (names, before), (filled_names, after) = parts_of(template), parts_of(filled)
    assert names == filled_names and names[0][:2] == ("mimetype", zipfile.ZIP_STORED)
    for part, content in before.items():
        assert part == "content.xml" or content == after[part], f"{filled} {part} has changed"
    one, other = before["content.xml"].decode(), after["content.xml"].decode()
    for pattern in (r"<office:automatic-styles>.*</office:automatic-styles>", r"<table:named-expressions>.*?</table:named-expressions>", r"<table:table-column\b[^>]*>", r"<table:table [^>]*>"):
        assert re.findall(pattern, one, re.S) == re.findall(pattern, other, re.S), f"{filled}: {pattern}"
    formulas = r'table:formula="([^"]*)"'
    assert sorted(re.findall(formulas, one)) == sorted(re.findall(formulas, other))
    assert not re.search(r"<[^>]*table:formula=[^>]*office:value=", other), f"{filled} has an old result"
    load_odf(filled)


recalculated = folder / "recalculated"
profile = f"-env:UserInstallation=file://{folder}/profile"
subprocess.run(
    ["soffice", profile, "--headless", "--convert-to", "xlsx", "--outdir", recalculated, *map(filled_of, expected)],
    check=True,
    capture_output=True,
    timeout=600,
)
for name in expected:
    check_values(name, recalculated / f"{Path(name).stem}.filled.xlsx")
    (check_xlsx if name.endswith(".xlsx") else check_ods)(folder / name, filled_of(name))
print(f"{len(expected)} forms are right")
