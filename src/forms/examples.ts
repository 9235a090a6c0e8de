/** Examples in the interface description. */

const templateId = '4d0f6a0e-2f0b-4d1a-9a35-3c3a7f0d1c55';
const rasterId = '0b7c2a90-62a5-4f3b-8f5e-5d9a3f1b7c21';
const formId = '9b3f0a5c-71d4-4c56-bb0e-0a5f6c1d2e44';

export const exampleTemplate = {
  id: templateId,
  group_id: 'c3a1d7e4-5b92-4f68-8d0e-2b7a9c4f6e33',
  filename: 'land-balance.xlsx',
  format: 'xlsx' as const,
  size_bytes: 14_212,
  created_at: '2026-11-30T09:15:27.104Z',
};

const field = 'Баланс!C5';

export const exampleLayout = {
  template_id: templateId,
  districts_version: 3,
  sheets: ['Баланс'],
  fields: [
    {
      id: field,
      label: 'Категории, га / Пашня',
      sheet: 'Баланс',
      first_cell: 'C5',
      cells: 20,
      empty: 20,
      formulas: 0,
      units: 20,
    },
  ],
  own_names: ['form_date' as const],
  unknown_rows: [],
  unknown_names: [],
};

export const exampleFormInput = {
  fields: [
    {
      field,
      source: { kind: 'areas' as const, dataset_id: rasterId, of: 'classes' as const, classes: [10, 11] },
      factor: 0.001,
    },
  ],
};

export const exampleForm = {
  id: formId,
  template_id: templateId,
  made_at: '2026-11-30T09:16:02.871Z',
  file: `/form-templates/${templateId}/forms/${formId}/file`,
  filled: 19,
  formulas: 0,
  districts_version: 3,
  sources: [{ field, text: 'Land cover 2025: hectares by class, multiplied by 0.001' }],
  left_out: {
    fields: [],
    cells: [
      {
        field,
        sheet: 'Баланс',
        cell: 'C24',
        kato: '790000000',
        name: 'город Шымкент',
        level: 'region' as const,
        reason: 'unit_missing' as const,
        message: 'the source has no such unit',
      },
    ],
    cells_total: 1,
    rows: [],
    names: [],
  },
};
