import type { AllSentences } from '../areas.ts';
import { catalogue } from './catalogue.ts';
import { contents } from './contents.ts';
import { drawing } from './drawing.ts';
import { legend } from './legend.ts';
import { otherJson } from './other-json.ts';
import { packages } from './packages.ts';
import { raster } from './raster.ts';
import { requests } from './requests.ts';
import { styleParts } from './style-parts.ts';
import { styles } from './styles.ts';
import { tables } from './tables.ts';
import { vectorTiles } from './vector-tiles.ts';
import { vector } from './vector.ts';

/** Every sentence in Kazakh. */
export const kazakh: AllSentences = {
  ...catalogue,
  ...contents,
  ...drawing,
  ...legend,
  ...otherJson,
  ...packages,
  ...raster,
  ...requests,
  ...styleParts,
  ...styles,
  ...tables,
  ...vector,
  ...vectorTiles,
};
