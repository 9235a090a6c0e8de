/** Section 3 of the decisions, Vector with KATO. */
export const rows = {
  'D3K columns': 'All non-geometry columns in file order; samples: up to 5 distinct non-empty values as text',
  'D3K mapped once':
    'The KATO column is no year column and a column is mapped once: 422 on year_columns.N.column',
  'D3K item': 'An item that is no object: year_columns.N',
  'D3K unknown column': '422 on kato_column or year_columns.N.column',
  'D3K state': 'A mapping in any state but awaiting_mapping and ready is 409',
  'D3K units': '244 units of Kazakhstan, 20 and 224; name is Russian; codes match any level',
  'D3K code':
    'Text, trimmed; numbers as integers without exponent or in their shortest form; long digits are kept',
  'D3K no columns': 'A file without columns is failed',
  'D3K no code': 'Rows without a code are skipped and counted in the report',
  'D3K one each': 'One observation per remaining row and mapped column, empty cells included',
  'D3K number type': 'A cell is a number when its type is numeric and finite',
  'D3K number text':
    'or when its text is one: sign, digits, groups of three, decimal point or comma, exponent',
  'D3K commas thousands': 'Commas part thousands when a cell proves it and none the opposite',
  'D3K commas decimal': 'else they are decimal commas',
  'D3K commas mixed': 'Both proofs: mixed_decimal_comma, read cell by cell',
  'D3K commas ambiguous': 'Every comma with exactly three digits after it: ambiguous_decimal_comma',
  'D3K blanks': 'Blanks alone are an empty cell',
  'D3K text': 'Anything else goes to value_text',
  'D3K re-map': 'Readers see the old set or the new set, never a mix',
  'D3K re-map fails': 'If the extraction fails the old set is still there and the status is failed',
  'D3K data': 'data[date] is value, else value_text, else null',
  'D3K last': 'Of one code and start date the last in (mapping order, file order) that is not empty shows',
  'D3K all stay': 'All of them stay in the observations list',
  'D3K feature order': 'Features are ordered by KATO code',
  'D3K periods': 'Where two periods share a start date the later end wins',
  'D3K observation order': 'kato_code, start_date, end_date (null first), id',
};
