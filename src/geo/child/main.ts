/** The process in which files are read and written with GDAL for the geo engine. */
import { answerOnce } from '../gdal/answer-once.ts';
import { perform } from './perform.ts';

answerOnce(perform);
