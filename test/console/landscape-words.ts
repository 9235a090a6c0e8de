import { areas as areasEn } from '../../console/src/pages/areas/words/en.ts';
import { areas as areasKk } from '../../console/src/pages/areas/words/kk.ts';
import { areas as areasRu } from '../../console/src/pages/areas/words/ru.ts';
import {
  dossier as dossierEn,
  polygons as polygonsEn,
  runs as runsEn,
  watch as watchEn,
} from '../../console/src/pages/runs/words/en.ts';
import {
  dossier as dossierKk,
  polygons as polygonsKk,
  runs as runsKk,
  watch as watchKk,
} from '../../console/src/pages/runs/words/kk.ts';
import {
  dossier as dossierRu,
  polygons as polygonsRu,
  runs as runsRu,
  watch as watchRu,
} from '../../console/src/pages/runs/words/ru.ts';
import { explain as explainEn } from '../../console/src/pages/explain/words/en.ts';
import { explain as explainKk } from '../../console/src/pages/explain/words/kk.ts';
import { explain as explainRu } from '../../console/src/pages/explain/words/ru.ts';
import { forms as formsEn } from '../../console/src/pages/forms/words/en.ts';
import { inputs as inputsEn } from '../../console/src/pages/inputs/words/en.ts';
import { forms as formsKk } from '../../console/src/pages/forms/words/kk.ts';
import { inputs as inputsKk } from '../../console/src/pages/inputs/words/kk.ts';
import { forms as formsRu } from '../../console/src/pages/forms/words/ru.ts';
import { inputs as inputsRu } from '../../console/src/pages/inputs/words/ru.ts';
import { limits as limitsEn } from '../../console/src/pages/limits/words/en.ts';
import { limits as limitsKk } from '../../console/src/pages/limits/words/kk.ts';
import { limits as limitsRu } from '../../console/src/pages/limits/words/ru.ts';
import { results as resultsEn } from '../../console/src/pages/results/words/en.ts';
import { results as resultsKk } from '../../console/src/pages/results/words/kk.ts';
import { results as resultsRu } from '../../console/src/pages/results/words/ru.ts';
import { series as seriesEn } from '../../console/src/pages/series/words/en.ts';
import { series as seriesKk } from '../../console/src/pages/series/words/kk.ts';
import { series as seriesRu } from '../../console/src/pages/series/words/ru.ts';

export const en = {
  areas: areasEn,
  dossier: dossierEn,
  explain: explainEn,
  forms: formsEn,
  inputs: inputsEn,
  limits: limitsEn,
  polygons: polygonsEn,
  results: resultsEn,
  runs: runsEn,
  series: seriesEn,
  watch: watchEn,
};

export const ru = {
  areas: areasRu,
  dossier: dossierRu,
  explain: explainRu,
  forms: formsRu,
  inputs: inputsRu,
  limits: limitsRu,
  polygons: polygonsRu,
  results: resultsRu,
  runs: runsRu,
  series: seriesRu,
  watch: watchRu,
};

export const kk = {
  areas: areasKk,
  dossier: dossierKk,
  explain: explainKk,
  forms: formsKk,
  inputs: inputsKk,
  limits: limitsKk,
  polygons: polygonsKk,
  results: resultsKk,
  runs: runsKk,
  series: seriesKk,
  watch: watchKk,
};
