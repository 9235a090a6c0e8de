import { eventRequests } from './event-requests.ts';
import { featureRequests } from './feature-requests.ts';
import { metadataRequests } from './metadata-requests.ts';
import { stacRequests } from './stac-requests.ts';
import type { Asked } from './status-requests.ts';

/** By operation: how each of its statuses comes about, of what other programs ask for. */
export const doorRequests: Readonly<Record<string, Readonly<Record<number, Asked>>>> = {
  ...eventRequests,
  ...featureRequests,
  ...metadataRequests,
  ...stacRequests,
};
