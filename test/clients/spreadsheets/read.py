"""Prints the cells of spreadsheets as two independent readers see them: a line of JSON for each file and reader."""

import datetime
import json
import sys

import openpyxl
import xlrd
from odf import opendocument, table, text
from odf.namespaces import OFFICENS, TABLENS, TEXTNS
from python_calamine import CalamineWorkbook


def plain(value):
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat()[:16]
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, datetime.time):
        return value.isoformat()[:5]
    return value


def by_xlrd(path):
    book = xlrd.open_workbook(path, logfile=sys.stderr, formatting_info=True)
    for sheet in book.sheets():
        rows = []
        for row in range(sheet.nrows):
            line = []
            for cell in sheet.row(row):
                value = cell.value
                if cell.ctype == xlrd.XL_CELL_DATE:
                    value = xlrd.xldate_as_datetime(value, book.datemode)
                elif cell.ctype == xlrd.XL_CELL_BOOLEAN:
                    value = bool(value)
                elif cell.ctype == xlrd.XL_CELL_ERROR:
                    value = xlrd.error_text_from_code[value]
                line.append(plain(value))
            rows.append(line)
        yield sheet.name, rows


def by_openpyxl(path):
    book = openpyxl.load_workbook(path, data_only=True)
    for sheet in book.worksheets:
        yield sheet.title, [[plain(value) for value in row] for row in sheet.iter_rows(values_only=True)]


def shown(node):
    """The text of a paragraph: spaces are elements of their own."""
    parts = []
    for child in node.childNodes:
        if child.nodeType == child.TEXT_NODE:
            parts.append(str(child))
        elif child.qname == (TEXTNS, "s"):
            parts.append(" " * int(child.getAttrNS(TEXTNS, "c") or 1))
        else:
            parts.append(shown(child))
    return "".join(parts)


def odf_value(cell):
    kind = cell.getAttrNS(OFFICENS, "value-type")
    if kind in ("float", "percentage", "currency"):
        return float(cell.getAttrNS(OFFICENS, "value"))
    if kind == "date":
        return str(cell.getAttrNS(OFFICENS, "date-value")).replace("T00:00:00", "")
    if kind == "boolean":
        return cell.getAttrNS(OFFICENS, "boolean-value") in ("true", True)
    lines = [shown(child) for child in cell.childNodes if getattr(child, "qname", None) == (TEXTNS, "p")]
    return "\n".join(lines)


def by_odfpy(path):
    for sheet in opendocument.load(path).spreadsheet.getElementsByType(table.Table):
        rows = []
        for row in sheet.getElementsByType(table.TableRow):
            line = []
            for cell in row.childNodes:
                if cell.qname not in ((TABLENS, "table-cell"), (TABLENS, "covered-table-cell")):
                    continue
                value = None if cell.qname[1].startswith("covered") else plain(odf_value(cell))
                line += [value] * min(1000, int(cell.getAttrNS(TABLENS, "number-columns-repeated") or 1))
            rows += [line] * min(1000, int(row.getAttrNS(TABLENS, "number-rows-repeated") or 1))
        yield sheet.getAttrNS(TABLENS, "name"), rows


def by_calamine(path):
    book = CalamineWorkbook.from_path(path)
    for name in book.sheet_names:
        sheet = book.get_sheet_by_name(name)
        yield name, [[plain(value) for value in row] for row in sheet.to_python(skip_empty_area=False)]


own = {"xls": by_xlrd, "xlsx": by_openpyxl, "ods": by_odfpy}
for path in sys.argv[1:]:
    for reader in (own[path.rsplit(".", 1)[1]], by_calamine):
        sheets = [{"name": name, "rows": rows} for name, rows in reader(path)]
        print(json.dumps({"path": path, "reader": reader.__name__, "sheets": sheets}))
