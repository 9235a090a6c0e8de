export * from './generated/sdk.gen.js';
export type * from './generated/types.gen.js';
export type { Client } from './generated/client/index.js';
export { createSteppe, type SteppeOptions } from './steppe.js';
export { SteppeError } from './errors.js';
export { settledDataset, settledRun } from './waiting.js';
export { type NewDataset, requestKey, uploadFile } from './uploads.js';
