"""Writes the workbooks that a JSON file describes: .xls with xlwt, .ods with odfpy, .xlsx with openpyxl."""

import datetime
import json
import sys

import openpyxl
import xlwt
from odf import table, text
from odf.number import Day, Month, Number, NumberStyle, Text, Year, DateStyle
from odf.opendocument import OpenDocumentSpreadsheet
from odf.style import Style, TableCellProperties, TableColumnProperties, TableProperties, TextProperties


def cells(sheet):
    for row, line in enumerate(sheet["rows"]):
        for column, cell in enumerate(line):
            if cell is not None:
                yield row, column, cell


def write_xls(path, sheets):
    book = xlwt.Workbook(encoding="utf-8")
    styles = {}
    for sheet in sheets:
        out = book.add_sheet(sheet["name"])
        out.visibility = 1 if sheet["isHidden"] else 0
        covered = {}
        for top, left, bottom, right in sheet["merges"]:
            covered[top, left] = (bottom, right)
        for row, column, cell in cells(sheet):
            value, code = cell, "General"
            if isinstance(cell, dict):
                code = cell.get("format", "General")
                value = cell.get("number")
                if "day" in cell:
                    value, code = datetime.date.fromisoformat(cell["day"]), "dd.mm.yyyy"
            style = styles.setdefault(code, xlwt.easyxf(num_format_str=code))
            if isinstance(cell, dict) and "runs" in cell:
                font = xlwt.Font()
                font.escapement = xlwt.Font.ESCAPEMENT_SUPERSCRIPT
                out.write_rich_text(row, column, [*cell["runs"], (cell["raised"], font)])
            elif (row, column) in covered:
                bottom, right = covered.pop((row, column))
                out.write_merge(row, bottom, column, right, value, style)
            else:
                out.write(row, column, value, style)
        for (top, left), (bottom, right) in covered.items():
            out.merge(top, bottom, left, right)
        for row in sheet["hiddenRows"]:
            out.row(row).hidden = True
        for column in sheet["hiddenColumns"]:
            out.col(column).hidden = True
    book.save(path)


def write_xlsx(path, sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for sheet in sheets:
        out = book.create_sheet(sheet["name"])
        out.sheet_state = "hidden" if sheet["isHidden"] else "visible"
        for row, column, cell in cells(sheet):
            place = out.cell(row + 1, column + 1)
            if not isinstance(cell, dict):
                place.value = cell
            elif "day" in cell:
                place.value = datetime.date.fromisoformat(cell["day"])
                place.number_format = "dd.mm.yyyy"
            elif "runs" in cell:
                from openpyxl.cell.rich_text import CellRichText, TextBlock
                from openpyxl.cell.text import InlineFont

                raised = TextBlock(InlineFont(vertAlign="superscript"), cell["raised"])
                place.value = CellRichText(*cell["runs"], raised)
            else:
                place.value = cell["number"]
                place.number_format = cell["format"]
        for top, left, bottom, right in sheet["merges"]:
            out.merge_cells(start_row=top + 1, start_column=left + 1, end_row=bottom + 1, end_column=right + 1)
        for row in sheet["hiddenRows"]:
            out.row_dimensions[row + 1].hidden = True
        for column in sheet["hiddenColumns"]:
            out.column_dimensions[openpyxl.utils.get_column_letter(column + 1)].hidden = True
    book.save(path)


def write_ods(path, sheets):
    book = OpenDocumentSpreadsheet()

    def style(**about):
        made = Style(**about)
        book.automaticstyles.addElement(made)
        return made

    hidden_table = style(name="hidden", family="table")
    hidden_table.addElement(TableProperties(display="false"))
    raised = style(name="raised", family="text")
    raised.addElement(TextProperties(textposition="super 58%"))
    days = DateStyle(name="days")
    for part in [Day(style="long"), Text(text="."), Month(style="long"), Text(text="."), Year(style="long")]:
        days.addElement(part)
    book.automaticstyles.addElement(days)
    day = style(name="day", family="table-cell", datastylename="days")
    digits = {}

    def digits_style(count):
        if count not in digits:
            zeros = NumberStyle(name=f"zeros{count}")
            zeros.addElement(Number(decimalplaces=0, minintegerdigits=count))
            book.automaticstyles.addElement(zeros)
            digits[count] = style(name=f"code{count}", family="table-cell", datastylename=f"zeros{count}")
        return digits[count]

    for sheet in sheets:
        out = table.Table(name=sheet["name"], **({"stylename": hidden_table} if sheet["isHidden"] else {}))
        width = max((len(line) for line in sheet["rows"]), default=1)
        for column in range(width):
            hides = {"visibility": "collapse"} if column in sheet["hiddenColumns"] else {}
            out.addElement(table.TableColumn(**hides))
        spans = {(top, left): (bottom - top + 1, right - left + 1) for top, left, bottom, right in sheet["merges"]}
        covered = {
            (row, column)
            for top, left, bottom, right in sheet["merges"]
            for row in range(top, bottom + 1)
            for column in range(left, right + 1)
        } - set(spans)
        for row, line in enumerate(sheet["rows"]):
            hides = {"visibility": "collapse"} if row in sheet["hiddenRows"] else {}
            out_row = table.TableRow(**hides)
            for column in range(width):
                cell = line[column] if column < len(line) else None
                about = {}
                if (row, column) in spans:
                    about["numberrowsspanned"], about["numbercolumnsspanned"] = spans[row, column]
                paragraph = None
                if isinstance(cell, str):
                    about["valuetype"], paragraph = "string", text.P(text=cell)
                elif isinstance(cell, bool):
                    about["valuetype"], about["booleanvalue"] = "boolean", "true" if cell else "false"
                elif isinstance(cell, (int, float)):
                    about["valuetype"], about["value"] = "float", repr(cell)
                elif isinstance(cell, dict) and "day" in cell:
                    about["valuetype"], about["datevalue"], about["stylename"] = "date", cell["day"], day
                elif isinstance(cell, dict) and "runs" in cell:
                    about["valuetype"], paragraph = "string", text.P(text="".join(cell["runs"]))
                    paragraph.addElement(text.Span(stylename=raised, text=cell["raised"]))
                elif isinstance(cell, dict):
                    about["valuetype"], about["value"] = "float", repr(cell["number"])
                    if "%" in cell["format"]:
                        about["valuetype"] = "percentage"
                    elif set(cell["format"]) == {"0"}:
                        about["stylename"] = digits_style(len(cell["format"]))
                kind = table.CoveredTableCell if (row, column) in covered else table.TableCell
                out_cell = kind(**about)
                if paragraph is not None:
                    out_cell.addElement(paragraph)
                out_row.addElement(out_cell)
            out.addElement(out_row)
        book.spreadsheet.addElement(out)
    book.save(path)


writers = {"xls": write_xls, "xlsx": write_xlsx, "ods": write_ods}
with open(sys.argv[1], encoding="utf-8") as file:
    for book in json.load(file):
        writers[book["path"].rsplit(".", 1)[1]](book["path"], book["sheets"])
