import type { AllSentences } from './english.ts';
import { russian as areas } from '../areas/russian.ts';
import { russian as contents } from '../contents/russian.ts';
import { russian as datasets } from '../datasets/russian.ts';
import { russian as drawing } from '../drawing/russian.ts';
import { russian as explanation } from '../explanation/russian.ts';
import { russian as forms } from '../forms/russian.ts';
import { russian as inputs } from '../inputs/russian.ts';
import { russian as packages } from '../packages/russian.ts';
import { russian as raster } from '../raster/russian.ts';
import { russian as registers } from '../registers/russian.ts';
import { russian as report } from '../report/russian.ts';
import { russian as request } from '../request/russian.ts';
import { russian as runs } from '../runs/russian.ts';
import { russian as sources } from '../sources/russian.ts';
import { russian as standards } from '../standards/russian.ts';
import { russian as tables } from '../tables/russian.ts';
import { russian as vector } from '../vector/russian.ts';
import { russian as zoning } from '../zoning/russian.ts';

export const russian: AllSentences = {
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
