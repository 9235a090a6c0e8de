import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TileBudget } from '../../maps/service/tile-budget.ts';
import { tableOutProblems } from '../../messages/tables.ts';
import { untilGone } from './until-gone.ts';

/** Each may hold a database connection until its client has all of it. */
export const maxWrittenAtOnce = 4;
/** A client that takes longer holds up what the database has to tidy. */
const maxSeconds = 1800;

/** A place in which a file is written while it is sent. */
export interface WritingPlace {
  /** Frees the place when it is disposed of; what is written may add to it. */
  readonly held: AsyncDisposableStack;
  /** Aborts when the client has gone, or after half an hour. */
  readonly signal: AbortSignal;
}

export type TakeWritingPlace = (request: FastifyRequest, reply: FastifyReply) => WritingPlace;

/** Creates the places in which tables are written. A taken one throws `too_many` where all are taken, or where the client asks too often. */
export function createWritingPlaces(tileBudget: Pick<TileBudget, 'charge'>): TakeWritingPlace {
  let underWay = 0;
  return (request, reply) => {
    tileBudget.charge(request.ip);
    if (underWay >= maxWrittenAtOnce) throw tableOutProblems.tooManyAtOnce();
    underWay += 1;
    const held = new AsyncDisposableStack();
    held.defer(() => void (underWay -= 1));
    return { held, signal: AbortSignal.any([untilGone(reply), AbortSignal.timeout(maxSeconds * 1000)]) };
  };
}
