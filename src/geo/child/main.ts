/** Process in which the geo engine reads and writes files with GDAL. */
import { answerOnce } from '../gdal/answer-once.ts';
import { perform } from './perform.ts';

answerOnce(perform);
