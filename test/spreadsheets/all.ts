import { across } from './layouts/across.ts';
import { bureau } from './layouts/bureau.ts';
import { codes } from './layouts/codes.ts';
import { shapes } from './layouts/shapes.ts';
import { texts } from './layouts/texts.ts';
import { times } from './layouts/times.ts';
import type { Spreadsheet } from './truth.ts';

export const spreadsheets: readonly Spreadsheet[] = [
  ...bureau,
  ...across,
  ...codes,
  ...texts,
  ...times,
  ...shapes,
];
