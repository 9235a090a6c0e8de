import type { AllSentences } from '../areas.ts';
import { comparison } from './comparison.ts';
import { contents } from './contents.ts';
import { datasets } from './datasets.ts';
import { dossier } from './dossier.ts';
import { drawing } from './drawing.ts';
import { explanations } from './explanation.ts';
import { features } from './features.ts';
import { events } from './events.ts';
import { limits } from './limits.ts';
import { hectares } from './hectares.ts';
import { inputs } from './inputs.ts';
import { metadata } from './metadata.ts';
import { packages } from './packages.ts';
import { polygons } from './polygons.ts';
import { raster } from './raster.ts';
import { report } from './report.ts';
import { request } from './request.ts';
import { sheets } from './sheets.ts';
import { standards } from './standards.ts';
import { tables } from './tables.ts';
import { vector } from './vector.ts';
import { zonal } from './zonal.ts';
import { watch } from './watch.ts';
import { zoning } from './zoning.ts';

/** Every sentence in Kazakh. */
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
  ...sheets,
  ...features,
  ...standards,
  ...tables,
  ...vector,
  ...zonal,
  ...watch,
  ...zoning,
};
