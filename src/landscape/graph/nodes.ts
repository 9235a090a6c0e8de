/** The nodes of the graph, by the files that define them. */
export { slope, ruggedness } from './kernels/terrain.ts';
export { aridity, vegetationCover, allocable } from './kernels/land.ts';
export { soilQuality, climateQuality, vegetationQuality } from './kernels/quality.ts';
export { soilLoss } from './kernels/soil-loss.ts';
export { irrigation, snowRetention, crop, pasture, tourism } from './kernels/suitability.ts';
export { sensitivity } from './kernels/sensitivity.ts';
export { maxSuitability, leadingSector, useZone, functionalZoning } from './kernels/zoning.ts';
