import type { AllSentences } from './english.ts';
import { kazakh as areas } from '../areas/kazakh.ts';
import { kazakh as contents } from '../contents/kazakh.ts';
import { kazakh as datasets } from '../datasets/kazakh.ts';
import { kazakh as drawing } from '../drawing/kazakh.ts';
import { kazakh as explanation } from '../explanation/kazakh.ts';
import { kazakh as forms } from '../forms/kazakh.ts';
import { kazakh as inputs } from '../inputs/kazakh.ts';
import { kazakh as packages } from '../packages/kazakh.ts';
import { kazakh as raster } from '../raster/kazakh.ts';
import { kazakh as registers } from '../registers/kazakh.ts';
import { kazakh as report } from '../report/kazakh.ts';
import { kazakh as request } from '../request/kazakh.ts';
import { kazakh as runs } from '../runs/kazakh.ts';
import { kazakh as sources } from '../sources/kazakh.ts';
import { kazakh as standards } from '../standards/kazakh.ts';
import { kazakh as tables } from '../tables/kazakh.ts';
import { kazakh as vector } from '../vector/kazakh.ts';
import { kazakh as zoning } from '../zoning/kazakh.ts';

export const kazakh: AllSentences = {
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
