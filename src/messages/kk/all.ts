import type { AllSentences } from '../areas.ts';
import { comparison } from './landscape/comparison.ts';
import { contents } from './contents.ts';
import { datasets } from './datasets.ts';
import { dossier } from './landscape/dossier.ts';
import { drawing } from './drawing.ts';
import { explanations } from './landscape/explanation.ts';
import { features } from './features.ts';
import { events } from './events.ts';
import { limits } from './landscape/limits.ts';
import { hectares } from './hectares.ts';
import { inputs } from './landscape/inputs.ts';
import { metadata } from './metadata.ts';
import { packages } from './packages.ts';
import { polygons } from './landscape/polygons.ts';
import { raster } from './raster.ts';
import { report } from './report.ts';
import { request } from './request.ts';
import { runs } from './landscape/runs.ts';
import { sheets } from './sheets.ts';
import { standards } from './standards.ts';
import { tables } from './tables.ts';
import { vector } from './vector.ts';
import { zonal } from './zonal.ts';
import { watch } from './landscape/watch.ts';
import { zoning } from './landscape/zoning.ts';

export const kazakh: AllSentences = {
  ...comparison,
  ...contents,
  ...datasets,
  ...dossier,
  ...drawing,
  ...explanations,
  ...events,
  ...limits,
  ...hectares,
  ...inputs,
  ...metadata,
  ...packages,
  ...polygons,
  ...raster,
  ...report,
  ...request,
  ...runs,
  ...sheets,
  ...features,
  ...standards,
  ...tables,
  ...vector,
  ...zonal,
  ...watch,
  ...zoning,
};
