import type { Page } from 'playwright-core';
import { button, type Failing } from './faults.ts';

/** Requests of the page that makes inputs, of an attribute of a vector. */
export function makeFailing(vector: string): readonly Failing[] {
  const makeLabel = 'Make the input';
  const slot = 'landscape-in-distance-road';
  const at = `/landscape/make?slot=${slot}`;
  const byDistance = async (page: Page): Promise<void> => {
    await page.getByLabel('Distance to features').check();
    await page.getByLabel('Vector dataset').selectOption(vector);
  };
  const classes = 'landscape-in-soil-texture';
  const byAttribute = async (page: Page): Promise<void> => {
    await page.getByLabel('Vector dataset').selectOption(vector);
  };
  const ofAttribute = async (page: Page): Promise<void> => {
    await byAttribute(page);
    await page.getByRole('combobox', { name: 'Attribute' }).selectOption('ADM2_RU');
  };
  const withMore = async (page: Page): Promise<void> => {
    await byDistance(page);
    await page.getByText('Grid, name, period and further options').click();
  };
  const withFilter = async (page: Page): Promise<void> => {
    await withMore(page);
    await page.getByLabel('Only to features with an attribute').selectOption('ADM2_RU');
  };
  const ofClasses = `/landscape/make?slot=${classes}`;
  return [
    { request: 'GET /landscape/graph', at, isLong: true },
    { request: `GET /landscape/slots/${slot}/make`, at },
    { request: `GET /landscape/slots/${classes}/make`, at: ofClasses, isLong: true },
    { request: 'GET /ogc/collections/{id}/queryables', at: ofClasses, act: byAttribute, isLong: true },
    { request: `GET /landscape/slots/${classes}/make/values`, at: ofClasses, act: ofAttribute, isLong: true },
    { request: 'GET /datasets?status=ready&page_size=100', at, isLong: true },
    { request: 'GET /ogc/collections/{id}/queryables', at, act: withMore, isLong: true },
    { request: `GET /landscape/slots/${slot}/make/values`, at, act: withFilter, isLong: true },
    {
      request: `POST /landscape/slots/${slot}/make?wait=10`,
      at,
      async act(page) {
        await byDistance(page);
        await button(makeLabel)(page).click();
      },
      again: button(makeLabel),
      // The page names the input in the language of the reader.
      fields: ['name', 'method', 'dataset_id', 'measure', 'limit_m', 'beyond', 'where'],
      isLong: true,
    },
  ];
}
