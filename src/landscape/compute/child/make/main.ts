/** The process that makes an input raster. It is a program of its own because it needs none of the graph, which takes time to load. */
import { answerOnce } from '../../../../geo/gdal/answer-once.ts';
import { createGdalRasterReader } from '../../../../geo/child/raster/raster-reader.ts';
import { refuseForeignDrivers } from '../../../../geo/gdal/load-gdal.ts';
import type { InputWork } from '../../input-work.ts';
import { loadRecipes, makeInput } from './make-input.ts';

// The parent has checked the work; a second check would load the library for it.
answerOnce(async ({ work }: { readonly work: InputWork }) => {
  refuseForeignDrivers('raster');
  return await makeInput(createGdalRasterReader, work);
}, loadRecipes);
