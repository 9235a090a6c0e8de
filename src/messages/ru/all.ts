import type { AllSentences } from '../areas.ts';
import { catalogue } from './catalogue.ts';
import { packages } from './packages.ts';
import { raster } from './raster.ts';
import { requests } from './requests.ts';
import { styleParts } from './style-parts.ts';
import { styles } from './styles.ts';
import { tables } from './tables.ts';
import { vector } from './vector.ts';

/** Every sentence in Russian. */
export const russian: AllSentences = {
  ...catalogue,
  ...packages,
  ...raster,
  ...requests,
  ...styleParts,
  ...styles,
  ...tables,
  ...vector,
};
