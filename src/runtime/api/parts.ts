import type { BaseMap } from './capabilities.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../database/tables/tables.ts';
import type { Maps } from '../../maps/service/maps.ts';
import type { VectorMaps } from '../../maps/service/vector-maps.ts';
import type { DistrictFiles } from '../../units/district-files.ts';
import type { LayerTiles } from '../../maps/service/layer-tiles.ts';
import type { RasterPairs } from '../../maps/service/raster-pairs.ts';
import type { RasterPoints } from '../../maps/service/raster-points.ts';
import type { Legends } from '../../maps/service/legends.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';
import type { CurrentFiles } from '../../tables/kato-map/current-files.ts';
import type { Rates } from '../../tables/rates/rate-series.ts';
import type { RecentDatasets } from '../../datasets/recent-datasets.ts';
import type { FeatureFiles } from '../../geo/flatgeobuf/open-file.ts';
import type { CompileStyle } from '../../maps/styles/compiled-styles.ts';
import type { PaperMaps } from '../../maps/paper/paper-maps.ts';
import type { SheetDependencies } from '../../print/sheet-subject.ts';
import type { Publisher } from '../../metadata/facts.ts';
import type { ZonedRuns } from '../../landscape/balance/zoned-runs.ts';
import type { UploadLimits } from '../../datasets/resumable/uploads.ts';
import type { CheckUploaded, FinishDependencies } from '../../datasets/resumable/finish.ts';
import type { Spool } from '../../spool/spool.ts';
import type { RemoteFiles } from '../../remote/remote-files.ts';
import type { WebhookSender } from '../../webhooks/send.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { AccessPolicy } from '../../http/access/access-policy.ts';
import type { DrawnAnswers } from '../../http/answer/drawn.ts';
import type { EventListeners } from '../../events/event-listeners.ts';
import type { ResultWaiters } from '../../http/long-poll/result-waiters.ts';
import type { StatusWaiters } from '../../http/long-poll/status-waiters.ts';

/** The dependencies of all routes; each route names those that it needs. */
export interface Parts {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  readonly statusWaiters: StatusWaiters;
  readonly resultWaiters: ResultWaiters;
  readonly remoteFiles: Pick<RemoteFiles, 'isOn' | 'probe' | 'readDocument' | 'refusalOf'>;
  readonly webhookSender: Pick<WebhookSender, 'mayTry'>;
  readonly eventListeners: EventListeners;
  readonly recentDatasets: RecentDatasets;
  /** FlatGeobuf files, with a shared cache of headers and indexes. */
  readonly featureFiles: FeatureFiles;
  /** The folder for databases that are created while a client waits; it may not exist yet. */
  readonly scratchFolder: string;
  /** Files that are written on request. */
  readonly spool: Spool;
  readonly currentFiles: CurrentFiles;
  readonly rates: Rates;
  readonly districtFiles: DistrictFiles;
  readonly maps: Maps;
  readonly vectorMaps: VectorMaps;
  readonly rasterPoints: RasterPoints;
  readonly layerTiles: LayerTiles;
  readonly zonedRuns: ZonedRuns;
  readonly rasterPairs: RasterPairs;
  readonly paperMaps: PaperMaps;
  /** Dependencies for drawing sheets and atlases. */
  readonly printing: SheetDependencies;
  readonly legends: Legends;
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
  readonly compileStyle: CompileStyle;
  /** Returns whether the database has its tables; until then, requests that need them are answered 503. */
  isPrepared(): boolean;
  /** The checks of `/readyz`, by the names in its answer; each rejects when its component is unavailable. */
  readonly checks: Readonly<Record<'database' | 'object_store' | 'message_queue', () => Promise<void>>>;
  /** The limit of a whole request body, in bytes. */
  readonly maxUploadBytes: number;
  readonly uploadLimits: UploadLimits;
  /** Checks an upload in pieces before its bytes are sent. */
  readonly checkUploaded: CheckUploaded;
  readonly createUploaded: FinishDependencies['createUploaded'];
  /** True if the Model Context Protocol is available at `/mcp`. */
  readonly hasMcp: boolean;
  /** The organisation responsible for datasets whose metadata name none. */
  readonly publisher: Publisher;
  /** An optional background for maps. */
  readonly baseMap: BaseMap | undefined;
  /** Location of nginx over the folder of objects; undefined if the api sends all files itself. */
  readonly filesLocation?: string | undefined;
  /** Aborts when the shutdown begins: the service is no longer ready, and connections close after their answer. */
  readonly draining: AbortSignal;
  readonly access: AccessPolicy;
  readonly log: FastifyBaseLogger;
  /** Receives a line for each answer; undefined when the log is off. */
  readonly accessLog: Pick<FastifyBaseLogger, 'info'> | undefined;
}
