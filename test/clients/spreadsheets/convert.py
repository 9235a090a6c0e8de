"""Writes the .xlsx files of a folder again as .xls with xlwt, as .ods with odfpy, and as .xlsx with openpyxl."""

import datetime
import pathlib
import re
import sys

import openpyxl
import xlwt
from odf import table, text
from odf.number import DateStyle, Day, Month, Number, NumberStyle, Text, Year
from odf.opendocument import OpenDocumentSpreadsheet
from odf.style import Style, TableProperties, TextProperties
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.utils.datetime import CALENDAR_MAC_1904


def is_raised(part):
    return isinstance(part, TextBlock) and part.font is not None and part.font.vertAlign == "superscript"


def hidden_columns(sheet):
    for name, dimension in sheet.column_dimensions.items():
        if dimension.hidden:
            first = dimension.min or openpyxl.utils.column_index_from_string(name)
            yield from range(first, (dimension.max or first) + 1)


def write_xls(book, path):
    out = xlwt.Workbook(encoding="utf-8")
    out.dates_1904 = book.epoch == CALENDAR_MAC_1904
    styles = {}
    raised = xlwt.Font()
    raised.escapement = xlwt.Font.ESCAPEMENT_SUPERSCRIPT
    for sheet in book.worksheets:
        page = out.add_sheet(sheet.title)
        page.visibility = {"visible": 0, "hidden": 1, "veryHidden": 2}[sheet.sheet_state]
        for line in sheet.iter_rows():
            for cell in line:
                if cell.value is None:
                    continue
                place = (cell.row - 1, cell.column - 1)
                style = styles.setdefault(cell.number_format, xlwt.easyxf(num_format_str=cell.number_format))
                if isinstance(cell.value, CellRichText):
                    runs = [(str(part), raised) if is_raised(part) else (str(part), xlwt.Font()) for part in cell.value]
                    page.write_rich_text(*place, runs)
                elif cell.data_type == "e":
                    page.row(place[0]).set_cell_error(place[1], cell.value)
                else:
                    page.write(*place, cell.value, style)
        for merge in sheet.merged_cells.ranges:
            page.merge(merge.min_row - 1, min(65535, merge.max_row - 1), merge.min_col - 1, min(255, merge.max_col - 1))
        for row, dimension in sheet.row_dimensions.items():
            if dimension.hidden:
                page.row(row - 1).hidden = True
        for column in hidden_columns(sheet):
            page.col(column - 1).hidden = True
    out.save(path)


class Ods:
    def __init__(self):
        self.book = OpenDocumentSpreadsheet()
        self.cells = {}
        self.hidden = self.add(Style(name="hidden", family="table"))
        self.hidden.addElement(TableProperties(display="false"))
        self.raised = self.add(Style(name="raised", family="text"))
        self.raised.addElement(TextProperties(textposition="super 58%"))

    def add(self, style):
        self.book.automaticstyles.addElement(style)
        return style

    def cell(self, code):
        """The style of cells with a number format; none for the formats that change nothing."""
        if code not in self.cells:
            self.cells[code] = None
            bare = re.sub(r'"[^"]*"|\\.', "", code).lower()
            name = f"n{len(self.cells)}"
            if "y" in bare:
                data = DateStyle(name=name)
                for letter, part in (("d", Day), ("m", Month), ("y", Year)):
                    if letter in bare:
                        data.addElement(part(style="long"))
            elif re.fullmatch("0{2,}", bare):
                data = NumberStyle(name=name)
                data.addElement(Number(decimalplaces=0, minintegerdigits=len(bare)))
            elif re.search(r"[0#](,+)$", bare):
                data = NumberStyle(name=name)
                commas = len(re.search(r"(,+)$", bare)[1])
                data.addElement(Number(decimalplaces=1, displayfactor=1000**commas))
            else:
                return None
            self.add(data)
            self.cells[code] = self.add(Style(name=f"c{len(self.cells)}", family="table-cell", datastylename=name))
        return self.cells[code]

    def value(self, cell):
        """Attributes and paragraphs of a cell."""
        value, about = cell.value, {}
        style = self.cell(cell.number_format)
        if value is None:
            return about, []
        if style is not None:
            about["stylename"] = style
        if isinstance(value, CellRichText):
            paragraph = text.P()
            for part in value:
                if is_raised(part):
                    paragraph.addElement(text.Span(stylename=self.raised, text=str(part)))
                else:
                    paragraph.addText(str(part))
            return {**about, "valuetype": "string"}, [paragraph]
        if isinstance(value, bool):
            return {**about, "valuetype": "boolean", "booleanvalue": "true" if value else "false"}, []
        if isinstance(value, (int, float)):
            kind = "percentage" if "%" in cell.number_format else "float"
            return {**about, "valuetype": kind, "value": repr(value)}, []
        if isinstance(value, datetime.datetime):
            return {**about, "valuetype": "date", "datevalue": value.isoformat().removesuffix("T00:00:00")}, []
        lines = [text.P(text=line) for line in str(value).split("\n")]
        return {**about, "valuetype": "string"}, lines


def write_ods(book, path):
    out = Ods()
    for sheet in book.worksheets:
        hides = {"stylename": out.hidden} if sheet.sheet_state != "visible" else {}
        page = table.Table(name=sheet.title, **hides)
        width = sheet.max_column
        hidden = set(hidden_columns(sheet))
        for column in range(1, width + 1):
            page.addElement(table.TableColumn(**({"visibility": "collapse"} if column in hidden else {})))
        spans, covered = {}, set()
        for merge in sheet.merged_cells.ranges:
            spans[merge.min_row, merge.min_col] = merge
            covered |= set(merge.cells) - {(merge.min_row, merge.min_col)}
        for row in range(1, sheet.max_row + 1):
            hides = {"visibility": "collapse"} if sheet.row_dimensions[row].hidden else {}
            line = table.TableRow(**hides)
            for column in range(1, width + 1):
                if (row, column) in covered:
                    line.addElement(table.CoveredTableCell())
                    continue
                about, paragraphs = out.value(sheet.cell(row, column))
                if (row, column) in spans:
                    merge = spans[row, column]
                    about["numberrowsspanned"] = merge.max_row - merge.min_row + 1
                    about["numbercolumnsspanned"] = merge.max_col - merge.min_col + 1
                place = table.TableCell(**about)
                for paragraph in paragraphs:
                    place.addElement(paragraph)
                line.addElement(place)
            page.addElement(line)
        out.book.spreadsheet.addElement(page)
    out.book.save(path)


folder = pathlib.Path(sys.argv[1])
for source in sorted(folder.glob("*.source.xlsx")):
    workbook = openpyxl.load_workbook(source, data_only=True, rich_text=True)
    stem = str(source).removesuffix(".source.xlsx")
    write_xls(workbook, f"{stem}.xls")
    write_ods(workbook, f"{stem}.ods")
    workbook.save(f"{stem}.xlsx")
