import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseError } from 'pg';
import { Problem } from '../common/errors.ts';
import { EngineDied } from '../geo/engine.ts';
import { backOffSeconds, decideRetry } from './retry-decision.ts';

const none = { engineDeaths: 0, workerDeaths: 0 };

function databaseError(code: string, message: string): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code });
}

describe('decision on a failed attempt', () => {
  it('is final for what the file is to blame for', () => {
    assert.deepEqual(decideRetry(new Problem('invalid', 'The file has no columns.'), none), {
      end: 'failed',
      reason: 'The file has no columns.',
    });
  });

  it('gives an engine that died two more tries, then a sentence for the user', () => {
    const error = new EngineDied('killed by SIGKILL');
    for (const engineDeaths of [0, 1]) {
      const again = { end: 'again', workerDeaths: 1, afterSeconds: 0, error: 'killed by SIGKILL' };
      const decision = decideRetry(error, { engineDeaths, workerDeaths: 1 });
      assert.deepEqual(decision, { ...again, engineDeaths: engineDeaths + 1 });
    }
    const third = decideRetry(error, { engineDeaths: 2, workerDeaths: 1 });
    assert.ok(third.end === 'failed');
    assert.match(third.reason, /upload it again\.$/);
    assert.doesNotMatch(third.reason, /SIGKILL/);
  });

  it('is final for a value that the database refuses, in words of our own', () => {
    const decision = decideRetry(databaseError('22003', 'value out of range: underflow'), none);
    assert.ok(decision.end === 'failed');
    assert.match(decision.reason, /upload it again\.$/);
    assert.doesNotMatch(decision.reason, /underflow/);
    assert.equal(decideRetry(databaseError('54000', 'index row size exceeds maximum'), none).end, 'failed');
    assert.equal(decideRetry(databaseError('53100', 'could not extend file'), none).end, 'again');
  });

  it('tries again for ever when anything else failed', () => {
    assert.deepEqual(decideRetry(new Error('connection refused'), { engineDeaths: 2, workerDeaths: 500 }), {
      end: 'again',
      engineDeaths: 2,
      workerDeaths: 501,
      afterSeconds: 60,
      error: 'connection refused',
    });
    assert.equal(decideRetry('a string that was thrown', none).end, 'again');
  });

  it('keeps reasons that a database can store', () => {
    const decision = decideRetry(new Problem('invalid', `\0bad\0name\ud800 ${'x'.repeat(10_000)}`), none);
    assert.ok(decision.end === 'failed');
    assert.match(decision.reason, /^bad name\ufffd x+…$/);
    assert.equal(decision.reason.length, 2000);
  });

  it('never ends without a reason', () => {
    const decision = decideRetry(new Problem('invalid', ' \0\n'), none);
    assert.ok(decision.end === 'failed');
    assert.match(decision.reason, /upload it again\.$/);
  });

  it('backs off from the third time on, for a minute at most', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 5000].map((deaths) => backOffSeconds(deaths));
    assert.deepEqual(waits, [0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });
});
