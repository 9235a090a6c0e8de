import type { AllSentences } from '../areas.ts';
import { comparison } from './comparison.ts';
import { contents } from './contents.ts';
import { datasets } from './datasets.ts';
import { drawing } from './drawing.ts';
import { explanations } from './explanation.ts';
import { limits } from './limits.ts';
import { hectares } from './hectares.ts';
import { packages } from './packages.ts';
import { raster } from './raster.ts';
import { request } from './request.ts';
import { vector } from './vector.ts';
import { zoning } from './zoning.ts';

/** Every sentence in Kazakh. */
export const kazakh: AllSentences = {
  ...comparison,
  ...contents,
  ...datasets,
  ...drawing,
  ...explanations,
  ...limits,
  ...hectares,
  ...packages,
  ...raster,
  ...request,
  ...vector,
  ...zoning,
};
