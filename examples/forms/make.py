"""Writes the example of a layout, land-balance.xlsx. Needs openpyxl 3.1; land-balance.ods is the same, converted by LibreOffice."""

from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side

regions = """100000000 область Абай|110000000 Акмолинская область|150000000 Актюбинская область|190000000 Алматинская область|230000000 Атырауская область
270000000 Западно-Казахстанская область|310000000 Жамбылская область|330000000 область Жетісу|350000000 Карагандинская область|390000000 Костанайская область
430000000 Кызылординская область|470000000 Мангистауская область|550000000 Павлодарская область|590000000 Северо-Казахстанская область|610000000 Туркестанская область
620000000 область Ұлытау|630000000 Восточно-Казахстанская область|710000000 город Астана|750000000 город Алматы|790000000 город Шымкент"""
units = [line.split(" ", 1) for line in regions.replace("\n", "|").split("|")]
sheets = {
    "Категории": [
        "Сельскохозяйственного назначения",
        "Населённых пунктов",
        "Промышленности, транспорта, связи и иного назначения",
        "Особо охраняемых природных территорий",
        "Лесного фонда",
        "Водного фонда",
        "Запаса",
    ],
    "Угодья": ["Пашня", "Многолетние насаждения", "Залежь", "Сенокосы", "Пастбища", "Леса и кустарники", "Под водой", "Прочие"],
}
line = Side(style="thin", color="9E9E9E")
box = Border(left=line, right=line, top=line, bottom=line)
head = PatternFill("solid", fgColor="E8EEF4")
book = Workbook()
book.remove(book.active)
for title, columns in sheets.items():
    sheet = book.create_sheet(title)
    last = 2 + len(columns) + 1
    sheet["A1"] = "ПРИМЕР РАСПОЛОЖЕНИЯ, не официальная форма · ОРНАЛАСУ МЫСАЛЫ, ресми нысан емес · EXAMPLE OF A LAYOUT, not an official form"
    sheet["A1"].font = Font(bold=True, color="B71C1C")
    sheet["A2"] = f"Баланс земель: {title.lower()}, га"
    sheet["A2"].font = Font(bold=True, size=14)
    for row in (1, 2):
        sheet.merge_cells(start_row=row, start_column=1, end_row=row, end_column=last)
    for column, text in enumerate(["Код КАТО", "Область, город", *columns, "Всего"], 1):
        cell = sheet.cell(4, column, text)
        cell.font, cell.fill, cell.border = Font(bold=True), head, box
        cell.alignment = Alignment(wrap_text=True, vertical="center", horizontal="center")
        sheet.column_dimensions[cell.column_letter].width = 12 if column == 1 else 32 if column == 2 else 18
    sheet.row_dimensions[4].height = 62
    for row, (code, name) in enumerate(units, 5):
        for column in range(1, last + 1):
            cell = sheet.cell(row, column)
            cell.border = box
            if column > 2:
                cell.number_format = "#,##0"
                cell.protection = Protection(locked=column == last)
        sheet.cell(row, 1, code).number_format = "@"
        sheet.cell(row, 2, name)
        sheet.cell(row, last, f"=SUM(C{row}:{sheet.cell(row, last - 1).column_letter}{row})")
    total = 5 + len(units)
    sheet.cell(total, 2, "Всего").font = Font(bold=True)
    for column in range(3, last + 1):
        letter = sheet.cell(total, column).column_letter
        cell = sheet.cell(total, column, f"=SUM({letter}5:{letter}{total - 1})")
        cell.font, cell.border, cell.number_format = Font(bold=True), box, "#,##0"
    sheet.cell(total + 2, 1, "Дата:")
    sheet.cell(total + 3, 1, "Источники:")
    sheet.freeze_panes = "C5"
    sheet.protection.sheet = True
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
from openpyxl.workbook.defined_name import DefinedName  # noqa: E402

for name, row in {"form_date": 27, "form_sources": 28}.items():
    book.defined_names[name] = DefinedName(name, attr_text=f"Категории!$B${row}")
book.save(Path(__file__).with_name("land-balance.xlsx"))
