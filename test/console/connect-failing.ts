import { button, type Failing, inDialog } from './faults.ts';

/** Requests of the page that connects other programs to a raster. */
export function connectFailing(raster: string): readonly Failing[] {
  const at = `/connect/datasets/${raster}`;
  return [
    { request: 'GET /datasets/{id}/metadata', at },
    {
      request: 'PUT /datasets/{id}/metadata',
      at,
      async act(page) {
        await button('Add to the record')(page).click();
        await page.getByRole('dialog').getByLabel('Purpose').fill(`of ${Date.now()}`);
        await inDialog('Save')(page).click();
      },
      again: inDialog('Save'),
      fields: [
        'organisation',
        'email',
        'licence',
        'topic_category',
        'lineage',
        'purpose',
        'scale_denominator',
        'keywords',
      ],
      isLong: true,
    },
  ];
}
