"""Writes ten templates of forms into a folder, five .xlsx and five .ods, and the cells that each of them must have once it is filled."""

import json
import subprocess
import sys
from pathlib import Path

from odf.number import Number, NumberStyle
from odf.opendocument import OpenDocumentSpreadsheet
from odf.style import ParagraphProperties, Style, TableCellProperties, TableColumnProperties
from odf.table import CoveredTableCell, NamedExpressions, NamedRange, Table, TableCell, TableColumn, TableRow
from odf.text import P
from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.table import Table as ListTable

folder = Path(sys.argv[1])
regions = [
    ("110000000", "Акмолинская область"),
    ("150000000", "Актюбинская область"),
    ("750000000", "город Алматы"),
    ("790000000", "город Шымкент"),
]
thin = Side(style="thin", color="808080")
box = Border(left=thin, right=thin, top=thin, bottom=thin)


def styled(cell, number_format="#,##0.00", locked=False):
    cell.number_format = number_format
    cell.border = box
    cell.fill = PatternFill("solid", fgColor="FFF8E1")
    cell.font = Font(name="Arial", size=9, italic=True)
    cell.protection = Protection(locked=locked)
    cell.alignment = Alignment(horizontal="right")


def a_balance():
    book = Workbook()
    sheet = book.active
    sheet.title = "Баланс земель"
    sheet["A1"] = "Баланс земель по категориям"
    sheet["A1"].font = Font(bold=True, size=14)
    sheet.merge_cells("A1:E1")
    for place, text in {"A3": "Код", "B3": "Область", "C3": "Категории, га", "E3": "Всего", "C4": "Пашня", "D4": "Пастбища"}.items():
        sheet[place] = text
    for area in ("A3:A4", "B3:B4", "C3:D3", "E3:E4"):
        sheet.merge_cells(area)
    for number, column in enumerate("ABCDE", 1):
        sheet[f"{column}5"] = number
    for row, (code, name) in enumerate(regions, 6):
        sheet[f"A{row}"] = code
        sheet[f"A{row}"].number_format = "@"
        sheet[f"B{row}"] = name
        styled(sheet[f"C{row}"])
        styled(sheet[f"D{row}"], "0.000")
        sheet[f"E{row}"] = f"=C{row}+D{row}"
        styled(sheet[f"E{row}"], locked=True)
    sheet["B10"] = "Всего"
    for column in "CDE":
        sheet[f"{column}10"] = f"=SUM({column}6:{column}9)"
        styled(sheet[f"{column}10"], locked=True)
    sheet.column_dimensions["B"].width = 37
    sheet.row_dimensions[4].height = 33
    sheet.protection.sheet = True
    sheet.protection.password = "secret"
    sheet.conditional_formatting.add("C6:D9", CellIsRule(operator="lessThan", formula=["0"], font=Font(color="FF0000")))
    rule = DataValidation(type="decimal", operator="greaterThanOrEqual", formula1="0")
    rule.add("C6:D9")
    sheet.add_data_validation(rule)
    sheet.freeze_panes = "C6"
    return book


def b_names():
    book = Workbook()
    sheet = book.active
    sheet.title = "Лист один (2)"
    for place, text in {"B2": "Регион", "C2": "2023 год", "D2": "2024 год", "E2": "Прирост"}.items():
        sheet[place] = text
    for row, (_, name) in enumerate(regions, 3):
        sheet[f"B{row}"] = name
        styled(sheet[f"C{row}"], "0")
        sheet[f"E{row}"] = f"=D{row}-C{row}"
    sheet.column_dimensions["D"].hidden = True
    sheet.page_setup.orientation = "landscape"
    sheet.print_area = "B2:E6"
    sheet.print_title_rows = "2:2"
    sheet["B3"].comment = Comment("Примечание", "author")
    return book


def c_names_of_cells():
    book = Workbook()
    form = book.active
    form.title = "Форма"
    for row, (code, _) in enumerate(regions, 2):
        form[f"A{row}"] = int(code)
        styled(form[f"D{row}"])
    form["H1"].number_format = "0.0"
    other = book.create_sheet("Итоги")
    other["A1"] = "=SUM(Форма!D2:D5)"
    other["A2"] = '=IF(A1>0,"есть","нет")'
    names = {
        "arable": "Форма!$D$2:$D$5",
        "pasture_790000000": "Форма!$H$1",
        "pasture_110000000": "Форма!$H$2",
        "form_unit_code": "Форма!$H$4",
        "form_date": "Форма!$H$5",
        "form_sources": "Форма!$H$30",
        "rate": "0.12",
        "wide": "Форма!$J$1:$K$4",
    }
    for name, place in names.items():
        book.defined_names[name] = DefinedName(name, attr_text=place)
    return book


def d_chart():
    book = Workbook()
    for index, title in enumerate(("Первый", "Второй")):
        sheet = book.active if index == 0 else book.create_sheet()
        sheet.title = title
        sheet.append(["Код", "Значение", "Доля"])
        for row, (code, _) in enumerate(regions, 2):
            sheet.append([code, None, f"=B{row}/SUM(B$2:B$5)"])
            sheet[f"C{row}"].number_format = "0.0%"
        chart = BarChart()
        chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=5), titles_from_data=True)
        sheet.add_chart(chart, "F2")
    book["Второй"].sheet_state = "visible"
    return book


def e_table():
    book = Workbook()
    sheet = book.active
    sheet.title = "Т"
    sheet.append(["Код", "Площадь", "Удвоено"])
    for code, _ in regions:
        sheet.append([code, 7, None])
    sheet["C2"] = ArrayFormula("C2:C5", "=B2:B5*2")
    sheet.add_table(ListTable(displayName="Площади", ref="A1:C5"))
    sheet["E1"] = "=SUM(B2:B5)"
    return book


def odf_cell(text=None, number=None, formula=None, value=None, style=None, repeated=1, spanned=None):
    options = {}
    if style is not None:
        options["stylename"] = style
    if repeated > 1:
        options["numbercolumnsrepeated"] = repeated
    if spanned is not None:
        options["numbercolumnsspanned"], options["numberrowsspanned"] = spanned
    if number is not None:
        options |= {"valuetype": "float", "value": number}
    if formula is not None:
        options |= {"formula": formula, "valuetype": "float", "value": value}
    if text is not None:
        options["valuetype"] = "string"
    cell = TableCell(**options)
    shown = text if text is not None else number if number is not None else value
    if shown is not None:
        cell.addElement(P(text=str(shown)))
    return cell


def odf_book():
    book = OpenDocumentSpreadsheet()
    decimals = NumberStyle(name="N2")
    decimals.addElement(Number(decimalplaces=2, minintegerdigits=1, grouping=True))
    book.automaticstyles.addElement(decimals)
    figure = Style(name="figure", family="table-cell", datastylename="N2")
    figure.addElement(TableCellProperties(backgroundcolor="#fff8e1", cellprotect="none"))
    figure.addElement(ParagraphProperties(textalign="end"))
    book.automaticstyles.addElement(figure)
    wide = Style(name="wide", family="table-column")
    wide.addElement(TableColumnProperties(columnwidth="7cm"))
    book.automaticstyles.addElement(wide)
    return book, figure, wide


def f_odf():
    book, figure, wide = odf_book()
    sheet = Table(name="Баланс", protected=True, protectionkey="x")
    sheet.addElement(TableColumn(stylename=wide))
    sheet.addElement(TableColumn(numbercolumnsrepeated=5))

    def row(*cells, repeated=1):
        line = TableRow(numberrowsrepeated=repeated) if repeated > 1 else TableRow()
        for cell in cells:
            line.addElement(cell)
        sheet.addElement(line)

    row(odf_cell("Баланс земель", spanned=(4, 1)), CoveredTableCell(numbercolumnsrepeated=3))
    row(odf_cell(repeated=4), repeated=2)
    row(odf_cell("Код"), odf_cell("Пашня"), odf_cell("Пастбища"), odf_cell("Всего"))
    for number, (code, _) in enumerate(regions, 5):
        row(odf_cell(code), odf_cell(style=figure, repeated=2), odf_cell(formula=f"of:=[.B{number}]+[.C{number}]", value=0, style=figure))
    row(odf_cell("Всего"), odf_cell(formula="of:=SUM([.B5:.B8])", value=0), odf_cell(repeated=1000))
    row(odf_cell(repeated=1024), repeated=1000)
    book.spreadsheet.addElement(sheet)
    return book


def g_odf_names():
    book, figure, _ = odf_book()
    sheet = Table(name="Лист.1 'а'")
    for code, _name in regions:
        line = TableRow()
        line.addElement(odf_cell(code))
        line.addElement(odf_cell(style=figure))
        sheet.addElement(line)
    total = TableRow()
    total.addElement(odf_cell(formula="of:=SUM([.B1:.B4])", value=0))
    sheet.addElement(total)
    book.spreadsheet.addElement(sheet)
    names = NamedExpressions()
    quoted = "$'Лист.1 ''а'''"
    for name, place in {"arable": ".$B$1:.$B$4", "form_unit_code": ".$D$3", "form_sources": ".$F$40"}.items():
        names.addElement(NamedRange(name=name, cellrangeaddress=quoted + place, basecelladdress=quoted + ".$A$1"))
    book.spreadsheet.addElement(names)
    return book


for name, make in {"a": a_balance, "b": b_names, "c": c_names_of_cells, "d": d_chart, "e": e_table}.items():
    make().save(folder / f"{name}.xlsx")
f_odf().save(folder / "f.ods")
g_odf_names().save(folder / "g.ods")
for source, target in {"a": "h", "b": "i", "c": "j"}.items():
    # The converter names the file after its source.
    copy = folder / f"{target}.xlsx"
    copy.write_bytes((folder / f"{source}.xlsx").read_bytes())
    profile = f"-env:UserInstallation=file://{folder}/profile"
    subprocess.run(["soffice", profile, "--headless", "--convert-to", "ods", "--outdir", folder, copy], check=True, capture_output=True, timeout=300)
    copy.unlink()

# 2024: 1,234.5 | a formula as a text | 3 | none; 2023: 10 | 20 | -30 | 40
one, other = [1234.5, "=1+1", 3, None], [10, 20, -30, 40]
balance = {f"C{row}": one[row - 6] for row in range(6, 10)} | {f"D{row}": other[row - 6] for row in range(6, 10)}
balance |= {"E6": 1244.5, "E7": "#VALUE!", "C10": 1237.5, "D10": 40, "A6": "110000000"}
names = {f"C{row}": other[row - 3] for row in range(3, 7)} | {"D3": 1234.5, "D4": "=1+1", "D5": 3, "D6": None, "E3": 1224.5, "E5": 33}
of_cells = {f"D{row}": one[row - 2] for row in range(2, 6)} | {"H1": 40, "H2": 10, "H4": "790000000", "A2": 110000000}
expected = {
    "a.xlsx": {"Баланс земель": balance},
    "b.xlsx": {"Лист один (2)": names},
    "c.xlsx": {"Форма": of_cells, "Итоги": {"A1": 1237.5, "A2": "есть"}},
    "d.xlsx": {title: {"B2": 10, "B3": 20, "B4": -30, "B5": 40, "C2": 0.25} for title in ("Первый", "Второй")},
    "e.xlsx": {"Т": {"B2": 10, "B3": 20, "B4": -30, "B5": 40, "C2": 20, "C4": -60, "E1": 40}},
    "f.ods": {"Баланс": {"B5": 1234.5, "B6": "=1+1", "B7": 3, "B8": None, "C5": 10, "C6": 20, "C7": -30, "C8": 40, "D5": 1244.5, "D7": -27, "B9": 1237.5}},
    "g.ods": {"Лист.1 'а'": {"B1": 1234.5, "B2": "=1+1", "B3": 3, "B4": None, "A5": 1237.5, "D3": "790000000"}},
}
expected |= {"h.ods": expected["a.xlsx"], "i.ods": expected["b.xlsx"], "j.ods": expected["c.xlsx"]}
(folder / "expected.json").write_text(json.dumps(expected))
