import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asksForHelp, readOptions, UsageError } from './options.ts';

const options = { name: { type: 'string' }, days: { type: 'string' }, all: { type: 'boolean' } } as const;
const read = (...args: readonly string[]) => readOptions(args, options, 1);

describe('a command line', () => {
  test('gives options and arguments in any order; what stands behind -- is not an option', () => {
    const { values, positionals } = read('file', '--all', '--name', 'a b', '--days=7');
    assert.deepEqual({ ...values }, { all: true, name: 'a b', days: '7' });
    assert.deepEqual(positionals, ['file']);
    assert.deepEqual(read('--', '--all').positionals, ['--all']);
  });

  test('takes a negative number, and after = anything, as a value', () => {
    assert.equal(read('--days', '-3').values.days, '-3');
    assert.equal(read('--name=--all').values.name, '--all');
    assert.equal(read('--name=').values.name, '');
  });

  const mistakes: Readonly<Record<string, readonly string[]>> = {
    'unknown option --port': ['--port', '8555'],
    'unknown option --constructor': ['--constructor'],
    'unknown option --no-all': ['--no-all'],
    'unknown option -n': ['-n', 'x'],
    '--name needs a value': ['--name', '--all'],
    '--days needs a value': ['--days'],
    '--all takes no value': ['--all=yes'],
    'unexpected argument more': ['file', 'more'],
  };
  for (const [message, args] of Object.entries(mistakes)) {
    test(`${args.join(' ')}: ${message}`, () => assert.throws(() => read(...args), new UsageError(message)));
  }
});

test('help is asked for anywhere, but not behind --', () => {
  for (const args of [['--help'], ['-h'], ['file', '--name', '--help']]) assert.ok(asksForHelp(args));
  for (const args of [[], ['help'], ['--', '--help']]) assert.ok(!asksForHelp(args));
});
