import type { Translations } from '../base/define.ts';
import { english as areas } from '../areas/english.ts';
import { english as contents } from '../contents/english.ts';
import { english as datasets } from '../datasets/english.ts';
import { english as drawing } from '../drawing/english.ts';
import { english as explanation } from '../explanation/english.ts';
import { english as forms } from '../forms/english.ts';
import { english as inputs } from '../inputs/english.ts';
import { english as packages } from '../packages/english.ts';
import { english as raster } from '../raster/english.ts';
import { english as registers } from '../registers/english.ts';
import { english as report } from '../report/english.ts';
import { english as request } from '../request/english.ts';
import { english as runs } from '../runs/english.ts';
import { english as sources } from '../sources/english.ts';
import { english as standards } from '../standards/english.ts';
import { english as tables } from '../tables/english.ts';
import { english as vector } from '../vector/english.ts';
import { english as zoning } from '../zoning/english.ts';

/** Every sentence for users, by the area that prefixes its code. */
export const english = {
  ...areas,
  ...contents,
  ...datasets,
  ...drawing,
  ...explanation,
  ...forms,
  ...inputs,
  ...packages,
  ...raster,
  ...registers,
  ...report,
  ...request,
  ...runs,
  ...sources,
  ...standards,
  ...tables,
  ...vector,
  ...zoning,
};

/** Every sentence in another language. */
export type AllSentences = Translations<typeof english>;
