import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseError } from 'pg';
import { Problem } from '../lib/errors.ts';
import { DatabaseSilent } from '../database/unavailable.ts';
import { EngineDied } from '../geo/engine.ts';
import { StoreUnavailable } from '../object-store/object-store.ts';
import { backOffSeconds, decideRetry, type FailureCounts } from './retry-decision.ts';
import { Message } from '../lib/message.ts';

const none = { engineDeaths: 0, workerDeaths: 0, unexpectedErrors: 0 };
const decide = (error: unknown, counts: FailureCounts = none) => decideRetry(error, counts, 'job-7');

function databaseError(code: string, message: string): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code });
}

describe('decision on a failed attempt', () => {
  it('is final for what the file is to blame for', () => {
    assert.deepEqual(decide(new Problem('invalid', 'The file has no columns.')), {
      end: 'failed',
      reason: new Message('The file has no columns.'),
    });
  });

  it('gives an engine that died two more tries, then a sentence for the user', () => {
    const error = new EngineDied('killed by SIGKILL');
    for (const engineDeaths of [0, 1]) {
      const again = { ...none, end: 'again', workerDeaths: 1, afterSeconds: 0, error: 'killed by SIGKILL' };
      const decision = decide(error, { ...none, engineDeaths, workerDeaths: 1 });
      assert.deepEqual(decision, { ...again, engineDeaths: engineDeaths + 1 });
    }
    const third = decide(error, { ...none, engineDeaths: 2, workerDeaths: 1 });
    assert.ok(third.end === 'failed');
    assert.match(third.reason.english, /upload it again\.$/);
    assert.doesNotMatch(third.reason.english, /SIGKILL/);
  });

  it('is final for a value that the database refuses, in words of our own', () => {
    const decision = decide(databaseError('22003', 'value out of range: underflow'));
    assert.ok(decision.end === 'failed');
    assert.match(decision.reason.english, /upload it again\.$/);
    assert.doesNotMatch(decision.reason.english, /underflow/);
    assert.equal(decide(databaseError('54000', 'index row size exceeds maximum')).end, 'failed');
    assert.equal(decide(databaseError('53100', 'could not extend file')).end, 'again');
  });

  it('tries again for ever what an outage or a crowd has ended', () => {
    const counts = { engineDeaths: 2, workerDeaths: 500, unexpectedErrors: 5 };
    const refused = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
    assert.deepEqual(decide(refused, counts), {
      end: 'again',
      engineDeaths: 2,
      workerDeaths: 501,
      unexpectedErrors: 5,
      afterSeconds: 60,
      error: 'connection refused',
    });
    const away = [
      new StoreUnavailable({ cause: new Error('no answer') }),
      new DatabaseSilent(),
      databaseError('40P01', 'deadlock detected'),
      databaseError('55P03', 'lock timeout'),
      Object.assign(new Error('spawn'), { code: 'EAGAIN' }),
    ];
    for (const error of away) assert.equal(decide(error, counts).end, 'again', String(error));
  });

  it('tries six times what is not foreseen, ever later, then ends with an id to look for', () => {
    const waits: number[] = [];
    for (const unexpectedErrors of [0, 1, 2, 3, 4]) {
      const decision = decide(new TypeError('x is not a function'), { ...none, unexpectedErrors });
      assert.ok(decision.end === 'again');
      assert.deepEqual([decision.unexpectedErrors, decision.workerDeaths], [unexpectedErrors + 1, 0]);
      waits.push(decision.afterSeconds);
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16]);
    const errors = [new TypeError('x is not a function'), databaseError('57014', 'timeout'), 'thrown text'];
    for (const error of errors) {
      const last = decide(error, { ...none, unexpectedErrors: 5 });
      assert.ok(last.end === 'failed');
      assert.match(last.reason.english, /\bjob-7\b/);
      assert.doesNotMatch(last.reason.english, /not a function/);
    }
  });

  it('keeps reasons that a database can store', () => {
    const decision = decide(new Problem('invalid', `\0bad\0name\ud800 ${'x'.repeat(10_000)}`));
    assert.ok(decision.end === 'failed');
    assert.match(decision.reason.english, /^bad name\ufffd x+…$/);
    assert.equal(decision.reason.english.length, 2000);
  });

  it('never ends without a reason', () => {
    const decision = decide(new Problem('invalid', ' \0\n'));
    assert.ok(decision.end === 'failed');
    assert.match(decision.reason.english, /upload it again\.$/);
  });

  it('backs off from the third time on, for a minute at most', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 5000].map((deaths) => backOffSeconds(deaths));
    assert.deepEqual(waits, [0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });
});
